// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <tutti/simulation.hpp>
#include <utility>

#include "base/seconds.hpp"
#include "session/run_outline.hpp"

namespace tutti::session {

inline bool is_requested(const std::atomic<bool>* request) {
  return request != nullptr && request->load();
}

/// How long to sleep: longer and longer while nothing happens.
class Patience {
 public:
  void reset() { next_ = first; }
  std::chrono::microseconds next() {
    return std::exchange(next_, std::min(next_ * 2, std::chrono::microseconds(5000)));
  }

 private:
  static constexpr std::chrono::microseconds first{50};
  std::chrono::microseconds next_ = first;
};

/// Calls the user's progress function a few times a second.
class ProgressCaller {
 public:
  explicit ProgressCaller(const RunControl& control) : control_(control) {}
  void call(const execution::Monitor& monitor, const RunOutline& outline);

 private:
  const RunControl& control_;
  Clock::time_point last_ = Clock::now();
};

/// The one watchdog: whether what is watched makes progress, and whether it is to be ended from
/// outside. What an FMU says is no progress: one that hangs may talk without end.
class Watchdog {
 public:
  Watchdog(const RunControl& control, const RunOutline& outline)
      : control_(control), outline_(outline) {}

  /// Something is watched from now on.
  void start() { *this = Watchdog(control_, outline_); }
  /// Passes a request to end on to the run; the caller may have one, too. The answer is a report
  /// if it is to be killed now.
  std::optional<RunReport> look(execution::Monitor& monitor, bool stops,
                                std::string_view stepping = "in a step");

 private:
  void feel(const execution::Monitor& monitor);
  std::reference_wrapper<const RunControl> control_;
  std::reference_wrapper<const RunOutline> outline_;
  double in_step_ = 0, in_call_ = 0;  ///< seconds without progress
  std::uint64_t time_ = 0;
  std::uint32_t looks_ = 0;
  execution::Monitor::Phase phase_ = execution::Monitor::Phase::opening;
  std::array<std::uint32_t, execution::Monitor::most_threads> called_{};
  Clock::time_point last_look_ = Clock::now();
};

/// What is said of a process that ended by itself.
RunReport report_of_crash(const RunOutline& outline, const execution::Monitor& monitor,
                          bool was_killed, const std::string& how,
                          std::string_view stepping = "in a step");

}  // namespace tutti::session
