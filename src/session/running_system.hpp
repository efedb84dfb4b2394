// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <functional>
#include <tutti/simulation.hpp>

#include "session/run_outline.hpp"

namespace tutti::session {

/// A system that is loaded and simulated in this process, by a session or by run().
class RunningSystem {
 public:
  /// Loads the FMUs. Times and counts go to the report's statistics. The arguments must outlive it.
  RunningSystem(RunSetup& setup, master::Monitor& monitor, const Log& log, RunReport& report);

  /// The observer may be null: nothing is recorded. @throws RunAgain, Error
  void initialize(master::StepObserver* observer, bool shows_every_step = false);
  bool is_initialized() const { return system_->is_initialized(); }
  /// Advances to the target or the stop time, whichever is first; or by one step. @throws RunAgain,
  /// Error
  master::Loop::End advance(double target, bool one_step);
  /// The whole run; its end is in the report. False: the run must be repeated, because it has
  /// detected further needs. @throws Error if it could not be initialized
  bool run(master::StepObserver* observer);
  /// The run up to t, where the action is performed on the running system. False: as run().
  /// @throws Error, also if t is no communication point and a component cannot vary its step
  bool visit(double t, const std::atomic<bool>* stop_request, const std::function<void()>& action);
  /// Ends the FMUs, if no step has failed, and completes the report. @throws RunAgain, Error
  void finish();
  bool has_failed() const { return report_.end.kind == RunEnd::Kind::failed; }
  /// The system is at an earlier point again, before the failure.
  void restored();

  /// The statistics so far.
  RunStatistics statistics() const;
  master::Ensemble& system() { return *system_; }
  const master::Ensemble& system() const { return *system_; }
  master::Monitor& monitor() { return monitor_; }

 private:
  void plan_checkpoint();
  void write_checkpoint(const master::StepObserver* observer);
  void prepare_repetition(const models::RunAgain& again);
  void check_point(double t) const;
  void note_termination();
  void conclude();

  RunSetup& setup_;
  master::Monitor& monitor_;
  const Log& log_;
  RunReport& report_;
  std::unique_ptr<master::Ensemble> system_;
  std::uint64_t single_steps_ = 0;
  bool is_concluded_ = false;  ///< the report is complete
};

}  // namespace tutti::session
