// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace tutti::solvers {

/// Detects successive events without progress of the solution.
class EventGuard {
 public:
  explicit EventGuard(std::size_t functions) : functions_(functions) {}

  /// As in Assimulo: an event function that triggers this often, almost without steps in between,
  /// chatters.
  static constexpr int most_close_events = 5;
  static constexpr std::uint64_t steps_between = 3;

  /// Counts an event after a number of steps. Returns a function that chatters, once for each.
  std::optional<std::size_t> note(double t, std::uint64_t steps, std::span<const int> roots) {
    // Some hundred times the accuracy to which events are located.
    const bool moves = std::abs(t - last_event_) > 1e-11 * std::max(std::abs(t), 1e-3);
    stuck_events_ = moves ? 0 : stuck_events_ + 1;
    last_event_ = t;
    std::optional<std::size_t> chattering;
    for (std::size_t i = 0; i < functions_.size(); ++i) {
      if (roots[i] == 0) continue;
      Function& known = functions_[i];
      known.close = steps - known.last_step <= steps_between ? known.close + 1 : 0;
      known.last_step = steps;
      if (known.close < most_close_events || known.is_reported) continue;
      known.is_reported = true;
      chattering = i;
    }
    return chattering;
  }
  /// Number of successive events without progress of time.
  int stuck_events() const { return stuck_events_; }

 private:
  struct Function {
    std::uint64_t last_step = 0;
    int close = 0;
    bool is_reported = false;
  };
  std::vector<Function> functions_;
  double last_event_ = -std::numeric_limits<double>::infinity();
  int stuck_events_ = 0;
};

}  // namespace tutti::solvers
