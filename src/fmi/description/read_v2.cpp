// SPDX-License-Identifier: BSD-2-Clause
#include <string>
#include <utility>

#include "fmi/description/shared.hpp"
#include "fmi/description/variable.hpp"
#include "fmi/description/versions.hpp"

namespace tutti::fmi {
namespace {

class ReaderV2 {
 public:
  explicit ReaderV2(Context& context) : context_(context), to_(context.result) {}

  void read() {
    const pugi::xml_node root = context_.xml.root();
    for (const pugi::xml_attribute attribute : attributes_of(root)) read_root_attribute(attribute);
    pugi::xml_node variables, structure;
    for (const pugi::xml_node child : children_of(root)) {
      switch (key(child.name())) {
        case key("ModelExchange"):
          to_.model_exchange = read_interface(child);
          break;
        case key("CoSimulation"):
          to_.co_simulation = read_interface(child);
          break;
        case key("UnitDefinitions"):
          read_units(context_, child);
          break;
        case key("TypeDefinitions"):
          for (const pugi::xml_node type : children_of(child)) read_type(type);
          break;
        case key("LogCategories"):
          read_log_categories(context_, child);
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
        case key("ModelStructure"):
          structure = child;
          break;
        default:
          context_.unknown_element(child);
      }
    }
    check_model(context_, "guid");
    if (!to_.model_exchange && !to_.co_simulation) {
      context_.fail(root,
                    "there is neither <ModelExchange> nor <CoSimulation>. Export the FMU again.");
    }
    read_variables(variables);
    index_variables(context_);
    read_structure(structure);
  }

 private:
  void read_root_attribute(pugi::xml_attribute attribute);
  Capabilities read_interface(pugi::xml_node element);
  void read_type(pugi::xml_node element);
  void read_variables(pugi::xml_node list);
  void read_variable(pugi::xml_node element, VariableReader& reader);
  void read_type_element(VariableDraft& draft, pugi::xml_node element);
  void read_structure(pugi::xml_node structure);
  void read_rows(pugi::xml_node list, std::vector<Unknown>& to);

  Context& context_;
  ModelDescription& to_;
};

void ReaderV2::read_root_attribute(pugi::xml_attribute attribute) {
  const pugi::xml_node root = context_.xml.root();
  if (read_model_attribute(context_, attribute)) return;
  switch (key(attribute.name())) {
    case key("guid"):
      to_.token = attribute.value();
      break;
    case key("numberOfEventIndicators"):
      context_.read_integer(root, attribute, to_.event_indicator_count);
      break;
    default:
      context_.unknown_attribute(root, attribute);
  }
}

Capabilities ReaderV2::read_interface(pugi::xml_node element) {
  Capabilities to;
  for (const pugi::xml_attribute attribute : attributes_of(element)) {
    const auto flag = [&](bool& value) { context_.read(element, attribute, value); };
    switch (key(attribute.name())) {
      case key("modelIdentifier"):
        to.model_identifier = attribute.value();
        break;
      case key("needsExecutionTool"):
        flag(to.needs_execution_tool);
        break;
      case key("canBeInstantiatedOnlyOncePerProcess"):
        flag(to.only_once_per_process);
        break;
      case key("canNotUseMemoryManagementFunctions"):
        flag(to.no_memory_management);
        break;
      case key("canGetAndSetFMUstate"):
        flag(to.can_save_state);
        break;
      case key("canSerializeFMUstate"):
        flag(to.can_serialize_state);
        break;
      case key("providesDirectionalDerivative"):
        flag(to.provides_directional_derivatives);
        break;
      case key("completedIntegratorStepNotNeeded"): {
        bool not_needed = false;
        flag(not_needed);
        to.needs_completed_integrator_step = !not_needed;
        break;
      }
      case key("canHandleVariableCommunicationStepSize"):
        flag(to.can_vary_step);
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
      default:
        context_.unknown_attribute(element, attribute);
    }
  }
  if (to.model_identifier.empty()) {
    context_.fail(element,
                  "<{}> has no modelIdentifier, so the FMU's shared library has no name. Export "
                  "the FMU again.",
                  element.name());
  }
  for (const pugi::xml_node child : children_of(element)) {
    if (child.name() != std::string_view("SourceFiles")) {
      context_.unknown_element(child);
      continue;
    }
    for (const pugi::xml_node file : child.children("File")) {
      to.source_files.emplace_back(file.attribute("name").value());
    }
  }
  return to;
}

void ReaderV2::read_type(pugi::xml_node element) {
  if (element.name() != std::string_view("SimpleType")) {
    context_.unknown_element(element);
    return;
  }
  TypeDefinition type;
  for (const pugi::xml_attribute attribute : attributes_of(element)) {
    switch (key(attribute.name())) {
      case key("name"):
        type.name = attribute.value();
        break;
      case key("description"):
        type.description = attribute.value();
        break;
      default:
        context_.unknown_attribute(element, attribute);
    }
  }
  for (const pugi::xml_node child : children_of(element)) {
    switch (key(child.name())) {
      case key("Real"):
        type.type = Type::float64;
        break;
      case key("Integer"):
        type.type = Type::int32;
        break;
      case key("Boolean"):
        type.type = Type::boolean;
        break;
      case key("String"):
        type.type = Type::string;
        break;
      case key("Enumeration"):
        type.type = Type::enumeration;
        break;
      default:
        context_.unknown_element(child);
        continue;
    }
    Given given;
    for (const pugi::xml_attribute attribute : attributes_of(child)) {
      const std::uint64_t name = key(attribute.name());
      if (!read_type_attribute(context_, child, attribute, name, type.attributes, given)) {
        context_.unknown_attribute(child, attribute);
      }
    }
    for (const pugi::xml_node item : child.children("Item")) {
      type.items.push_back(read_item(context_, item, 0));
    }
  }
  to_.types.push_back(std::move(type));
}

void ReaderV2::read_variables(pugi::xml_node list) {
  VariableReader reader(context_);
  reserve_for_children(to_.variables, list);
  for (const pugi::xml_node child : children_of(list)) {
    if (child.name() == std::string_view("ScalarVariable")) {
      read_variable(child, reader);
    } else {
      context_.unknown_element(child);
    }
  }
  // The attribute counted from 1.
  for (Variable& variable : to_.variables) {
    if (variable.derivative_of < 0) continue;
    if (static_cast<std::size_t>(variable.derivative_of) < to_.variables.size()) continue;
    context_.warn(Rule::derivative, variable, "derivative=\"{}\" is no variable; ignored",
                  variable.derivative_of + 1);
    variable.derivative_of = -1;
  }
}

void ReaderV2::read_variable(pugi::xml_node element, VariableReader& reader) {
  VariableDraft draft(element, to_.variables.emplace_back());
  Variable& to = draft.to;
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
        reader.causality(draft, attribute);
        break;
      case key("variability"):
        reader.variability(draft, attribute);
        break;
      case key("initial"):
        reader.initial(draft, attribute);
        break;
      case key("canHandleMultipleSetPerTimeInstant"):
        context_.read(element, attribute, to.can_handle_multiple_set);
        break;
      default:
        context_.unknown_attribute(element, attribute);
    }
  }
  bool typed = false;
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
      case key("Annotations"):
        read_annotations(child, "name", to.annotations);
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
  reader.finish_common(draft);
  reader.finish_start(draft);
  reader.finish_defaults(draft);
}

