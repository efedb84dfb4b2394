// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmt/format.h>

#include <tutti/error.hpp>

#include "fmi/instance.hpp"

namespace tutti::models {

/// Updates the discrete states of an instance in event mode until it needs no other update, or asks
/// to end the run. The answer says what happened in any of the updates.
template <class FmiInstance>
fmi::DiscreteUpdate settle_discrete_states(FmiInstance& instance, double t) {
  constexpr int most_iterations = 100;  // a model that needs more does not settle
  fmi::DiscreteUpdate all;
  for (int i = 0; i < most_iterations; ++i) {
    const fmi::DiscreteUpdate update = instance.update_discrete_states();
    all.terminate = update.terminate;
    all.nominals_changed |= update.nominals_changed;
    all.next_event_time = update.next_event_time;
    if (update.terminate || !update.needs_another) return all;
  }
  throw Error(
      ErrorCode::numeric,
      fmt::format("component \"{}\" asks for another discrete update after {} of them: its event "
                  "iteration does not end",
                  instance.name(), most_iterations),
      {.component = instance.name(), .time = t});
}

}  // namespace tutti::models
