// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "session/run_setup.hpp"

namespace tutti::session {

/// What the user says of start, stop and communication points.
struct TimeSettings {
  explicit TimeSettings(const System& system);
  std::optional<double> start, stop, step, interval, per_decade, first;
  std::vector<double> points;
};

/// Fills in when the run starts, stops and communicates. What the user does not say is taken from
/// the FMU's default experiment, if there is one, or else has a default.
/// @throws Error(usage)
void resolve_time(const TimeSettings& settings, const DefaultExperiment& experiment,
                  RunSetup& setup);

}  // namespace tutti::session
