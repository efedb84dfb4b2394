// SPDX-License-Identifier: BSD-2-Clause
#include <string>
#include <utility>

#include "fmi/description/shared.hpp"
#include "fmi/description/variable_v3.hpp"
#include "fmi/description/versions.hpp"

namespace tutti::fmi {
namespace {

class ReaderV3 {
 public:
  explicit ReaderV3(Context& context) : context_(context), to_(context.result) {}

  void read() {
    const pugi::xml_node root = context_.xml.root();
    for (const pugi::xml_attribute attribute : attributes_of(root)) {
      if (read_model_attribute(context_, attribute)) continue;
      if (attribute.name() == std::string_view("instantiationToken")) {
        to_.token = attribute.value();
      } else {
        context_.unknown_attribute(root, attribute);
      }
    }
    pugi::xml_node variables, structure;
    for (const pugi::xml_node child : children_of(root)) {
      switch (key(child.name())) {
        case key("ModelExchange"):
          to_.model_exchange = read_interface(child);
          break;
        case key("CoSimulation"):
          to_.co_simulation = read_interface(child);
          break;
        case key("ScheduledExecution"):
          to_.scheduled_execution = read_interface(child);
          break;
        case key("UnitDefinitions"):
          read_units(context_, child);
          break;
        case key("TypeDefinitions"):
          for (const pugi::xml_node type : children_of(child)) read_type_v3(context_, type);
          break;
        case key("LogCategories"):
          read_log_categories(context_, child);
          break;
        case key("DefaultExperiment"):
          read_default_experiment(context_, child);
          break;
        case key("Annotations"):
          read_annotations(child, "type", to_.annotations);
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
    check_model(context_, "instantiationToken");
    if (!to_.model_exchange && !to_.co_simulation && !to_.scheduled_execution) {
      context_.fail(root,
                    "there is none of <ModelExchange>, <CoSimulation>, <ScheduledExecution>. "
                    "Export the FMU again.");
    }
    VariableReaderV3(context_).read(variables);
    read_structure(structure);
  }

 private:
  Capabilities read_interface(pugi::xml_node element);
  void read_structure(pugi::xml_node structure);

  Context& context_;
  ModelDescription& to_;
};

Capabilities ReaderV3::read_interface(pugi::xml_node element) {
  Capabilities to;
  to.needs_completed_integrator_step = false;
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
      case key("canGetAndSetFMUState"):
        flag(to.can_save_state);
        break;
      case key("canSerializeFMUState"):
        flag(to.can_serialize_state);
        break;
      case key("providesDirectionalDerivatives"):
        flag(to.provides_directional_derivatives);
        break;
      case key("providesAdjointDerivatives"):
        flag(to.provides_adjoint_derivatives);
        break;
      case key("providesPerElementDependencies"):
        flag(to.per_element_dependencies);
        break;
      case key("needsCompletedIntegratorStep"):
        flag(to.needs_completed_integrator_step);
        break;
      case key("providesEvaluateDiscreteStates"):
        flag(to.provides_evaluate_discrete_states);
        break;
      case key("canHandleVariableCommunicationStepSize"):
        flag(to.can_vary_step);
        break;
      case key("fixedInternalStepSize"):
        context_.read(element, attribute, to.fixed_internal_step);
        break;
      case key("maxOutputDerivativeOrder"):
        context_.read_integer(element, attribute, to.max_output_derivative_order);
        break;
      case key("recommendedIntermediateInputSmoothness"):
        context_.read(element, attribute, to.recommended_intermediate_input_smoothness);
        break;
      case key("providesIntermediateUpdate"):
        flag(to.provides_intermediate_update);
        break;
      case key("mightReturnEarlyFromDoStep"):
        flag(to.might_return_early);
        break;
      case key("canReturnEarlyAfterIntermediateUpdate"):
        flag(to.can_return_early_after_intermediate_update);
        break;
      case key("hasEventMode"):
        flag(to.has_event_mode);
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
    if (child.name() != std::string_view("Annotations")) context_.unknown_element(child);
  }
  return to;
}

void ReaderV3::read_structure(pugi::xml_node structure) {
  for (const pugi::xml_node child : children_of(structure)) {
    std::vector<Unknown>* rows = nullptr;
    switch (key(child.name())) {
      case key("Output"):
        rows = &to_.structure.outputs;
        break;
      case key("ContinuousStateDerivative"):
        rows = &to_.structure.derivatives;
        break;
      case key("ClockedState"):
        rows = &to_.structure.clocked_states;
        break;
      case key("InitialUnknown"):
        rows = &to_.structure.initial_unknowns;
        break;
      case key("EventIndicator"):
        rows = &to_.structure.event_indicators;
        break;
      default:
        context_.unknown_element(child);
        continue;
    }
    read_unknown(context_, child, "valueReference", *rows,
                 [this](std::uint32_t reference) { return to_.find(reference); });
  }
  complete_outputs(context_, structure);
  constexpr std::uint64_t most = std::uint64_t{1} << 62;
  const auto count = [&](const std::vector<Unknown>& rows) {
    std::uint64_t total = 0;
    for (const Unknown& row : rows) {
      total += declared_size(to_, to_.variables[static_cast<std::size_t>(row.variable)]);
      if (total > most) return most;
    }
    return total;
  };
  for (const Unknown& row : to_.structure.derivatives) {
    const Variable& variable = to_.variables[static_cast<std::size_t>(row.variable)];
    if (variable.derivative_of >= 0) continue;
    context_.warn(
        Rule::state_derivative, variable,
        "it is listed as a derivative, but has no attribute \"derivative\" that names its state");
  }
  to_.continuous_state_count = count(to_.structure.derivatives);
  to_.event_indicator_count = count(to_.structure.event_indicators);
}

}  // namespace

void read_v3(Context& context) { ReaderV3(context).read(); }

}  // namespace tutti::fmi
