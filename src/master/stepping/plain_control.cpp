// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <tutti/error.hpp>

#include "master/stepping/attempts.hpp"
#include "master/stepping/controllers.hpp"

namespace tutti::master {
namespace {

/// Steps of one size, whose times add up with their rounding errors, as older masters have them.
class Accumulating final : public StepController {
 public:
  Accumulating(const ControlSettings& settings, double h) : settings_(settings), h_(h) {}

  ControlledStep advance(SteppedSystem& system, double t, double limit) override {
    if (imitates_mastersim(settings_.variant) && system.iterates()) system.save(states_);
    const double h = t + h_ * (1 + 1e-9) > limit ? limit - t : h_;
    const Checkpoint* states = states_.instances.empty() ? nullptr : &states_;
    const SteppedSystem::Attempt attempt = system.attempt(t, h, states, 0);
    if (attempt.failure != SteppedSystem::Attempt::Failure::none)
      throw Error(ErrorCode::fmu,
                  fmt::format("t = {} s: a component ended its step at t = {} s, and others had "
                              "passed. Steps are not repeated with simulation.control.clock = "
                              "\"accumulate\". Try \"integer\", or a smaller step.",
                              t, attempt.cut));
    return {attempt.outcome, h, 0, 1};
  }
  double next_step() const override { return h_; }

 private:
  ControlSettings settings_;
  double h_;
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
    double h = attempts_.choose(t, limit);
    system.save(states_);
    const std::uint64_t failures = counts_.convergence_failures;
    ControlledStep step;
    step.outcome = attempts_.succeed(system, t, h, states_, counts_);
    step.h = step.outcome.is_plain() ? h : step.outcome.reached - t;
    if (step.h == 0) step.steps = 0;
    // A step that was only short because something is due there says nothing about the next.
    const bool failed = counts_.convergence_failures > failures;
    if (failed || h >= wanted) attempts_.next = std::min(max_, grow_ * h);
    return step;
  }
  double next_step() const override { return attempts_.next; }

 private:
  Attempts attempts_;
  double grow_, max_;
  Checkpoint states_;
};

}  // namespace

std::unique_ptr<StepController> make_accumulating(const ControlSettings& settings, double h) {
  return std::make_unique<Accumulating>(settings, h);
}

std::unique_ptr<StepController> make_convergence(const ControlSettings& settings, double h) {
  return std::make_unique<Convergence>(settings, h);
}

std::unique_ptr<StepController> make_step_controller(const ControlSettings& settings, double h) {
  switch (settings.name) {
    case StepControl::convergence:
      return make_convergence(settings, h);
    case StepControl::richardson:
      return settings.variant == ControlVariant::eas ? make_double_steps(settings, h)
                                                     : make_richardson(settings, h);
    default:
      return make_accumulating(settings, h);
  }
}

}  // namespace tutti::master
