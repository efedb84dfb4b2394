// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <cstdint>

#include "base/infinity.hpp"
#include "base/time_grid.hpp"

namespace tutti::master {

/// The communication points that are recorded: all, or some of them.
class OutputTimes {
 public:
  /// Every n-th point of a grid, and its last one. `meets`: steps end there; otherwise the next
  /// point after is recorded.
  OutputTimes(const TimeGrid& grid, std::uint64_t every, bool meets)
      : grid_(grid), every_(every), meets_(meets), next_(grid.point(every)) {}
  /// Every communication point.
  static OutputTimes all(const TimeGrid& grid) {
    OutputTimes times(grid, 1, false);
    times.is_all_ = true;
    times.next_ = grid.start();
    return times;
  }

  /// No step may end later.
  double limit() const { return meets_ ? next_ : infinity; }
  bool is_due(double t, double nearness) const { return t >= next_ - nearness; }
  /// The system is at t, perhaps earlier than before.
  void move_to(double t, double nearness) {
    if (is_all_) return;
    const std::uint64_t point = grid_.first_point_from(std::nextafter(t + nearness, infinity));
    next_ = grid_.point((point + every_ - 1) / every_ * every_);
  }

 private:
  TimeGrid grid_;
  std::uint64_t every_ = 1;
  bool meets_, is_all_ = false;
  double next_;
};

}  // namespace tutti::master
