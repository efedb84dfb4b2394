// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "base/seconds.hpp"

namespace tutti::execution {

/// A count that one process raises and another one waits for. It is in memory that both map.
struct Signal {
  std::atomic<std::uint32_t> count{0};
  std::atomic<std::uint32_t> sleepers{0};

  void raise();
};

/// How a process waits for another one. Between two that have a core each, an answer is there
/// sooner than a sleeper wakes up; where they share one, spinning keeps the other from working.
class Waiting {
 public:
  /// Something is waited for from now on.
  void start(bool has_own_core);
  /// Until the count differs from `seen`, but no longer than this. False: it does not.
  bool wait(Signal& signal, std::uint32_t seen, std::chrono::microseconds at_most);

 private:
  bool differs(const Signal& signal, std::uint32_t seen);
  Clock::time_point started_ = Clock::now();
  double last_ = 0;      ///< seconds that the last wait took
  double patience_ = 0;  ///< seconds after which this one sleeps
  bool has_own_core_ = false;
};

/// Processors that this process may use.
unsigned usable_cores();

}  // namespace tutti::execution
