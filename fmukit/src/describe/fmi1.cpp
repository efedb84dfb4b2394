// SPDX-License-Identifier: BSD-2-Clause
#include "describe/describe.hpp"

#include <algorithm>

namespace fmukit {
namespace {

/// FMI 1.0 numbers the items of an enumeration 1, 2, 3...; others must stay integers.
bool is_enumeration(const EnumerationInfo* e) {
  if (!e) return false;
  int expected = 1;
  return std::all_of(e->items.begin(), e->items.end(),
                     [&](const auto& item) { return item.value == expected++; });
}

class WriterV1 {
 public:
  WriterV1(const ModelInfo& model, const std::string& id, bool cs)
      : info_(model), identifier_(id), co_simulation_(cs), layout_(model, Version::fmi1) {}

  std::string write() {
    write_root();
    write_units();
    write_types();
    write_default_experiment(xml_, info_, false);
    xml_.open("ModelVariables");
    for (std::size_t i = 1; i < info_.variables.size(); ++i) write_variable(i);
    xml_.close();
    if (co_simulation_) write_implementation();
    xml_.close();
    return xml_.text();
  }

 private:
  std::size_t elements_of(const std::vector<std::uint32_t>& variables) const {
    std::size_t n = 0;
    for (const std::uint32_t i : variables) n += info_.variables[i].count;
    return n;
  }

  void write_root() {
    xml_.open("fmiModelDescription")
        .always("fmiVersion", "1.0")
        .always("modelName", info_.name)
        .always("modelIdentifier", identifier_)
        .always("guid", instantiation_token(info_, "1.0"))
        .attribute("description", info_.text)
        .attribute("author", info_.author)
        .attribute("version", info_.version)
        .always("generationTool", generation_tool)
        .always("variableNamingConvention", "structured")
        .count("numberOfContinuousStates", elements_of(layout_.states))
        .count("numberOfEventIndicators", elements_of(layout_.indicators));
  }

  void write_units() {
    if (info_.units.empty()) return;
    xml_.open("UnitDefinitions");
    for (const UnitInfo& unit : info_.units) {
      xml_.open("BaseUnit").always("unit", unit.name);
      for (const DisplayUnit& d : unit.displays) {
        xml_.open("DisplayUnitDefinition").always("displayUnit", d.name);
        if (d.factor != 1) xml_.always("gain", number(d.factor));
        if (d.offset != 0) xml_.always("offset", number(d.offset));
        xml_.close();
      }
      xml_.close();
    }
    xml_.close();
  }

  void write_types() {
    bool opened = false;
    for (const EnumerationInfo& e : info_.enumerations) {
      if (!is_enumeration(&e)) continue;
      if (!opened) xml_.open("TypeDefinitions");
      opened = true;
      xml_.open("Type").always("name", e.name).attribute("description", e.text);
      xml_.open("EnumerationType");
      for (const auto& item : e.items)
        xml_.open("Item").always("name", item.name).attribute("description", item.text).close();
      xml_.close().close();
    }
    if (opened) xml_.close();
  }

  void write_variable(std::size_t index) {
    const VariableInfo& v = info_.variables[index];
    if (v.type == Type::binary) return;
    const std::vector<std::string> starts = start_values(info_, v);
    for (std::size_t k = 0; k < v.count; ++k) {
      const bool constant =
          v.variability == Variability::constant || v.causality == Causality::structural_parameter;
      const bool parameter =
          v.variability == Variability::fixed || v.variability == Variability::tunable;
      const bool seen = v.causality == Causality::input || v.causality == Causality::output;
      xml_.open("ScalarVariable")
          .always("name", element_name(v, k))
          .count("valueReference", layout_.reference(index) + k)
          .attribute("description", v.text)
          .always("variability", constant    ? "constant"
                                 : parameter ? "parameter"
                                             : name_of(v.variability))
          .always("causality", seen ? name_of(v.causality) : "internal");
      write_type(v, starts[k]);
      if (v.causality == Causality::output && v.dependencies) write_dependency(v);
      xml_.close();
    }
  }

  void write_type(const VariableInfo& v, const std::string& start) {
    const EnumerationInfo* e = enumeration_of(info_, v);
    const bool real = v.type == Type::float64 || v.type == Type::float32;
    const bool number_type = real || (v.type != Type::boolean && v.type != Type::string);
    xml_.open(is_enumeration(e) ? "Enumeration" : scalar_element(v.type));
    if (is_enumeration(e)) xml_.attribute("declaredType", e->name);
    if (number_type) {
      xml_.attribute("quantity", v.quantity);
      if (real) xml_.attribute("unit", v.unit).attribute("displayUnit", v.display_unit);
      if (real) xml_.flag("relativeQuantity", v.relative);
      xml_.attribute("min", bound(v, v.min)).attribute("max", bound(v, v.max));
      if (real) xml_.attribute("nominal", v.nominal);
    }
    const bool has = has_start(v) || v.causality == Causality::structural_parameter;
    if (has) xml_.always("start", start);
    if (has && v.initial == Initial::approx) xml_.always("fixed", "false");
    xml_.close();
  }

  /// Only inputs count; an empty list means no dependency.
  void write_dependency(const VariableInfo& v) {
    xml_.open("DirectDependency");
    for (const Dependency& d : *v.dependencies)
      for (const VariableInfo& known : info_.variables)
        if (known.name == d.name && known.causality == Causality::input &&
            known.type != Type::binary)
          for (std::size_t k = 0; k < known.count; ++k)
            xml_.open("Name").content(element_name(known, k)).close();
    xml_.close();
  }

  void write_implementation() {
    const Capabilities c = capabilities(info_);
    const Promises& p = info_.promises;
    xml_.open("Implementation");
    xml_.open(p.needs_execution_tool ? "CoSimulation_Tool" : "CoSimulation_StandAlone");
    xml_.open("Capabilities")
        .flag("canHandleVariableCommunicationStepSize", !p.fixed_step)
        .flag("canHandleEvents", true)
        .flag("canRejectSteps", p.rejects_steps)
        .flag("canInterpolateInputs", c.interpolates_inputs)
        .count("maxOutputDerivativeOrder", static_cast<std::size_t>(c.output_derivatives))
        .flag("canRunAsynchronuously", p.asynchronous)
        .flag("canBeInstantiatedOnlyOncePerProcess", p.once_per_process)
        .flag("canNotUseMemoryManagementFunctions", true)
        .close();
    if (p.needs_execution_tool)
      xml_.open("Model")
          .always("entryPoint", "fmu://resources")
          .always("manualStart", "true")
          .always("type", "application/octet-stream")
          .close();
    xml_.close().close();
  }

  const ModelInfo& info_;
  const std::string& identifier_;
  const bool co_simulation_;
  const Layout layout_;
  Xml xml_;
};

}  // namespace

std::string describe_fmi1(const ModelInfo& info, const std::string& identifier,
                          bool co_simulation) {
  return WriterV1(info, identifier, co_simulation).write();
}

}  // namespace fmukit
