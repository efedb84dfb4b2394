// SPDX-License-Identifier: BSD-2-Clause
#include "describe/describe.hpp"

#include <string_view>

namespace fmukit {
namespace {

const char* element_of(Type type) {
  static constexpr const char* names[] = {"Float64", "Float32", "Int8",   "Int16",      "Int32",
                                          "Int64",   "UInt8",   "UInt16", "UInt32",     "UInt64",
                                          "Boolean", "String",  "Binary", "Enumeration"};
  return names[static_cast<std::size_t>(type)];
}

class WriterV3 {
 public:
  WriterV3(const ModelInfo& model, const std::string& id, Interfaces which)
      : info_(model), identifier_(id), interfaces_(which), layout_(model, Version::fmi3) {}

  std::string write() {
    xml_.open("fmiModelDescription")
        .always("fmiVersion", "3.0")
        .always("modelName", info_.name)
        .always("instantiationToken", instantiation_token(info_, "3.0"))
        .attribute("description", info_.text)
        .attribute("author", info_.author)
        .attribute("version", info_.version)
        .attribute("copyright", info_.copyright)
        .attribute("license", info_.license)
        .always("generationTool", generation_tool)
        .always("variableNamingConvention", "structured");
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
  void write_interface(std::string_view element) {
    const Capabilities c = capabilities(info_);
    const Promises& p = info_.promises;
    xml_.open(element)
        .always("modelIdentifier", identifier_)
        .flag("needsExecutionTool", p.needs_execution_tool)
        .flag("canBeInstantiatedOnlyOncePerProcess", p.once_per_process)
        .flag("canGetAndSetFMUState", c.get_set_state)
        .flag("canSerializeFMUState", c.serialize)
        .flag("providesDirectionalDerivatives", c.directional)
        .flag("providesAdjointDerivatives", c.directional)
        .flag("providesPerElementDependencies", info_.abilities.element_dependencies);
    if (element == "ModelExchange")
      xml_.flag("needsCompletedIntegratorStep", info_.abilities.step_events);
    else {
      xml_.flag("canHandleVariableCommunicationStepSize", !p.fixed_step);
      if (p.fixed_step) xml_.attribute("fixedInternalStepSize", info_.experiment.step);
      xml_.count("maxOutputDerivativeOrder", static_cast<std::size_t>(c.output_derivatives))
          .flag("providesIntermediateUpdate", c.intermediate_updates)
          .flag("mightReturnEarlyFromDoStep", c.returns_early)
          .flag("canReturnEarlyAfterIntermediateUpdate", c.early_after_intermediate)
          .flag("hasEventMode", c.has_event_mode);
    }
    xml_.close();
  }

  void write_types() {
    if (info_.enumerations.empty()) return;
    xml_.open("TypeDefinitions");
    for (const EnumerationInfo& e : info_.enumerations) {
      xml_.open("EnumerationType").always("name", e.name).attribute("description", e.text);
      for (const auto& item : e.items)
        xml_.open("Item")
            .always("name", item.name)
            .always("value", std::to_string(item.value))
            .attribute("description", item.text)
            .close();
      xml_.close();
    }
    xml_.close();
  }

  void write_variable(std::size_t index) {
    const VariableInfo& v = info_.variables[index];
    const bool is_float = v.type == Type::float64 || v.type == Type::float32;
    const bool has_bounds =
        is_float || (v.type != Type::boolean && v.type != Type::string && v.type != Type::binary);
    const bool in_children = v.type == Type::string || v.type == Type::binary;
    xml_.open(element_of(v.type))
        .always("name", v.name)
        .count("valueReference", index)
        .attribute("description", v.text)
        .always("causality", name_of(v.causality))
        .always("variability", name_of(v.variability));
    if (const EnumerationInfo* e = enumeration_of(info_, v)) xml_.always("declaredType", e->name);
    const bool shown = v.causality == Causality::input || v.causality == Causality::output;
    if (shown && v.variability == Variability::continuous)
      xml_.flag("intermediateUpdate", capabilities(info_).intermediate_updates);
    if (v.initial) {
      static constexpr const char* names[] = {"exact", "approx", "calculated"};
      xml_.always("initial", names[static_cast<std::size_t>(*v.initial)]);
    }
    if (has_bounds) {
      xml_.attribute("quantity", v.quantity);
      if (is_float)
        xml_.attribute("unit", v.unit)
            .attribute("displayUnit", v.display_unit)
            .flag("relativeQuantity", v.relative);
      xml_.attribute("min", bound(v, v.min)).attribute("max", bound(v, v.max));
      if (is_float) xml_.attribute("nominal", v.nominal);
    }
    const std::vector<std::string> starts = start_values(info_, v);
    if (has_start(v) && !in_children) {
      std::string list;
      for (const std::string& s : starts) list.append(list.empty() ? "" : " ").append(s);
      xml_.attribute("start", list);
    }
    if (!v.derivative_of.empty()) xml_.count("derivative", v.state_index);
    xml_.flag("reinit", v.reinit && interfaces_.model_exchange);
    if (v.type == Type::binary) xml_.attribute("mimeType", v.mime_type);
    write_dimensions(v);
    if (has_start(v) && in_children)
      for (const std::string& s : starts) xml_.open("Start").always("value", s).close();
    xml_.close();
  }

  void write_dimensions(const VariableInfo& v) {
    for (const Dimension& d : v.shape) {
      xml_.open("Dimension");
      if (d.parameter.empty())
        xml_.count("start", d.size);
      else
        for (std::size_t i = 0; i < info_.variables.size(); ++i)
          if (info_.variables[i].name == d.parameter) xml_.count("valueReference", i);
      xml_.close();
    }
  }

  void write_structure() {
    xml_.open("ModelStructure");
    write_list("Output", false,
               [](const VariableInfo& v) { return v.causality == Causality::output; });
    write_list("ContinuousStateDerivative", false,
               [](const VariableInfo& v) { return !v.derivative_of.empty(); });
    write_list("InitialUnknown", true, [](const VariableInfo& v) {
      const bool listed = v.causality == Causality::output || v.state || !v.derivative_of.empty() ||
                          v.causality == Causality::calculated_parameter;
      return listed && v.initial && *v.initial != Initial::exact;
    });
    if (interfaces_.model_exchange)
      write_list("EventIndicator", false, [](const VariableInfo& v) { return v.event_indicator; });
    xml_.close();
  }

  template <class Select>
  void write_list(std::string_view element, bool initial, Select&& selected) {
    for (std::size_t i = 0; i < info_.variables.size(); ++i) {
      const VariableInfo& v = info_.variables[i];
      if (!selected(v)) continue;
      xml_.open(element).count("valueReference", i);
      const auto& dependencies = initial ? v.initial_dependencies : v.dependencies;
      if (dependencies) write_dependencies(*dependencies);
      xml_.close();
    }
  }

  void write_dependencies(const std::vector<Dependency>& dependencies) {
    std::string references, kinds;
    bool plain = true;
    for (const Dependency& d : dependencies)
      for (std::size_t i = 0; i < info_.variables.size(); ++i) {
        if (info_.variables[i].name != d.name) continue;
        references.append(references.empty() ? "" : " ").append(std::to_string(i));
        kinds.append(kinds.empty() ? "" : " ").append(name_of(d.kind));
        plain = plain && d.kind == DependencyKind::dependent;
      }
    xml_.always("dependencies", references);
    if (!plain) xml_.always("dependenciesKind", kinds);
  }

  const ModelInfo& info_;
  const std::string& identifier_;
  const Interfaces interfaces_;
  const Layout layout_;
  Xml xml_;
};

}  // namespace

std::string describe_fmi3(const ModelInfo& info, const std::string& identifier, Interfaces which) {
  return WriterV3(info, identifier, which).write();
}

}  // namespace fmukit
