// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/simulation.hpp>

#include "session/run_outline.hpp"

namespace tutti::session {

/// A system that is loaded in this process and led through time: what a session holds in its hand,
/// and what run() leads to its end.
class RunningSystem {
 public:
  /// Loads the FMUs. Times and counts go to the report's statistics. What is given must outlive it.
  RunningSystem(RunSetup& setup, master::Monitor& monitor, const Log& log, RunReport& report);

  /// The observer may be null: nothing is recorded. @throws RunAgain, Error
  void initialize(master::StepObserver* observer, bool shows_every_step = false);
  bool is_initialized() const { return system_->is_initialized(); }
  /// To the target or the stop time, whichever is first; or one step. @throws RunAgain, Error
  master::Loop::End advance(double target, bool one_step);
  /// The whole run; how it ended is in the report. False: it is to be repeated, because it has
  /// found out what it needs. @throws Error if it could not be initialized
  bool run(master::StepObserver* observer);
  /// Ends the FMUs, if no step has failed, and completes the report. @throws RunAgain, Error
  void finish();
  bool has_failed() const { return report_.end.kind == RunEnd::Kind::failed; }
  /// The system is at an earlier point again, where nothing had failed.
  void restored();

  /// What there is to count so far.
  RunStatistics statistics() const;
  master::Ensemble& system() { return *system_; }
  const master::Ensemble& system() const { return *system_; }
  master::Monitor& monitor() { return monitor_; }

 private:
  void plan_checkpoint();
  void write_checkpoint(const master::StepObserver* observer);
  void prepare_repetition(const models::RunAgain& again);
  void note_termination();
  void conclude();

  RunSetup& setup_;
  master::Monitor& monitor_;
  const Log& log_;
  RunReport& report_;
  std::unique_ptr<master::Ensemble> system_;
  std::uint64_t single_steps_ = 0;
  bool is_concluded_ = false;  ///< the report has everything
};

}  // namespace tutti::session
