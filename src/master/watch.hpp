// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>

#include "base/seconds.hpp"

namespace tutti::master {

/// What is noted while components are called. Each thread has its own.
struct Watch {
  static constexpr std::uint32_t nobody = 0xffffffff;

  std::atomic<std::uint32_t>* called = nullptr;  ///< who is, for whoever looks on
  double* seconds = nullptr;                     ///< spent in each component; null: not measured

  void note(std::uint32_t component) const { called->store(component, std::memory_order_relaxed); }

  /// A component is called while this exists.
  class Call {
   public:
    Call(const Watch& watch, std::uint32_t component)
        : seconds_(watch.seconds == nullptr ? nullptr : watch.seconds + component) {
      watch.note(component);
      if (seconds_ != nullptr) start_ = Clock::now();
    }
    ~Call() {
      if (seconds_ != nullptr) *seconds_ += seconds_since(start_);
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    double* seconds_;
    Clock::time_point start_;
  };
};

}  // namespace tutti::master
