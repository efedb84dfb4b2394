// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "base/step_outcome.hpp"

namespace tutti::fmi {

/// Counts the calls of one instance. Direct steps are counted by the code that executes them, for
/// many instances together.
class CallCounter {
 public:
  /// The counters to increment.
  CallCounts& counts() { return counts_; }
  void count_other() { ++others_; }
  /// The present counts.
  const CallCounts& read() const {
    fold();
    return counts_;
  }
  /// Increases with each call, so that a message can be assigned to the present call.
  std::uint64_t call_number() const { return read().do_step + counts_.get + counts_.set + others_; }
  /// Direct steps are counted there from now on; null: none.
  void follow(const std::uint64_t* steps, bool with_set, bool with_get) {
    fold();
    steps_ = steps;
    sets_ = with_set;
    gets_ = with_get;
    folded_ = steps != nullptr ? *steps : 0;
  }
  /// The last direct step counted there was not executed by this instance.
  void skip_one() { ++folded_; }

 private:
  void fold() const {
    if (steps_ == nullptr) return;
    const std::uint64_t taken = *steps_ - folded_;  // may be -1
    folded_ = *steps_;
    counts_.do_step += taken;
    if (sets_) counts_.set += taken;
    if (gets_) counts_.get += taken;
  }

  mutable CallCounts counts_;
  std::uint64_t others_ = 0;
  const std::uint64_t* steps_ = nullptr;
  mutable std::uint64_t folded_ = 0;  ///< direct steps already in counts_
  bool sets_ = false, gets_ = false;
};

}  // namespace tutti::fmi
