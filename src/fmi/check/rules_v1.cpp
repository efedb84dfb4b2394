// SPDX-License-Identifier: BSD-2-Clause
#include <cstdint>
#include <unordered_set>

#include "fmi/check/reporter.hpp"

/// Rules of FMI 1.0 only.
namespace tutti::fmi::rules {

void alias_base(const Subject& fmu, Reporter& report) {
  std::unordered_set<std::uint64_t> bases;
  for (const Variable& variable : fmu.description.variables) {
    if (variable.alias == AliasKind::none) bases.insert(value_key(variable));
  }
  for (const Variable& variable : fmu.description.variables) {
    if (variable.alias != AliasKind::none && !bases.contains(value_key(variable))) {
      report.variable(variable,
                      "it is an alias, but no variable with alias \"noAlias\" has its "
                      "valueReference {}",
                      variable.value_reference);
    }
  }
}

void alias_negated(const Subject& fmu, Reporter& report) {
  for (const Variable& variable : fmu.description.variables) {
    if (variable.alias != AliasKind::negated) continue;
    if (variable.type == Type::string || variable.type == Type::enumeration) {
      report.variable(variable, "a variable of type {} cannot be a negated alias",
                      to_string(variable.type));
    }
  }
}

void continuous_v1(const Subject& fmu, Reporter& report) {
  for (std::size_t i = 0; i < fmu.elements.size(); ++i) {
    const std::string_view word = fmu.elements[i].attribute("variability").value();
    const Variable& variable = fmu.description.variables[i];
    if (word == "continuous" && variable.type != Type::float64) {
      report.variable(i, "only a Real can be continuous");
    }
  }
}

void direct_dependency(const Subject& fmu, Reporter& report) {
  for (std::size_t i = 0; i < fmu.elements.size(); ++i) {
    const pugi::xml_node list = fmu.elements[i].child("DirectDependency");
    if (!list) continue;
    if (fmu.description.variables[i].causality != Causality::output) {
      report.variable_at(i, list, "<DirectDependency> is for outputs only");
      continue;
    }
    for (const pugi::xml_node name : list.children("Name")) {
      const Variable* const known = fmu.description.find(trim(name.text().get()));
      const std::size_t index =
          known != nullptr ? static_cast<std::size_t>(known - fmu.description.variables.data()) : 0;
      // An input that is a parameter does not have the causality input in the description.
      if (known != nullptr &&
          fmu.elements[index].attribute("causality").value() != std::string_view("input")) {
        report.variable_at(i, name, "it depends on \"{}\", which is not an input", known->name);
      }
    }
  }
}

void fixed_start(const Subject& fmu, Reporter& report) {
  for (std::size_t i = 0; i < fmu.elements.size(); ++i) {
    if (fmu.attribute(i, "fixed") && !fmu.attribute(i, "start")) {
      report.variable(i, "\"fixed\" specifies the use of its start value, but it has none");
    }
  }
}

}  // namespace tutti::fmi::rules
