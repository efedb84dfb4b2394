// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace tutti::master {

class Island;

/// Is told of every accepted point in time. Nothing is published before it is accepted.
class StepObserver {
 public:
  virtual ~StepObserver() = default;
  virtual void record(double t, Island& island) = 0;
  /// What is recorded from here on may prove wrong: it is kept back until release() or drop().
  virtual void hold() {}
  virtual void release() {}
  virtual void drop() {}
};

/// Where a run is. Written by the run, read by whoever watches it: perhaps another process, so the
/// atomics must be lock-free.
struct Monitor {
  /// Looking ahead: over the first step, before it is taken.
  enum class Phase : int { loading, initializing, stepping, looking_ahead, finishing, finished };
  std::atomic<Phase> phase{Phase::loading};
  std::atomic<double> time{0};
  std::atomic<std::uint32_t> looks{0};  ///< ahead, so far
  /// The component that each thread calls.
  static constexpr std::size_t most_threads = 64;
  std::array<std::atomic<std::uint32_t>, most_threads> called{};
  std::atomic<bool> stop_requested{false};  ///< written by the watcher: end at the next point
};
static_assert(std::atomic<double>::is_always_lock_free);

}  // namespace tutti::master
