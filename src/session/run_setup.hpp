// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <memory>
#include <tutti/simulation.hpp>

#include "fmi/fmu.hpp"
#include "master/loop.hpp"
#include "results/recorder.hpp"
#include "session/run_outline.hpp"

namespace tutti::session {

class RunningSystem;

/// Everything a run needs, checked, before an FMU is loaded.
struct RunSetup {
  RunOutline outline;
  bool is_lone = false;    ///< there is one FMU, and no system around it
  models::RunNeeds needs;  ///< more may turn up on the way
  master::Loop::Options time;
  double step = 0;  ///< between communication points; the first one where they differ
  /// Loads the FMUs and notes in the monitor whom it calls. Messages of the run go to the log.
  std::function<std::unique_ptr<master::Island>(master::Monitor&, std::size_t threads,
                                                const models::RunNeeds&)>
      make_island;
  /// What is recorded of the island, column by column.
  std::function<std::vector<results::Recorder::Choice>(const master::Island&)> choose;
  /// Of a run that is resumed: brings the initialized system to where it was.
  std::function<void(RunningSystem&)> resume;
  double checkpoint_every = 0;  ///< s of simulated time; 0: there are no checkpoints
  std::function<void(double time, const std::string& state)> write_checkpoint;
};

/// The FMU is the front of a tool that must be installed.
bool needs_tool(const ModelDescription& description);

}  // namespace tutti::session
