// SPDX-License-Identifier: BSD-2-Clause
#include "describe/describe.hpp"

#include <cmath>

namespace fmukit {

const char* name_of(Causality causality) {
  static constexpr const char* names[] = {
      "parameter", "calculatedParameter", "structuralParameter", "input", "output",
      "local",     "independent"};
  return names[static_cast<std::size_t>(causality)];
}

const char* name_of(Variability variability) {
  static constexpr const char* names[] = {"constant", "fixed", "tunable", "discrete", "continuous"};
  return names[static_cast<std::size_t>(variability)];
}

const char* name_of(DependencyKind kind) {
  static constexpr const char* names[] = {"dependent", "constant", "fixed", "tunable", "discrete"};
  return names[static_cast<std::size_t>(kind)];
}

std::string element_name(const VariableInfo& v, std::size_t element) {
  if (v.shape.empty()) return v.name;
  std::string indices;
  for (std::size_t d = v.shape.size(); d-- > 0;) {  // row-major: the last index runs fastest
    const std::size_t size = v.shape[d].size;
    indices = std::to_string(element % size + 1) + (indices.empty() ? "" : ",") + indices;
    element /= size;
  }
  indices = "[" + indices + "]";
  std::string name = v.name;  // structured names have the form der(x[1])
  const bool derivative = name.rfind("der(", 0) == 0 && name.back() == ')';
  return name.insert(derivative ? name.find_last_not_of(')') + 1 : name.size(), indices);
}

const EnumerationInfo* enumeration_of(const ModelInfo& info, const VariableInfo& v) {
  for (const EnumerationInfo& e : info.enumerations)
    if (v.type == Type::enumeration && e.key == v.enumeration) return &e;
  return nullptr;
}

bool has_start(const VariableInfo& v) {
  return v.causality == Causality::input || v.variability == Variability::constant ||
         v.initial == Initial::exact || v.initial == Initial::approx;
}

std::string bound(const VariableInfo& v, const std::optional<double>& value) {
  if (!value) return {};
  if (v.type == Type::float64 || v.type == Type::float32) return number(*value);
  return std::to_string(std::llround(*value));
}

void write_default_experiment(Xml& xml, const ModelInfo& info, bool with_step) {
  const Experiment& e = info.experiment;
  if (!e.start && !e.stop && !e.tolerance && !(with_step && e.step)) return;
  xml.open("DefaultExperiment")
      .attribute("startTime", e.start)
      .attribute("stopTime", e.stop)
      .attribute("tolerance", e.tolerance);
  if (with_step) xml.attribute("stepSize", e.step);
  xml.close();
}

void write_units(Xml& xml, const ModelInfo& info) {
  if (info.units.empty()) return;
  xml.open("UnitDefinitions");
  for (const UnitInfo& unit : info.units) {
    xml.open("Unit").attribute("name", unit.name);
    if (unit.base) {
      const BaseUnit& b = *unit.base;
      xml.open("BaseUnit");
      const std::pair<const char*, int> exponents[] = {{"kg", b.kg}, {"m", b.m},    {"s", b.s},
                                                       {"A", b.A},   {"K", b.K},    {"mol", b.mol},
                                                       {"cd", b.cd}, {"rad", b.rad}};
      for (const auto& [name, exponent] : exponents)
        if (exponent != 0) xml.always(name, std::to_string(exponent));
      if (b.factor != 1) xml.always("factor", number(b.factor));
      if (b.offset != 0) xml.always("offset", number(b.offset));
      xml.close();
    }
    for (const DisplayUnit& d : unit.displays) {
      xml.open("DisplayUnit").attribute("name", d.name);
      if (d.factor != 1) xml.always("factor", number(d.factor));
      if (d.offset != 0) xml.always("offset", number(d.offset));
      xml.close();
    }
    xml.close();
  }
  xml.close();
}

void write_log_categories(Xml& xml) {
  xml.open("LogCategories");
  const std::pair<const char*, const char*> rows[] = {
      {"logAll", "All messages"},
      {"logEvents", "Events of the model"},
      {"logStatusWarning", "Warnings"},
      {"logStatusError", "Errors"},
  };
  for (const auto& [name, text] : rows)
    xml.open("Category").always("name", name).always("description", text).close();
  xml.close();
}

const char* scalar_element(Type type) {
  switch (type) {
    case Type::float64:
    case Type::float32:
      return "Real";
    case Type::boolean:
      return "Boolean";
    case Type::string:
      return "String";
    default:
      return "Integer";
  }
}

}  // namespace fmukit
