// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tutti/error.hpp>

#include "master/stepping/attempts.hpp"
#include "master/stepping/controllers.hpp"

namespace tutti::master {
namespace {

/// Steps of one size. Their times are added with rounding errors, as in older masters, or counted
/// from the end of the last step of another size.
class FixedSteps final : public StepController {
 public:
  FixedSteps(const ControlSettings& settings, double h) : settings_(settings), h_(h) {}

  ControlledStep advance(SteppedSystem& system, double t, double limit) override {
    if (imitates_mastersim(settings_.variant) && system.iterates()) system.save(states_);
    const bool clipped = t + h_ * (1 + 1e-9) > limit;
    const double h = clipped ? limit - t : h_;
    const Checkpoint* states = states_.instances.empty() ? nullptr : &states_;
    SteppedSystem::Attempt attempt = system.attempt(t, h, states);
    if (attempt.failure != SteppedSystem::Attempt::Failure::none)
      throw Error(
          ErrorCode::fmu,
          fmt::format(
              "a component ended its step at t = {:.13g} s after others had passed this time. "
              "Steps are not repeated with simulation.control.clock = \"accumulate\" or "
              "control.end = \"overshoot\"",
              attempt.cut),
          {.time = t,
           .key = "simulation.control.clock",
           .hint = "Try \"integer\" and \"exact\", or a smaller step."});
    if (settings_.clock == TimeStepping::integer && !clipped && attempt.outcome.is_plain()) {
      if (t != last_) {
        origin_ = t;
        count_ = 0;
      }
      attempt.outcome.reached = last_ = origin_ + h_ * static_cast<double>(++count_);
    }
    return {attempt.outcome, h, 0, 1};
  }
  double next_step() const override { return h_; }
  void keep(Memory& memory) override { memory(origin_, last_, count_); }

 private:
  ControlSettings settings_;
  double h_;
  double origin_ = 0, last_ = std::numeric_limits<double>::quiet_NaN();
  std::uint64_t count_ = 0;  ///< of steps from the origin to the last point
  Checkpoint states_;
};

/// Steps as long as the iterations converge (Nicolai 2018, section 5.4 and algorithm 5): one that
/// does not is cut to a fifth, one that does is followed by one of twice the size.
class Convergence final : public StepController {
 public:
  Convergence(const ControlSettings& settings, double h)
      : attempts_(settings, h), grow_(settings.grow.value_or(2)), max_(settings.max.value()) {}

  ControlledStep advance(SteppedSystem& system, double t, double limit) override {
    const double wanted = attempts_.next;
    double h = attempts_.choose(system, t, limit);
    system.save(states_);
    const std::uint64_t failures = counts_.convergence_failures;
    ControlledStep step;
    step.outcome = attempts_.succeed(system, t, h, states_, counts_);
    step.h = step.outcome.is_plain() ? h : step.outcome.reached - t;
    if (step.h == 0) step.steps = 0;
    // A step that was shortened for an event or output time does not limit the next.
    const bool failed = counts_.convergence_failures > failures;
    if (failed || h >= wanted) attempts_.next = std::min(max_, grow_ * h);
    return step;
  }
  double next_step() const override { return attempts_.next; }
  void keep(Memory& memory) override { memory(attempts_.next); }

 private:
  Attempts attempts_;
  double grow_, max_;
  Checkpoint states_;
};

}  // namespace

std::unique_ptr<StepController> make_fixed_steps(const ControlSettings& settings, double h) {
  return std::make_unique<FixedSteps>(settings, h);
}

std::unique_ptr<StepController> make_convergence(const ControlSettings& settings, double h) {
  return std::make_unique<Convergence>(settings, h);
}

}  // namespace tutti::master
