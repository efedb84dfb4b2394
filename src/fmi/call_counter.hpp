// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "base/step_outcome.hpp"
#include "fmi/direct_functions.hpp"

namespace tutti::fmi {

/// Counts the calls of one instance. Direct steps and evaluations are counted by the code that
/// executes them, for many instances together.
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
  std::uint64_t call_number() const {
    return read().do_step + counts_.get + counts_.set + counts_.derivatives + others_;
  }
  /// Direct steps are counted there from now on; null: none.
  void follow(const std::uint64_t* steps, bool with_set, bool with_get) {
    fold();
    steps_ = steps;
    sets_ = with_set;
    gets_ = with_get;
    folded_ = steps != nullptr ? *steps : 0;
  }
  /// The same for direct evaluations.
  void follow(const DirectUse& use) {
    fold_evaluations();
    direct_ = use;
    if (direct_.evaluations == nullptr) return;
    folded_evaluations_ = *direct_.evaluations;
    folded_derivatives_ = *direct_.derivatives;
  }
  /// The last direct step counted there was not executed by this instance.
  void skip_one() { ++folded_; }

 private:
  void fold() const {
    fold_evaluations();
    if (steps_ == nullptr) return;
    const std::uint64_t taken = *steps_ - folded_;  // may be -1
    folded_ = *steps_;
    counts_.do_step += taken;
    if (sets_) counts_.set += taken;
    if (gets_) counts_.get += taken;
  }

  void fold_evaluations() const {
    if (direct_.evaluations == nullptr) return;
    const std::uint64_t evaluations = *direct_.evaluations - folded_evaluations_;
    folded_evaluations_ = *direct_.evaluations;
    counts_.set += direct_.sets * evaluations;
    counts_.get += direct_.gets * evaluations;
    counts_.derivatives += *direct_.derivatives - folded_derivatives_;
    folded_derivatives_ = *direct_.derivatives;
  }

  mutable CallCounts counts_;
  std::uint64_t others_ = 0;
  const std::uint64_t* steps_ = nullptr;
  mutable std::uint64_t folded_ = 0;  ///< direct steps already in counts_
  bool sets_ = false, gets_ = false;
  DirectUse direct_;
  mutable std::uint64_t folded_evaluations_ = 0, folded_derivatives_ = 0;  ///< in counts_
};

}  // namespace tutti::fmi
