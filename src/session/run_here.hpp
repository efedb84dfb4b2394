// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/log.hpp>
#include <tutti/system_run.hpp>

#include "execution/ring.hpp"
#include "session/routed_log.hpp"
#include "session/run_outline.hpp"

namespace tutti::session {

/// Makes attempts of a run until one needs no repetition. Errors are in the report.
/// @param attempt the steps of a loaded system: as RunningSystem::run()
RunReport run_attempts(RunSetup& setup, execution::Monitor& monitor, const Log& log,
                       const std::function<bool(RunningSystem&)>& attempt);

/// The run itself, from loading the FMUs to the end: rows go to the ring. A run that detects
/// further needs is repeated. Errors are in the report.
RunReport run_into(execution::Ring& ring, execution::Monitor& monitor, RunSetup& setup, bool record,
                   const Log& log);

/// The run sends checkpoints at this interval of simulated time, in seconds.
void send_checkpoints_to(execution::Ring& ring, double every, RunSetup& setup);

/// The receivers of the rows of a run.
struct RowTarget {
  Observer* observer = nullptr;             ///< null: nothing is recorded
  Observer* ports = nullptr;                ///< of recorded ports; null: nothing is recorded
  const Checkpoint* resumed = nullptr;      ///< the run continues after its rows
  CheckpointWriter* checkpoints = nullptr;  ///< null: none are written
  /// The run is about to start. @throws Error(file) if the observer cannot continue
  void add_to(Drain& drain, const RunOutline& outline) const;
};

/// Runs the prepared system in this process, with a second thread that takes the results. The setup
/// logs to `routed`.
/// @throws Error(capability) if that thread cannot be started
RunReport run_here(const RunControl& options, RunSetup& setup, const RowTarget& target,
                   const Log& log, RoutedLog& routed);

/// Runs a system twice concurrently, the second time in another process; returns the report of the
/// first run. @pre options.verify. @throws Error as run() does
RunReport run_and_verify(const System& system, const SystemRunOptions& options, Observer* sink,
                         const Log& log);

}  // namespace tutti::session
