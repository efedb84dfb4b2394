// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <utility>
#include <vector>

#include "describe/describe.hpp"

namespace fmukit {
namespace {

/// Indices of ModelStructure count the ScalarVariables from 1, in the order of writing.
class WriterV2 {
 public:
  WriterV2(const ModelInfo& model, const std::string& id, Interfaces which)
      : info_(model), identifier_(id), interfaces_(which), layout_(model, Version::fmi2) {}

  std::string write() {
    std::size_t indicators = 0;
    for (const std::uint32_t i : layout_.indicators) indicators += info_.variables[i].count;
    xml_.open("fmiModelDescription")
        .always("fmiVersion", "2.0")
        .always("modelName", info_.name)
        .always("guid", instantiation_token(info_, "2.0"))
        .attribute("description", info_.text)
        .attribute("author", info_.author)
        .attribute("version", info_.version)
        .attribute("copyright", info_.copyright)
        .attribute("license", info_.license)
        .always("generationTool", generation_tool)
        .always("variableNamingConvention", "structured")
        .count("numberOfEventIndicators", indicators);
    if (interfaces_.model_exchange) write_interface("ModelExchange");
    if (interfaces_.co_simulation) write_interface("CoSimulation");
    write_units(xml_, info_);
    write_types();
    write_log_categories(xml_);
    write_default_experiment(xml_, info_, true);
    xml_.open("ModelVariables");
    for (std::size_t i = 0; i < info_.variables.size(); ++i) write_variable(i);
    xml_.close();
    write_structure();
    xml_.close();
    return xml_.text();
  }

 private:
  void write_interface(const std::string& element) {
    const Capabilities c = capabilities(info_);
    const Promises& p = info_.promises;
    xml_.open(element)
        .always("modelIdentifier", identifier_)
        .flag("needsExecutionTool", p.needs_execution_tool);
    if (element == "CoSimulation")
      xml_.flag("canHandleVariableCommunicationStepSize", !p.fixed_step)
          .flag("canInterpolateInputs", c.interpolates_inputs)
          .count("maxOutputDerivativeOrder", static_cast<std::size_t>(c.output_derivatives))
          .flag("canRunAsynchronuously", p.asynchronous);
    else
      xml_.flag("completedIntegratorStepNotNeeded", !info_.abilities.step_events);
    xml_.flag("canBeInstantiatedOnlyOncePerProcess", p.once_per_process)
        .flag("canNotUseMemoryManagementFunctions", true)
        .flag("canGetAndSetFMUstate", c.get_set_state)
        .flag("canSerializeFMUstate", c.serialize)
        .flag("providesDirectionalDerivative", c.directional)
        .close();
  }

  void write_types() {
    if (info_.enumerations.empty()) return;
    xml_.open("TypeDefinitions");
    for (const EnumerationInfo& e : info_.enumerations) {
      xml_.open("SimpleType").always("name", e.name).attribute("description", e.text);
      xml_.open("Enumeration");
      for (const auto& item : e.items)
        xml_.open("Item")
            .always("name", item.name)
            .always("value", std::to_string(item.value))
            .attribute("description", item.text)
            .close();
      xml_.close().close();
    }
    xml_.close();
  }

  void write_variable(std::size_t index) {
    const VariableInfo& v = info_.variables[index];
    if (v.type == Type::binary) return;
    // Sizes cannot change in FMI 2.0, so structural parameters are constants.
    const bool structural = v.causality == Causality::structural_parameter;
    const std::vector<std::string> starts = start_values(info_, v);
    for (std::size_t k = 0; k < v.count; ++k) {
      xml_.open("ScalarVariable")
          .always("name", element_name(v, k))
          .count("valueReference", layout_.reference(index) + k)
          .attribute("description", v.text)
          .always("causality", structural ? "local" : name_of(v.causality))
          .always("variability", structural ? "constant" : name_of(v.variability));
      if (v.initial) {
        static constexpr const char* names[] = {"exact", "approx", "calculated"};
        xml_.always("initial", names[static_cast<std::size_t>(*v.initial)]);
      }
      write_type(v, k, starts[k]);
      xml_.close();
    }
  }

