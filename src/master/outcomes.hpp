// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "models/instance.hpp"

namespace tutti::master {

/// Is the component where a step from t to t + h was to end? An event there, or the wish to end the
/// run, changes nothing about that.
inline bool reached_the_end(const models::StepOutcome& outcome, double t, double h) {
  return outcome.is_plain() || (outcome.status != models::StepOutcome::Status::discarded &&
                                outcome.reached >= t + h * (1 - 1e-12));
}

/// The more urgent of two: terminated, event, done.
inline models::StepOutcome::Status more_urgent(models::StepOutcome::Status a,
                                               models::StepOutcome::Status b) {
  using Status = models::StepOutcome::Status;
  if (a == Status::terminated || b == Status::terminated) return Status::terminated;
  return a == Status::event || b == Status::event ? Status::event : Status::done;
}

}  // namespace tutti::master
