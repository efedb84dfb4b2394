// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <string>
#include <tutti/advice.hpp>
#include <vector>

#include "analysis/cycle_interface.hpp"
#include "base/fields.hpp"
#include "session/prepared_system.hpp"
#include "session/routed_log.hpp"

namespace tutti::session {

/// By cycle and component.
using Linearizations = std::vector<std::vector<analysis::Linearization>>;

/// D of the components of the cycles at some later time; without rows where it is not available.
struct LaterPoint {
  double time = 0;
  std::vector<std::vector<stability::Matrix>> d;
};

struct ProbeResult {
  Linearizations start;
  std::vector<LaterPoint> later;
  std::string end;  ///< why the run through them ended early; empty: it did not
};

/// The system to load, initialize and linearize.
struct ProbeTask {
  const System& system;
  const PreparedSystem& prepared;
  RunSetup& setup;
  std::span<const analysis::CycleInterface> cycles;
  std::size_t points = 0;  ///< number of later points on a run
  bool fit_steps = true;   ///< co-simulation FMUs may be stepped to linearize them
};

/// Initializes the system and linearizes the components of its cycles: in a separate process, or in
/// this one. @throws Error, also for a crash or a hang
ProbeResult probe(const ProbeTask& task, const RunControl& control, const Log& log,
                  RoutedLog& routed);

}  // namespace tutti::session

namespace tutti {

TUTTI_FIELDS(stability::Matrix, 3);
TUTTI_FIELDS(stability::Subsystem, 4);
TUTTI_FIELDS(analysis::Linearization, 9);
TUTTI_FIELDS(session::LaterPoint, 2);
TUTTI_FIELDS(session::ProbeResult, 3);

}  // namespace tutti
