// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <limits>
#include <optional>
#include <tutti/log.hpp>
#include <tutti/simulation.hpp>

#include "base/time_grid.hpp"
#include "master/inaccurate_steps.hpp"
#include "master/island.hpp"
#include "master/observer.hpp"

namespace tutti::master {

/// Walks an island through time: the loop.
class Simulation {
 public:
  struct Options {
    TimeGrid grid{0, 1, 0.01};  ///< the communication points
    std::optional<double> tolerance;
    std::uint64_t record_every = 1;  ///< communication points per recorded one
    bool profile = false;            ///< times are exact, not sampled
    /// Steps that are chosen on the way; none: those of the grid.
    std::optional<ControlSettings> control;
    std::optional<double> interval;  ///< with control: between recorded points; none: every point
    bool notes_steps = false;        ///< Island::step_info() is recorded
    InaccurateSteps::Windows short_steps;  ///< where a run before this one was not accurate
    std::uint32_t rehearsals = 0;          ///< so many there were
    std::uint64_t calls_before = 0;        ///< of doStep, in all runs before
  };

  /// The observer may be null: nothing is recorded.
  Simulation(Island& island, const Options& options, Observer* observer, Monitor& monitor);

  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// @throws Error when the initial values cannot be found
  void initialize();
  /// @pre initialize(). How the run ended is in the answer; everything up to there has been
  /// recorded. @throws RunAgain, and nothing else
  RunEnd run();
  std::uint64_t step_count() const { return steps_; }
  /// Spent in the observer; extrapolated from some.
  double record_seconds() const;
  /// Estimated effect of steps that exceeded the tolerance and could not be rolled back, in
  /// tolerances of a step.
  double inaccuracy() const { return inaccurate_.sum(); }
  /// Null: the steps are those of the grid.
  const StepController* controller() const { return controller_.get(); }

 private:
  /// A step that was taken from time_ and is to be judged.
  struct Step {
    models::StepOutcome outcome;
    double target = 0, h = 0;
    bool reaches_point = false;  ///< the target is the next point of the grid
    bool interrupted = false;    ///< no step was taken: the run is to end
  };

  Error at_time(const NoItem& refused) const;
  RunEnd::Kind walk();

  // With steps that a controller chooses, in simulation_control.cpp:
  RunEnd::Kind walk_controlled();
  RunEnd::Kind walk_freely();
  void begin_control(double h);
  ControlledStep advance_to(double limit);
  /// What follows from a step whose error is too large. False: it is void, and the run goes on from
  /// an earlier point with another coupling.
  bool judge_forced(const ControlledStep& step);
  /// To where steps were last accurate, if there is another coupling to go on with.
  void rewind_to_good();
  bool leave_coupling(const std::string& why);
  /// If steps that could not be rolled back were too inaccurate all in all. @throws RunAgain, Error
  void judge_inaccurate_steps() const;
  /// If there is one. @throws RunAgain
  void repeat_with_next_coupling(const std::string& why) const;
  void limit_calls() const;

  /// The inner loop. Takes plain steps from grid point to grid point; answers with the first one
  /// after which there is more to do: at its target something is due, or it ended in another way.
  Step step_until_something_is_due();
  /// A step that did not simply reach its target. Nothing: go on from time_.
  std::optional<RunEnd::Kind> after_unusual_step(const models::StepOutcome& outcome, double h);
  /// Known discontinuities fall on communication points. False: the model asks to end the run.
  bool settle_event();
  /// @throws Error if component after component, or one again and again, stops where it is
  void guard_against_standstill();
  bool is_interrupted() const { return monitor_.stop_requested.load(std::memory_order_relaxed); }
  void find_next_event();
  void record();
  double recorded_time() const;
  void publish_time() const { monitor_.time.store(time_, std::memory_order_relaxed); }
  void check_numbers() const {
    if (island_.is_suspicious() || island_.needs_careful_look()) [[unlikely]]
      report_fault();
  }
  void report_fault() const;

  Island& island_;
  Options options_;
  Observer* observer_;
  Monitor& monitor_;
  TimeGrid grid_;
  double time_;
  double event_;               // the next known discontinuity that must be hit; infinity if none
  double limit_;               // no step leads beyond: event_, or less after a discarded step
  std::uint64_t next_record_;  // point of the grid
  bool on_grid_ = true;        // time_ is the grid's point_
  std::uint64_t point_ = 0;    // of the grid that was reached last
  std::uint64_t steps_ = 0;
  fmi::DirectStep direct_;  // of the only instance, if it has one
  std::uint64_t direct_steps_ = 0;
  std::uint64_t records_ = 0, timed_records_ = 0;
  double timed_records_seconds_ = 0;
  std::unique_ptr<StepController> controller_;
  double last_step_ = 0, last_error_ = 0;  // to be recorded
  int forced_in_a_row_ = 0;                // steps of the minimum size
  InaccurateSteps inaccurate_;
  int refusals_ = 0;  // discarded steps in a row without progress
  // Steps that ended early or with an event, in a row while time hardly moved on.
  double last_stop_ = -std::numeric_limits<double>::infinity();
  int close_stops_ = 0;
};

}  // namespace tutti::master