  void write_type(const VariableInfo& v, std::size_t k, const std::string& start) {
    const EnumerationInfo* e = enumeration_of(info_, v);
    const bool real = v.type == Type::float64 || v.type == Type::float32;
    const bool number_type = real || (v.type != Type::boolean && v.type != Type::string);
    xml_.open(e ? "Enumeration" : scalar_element(v.type));
    if (e) xml_.always("declaredType", e->name);
    if (number_type) {
      xml_.attribute("quantity", v.quantity);
      if (real) xml_.attribute("unit", v.unit).attribute("displayUnit", v.display_unit);
      if (real) xml_.flag("relativeQuantity", v.relative);
      xml_.attribute("min", bound(v, v.min)).attribute("max", bound(v, v.max));
      if (real) xml_.attribute("nominal", v.nominal);
    }
    if (has_start(v)) xml_.always("start", start);
    if (!v.derivative_of.empty()) xml_.count("derivative", first_index(v.state_index) + k);
    if (interfaces_.model_exchange) xml_.flag("reinit", v.reinit);
    xml_.close();
  }

  void write_structure() {
    xml_.open("ModelStructure");
    write_list("Outputs", false,
               [](const VariableInfo& v) { return v.causality == Causality::output; });
    write_list("Derivatives", false,
               [](const VariableInfo& v) { return !v.derivative_of.empty(); });
    write_list("InitialUnknowns", true, [](const VariableInfo& v) {
      const bool listed = v.causality == Causality::output || v.state || !v.derivative_of.empty() ||
                          v.causality == Causality::calculated_parameter;
      return listed && v.initial && *v.initial != Initial::exact;
    });
    xml_.close();
  }

  template <class Select>
  void write_list(const char* element, bool initial, Select&& selected) {
    bool opened = false;
    for (std::size_t i = 0; i < info_.variables.size(); ++i) {
      const VariableInfo& v = info_.variables[i];
      if (v.type == Type::binary || !selected(v)) continue;
      if (!opened) xml_.open(element);
      opened = true;
      for (std::size_t k = 0; k < v.count; ++k) {
        xml_.open("Unknown").count("index", first_index(i) + k);
        write_dependencies(initial ? v.initial_dependencies : v.dependencies, initial);
        xml_.close();
      }
    }
    if (opened) xml_.close();
  }

  /// Knowns are inputs, states and the time; at initialization inputs and exact start values.
  void write_dependencies(const std::optional<std::vector<Dependency>>& dependencies,
                          bool initial) {
    if (!dependencies) return;
    std::vector<std::pair<std::size_t, DependencyKind>> rows;
    for (const Dependency& d : *dependencies) {
      for (std::size_t i = 0; i < info_.variables.size(); ++i) {
        const VariableInfo& v = info_.variables[i];
        const bool known = v.causality == Causality::input || v.state ||
                           v.causality == Causality::independent ||
                           (initial && v.initial == Initial::exact);
        if (v.name != d.name || !known || v.type == Type::binary) continue;
        for (std::size_t k = 0; k < v.count; ++k) rows.emplace_back(first_index(i) + k, d.kind);
      }
    }
    std::sort(rows.begin(), rows.end());  // 2.0.5, section 2.2.8: the smallest index first
    std::string indices, kinds;
    bool plain = true;
    for (const auto& [index, kind] : rows) {
      indices.append(indices.empty() ? "" : " ").append(std::to_string(index));
      kinds.append(kinds.empty() ? "" : " ").append(name_of(kind));
      plain = plain && kind == DependencyKind::dependent;
    }
    xml_.always("dependencies", indices);
    if (!plain) xml_.always("dependenciesKind", kinds);
  }

  /// Value references are dense too, so the index is the reference plus 1.
  std::size_t first_index(std::size_t variable) const { return layout_.reference(variable) + 1; }

  const ModelInfo& info_;
  const std::string& identifier_;
  const Interfaces interfaces_;
  const Layout layout_;
  Xml xml_;
};

}  // namespace

std::string describe_fmi2(const ModelInfo& info, const std::string& identifier, Interfaces which) {
  return WriterV2(info, identifier, which).write();
}

}  // namespace fmukit
