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
#include "master/output_times.hpp"

namespace tutti::master {

/// The loop: advances a system step by step.
class Loop {
 public:
  struct Options {
    TimeGrid grid{0, 1, 0.01};  ///< the communication points, or the first step of adaptive steps
    bool is_open = false;       ///< the stop time is unknown
    bool is_resumed = false;    ///< the start is not recorded: the run resumes after it
    std::optional<double> tolerance;
    std::uint64_t record_every = 1;  ///< communication points per recorded one
    bool profile = false;            ///< all steps are timed, not only samples
    ControlSettings control;         ///< minimum and maximum step are given, unless it is fixed
    std::optional<double> interval;  ///< with control: between recorded points; empty: every point
    bool notes_steps = false;        ///< Island::step_info() is recorded
    bool shows_every_step = false;   ///< every step must be visible outside: no batches
    InaccurateSteps::Windows short_steps;  ///< where an earlier run was inaccurate
    std::uint32_t rehearsals = 0;          ///< number of earlier repetitions
    std::uint64_t calls_before = 0;        ///< of doStep, in all earlier runs
  };
  /// Why advance() returned.
  enum class End : std::uint8_t { reached, event, terminated, interrupted, paused };

  /// The observer may be null: nothing is recorded.
  Loop(Island& island, const Options& options, StepObserver* observer, Monitor& monitor);
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  /// The initial values are found and recorded. @throws Error
  void initialize();
  /// Advances to the target, which is not beyond the stop time; or by one step, which ends there at
  /// the latest. Everything up to where it ends has been recorded. @throws RunAgain, Error
  End advance(double target, bool one_step = false);
  /// Values that the user sets take effect where the system is, as one event; those before it are
  /// recorded. False: a model asks to end the run.
  bool assign(std::span<const Assignment> assignments);
  /// The state of the loop; the system is saved and restored separately.
  struct Memory {
    double time = 0, event = 0;
    std::vector<double> controller;
    std::uint64_t steps = 0;
    double last_step = 0, last_error = 0;
    std::optional<double> parts_from;
    double recorded = 0;
  };
  void save(Memory& into) const;
  void restore(const Memory& from);
  /// advance() also ends at the first communication point from there on.
  void pause_from(double t) { pause_ = t; }
  void show_every_step() { options_.shows_every_step = true; }
  double next_point() const { return controller_->next_point(); }
  /// The last grid point that can be reached by steps that end there at the latest; at least
  /// `next`.
  double last_point(double starts, double ends, double next) const {
    const TimeGrid& grid = options_.grid;
    const auto last_until = [&](double t) {
      const std::uint64_t n = grid.first_point_from(t);
      return grid.point(n) <= t || n == 0 ? n : n - 1;
    };
    return std::max(next, grid.point(std::min(last_until(starts) + 1, last_until(ends))));
  }
  /// At the end of a run that did not fail. @throws RunAgain, Error
  void finish();

  double time() const { return time_; }
  std::uint64_t step_count() const { return steps_; }
  /// Spent in the observer; extrapolated from samples.
  double record_seconds() const;
  /// Estimated effect of steps that exceeded the tolerance and could not be rolled back, in
  /// tolerances of a step.
  double inaccuracy() const { return inaccurate_.sum(); }
  /// The component that asked to end the run; empty: none, or unknown.
  const std::string& terminated_by() const { return terminated_by_; }
  const StepController& controller() const { return *controller_; }

 private:
  /// Times near t, or near the present one, that differ by less differ by rounding errors only.
  double nearness(double t) const;
  double nearness() const { return nearness(time_); }
  /// No step may end later.
  double next_limit(double target, bool one_step);
  /// A step has ended: does what is due there.
  End accept(const ControlledStep& step, double limit);
  /// A component asked to end the run.
  End end_run(std::optional<std::uint32_t> component);
  /// No step from time_ is accurate enough. @throws StepFailed if there is no fallback left
  void turn_to_next_coupling(const StepFailed& failed);
  /// Rethrows the current exception, perhaps with a hint; unless it comes from an interruption.
  void give_up(const Error& error, bool is_in_step);
  /// Known discontinuities fall on communication points. False: a model asks to end the run.
  bool settle_event();
  /// @throws Error if components stop repeatedly without advancing
  void guard_against_standstill();
  void find_next_event();
  void look_for_growth();
  bool is_interrupted() const { return monitor_.stop_requested.load(std::memory_order_relaxed); }
  void record();
  void publish_time() const {
    monitor_.time.store(time_, std::memory_order_relaxed);
    monitor_.steps.store(steps_, std::memory_order_relaxed);
  }
  void check_numbers() const {
    if (island_.is_suspicious()) [[unlikely]]
      island_.report_fault(time_);
  }

  // The start of extrapolated inputs:
  void start_inputs();
  void end_parts();
  /// The end of the next part; infinity: no more parts. @pre the first step is divided into parts
  double next_part() const;
  /// Unless an FMU fails for another reason. @throws RunAgain
  void repeat_without_parts(const Error& error) const;

  // Steps whose error is too large, in loop_accuracy.cpp:
  void begin_control(double h);
  /// False: the step is void because of its error, and the run continues from an earlier point with
  /// another coupling.
  bool is_good(const ControlledStep& step);
  /// Rolls back to where steps were last accurate, if there is a fallback.
  void rewind_to_good();
  bool leave_coupling(const Error& why);
  /// If the steps that could not be rolled back were too inaccurate in total. @throws RunAgain,
  /// Error
  void judge_inaccurate_steps() const;
  /// If there is a fallback. @throws RunAgain
  void repeat_with_next_coupling(const Error& why) const;
  /// The error with the present time, if it has none.
  Error timed(const Error& error) const;
  void limit_calls() const;

  Island& island_;
  Options options_;
  StepObserver* observer_;
  Monitor& monitor_;
  double time_;
  double event_ = std::numeric_limits<double>::infinity();  ///< the next known discontinuity
  double pause_ = std::numeric_limits<double>::infinity();
  OutputTimes outputs_;
  std::unique_ptr<StepController> controller_;
  // Not adjacent: adjacent members are loaded as one vector, immediately after being written one by
  // one, which stalls every step.
  double last_step_ = 0;  ///< to be recorded
  std::uint64_t steps_ = 0;
  std::string terminated_by_;
  double last_error_ = 0;             ///< to be recorded
  std::optional<double> parts_from_;  ///< start of the first step, if it is divided into parts
  InaccurateSteps inaccurate_;
  struct {
    int forced = 0;  ///< steps of the minimum size
    int stops = 0;   ///< steps that ended early or with an event, while time hardly moved on
    double last_stop = -std::numeric_limits<double>::infinity();
  } in_a_row_;
  struct {
    std::uint64_t count = 0, timed = 0;
    double seconds = 0;                                      ///< of the timed ones
    double last = -std::numeric_limits<double>::infinity();  ///< time
  } records_;
};

}  // namespace tutti::master
