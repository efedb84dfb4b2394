// SPDX-License-Identifier: BSD-2-Clause
#include "info_words.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>

namespace tutti::cli {

std::vector<std::pair<std::string_view, bool>> capability_flags(const Capabilities& can) {
  return {
      {"canHandleVariableCommunicationStepSize", can.can_vary_step},
      {"canGetAndSetFMUState", can.can_save_state},
      {"canSerializeFMUState", can.can_serialize_state},
      {"canRejectSteps", can.can_redo_step},
      {"providesDirectionalDerivatives", can.provides_directional_derivatives},
      {"providesAdjointDerivatives", can.provides_adjoint_derivatives},
      {"providesPerElementDependencies", can.per_element_dependencies},
      {"canInterpolateInputs", can.can_interpolate_inputs},
      {"hasEventMode", can.has_event_mode},
      {"mightReturnEarlyFromDoStep", can.might_return_early},
      {"providesIntermediateUpdate", can.provides_intermediate_update},
      {"canReturnEarlyAfterIntermediateUpdate", can.can_return_early_after_intermediate_update},
      {"providesEvaluateDiscreteStates", can.provides_evaluate_discrete_states},
      {"canHandleEvents", can.can_handle_events},
      {"canSignalEvents", can.can_signal_events},
      {"canRunAsynchronously", can.can_run_asynchronously},
      {"needsExecutionTool", can.needs_execution_tool},
      {"canBeInstantiatedOnlyOncePerProcess", can.only_once_per_process},
      {"canNotUseMemoryManagementFunctions", can.no_memory_management},
  };
}

std::string_view type_word(FmiVersion version, Type type) {
  if (version != FmiVersion::v3) {
    if (type == Type::float64) return "Real";
    if (type == Type::int32) return "Integer";
  }
  return to_string(type);
}

std::string dimensions_text(const ModelDescription& description, const Variable& variable) {
  std::string text;
  for (const Dimension& dimension : variable.dimensions) {
    text += text.empty() ? "[" : ", ";
    const std::int32_t index =
        dimension.size_variable ? description.find(*dimension.size_variable) : -1;
    if (index >= 0) {
      text += description.variables[static_cast<std::size_t>(index)].name;
    } else {
      text += dimension.size ? std::to_string(*dimension.size) : "?";
    }
  }
  return text.empty() ? text : text + "]";
}

std::string base_unit_text(const Unit::Base& base) {
  constexpr std::array<std::string_view, 8> names = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
  std::string above, below;
  std::size_t divisors = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::int64_t exponent = base.exponents[i];
    if (exponent == 0) continue;
    std::string& side = exponent > 0 ? above : below;
    if (!side.empty()) side += '.';
    side += names[i];
    if (std::abs(exponent) != 1) side += std::to_string(std::abs(exponent));
    if (exponent < 0) ++divisors;
  }
  std::string text = above.empty() ? "1" : above;
  if (divisors == 1) text += "/" + below;
  if (divisors > 1) text += "/(" + below + ")";
  if (base.factor != 1) text = fmt::format("{} {}", base.factor, text);
  if (base.offset != 0)
    text += fmt::format(" {} {}", base.offset < 0 ? "-" : "+", std::abs(base.offset));
  return text;
}

std::vector<std::pair<std::string_view, const Capabilities*>> interfaces(
    const ModelDescription& description) {
  std::vector<std::pair<std::string_view, const Capabilities*>> result;
  if (description.co_simulation) result.emplace_back("CoSimulation", &*description.co_simulation);
  if (description.model_exchange)
    result.emplace_back("ModelExchange", &*description.model_exchange);
  if (description.scheduled_execution) {
    result.emplace_back("ScheduledExecution", &*description.scheduled_execution);
  }
  return result;
}

}  // namespace tutti::cli