void ReaderV2::read_type_element(VariableDraft& draft, pugi::xml_node element) {
  Variable& to = draft.to;
  for (const pugi::xml_attribute attribute : attributes_of(element)) {
    const std::uint64_t name = key(attribute.name());
    switch (name) {
      case key("declaredType"):
        draft.declared_type = attribute;
        break;
      case key("start"):
        draft.start = attribute;
        break;
      case key("derivative"): {
        std::int32_t index = 0;
        context_.read_integer(element, attribute, index);
        to.derivative_of = index > 0 ? index - 1 : -1;
        break;
      }
      case key("reinit"):
        context_.read(element, attribute, to.reinit);
        break;
      default:
        if (!read_type_attribute(context_, element, attribute, name, to.attributes, draft.given)) {
          context_.unknown_attribute(element, attribute);
        }
    }
  }
}

void ReaderV2::read_structure(pugi::xml_node structure) {
  for (const pugi::xml_node child : children_of(structure)) {
    switch (key(child.name())) {
      case key("Outputs"):
        read_rows(child, to_.structure.outputs);
        break;
      case key("Derivatives"):
        read_rows(child, to_.structure.derivatives);
        break;
      case key("DiscreteStates"):
        read_rows(child, to_.structure.discrete_states);
        break;
      case key("InitialUnknowns"):
        read_rows(child, to_.structure.initial_unknowns);
        break;
      default:
        context_.unknown_element(child);
    }
  }
  complete_outputs(context_, structure);
  for (const Unknown& row : to_.structure.derivatives) {
    const Variable& variable = to_.variables[static_cast<std::size_t>(row.variable)];
    if (variable.derivative_of >= 0) continue;
    context_.warn(
        Rule::state_derivative, variable,
        "it is listed as a derivative, but has no attribute \"derivative\" that names its state");
  }
  to_.continuous_state_count = to_.structure.derivatives.size();
}

void ReaderV2::read_rows(pugi::xml_node list, std::vector<Unknown>& to) {
  for (const pugi::xml_node child : children_of(list)) {
    if (child.name() != std::string_view("Unknown")) {
      context_.unknown_element(child);
      continue;
    }
    read_unknown(context_, child, "index", to, [this](std::uint32_t index) {  // counts from 1
      return index >= 1 && index <= to_.variables.size() ? static_cast<std::int32_t>(index - 1)
                                                         : -1;
    });
  }
}

}  // namespace

void read_v2(Context& context) { ReaderV2(context).read(); }

}  // namespace tutti::fmi
