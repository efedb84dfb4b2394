// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.hpp"
#include "master/stepping/controllers.hpp"

namespace tutti::master {
namespace {

using Rollback = StepControlEntry::Rollback;

// clang-format off
constexpr StepControlEntry entries[] = {
    {.name = "fixed", .summary = "steps of one size", .make = make_fixed_steps, .chooses_steps = false, .rollback = Rollback::never, .uses_estimator = false,
     .about = {"The default: all steps have the size simulation.step. For systems whose step you know, and for FMUs that cannot vary their step. Costs one pass per step and needs no capability of the FMUs. Errors are not estimated: tutti run --verify compares with half the step.", "docs/algorithms/step-control.md"}},
    {.name = "convergence", .summary = "steps as long as the iterations of cycles converge", .make = make_convergence,
     .about = {"Repeats a step in which the iteration of a cycle does not converge with a smaller one, and lets steps grow again. For systems that are difficult only in places, when accuracy is of no concern. Costs one pass per step, more where steps are repeated. All components must vary their step and roll back.", "docs/algorithms/step-control.md"}},
    {.name = "richardson", .summary = "errors from a step and two of half its size", .make = make_richardson, .tests_errors = true,
     .about = {"Compares each step with two of half its size, and repeats it with a smaller one if the difference exceeds atol + rtol |y|. For results of known accuracy. Costs three passes per step. All components must vary their step and roll back. simulation.control.variant selects the rules of other masters.", "docs/algorithms/step-control.md"}},
    {.name = "predictor", .summary = "errors of the inputs, whose extrapolation is compared with the actual values", .make = make_predictor, .rollback = Rollback::if_possible, .tests_errors = true, .predicts_inputs = true, .uses_variant = false, .uses_estimator = false,
     .about = {"Estimates the error of a step from the difference between the extrapolated inputs and the actual values. For results of known accuracy at the cost of one pass per step, best with simulation.inputs.order = 1 or 2. All components must vary their step; if they roll back, steps with too large an error are repeated, otherwise they are accepted and counted.", "docs/algorithms/prediction.md"}},
};
// clang-format on

}  // namespace

std::span<const StepControlEntry> step_controls() { return entries; }

const StepControlEntry& step_control_of(const ControlSettings& settings) {
  const auto* const found = std::ranges::find(entries, settings.name, &StepControlEntry::name);
  if (found != std::end(entries)) return *found;
  std::vector<std::string_view> known;
  for (const StepControlEntry& entry : entries) known.push_back(entry.name);
  throw Error(ErrorCode::usage,
              fmt::format("%key% = \"{}\": expected one of: {}.", printable(settings.name),
                          fmt::join(known, ", ")),
              {.key = "simulation.control.name", .hint = did_you_mean(settings.name, known)});
}

std::unique_ptr<StepController> make_step_controller(const ControlSettings& settings, double h) {
  const StepControlEntry& row = step_control_of(settings);
  if (row.chooses_steps) h = std::clamp(h, *settings.min, *settings.max);
  return row.make(settings, h);
}

bool is_free(const ControlSettings& settings) {
  return step_control_of(settings).chooses_steps || settings.clock != TimeStepping::integer ||
         settings.end == LastStep::overshoot;
}

bool may_roll_back(const ControlSettings& settings, bool is_possible) {
  const StepControlEntry& row = step_control_of(settings);
  // Fixed steps with another clock are those of masters that save the states of all components.
  if (!row.chooses_steps) return is_free(settings);
  return row.rollback == Rollback::needed || (row.rollback == Rollback::if_possible && is_possible);
}

}  // namespace tutti::master
