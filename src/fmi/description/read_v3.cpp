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
    read_model_attributes(context_, {{"instantiationToken", &to_.token}});
    const pugi::xml_node root = context_.xml.root();
    pugi::xml_node variables, structure;
    const auto read_types = [&](pugi::xml_node list) {
      for (const pugi::xml_node type : children_of(list)) read_type_v3(context_, type);
    };
    context_.read_children(
        root,
        {{"ModelExchange", [&](auto child) { to_.model_exchange = read_interface(child); }},
         {"CoSimulation", [&](auto child) { to_.co_simulation = read_interface(child); }},
         {"ScheduledExecution",
          [&](auto child) { to_.scheduled_execution = read_interface(child); }},
         {"UnitDefinitions", [&](auto child) { read_units(context_, child); }},
         {"TypeDefinitions", read_types},
         {"LogCategories", [&](auto child) { read_log_categories(context_, child); }},
         {"DefaultExperiment", [&](auto child) { read_default_experiment(context_, child); }},
         {"Annotations", [&](auto child) { read_annotations(child, "type", to_.annotations); }},
         {"ModelVariables", [&](auto child) { variables = child; }},
         {"ModelStructure", [&](auto child) { structure = child; }}});
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
  context_.read_attributes(
      element,
      {{"modelIdentifier", &to.model_identifier},
       {"needsExecutionTool", &to.needs_execution_tool},
       {"canBeInstantiatedOnlyOncePerProcess", &to.only_once_per_process},
       {"canGetAndSetFMUState", &to.can_save_state},
       {"canSerializeFMUState", &to.can_serialize_state},
       {"providesDirectionalDerivatives", &to.provides_directional_derivatives},
       {"providesAdjointDerivatives", &to.provides_adjoint_derivatives},
       {"providesPerElementDependencies", &to.per_element_dependencies},
       {"needsCompletedIntegratorStep", &to.needs_completed_integrator_step},
       {"providesEvaluateDiscreteStates", &to.provides_evaluate_discrete_states},
       {"canHandleVariableCommunicationStepSize", &to.can_vary_step},
       {"fixedInternalStepSize", &to.fixed_internal_step},
       {"maxOutputDerivativeOrder", &to.max_output_derivative_order},
       {"recommendedIntermediateInputSmoothness", &to.recommended_intermediate_input_smoothness},
       {"providesIntermediateUpdate", &to.provides_intermediate_update},
       {"mightReturnEarlyFromDoStep", &to.might_return_early},
       {"canReturnEarlyAfterIntermediateUpdate", &to.can_return_early_after_intermediate_update},
       {"hasEventMode", &to.has_event_mode}});
  check_identifier(context_, element, to);
  context_.read_children(element, {{"Annotations", [](auto) {}}});
  return to;
}

void ReaderV3::read_structure(pugi::xml_node structure) {
  ModelStructure& to = to_.structure;
  const auto reading = [&](std::vector<Unknown>& rows) {
    return [this, &rows](pugi::xml_node child) {
      read_unknown(context_, child, "valueReference", rows,
                   [this](std::uint32_t reference) { return to_.find(reference); });
    };
  };
  context_.read_children(structure, {{"Output", reading(to.outputs)},
                                     {"ContinuousStateDerivative", reading(to.derivatives)},
                                     {"ClockedState", reading(to.clocked_states)},
                                     {"InitialUnknown", reading(to.initial_unknowns)},
                                     {"EventIndicator", reading(to.event_indicators)}});
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
  check_state_derivatives(context_);
  to_.continuous_state_count = count(to.derivatives);
  to_.event_indicator_count = count(to.event_indicators);
}

}  // namespace

void read_v3(Context& context) { ReaderV3(context).read(); }

}  // namespace tutti::fmi
