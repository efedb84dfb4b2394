// SPDX-License-Identifier: BSD-2-Clause
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "fmi/check/reporter.hpp"

namespace tutti::fmi::rules {
namespace {

/// Calls `use` with each definition and its element.
template <class Use>
void for_each_type(const Subject& fmu, const Use& use) {
  std::size_t next = 0;
  const std::vector<TypeDefinition>& types = fmu.description.types;
  for (const pugi::xml_node child : children_of(fmu.xml->root().child("TypeDefinitions"))) {
    if (next == types.size()) return;
    // Elements skipped by the reader have other names.
    if (child.attribute("name").value() == types[next].name) use(types[next++], child);
  }
}

}  // namespace

void display_unit(const Subject& fmu, Reporter& report) {
  for (const Variable& variable : fmu.description.variables) {
    const TypeAttributes& has = variable.attributes;
    if (!has.display_unit.empty() && has.unit.empty()) {
      report.variable(variable, "it has the display unit \"{}\", but no unit", has.display_unit);
    }
  }
}

void display_unit_defined(const Subject& fmu, Reporter& report) {
  std::unordered_map<std::string_view, std::unordered_set<std::string_view>> known;
  for (const Unit& unit : fmu.description.units) {
    auto& names = known[unit.name];
    for (const DisplayUnit& display : unit.display_units) names.insert(display.name);
  }
  for (const Variable& variable : fmu.description.variables) {
    const TypeAttributes& has = variable.attributes;
    if (has.display_unit.empty()) continue;
    const auto unit = known.find(has.unit);
    if (unit != known.end() && !unit->second.contains(has.display_unit)) {
      report.variable(variable, "its display unit \"{}\" is not defined for the unit \"{}\"",
                      has.display_unit, has.unit);
    }
  }
}

void display_unit_unique(const Subject& fmu, Reporter& report) {
  for (const pugi::xml_node unit : children_of(fmu.xml->root().child("UnitDefinitions"))) {
    std::unordered_set<std::string_view> names;
    for (const pugi::xml_node item : unit.children("DisplayUnit")) {
      const std::string_view name = item.attribute("name").value();
      if (!names.insert(name).second) {
        report.element(item, "unit \"{}\": the display unit \"{}\" is defined twice",
                       unit.attribute("name").value(), name);
      }
    }
  }
}

void enumeration_items(const Subject& fmu, Reporter& report) {
  for_each_type(fmu, [&](const TypeDefinition& type, pugi::xml_node element) {
    if (type.type != Type::enumeration) return;
    if (type.items.empty())
      report.element(element, "the enumeration \"{}\" has no items", type.name);
    std::unordered_set<std::string_view> names;
    std::unordered_set<std::int64_t> values;
    for (const EnumerationItem& item : type.items) {
      const bool new_name = names.insert(item.name).second;
      const bool new_value = values.insert(item.value).second;
      if (new_name && new_value) continue;
      report.element(element, "the enumeration \"{}\" has two items with the {} {}", type.name,
                     new_name ? "value" : "name",
                     new_name ? std::to_string(item.value) : "\"" + item.name + "\"");
    }
  });
}

void enumeration_start(const Subject& fmu, Reporter& report) {
  std::vector<std::unordered_set<std::int64_t>> values(fmu.description.types.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (const EnumerationItem& item : fmu.description.types[i].items) values[i].insert(item.value);
  }
  for (const Variable& variable : fmu.description.variables) {
    if (variable.type != Type::enumeration || variable.declared_type < 0) continue;
    const auto& allowed = values[static_cast<std::size_t>(variable.declared_type)];
    for (const std::string& text : variable.start) {
      const auto value = parse_integer<std::int64_t>(text);
      if (!value || allowed.empty() || allowed.contains(*value)) continue;
      report.variable(variable, "start={} is not an item of its type \"{}\"", text,
                      fmu.description.type_of(variable)->name);
      break;
    }
  }
}

void enumeration_type(const Subject& fmu, Reporter& report) {
  for (std::size_t i = 0; i < fmu.description.variables.size(); ++i) {
    if (fmu.description.variables[i].type == Type::enumeration &&
        !fmu.attribute(i, "declaredType")) {
      report.variable(i, "it is an enumeration without declaredType, so it has no items");
    }
  }
}

void type_name(const Subject& fmu, Reporter& report) {
  for_each_type(fmu, [&](const TypeDefinition& type, pugi::xml_node element) {
    if (fmu.description.find(type.name) != nullptr) {
      report.element(element, "the type \"{}\" has the name of a variable", type.name);
    }
  });
}

void type_unique(const Subject& fmu, Reporter& report) {
  std::unordered_set<std::string_view> names;
  for_each_type(fmu, [&](const TypeDefinition& type, pugi::xml_node element) {
    if (type.name.empty()) {
      report.element(element, "a type has no name");
    } else if (!names.insert(type.name).second) {
      report.element(element, "the type \"{}\" is defined twice", type.name);
    }
  });
}

void unit_factor(const Subject& fmu, Reporter& report) {
  for (const pugi::xml_node unit : children_of(fmu.xml->root().child("UnitDefinitions"))) {
    for (const pugi::xml_node part : children_of(unit)) {
      const pugi::xml_attribute factor =
          part.attribute(fmu.version == FmiVersion::v1 ? "gain" : "factor");
      if (!factor || parse_double(factor.value()) != 0.0) continue;
      report.element(part, "unit \"{}\": a factor of 0 cannot be converted back",
                     unit.attribute(fmu.version == FmiVersion::v1 ? "unit" : "name").value());
    }
  }
}

}  // namespace tutti::fmi::rules
