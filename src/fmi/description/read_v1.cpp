// SPDX-License-Identifier: BSD-2-Clause
#include <string>
#include <utility>
#include <vector>

#include "fmi/description/shared.hpp"
#include "fmi/description/types_v1.hpp"
#include "fmi/description/variable.hpp"
#include "fmi/description/versions.hpp"

namespace tutti::fmi {
namespace {

class ReaderV1 {
 public:
  explicit ReaderV1(Context& context) : context_(context), to_(context.result) {}

  void read() {
    const pugi::xml_node root = context_.xml.root();
    for (const pugi::xml_attribute attribute : attributes_of(root)) read_root_attribute(attribute);
    pugi::xml_node variables, implementation;
    for (const pugi::xml_node child : children_of(root)) {
      switch (key(child.name())) {
        case key("UnitDefinitions"):
          read_units_v1(context_, child);
          break;
        case key("TypeDefinitions"):
          for (const pugi::xml_node type : child.children("Type")) read_type_v1(context_, type);
          break;
        case key("DefaultExperiment"):
          read_default_experiment(context_, child);
          break;
        case key("VendorAnnotations"):
          read_annotations(child, "name", to_.annotations);
          break;
        case key("ModelVariables"):
          variables = child;
          break;
        case key("Implementation"):
          implementation = child;
          break;
        default:
          context_.unknown_element(child);
      }
    }
    check_model(context_, "guid");
    read_interface(implementation);
    read_variables(variables);
    index_variables(context_);
    read_dependencies();
  }

 private:
  void read_root_attribute(pugi::xml_attribute attribute);
  void read_interface(pugi::xml_node implementation);
  void read_capabilities(pugi::xml_node element, Capabilities& to);
  void read_variables(pugi::xml_node list);
  void read_variable(pugi::xml_node element, VariableReader& reader);
  void read_type_element(VariableDraft& draft, pugi::xml_node element);
  void map_words(VariableDraft& draft, pugi::xml_attribute causality,
                 pugi::xml_attribute variability);
  void read_dependencies();

