// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "base/seconds.hpp"
#include "master/program.hpp"

namespace tutti::master {

/// The time of the steps by component, extrapolated from timed steps.
struct StepTimes {
  std::vector<double> seconds;  ///< in each component
  double total = 0;
};

/// Times some of the first steps, then one from time to time, and finds out by trials whether
/// several threads are faster.
class StepTiming {
 public:
  /// `times_all`: every step. `shares_out`: several threads are available.
  StepTiming(std::size_t component_count, bool times_all, bool shares_out)
      : times_all_(times_all), shares_out_(shares_out), seconds_(component_count) {}

  /// The next step must be made between start() and stop().
  bool is_due() const { return steps_ + 1 == next_timed_; }
  /// This many steps may be made without timing, and were.
  std::uint64_t untimed_steps() const { return next_timed_ - steps_ - 1; }
  void count(std::uint64_t steps = 1) { steps_ += steps; }

  /// A step starts. Returns where the time of each component is added; null: not measured.
  std::span<double> start() {
    ++steps_;
    look_ = Look::none;
    if (steps_ < next_timed_ && !times_all_) [[likely]]
      return {};
    return start_clock();
  }
  /// The step, one of this program, has ended.
  void stop(Program& program) {
    if (look_ != Look::none) stop_clock(program);
  }
  /// Another program follows: the trials do not apply to it.
  void forget_trial() { trial_ = {}; }

  std::uint64_t steps() const { return steps_; }
  /// The distance from step n to the next check of the run: short at first, then long.
  static std::uint64_t distance(std::uint64_t n);
  StepTimes times() const;

 private:
  std::span<double> start_clock();
  void stop_clock(Program& program);
  void begin_trial(Program& program);
  void end_trial_step(Program& program, double seconds);

  bool times_all_, shares_out_;
  std::uint64_t steps_ = 0, timed_steps_ = 0, next_timed_ = 1;
  std::vector<double> seconds_;  ///< in each component, of the timed steps
  double timed_seconds_ = 0;
  /// Of the present step.
  enum class Look : std::uint8_t { none, components, trial } look_ = Look::none;
  Clock::time_point start_;
  /// Some steps with one thread, then some with all.
  struct Trial {
    int steps_left = 0;              ///< of both kinds together
    double alone = 0, together = 0;  ///< seconds
    double cost = 0;                 ///< of a step, when it was tried
  } trial_;
};

}  // namespace tutti::master
