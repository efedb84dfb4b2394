// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <tutti/simulation.hpp>

#include "base/seconds.hpp"
#include "session/run_setup.hpp"

/// What the watchers of runs have in common.
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
  ProgressCaller(const RunControl& options, const RunSetup& setup)
      : options_(options),
        start_(setup.time.grid.start()),
        span_(setup.time.grid.stop() - setup.time.grid.start()) {}
  void call(const master::Monitor& monitor) {
    if (!options_.progress || seconds_since(last_) < 0.1) return;
    last_ = Clock::now();
    const bool loading = monitor.phase == master::Monitor::Phase::loading;
    const double time = loading ? start_ : monitor.time.load();
    options_.progress(time, (time - start_) / span_);
  }

 private:
  const RunControl& options_;
  double start_, span_;
  Clock::time_point last_ = Clock::now();
};

}  // namespace tutti::session
