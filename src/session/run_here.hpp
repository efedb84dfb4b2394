// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "session/routed_log.hpp"
#include "session/run_setup.hpp"

namespace tutti::session {

/// What becomes of the rows of a run.
struct RowTarget {
  Observer* observer = nullptr;             ///< null: nothing is recorded
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

}  // namespace tutti::session
