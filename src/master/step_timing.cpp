// SPDX-License-Identifier: BSD-2-Clause
#include "master/step_timing.hpp"

#include <algorithm>
#include <bit>

namespace tutti::master {
namespace {

constexpr std::uint64_t maximum_untimed_steps = 512;  // steps, after the first ones
constexpr std::uint64_t timed_at_least = 4;           // steps, before the work is distributed
constexpr int trial_steps = 16;                       // with one thread, and with all
constexpr double worth_it = 0.95;                     // of the time that one thread needs
constexpr std::uint64_t warm_at = 16;                 // timed steps
constexpr double changed_cost = 2;                    // of a step, so that the trial is repeated

}  // namespace

std::uint64_t StepTiming::distance(std::uint64_t n) { return std::min(n, maximum_untimed_steps); }

std::span<double> StepTiming::start_clock() {
  const bool is_trial = trial_.steps_left > 0;
  look_ = is_trial ? Look::trial : Look::components;
  next_timed_ = steps_ + (is_trial ? 1 : distance(steps_));
  start_ = Clock::now();
  return is_trial ? std::span<double>() : std::span(seconds_);
}

void StepTiming::stop_clock(Program& program) {
  const double seconds = seconds_since(start_);
  if (look_ == Look::trial) return end_trial_step(program, seconds);
  timed_seconds_ += seconds;
  ++timed_steps_;
  if (shares_out_ && timed_steps_ >= timed_at_least && std::has_single_bit(timed_steps_))
    begin_trial(program);
}

void StepTiming::begin_trial(Program& program) {
  // After the first steps, a trial is valid while the cost of a step is about the same.
  const double cost = timed_seconds_ / static_cast<double>(timed_steps_);
  if (timed_steps_ > warm_at && cost < changed_cost * trial_.cost &&
      trial_.cost < changed_cost * cost)
    return;
  program.share_out({});
  trial_ = {2 * trial_steps, 0, 0, cost};
  next_timed_ = steps_ + 1;
}

void StepTiming::end_trial_step(Program& program, double seconds) {
  const bool alone = trial_.steps_left > trial_steps;
  (alone ? trial_.alone : trial_.together) += seconds;
  --trial_.steps_left;
  if (trial_.steps_left == trial_steps) {
    std::vector<double> per_step = seconds_;
    for (double& of_component : per_step) of_component /= static_cast<double>(timed_steps_);
    program.share_out(per_step);
    if (program.parallel_phases() == 0) trial_.steps_left = 0;
  }
  if (trial_.steps_left > 0) return;
  if (trial_.together > worth_it * trial_.alone) program.share_out({});
  next_timed_ = steps_ + distance(steps_);
}

StepTimes StepTiming::times() const {
  const double scale =
      timed_steps_ > 0 ? static_cast<double>(steps_) / static_cast<double>(timed_steps_) : 0;
  StepTimes times{seconds_, timed_seconds_ * scale};
  for (double& seconds : times.seconds) seconds *= scale;
  return times;
}

}  // namespace tutti::master
