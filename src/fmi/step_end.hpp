// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

#include "fmi/co_simulation.hpp"
#include "fmi/instance_core.hpp"

namespace tutti::fmi {

/// How a step of FMI 1.0 or 2.0 ended that did not simply succeed: pending, discarded or failed.
template <class Status, class StatusKind, class Boolean>
class StepEnd {
 public:
  Function<Status(void*, StatusKind, Status*)> get_status;
  Function<Status(void*, StatusKind, double*)> get_real_status;
  Function<Status(void*, StatusKind, Boolean*)> get_boolean_status;
  StatusKind do_step_status{};
  StatusKind last_successful_time{};
  std::optional<StatusKind> terminated;  ///< FMI 2.0 only

  /// `result` is what doStep returned; `finished` is set by the callback stepFinished.
  [[gnu::noinline]] StepOutcome judge(InstanceCore& core, int result, const char* do_step, double t,
                                      double h, const std::atomic<int>& finished) const {
    if (result == status::pending) result = wait(core, finished);
    if (result != status::ok && result != status::discard) core.judge(result, do_step, h);
    core.set_mode(mode::step);
    if (result != status::discard) return {StepOutcome::Status::done, t + h};
    const double reached = time_reached(core, t, h);
    if (wants_to_terminate(core)) return {StepOutcome::Status::terminated, reached};
    // What was done up to its end is not discarded.
    if (reached >= t + h * (1 - end_rounding)) return {StepOutcome::Status::done, t + h};
    return {StepOutcome::Status::discarded, reached};
  }

 private:
  // The FMU may report the end by callback, by answering when asked, or both.
  int wait(InstanceCore& core, const std::atomic<int>& finished) const {
    for (auto pause = std::chrono::microseconds(1);; pause = std::min(2 * pause, longest_pause)) {
      if (const int result = finished.load(std::memory_order_acquire); result != status::none)
        return result;
      Status state = static_cast<Status>(status::pending);
      if (get_status.address) {
        const int answer = core.invoke(get_status, core.component(), do_step_status, &state);
        // Where the FMU does not know, the callback is waited for.
        if (knows(core, answer, get_status.name) && state != status::pending) return state;
      }
      std::this_thread::sleep_for(pause);
    }
  }

  // FMUs without the function, or without an answer, are taken to be where they were.
  double time_reached(InstanceCore& core, double t, double h) const {
    double reached = t;
    if (get_real_status.address) {
      const int answer =
          core.invoke(get_real_status, core.component(), last_successful_time, &reached);
      if (!knows(core, answer, get_real_status.name) || !(reached >= t)) reached = t;
    }
    return std::min(reached, t + h);
  }

  bool wants_to_terminate(InstanceCore& core) const {
    if (!terminated || !get_boolean_status.address) return false;
    Boolean answer = 0;
    const int result = core.invoke(get_boolean_status, core.component(), *terminated, &answer);
    return knows(core, result, get_boolean_status.name) && answer != 0;
  }

  // Discard: the FMU does not know what it was asked for (FMI 2.0, section 4.2.3).
  static bool knows(InstanceCore& core, int answer, const char* function) {
    if (answer == status::discard) return false;
    if (answer != status::ok && answer != status::warning) core.judge(answer, function);
    return true;
  }

  static constexpr double end_rounding = 1e-9;  ///< of a step
  static constexpr std::chrono::microseconds longest_pause{1000};
};

}  // namespace tutti::fmi