  Context& context_;
  ModelDescription& to_;
  std::string model_identifier_;
  std::vector<std::pair<std::int32_t, pugi::xml_node>>
      dependencies_;  ///< output, its element or null
};

void ReaderV1::read_root_attribute(pugi::xml_attribute attribute) {
  const pugi::xml_node root = context_.xml.root();
  if (read_model_attribute(context_, attribute)) return;
  switch (key(attribute.name())) {
    case key("modelIdentifier"):
      model_identifier_ = attribute.value();
      break;
    case key("guid"):
      to_.token = attribute.value();
      break;
    case key("numberOfContinuousStates"):
      context_.read_integer(root, attribute, to_.continuous_state_count);
      break;
    case key("numberOfEventIndicators"):
      context_.read_integer(root, attribute, to_.event_indicator_count);
      break;
    default:
      context_.unknown_attribute(root, attribute);
  }
}

void ReaderV1::read_interface(pugi::xml_node implementation) {
  if (model_identifier_.empty()) {
    context_.fail(context_.xml.root(),
                  "there is no modelIdentifier, so the FMU's functions have no "
                  "name. Export the FMU again.");
  }
  Capabilities can;
  can.model_identifier = model_identifier_;
  if (!implementation) {
    to_.model_exchange = std::move(can);
    return;
  }
  for (const pugi::xml_node child : children_of(implementation)) {
    switch (key(child.name())) {
      case key("CoSimulation_StandAlone"):
        break;
      case key("CoSimulation_Tool"):
        can.needs_execution_tool = true;
        break;
      default:
        context_.unknown_element(child);
        continue;
    }
    for (const pugi::xml_node part : children_of(child)) {
      switch (key(part.name())) {
        case key("Capabilities"):
          read_capabilities(part, can);
          break;
        case key("Model"):
          can.entry_point = part.attribute("entryPoint").value();
          can.mime_type = part.attribute("type").value();
          can.manual_start = parse_boolean(part.attribute("manualStart").value()).value_or(false);
          break;
        default:
          context_.unknown_element(part);
      }
    }
  }
  to_.co_simulation = std::move(can);
}

void ReaderV1::read_capabilities(pugi::xml_node element, Capabilities& to) {
  for (const pugi::xml_attribute attribute : attributes_of(element)) {
    const auto flag = [&](bool& value) { context_.read(element, attribute, value); };
    switch (key(attribute.name())) {
      case key("canHandleVariableCommunicationStepSize"):
        flag(to.can_vary_step);
        break;
      case key("canHandleEvents"):
        flag(to.can_handle_events);
        break;
      case key("canRejectSteps"):
        flag(to.can_redo_step);
        break;
      case key("canInterpolateInputs"):
        flag(to.can_interpolate_inputs);
        break;
      case key("maxOutputDerivativeOrder"):
        context_.read_integer(element, attribute, to.max_output_derivative_order);
        break;
      case key("canRunAsynchronuously"):
        flag(to.can_run_asynchronously);
        break;
      case key("canSignalEvents"):
        flag(to.can_signal_events);
        break;
      case key("canBeInstantiatedOnlyOncePerProcess"):
        flag(to.only_once_per_process);
        break;
      case key("canNotUseMemoryManagementFunctions"):
        flag(to.no_memory_management);
        break;
      default:
        context_.unknown_attribute(element, attribute);
    }
  }
}

void ReaderV1::read_variables(pugi::xml_node list) {
  VariableReader reader(context_);
  reserve_for_children(to_.variables, list);
  for (const pugi::xml_node child : children_of(list)) {
    if (child.name() == std::string_view("ScalarVariable")) {
      read_variable(child, reader);
    } else {
      context_.unknown_element(child);
    }
  }
}

void ReaderV1::read_variable(pugi::xml_node element, VariableReader& reader) {
  VariableDraft draft(element, to_.variables.emplace_back());
  Variable& to = draft.to;
  pugi::xml_attribute causality, variability;
  for (const pugi::xml_attribute attribute : attributes_of(element)) {
    switch (key(attribute.name())) {
      case key("name"):
        to.name = attribute.value();
        break;
      case key("valueReference"):
        reader.reference(draft, attribute);
        break;
      case key("description"):
        to.description = attribute.value();
        break;
      case key("causality"):
        causality = attribute;
        break;
      case key("variability"):
        variability = attribute;
        break;
      case key("alias"):
        to.alias = attribute.value() == std::string_view("alias")          ? AliasKind::alias
                   : attribute.value() == std::string_view("negatedAlias") ? AliasKind::negated
                                                                           : AliasKind::none;
        break;
      default:
        context_.unknown_attribute(element, attribute);
    }
  }
  bool typed = false;
  pugi::xml_node direct_dependency;
  for (const pugi::xml_node child : children_of(element)) {
    switch (key(child.name())) {
      case key("Real"):
        to.type = Type::float64;
        break;
      case key("Integer"):
        to.type = Type::int32;
        break;
      case key("Boolean"):
        to.type = Type::boolean;
        break;
      case key("String"):
        to.type = Type::string;
        break;
      case key("Enumeration"):
        to.type = Type::enumeration;
        break;
      case key("DirectDependency"):
        direct_dependency = child;
        continue;
      default:
        context_.unknown_element(child);
        continue;
    }
    typed = true;
    read_type_element(draft, child);
  }
  if (!typed) {
    context_.fail(element,
                  "variable \"{}\" has no type: one of <Real>, <Integer>, <Boolean>, <String>, "
                  "<Enumeration> is missing. Export the FMU again.",
                  to.name);
  }
  reader.finish_start(draft);
  map_words(draft, causality, variability);
  reader.finish_common(draft);
  if (to.causality == Causality::output) {
    dependencies_.emplace_back(static_cast<std::int32_t>(to_.variables.size()) - 1,
                               direct_dependency);
  }
}

void ReaderV1::read_type_element(VariableDraft& draft, pugi::xml_node element) {
  Variable& to = draft.to;
  bool fixed = true;
  for (const pugi::xml_attribute attribute : attributes_of(element)) {
    const std::uint64_t name = key(attribute.name());
    switch (name) {
      case key("declaredType"):
        draft.declared_type = attribute;
        break;
      case key("start"):
        draft.start = attribute;
        break;
      case key("fixed"):
        context_.read(element, attribute, fixed);
        break;
      default:
        if (!read_type_attribute(context_, element, attribute, name, to.attributes, draft.given)) {
          context_.unknown_attribute(element, attribute);
        }
    }
  }
  to.initial = !draft.start ? Initial::calculated : fixed ? Initial::exact : Initial::approx;
}

/// The words of 1.0 in those of 3.0. A parameter without a start value cannot be set before
/// initialization, so it is one that the FMU calculates.
void ReaderV1::map_words(VariableDraft& draft, pugi::xml_attribute causality,
                         pugi::xml_attribute variability) {
  Variable& to = draft.to;
  switch (key(causality.value())) {
    case key("input"):
      to.causality = Causality::input;
      break;
    case key("output"):
      to.causality = Causality::output;
      break;
    case key(""):
    case key("internal"):
    case key("none"):
      to.causality = Causality::local;
      break;
    default:
      context_.warn(Rule::word, draft.element, causality,
                    "causality=\"{}\" is unknown; read as \"internal\"", causality.value());
  }
  const bool is_local = to.causality == Causality::local;
  switch (key(variability.value())) {
    case key("constant"):
      to.variability = Variability::constant;
      break;
    case key("discrete"):
      to.variability = Variability::discrete;
      break;
    case key("parameter"):
      to.variability = Variability::fixed;
      if (is_local) {
        to.causality = to.start.empty() && to.alias == AliasKind::none
                           ? Causality::calculated_parameter
                           : Causality::parameter;
      } else if (to.causality == Causality::input) {  // may be set between steps
        to.causality = Causality::parameter;
        to.variability = Variability::tunable;
      }
      break;
    case key(""):
    case key("continuous"):
      to.variability = is_float(to.type) ? Variability::continuous : Variability::discrete;
      break;
    default:
      context_.warn(Rule::word, draft.element, variability,
                    "variability=\"{}\" is unknown; the default is used", variability.value());
      to.variability = is_float(to.type) ? Variability::continuous : Variability::discrete;
  }
  if (to.causality == Causality::input) to.initial = Initial::none;
}

void ReaderV1::read_dependencies() {
  for (const auto& [output, element] : dependencies_) {
    Unknown row;
    row.variable = output;
    if (element) row.dependencies.emplace();
    for (const pugi::xml_node child : element.children("Name")) {
      const std::string_view name = trimmed(child.text().get());
      if (const Variable* input = to_.find(name)) {
        row.dependencies->push_back(static_cast<std::int32_t>(input - to_.variables.data()));
      } else {
        context_.warn(Rule::structure, element, child,
                      "it depends on \"{}\", which is no variable; ignored", name);
      }
    }
    to_.structure.outputs.push_back(std::move(row));
  }
}

}  // namespace

void read_v1(Context& context) { ReaderV1(context).read(); }

}  // namespace tutti::fmi
