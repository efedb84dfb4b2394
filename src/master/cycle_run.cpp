// SPDX-License-Identifier: BSD-2-Clause
#include "master/cycle_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.hpp"
#include "master/free_loop.hpp"
#include "master/stepping/controllers.hpp"

namespace tutti::master {
namespace {

// Number of steps with a fallback before the first method is tried again.
constexpr std::uint32_t steps_with_fallback = 20;

CouplingOptions options_of(const SimulationSettings& settings, bool has_fallback) {
  CouplingOptions options;
  options.most_iterations = settings.tolerance.iterations;
  options.relaxation = settings.relaxation.value_or(1);
  options.aitken = settings.aitken;
  options.jacobi_sweeps = settings.sweeps == Sweeps::jacobi;
  options.watch_contraction = has_fallback;
  // The variants that imitate other masters use their criteria.
  using enum ControlVariant;
  const bool is_fixed = !step_control_of(settings.control).chooses_steps;
  if (is_fixed) options.usual_remainder = 9;
  options.judges_error =
      is_fixed || settings.control.variant == tutti || settings.control.variant == textbook;
  return options;
}

// Iteration errors add up over the steps, and hide those that the step control estimates. The
// factor is that of CVODE.
constexpr double part_of_iterations = 0.1;

IterationSettings iteration_of(const SimulationSettings& settings) {
  IterationSettings iteration = settings.tolerance;
  const ControlSettings& control = settings.control;
  if (!step_control_of(control).tests_errors) return iteration;
  if (!options_of(settings, false).judges_error) return iteration;
  if (control.atol > 0) iteration.abs = std::min(iteration.abs, part_of_iterations * control.atol);
  if (control.rtol > 0) iteration.rel = std::min(iteration.rel, part_of_iterations * control.rtol);
  return iteration;
}

}  // namespace

CycleRun::CycleRun(std::vector<Cycle::Member> members, std::vector<std::string> methods,
                   const SimulationSettings& settings, bool all_roll_back, const Log& log)
    : cycle_(members, iteration_of(settings),
             std::any_of(methods.begin(), methods.end(), needs_rollback)),
      tolerance_(iteration_of(settings)),
      step_is_controlled_(all_roll_back && step_control_of(settings.control).rollback !=
                                               StepControlEntry::Rollback::never),
      fall_back_(settings.control.fall_back),
      log_(log),
      names_(std::move(methods)),
      x_(cycle_.size()),
      order_(settings.inputs.order) {
  for (const Cycle::Member& member : members) {
    components_.push_back(member.component);
    report_.components.push_back(member.instance->name());
  }
  for (std::size_t m = 0; m < names_.size(); ++m)
    methods_.push_back(
        find_coupling_method(names_[m])->make(options_of(settings, m + 1 < names_.size())));
  report_.method = fmt::format("{}", fmt::join(names_, ", "));
  report_.limit = tolerance_.iterations;
}

std::optional<Cut> CycleRun::step(double t, double h, const Watch& watch,
                                  std::span<const models::Snapshot> states, double excess) {
  using Status = CouplingOutcome::Status;
  if (active_ > 0 && steps_left_-- == 0) active_ = 0;
  cycle_.begin(t, h, watch, states, excess);
  ++report_.steps;
  cycle_.read(x_);
  if (order_ > 0) past_.push(t, x_);
  if (h < fall_back_) {
    ++report_.iterations;
    const Pass pass = cycle_.sweep(x_);
    if (pass.status == Pass::Status::done) return {};
    return Cut{cycle_.who_cut(), {cycle_.how_cut(), pass.reached}};
  }
  for (;;) {
    predict(h);
    const CouplingOutcome outcome = methods_[active_]->step(cycle_, x_);
    report_.iterations += outcome.iterations;
    if (outcome.status == Status::cut || outcome.status == Status::terminated)
      return Cut{cycle_.who_cut(), {cycle_.how_cut(), outcome.reached}};
    if (outcome.status != Status::converged && fall_back(t)) continue;
    if (is_near_limit(outcome)) ++report_.near_limit;
    return judge(outcome, t, h);
  }
}

/// The values at t + h, extrapolated from the last points.
void CycleRun::predict(double h) {
  cycle_.read(x_);
  if (order_ == 0) return;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const Derivatives on = past_.of_polynomial(i, order_);
    x_[i] += h * (on.first + h / 2 * on.second);
  }
}

