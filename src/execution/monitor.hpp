// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

namespace tutti::execution {

/// Where a run is. Written by the run, read by its watcher, perhaps in another process, so the
/// atomics must be lock-free.
struct Monitor {
  enum class Phase : int {
    opening,  ///< no FMU is called
    loading,
    initializing,
    resuming,  ///< the state of a checkpoint is restored
    stepping,
    looking_ahead,  ///< over the first step, before it is taken
    finishing,
    finished,
  };
  std::atomic<Phase> phase{Phase::opening};
  std::atomic<double> time{0};
  std::atomic<std::uint64_t> steps{0};
  std::atomic<std::uint32_t> looks{0};  ///< ahead, so far
  /// The component that each thread calls.
  static constexpr std::size_t most_threads = 64;
  static constexpr std::uint32_t no_component = 0xffffffff;
  std::array<std::atomic<std::uint32_t>, most_threads> called{};
  /// Where a system has several islands: components before the one that each thread is in, in whose
  /// terms `called` is.
  std::array<std::atomic<std::uint32_t>, most_threads> first{};
  std::atomic<bool> stop_requested{false};  ///< written by the watcher: end at the next point

  /// Only this thread calls components: those that come after so many others.
  void note_only_thread(std::size_t thread, std::uint32_t components_before) {
    for (auto& component : called) component = no_component;
    first[thread] = components_before;
  }
};
static_assert(std::atomic<double>::is_always_lock_free);

/// What a component was doing, for messages; `stepping` is what the phase of steps is used for.
std::string_view activity(Monitor::Phase phase, std::string_view stepping = "in a step");

}  // namespace tutti::execution
