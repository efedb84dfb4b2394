// SPDX-License-Identifier: BSD-2-Clause
// How a co-simulation FMU looks ahead over a step that it does not take.
#include <fmt/format.h>

#include <tutti/error.hpp>
#include <utility>

#include "models/cs_model.hpp"

namespace tutti::models {

std::optional<double> CsModel::look_ahead(double t, double h, std::vector<double>& ahead) {
  return can_look_ahead() ? step_ahead(t, h, ahead) : extrapolate_ahead(t, h, ahead);
}

// FMI 2.0, 4.2.1 and 3.0, 4.2.1: noSetFMUStatePriorToCurrentPoint must be false here, whatever the
// other steps are told.
std::optional<double> CsModel::step_ahead(double t, double h, std::vector<double>& ahead) {
  using Status = StepOutcome::Status;
  constexpr double shortest = 1e-3;  // of the step: differences over less are noise
  const bool was_saved = is_saved(), goes_back = std::exchange(goes_back_, true);
  const auto saved_at = saved_at_;
  const std::uint64_t steps = steps_;
  Saved here;
  save_to(here);
  const StepOutcome outcome = step(t, h);
  ahead = real_outputs();
  restore_from(here);
  goes_back_ = goes_back;
  steps_ = steps;
  saved_at_ = was_saved ? fmu().counts().do_step : saved_at;
  outputs_.get_from(*instance_);
  ValueSet::Values now;
  outputs_.save(now);
  if (now.words != here.outputs.words)
    throw Error(
        ErrorCode::fmu,
        fmt::format("component \"{}\": outputs differ after a step that was rolled back", name()));
  const bool has_moved = outcome.status != Status::discarded &&
                         outcome.status != Status::terminated && outcome.reached - t > shortest * h;
  return has_moved ? std::optional(outcome.reached) : std::nullopt;
}

/// With what the FMU reports of the derivatives of its outputs, of scalar ones.
std::optional<double> CsModel::extrapolate_ahead(double t, double h, std::vector<double>& ahead) {
  if (output_derivative_order() == 0) return {};
  std::vector<std::int32_t> variables;
  std::vector<std::size_t> places;
  const auto* const first = reinterpret_cast<const std::byte*>(outputs_.doubles().data());
  for (const Scalar& scalar : outputs_.scalars()) {
    const Variable& variable =
        instance_->description().variables[static_cast<std::size_t>(scalar.variable)];
    if (scalar.type != Type::float64 || variable.is_array() ||
        variable.causality != Causality::output || variable.variability != Variability::continuous)
      continue;
    variables.push_back(scalar.variable);
    places.push_back(static_cast<std::size_t>(outputs_.address(scalar) - first) / sizeof(double));
  }
  if (variables.empty()) return {};
  std::vector<double> slopes(variables.size());
  orders_.assign(variables.size(), 1);
  find_references(variables, references_);
  instance_->get_output_derivatives(references_, orders_, slopes);
  ahead = real_outputs();
  for (std::size_t k = 0; k < places.size(); ++k)
    ahead[places[k]] += is_negated(variables[k]) ? -h * slopes[k] : h * slopes[k];
  return t + h;
}

}  // namespace tutti::models
