// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace tutti::master {

/// What is noted while components are called. Each thread has its own.
struct Watch {
  static constexpr std::uint32_t nobody = 0xffffffff;

  std::atomic<std::uint32_t>* called = nullptr;  ///< who is, for whoever looks on
  double* seconds = nullptr;                     ///< spent in each component; null: not measured

  void note(std::uint32_t component) const { called->store(component, std::memory_order_relaxed); }
  template <class Call>
  auto calling(std::uint32_t component, const Call& call) const {
    note(component);
    if (seconds == nullptr) return call();
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    const auto result = call();
    seconds[component] += std::chrono::duration<double>(Clock::now() - start).count();
    return result;
  }
};

}  // namespace tutti::master