bool CycleRun::fall_back(double t) {
  if (active_ + 1 == methods_.size()) return false;
  cycle_.roll_back();
  if (report_.fallbacks++ == 0)
    log_.warning(
        "", fmt::format("t = {:.13g} s: {} does not converge in cycle {{{}}}; {} is used for "
                        "the next {} steps",
                        t, names_[active_], names(), names_[active_ + 1], steps_with_fallback));
  ++active_;
  steps_left_ = steps_with_fallback;
  return true;
}

bool CycleRun::is_near_limit(const CouplingOutcome& outcome) const {
  constexpr double near = 0.8;
  return outcome.status == CouplingOutcome::Status::iteration_limit ||
         outcome.iterations >= near * static_cast<double>(tolerance_.iterations);
}

bool CycleRun::is_robust() const { return find_coupling_method(names_[active_])->is_robust; }

std::optional<Cut> CycleRun::judge(const CouplingOutcome& outcome, double t, double h) {
  using Status = CouplingOutcome::Status;
  if (outcome.status == Status::converged) return {};
  if (step_is_controlled_) {
    if (outcome.status == Status::singular && report_.limit_hits == 0)
      log_.warning("", free_loop(outcome, t, h).what());
    ++report_.limit_hits;
    return Cut{components_.front(), {models::StepOutcome::Status::discarded, t}, true};
  }
  if (outcome.status == Status::singular) throw free_loop(outcome, t, h);
  if (outcome.status == Status::not_finite)
    throw Error(ErrorCode::numeric,
                fmt::format("method {} in cycle {{{}}} reaches values that are not finite (NaN or "
                            "infinity), at {}",
                            names_[active_], names(), cycle_.worst_variable()),
                {.time = t,
                 .key = "simulation.method",
                 .hint = fmt::format("Try {}a smaller step.",
                                     is_robust() ? "" : "method = \"newton\" or ")});
  ++report_.limit_hits;
  if (tolerance_.on_limit == OnLimit::go_on) return {};
  throw Error(ErrorCode::numeric,
              fmt::format("cycle {{{}}} did not converge at h = {:.13g} s: {} of {} iterations of "
                          "{}, residual {:.3g} > 1, largest at {}",
                          names(), h, outcome.iterations, tolerance_.iterations, names_[active_],
                          outcome.norm, cycle_.worst_variable()),
              {.time = t,
               .key = "simulation.method",
               .hint = fmt::format("Try {}a smaller step, or tolerance.on-limit = \"continue\".",
                                   is_robust() ? "" : "method = \"newton\", ")});
}

void CycleRun::forget() {
  past_.clear();
  for (const auto& method : methods_) method->forget();
}

Error CycleRun::free_loop(const CouplingOutcome& outcome, double t, double h) const {
  const auto name = [&](std::size_t i) { return cycle_.name(i); };
  return {ErrorCode::numeric,
          fmt::format("over a step of {:.13g} s, {}", h,
                      describe_free_loop(outcome.free_direction, name)),
          {.time = t,
           .hint = "Check the signs and factors of its connections; where the feedback passes "
                   "through states, try inputs.inside = \"linear\" or a smaller step."}};
}

std::string CycleRun::names() const { return list_some(report_.components); }

void CycleRun::keep(Memory& memory) {
  memory(active_, steps_left_, past_);
  for (const auto& method : methods_) method->keep(memory);
}

}  // namespace tutti::master
