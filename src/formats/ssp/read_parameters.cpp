// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/text.hpp"
#include "formats/ssp/read_structure.hpp"
#include "system/names.hpp"

namespace tutti::formats::ssp {
namespace {

/// `true` and `1` are the same boolean.
std::string normal_boolean(const std::string& text) {
  const std::optional<bool> value = fmi::parse_boolean(text);
  return !value ? text : *value ? "true" : "false";
}

void read_map(const Document& document, pugi::xml_node table, bool booleans,
              Transformation& transformation) {
  std::set<std::string> sources;
  for_each_child(table, Space::ssc, "MapEntry", [&](pugi::xml_node entry) {
    std::string source = document.required(entry, "source");
    std::string target = document.required(entry, "target");
    if (booleans) {
      source = normal_boolean(source);
      target = normal_boolean(target);
    }
    if (!sources.insert(source).second)
      document.refuse(entry, fmt::format("the map has two entries for \"{}\"", source));
    transformation.map.emplace_back(std::move(source), std::move(target));
  });
}

Unit read_unit(const Document& document, pugi::xml_node node) {
  Unit unit;
  unit.name = document.required(node, "name");
  const pugi::xml_node base = child(node, Space::ssc, "BaseUnit");
  if (!base) return unit;
  Unit::Base values;
  constexpr const char* exponents[] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
  for (std::size_t i = 0; i < std::size(exponents); ++i)
    values.exponents[i] = static_cast<std::int32_t>(document.number(base, exponents[i], 0));
  values.factor = document.number(base, "factor", 1);
  values.offset = document.number(base, "offset", 0);
  unit.base = values;
  return unit;
}

/// SSP 2.0 has elements for arrays of strings; 1.0 has the attribute.
std::string value_of(const Document& document, pugi::xml_node type) {
  if (type.attribute("value")) return type.attribute("value").value();
  if (const pugi::xml_node value = child(type, Space::ssv, "Value")) return value.text().get();
  return document.required(type, "value");
}

/// Elements with a fixed communication step, and its attribute.
constexpr std::array<std::pair<std::string_view, const char*>, 2> step_elements = {
    {{"FixedStepAlgorithm", "baseStepSize"}, {"FixedStepMaster", "stepSize"}}};
/// Elements with a choice of steps that Tutti does not have.
constexpr std::array<std::string_view, 3> ignored_elements = {"VariableStepSolver",
                                                              "VariableStepMaster", "StepSizeHint"};

/// The communication step in annotations of other tools: those of the Open Simulation Platform
/// (OSPAnnotations.xsd) and of OMSimulator (oms.xsd).
class StepReader {
 public:
  StepReader(const Document& document, const Log& log) : document_(document), log_(log) {}

  /// The annotations of a system, an element or an experiment.
  void read(pugi::xml_node owner) {
    for_each_child(child(owner, Space::ssd, "Annotations"), Space::ssc, "Annotation",
                   [&](pugi::xml_node annotation) {
                     for (const pugi::xml_node part : fmi::children_of(annotation))
                       look_into(part, annotation.attribute("type").value());
                   });
  }
  std::optional<double> step;

 private:
  void look_into(pugi::xml_node node, std::string_view tool) {
    if (node.type() != pugi::node_element) return;
    const std::string_view name = local_name(node);
    for (const auto& [element, attribute] : step_elements)
      if (name == element) take(node, attribute, tool);
    if (std::ranges::find(ignored_elements, name) != ignored_elements.end())
      log_.info(
          "",
          fmt::format("{}<{}> of {} is ignored; use simulation.step, simulation.control and "
                      "components.NAME.step",
                      system::at(document_.place(node)), printable(node.name()), printable(tool)));
    for (const pugi::xml_node part : fmi::children_of(node)) look_into(part, tool);
  }

  void take(pugi::xml_node node, const char* attribute, std::string_view tool) {
    const std::optional<double> value = document_.number(node, attribute);
    const std::string where = system::at(document_.place(node));
    if (!value || !(*value > 0)) {
      log_.warning("", fmt::format("{}{} of {} has no positive {}; it is ignored", where,
                                   printable(node.name()), printable(tool), attribute));
    } else if (step && *step != *value) {
      log_.info("", fmt::format("{}the step {} s of {} is ignored: an earlier one applies", where,
                                *value, printable(tool)));
    } else {
      if (!step)
        log_.info("", fmt::format("{}the step is {} s, from the annotation of {}", where, *value,
                                  printable(tool)));
      step = value;
    }
  }

  const Document& document_;
  const Log& log_;
};

}  // namespace

Transformation read_transformation(const Document& document, pugi::xml_node element) {
  Transformation transformation;
  transformation.convert_units = !document.boolean(element, "suppressUnitConversion");
  for (const pugi::xml_node node : fmi::children_of(element)) {
    if (node.type() != pugi::node_element || space_of(node) != Space::ssc) continue;
    const std::string_view name = local_name(node);
    if (name == "LinearTransformation") {
      transformation.factor = document.number(node, "factor", 1);
      transformation.offset = document.number(node, "offset", 0);
    } else if (name == "BooleanMappingTransformation") {
      read_map(document, node, true, transformation);
    } else if (name == "IntegerMappingTransformation" ||
               name == "EnumerationMappingTransformation") {
      read_map(document, node, false, transformation);
    }
  }
  return transformation;
}

void read_parameter_set(const Document& document, pugi::xml_node set, Binding& binding) {
  const pugi::xml_node parameters = child(set, Space::ssv, "Parameters");
  for_each_child(parameters, Space::ssv, "Parameter", [&](pugi::xml_node parameter) {
    ParameterValue value;
    value.name = document.required(parameter, "name");
    for (const pugi::xml_node type : fmi::children_of(parameter)) {
      if (type.type() != pugi::node_element || space_of(type) != Space::ssv) continue;
      value.value = value_of(document, type);
      if (local_name(type) == "Boolean") value.value = normal_boolean(value.value);
      value.unit = type.attribute("unit").value();
      binding.values.push_back(std::move(value));
      return;
    }
    document.refuse(parameter, fmt::format("parameter \"{}\" has no value", value.name));
  });
  for_each_child(child(set, Space::ssv, "Units"), Space::ssc, "Unit",
                 [&](pugi::xml_node unit) { binding.units.push_back(read_unit(document, unit)); });
}

std::vector<MappingEntry> read_parameter_mapping(const Document& document, pugi::xml_node mapping) {
  std::vector<MappingEntry> entries;
  for_each_child(mapping, Space::ssm, "MappingEntry", [&](pugi::xml_node node) {
    entries.push_back({document.required(node, "source"), document.required(node, "target"),
                       read_transformation(document, node)});
  });
  return entries;
}

std::optional<double> read_step(const Document& document, pugi::xml_node root, const Log& log) {
  StepReader reader(document, log);
  const pugi::xml_node system = child(root, Space::ssd, "System");
  reader.read(child(root, Space::ssd, "DefaultExperiment"));
  reader.read(system);
  for (const pugi::xml_node element : fmi::children_of(child(system, Space::ssd, "Elements")))
    if (is(element, Space::ssd, "Component")) reader.read(element);
  return reader.step;
}

}  // namespace tutti::formats::ssp
