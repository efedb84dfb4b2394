// SPDX-License-Identifier: BSD-2-Clause
#include "master/stepping/attempts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tutti/error.hpp>

namespace tutti::master {

Attempts::Attempts(const ControlSettings& settings, double h)
    : next(h), settings_(settings), shrink_(settings.shrink.value_or(0.2)) {}

double Attempts::choose(double t, double limit) const {
  // A rest of a rounding error's size is no step.
  return t + next * (1 + 1e-9) >= limit ? limit - t : next;
}

models::StepOutcome Attempts::succeed(SteppedSystem& system, double t, double& h,
                                      const Checkpoint& states, ControlCounts& counts,
                                      double detour) {
  using Failure = SteppedSystem::Attempt::Failure;
  for (;; detour = 0) {
    const SteppedSystem::Attempt attempt = system.attempt(t, h, &states, detour);
    if (attempt.failure == Failure::none) return attempt.outcome;
    system.restore(states);
    if (attempt.failure == Failure::cut && attempt.cut > t) {
      h = attempt.cut - t;
      continue;
    }
    ++counts.convergence_failures;
    if (h * shrink_ < settings_.min) give_up(t, h);
    h *= shrink_;
  }
}

void Attempts::give_up(double t, double h) const {
  throw Error(ErrorCode::numeric,
              fmt::format("t = {} s: a step of {} s does not succeed, and the next shorter one "
                          "would be below simulation.control.min = {} s. Try another method "
                          "(newton), a smaller control.min, or a larger control.fall-back, below "
                          "which cycles do not iterate.",
                          t, h, settings_.min));
}

}  // namespace tutti::master
