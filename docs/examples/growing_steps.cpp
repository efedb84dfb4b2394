// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "master/stepping/controllers.hpp"

namespace tutti::master {
namespace {

/// Steps that grow by a constant factor, from simulation.step to control.max, and start anew after
/// an event: for systems with a fast start whose components cannot roll back.
class GrowingSteps final : public StepController {
 public:
  GrowingSteps(const ControlSettings& settings, double h)
      : first_(h), next_(h), grow_(settings.grow.value_or(1.2)), max_(settings.max.value()) {}

  ControlledStep advance(SteppedSystem& system, double t, double limit) override {
    // A rest that is only a rounding error is part of this step.
    const bool is_last = t + next_ * (1 + 1e-9) >= limit;
    ControlledStep step;
    step.h = is_last ? limit - t : next_;
    step.outcome = system.step(t, step.h);
    if (!step.outcome.is_plain()) {  // an event, or a component that ended its step early
      step.h = step.outcome.reached - t;
      step.steps = step.h > 0 ? 1 : 0;
    }
    // A step that was shortened to meet the limit says nothing about the next one.
    if (!is_last) next_ = std::min(max_, grow_ * next_);
    return step;
  }
  double next_step() const override { return next_; }
  void keep(Memory& memory) override { memory(next_); }
  void forget() override { next_ = first_; }

 private:
  double first_, next_, grow_, max_;
};

}  // namespace

std::unique_ptr<StepController> make_growing_steps(const ControlSettings& settings, double h) {
  return std::make_unique<GrowingSteps>(settings, h);
}

}  // namespace tutti::master
