// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

namespace tutti::execution {

/// The progress of a run. Written by the run, read by its watcher, perhaps in another process, so
/// the atomics must be lock-free.
struct Monitor {
  enum class Phase : int {
    opening,  ///< no FMU is called
    loading,
    initializing,
    searching,  ///< a steady state
    resuming,   ///< the state of a checkpoint is restored
    stepping,
    looking_ahead,  ///< over the first step, before it is made
    finishing,
    finished,
  };
  std::atomic<Phase> phase{Phase::opening};
  std::atomic<double> time{0};
  std::atomic<std::uint64_t> steps{0};
  std::atomic<std::uint32_t> looks{0};  ///< number of look-aheads so far
  /// The component that each thread calls.
  static constexpr std::size_t most_threads = 64;
  static constexpr std::uint32_t no_component = 0xffffffff;
  std::array<std::atomic<std::uint32_t>, most_threads> called{};
  /// With several islands, by thread: the number of components before the island, to which `called`
  /// is relative.
  std::array<std::atomic<std::uint32_t>, most_threads> first{};
  std::atomic<bool> stop_requested{false};  ///< written by the watcher: end at the next point

  /// Only this thread calls components, with this number of components before them.
  void note_only_thread(std::size_t thread, std::uint32_t components_before) {
    for (auto& component : called) component = no_component;
    first[thread] = components_before;
  }
};
static_assert(std::atomic<double>::is_always_lock_free);

/// The activity of a component, for messages; `stepping` names the phase of steps.
std::string_view activity(Monitor::Phase phase, std::string_view stepping = "in a step");

}  // namespace tutti::execution
