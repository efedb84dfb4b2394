// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/log.hpp>
#include <tutti/system_run.hpp>

#include "execution/ring.hpp"
#include "session/routed_log.hpp"
#include "session/run_outline.hpp"

namespace tutti::session {

/// The run itself, from loading the FMUs to the end: rows go to the ring. A run that finds out what
/// it needs is repeated. Whatever happens is in the report.
RunReport run_into(execution::Ring& ring, execution::Monitor& monitor, RunSetup& setup, bool record,
                   const Log& log);

/// The run sends checkpoints, so many seconds of simulated time apart.
void send_checkpoints_to(execution::Ring& ring, double every, RunSetup& setup);

/// What becomes of the rows of a run.
struct RowTarget {
  Observer* observer = nullptr;             ///< null: nothing is recorded
  Observer* ports = nullptr;                ///< of what is recorded of ports; null: nothing is
  const Checkpoint* resumed = nullptr;      ///< the run goes on behind its rows
  CheckpointWriter* checkpoints = nullptr;  ///< null: none are written
  /// The run is about to start. @throws Error(file) if the observer cannot go on
  void add_to(Drain& drain, const RunOutline& outline) const;
};

/// Runs what was prepared in this process, with a second thread that takes the results. The setup's
/// messages go to `routed`.
/// @throws Error(capability) if that thread cannot be started
RunReport run_here(const RunControl& options, RunSetup& setup, const RowTarget& target,
                   const Log& log, RoutedLog& routed);

/// Runs a system twice at the same time, the second time in another process; the report is that of
/// the first run. @pre options.verify. @throws Error as run() does
RunReport run_and_verify(const System& system, const SystemRunOptions& options, Observer* sink,
                         const Log& log);

}  // namespace tutti::session
