// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

namespace tutti {

/// The communication points of a fixed step h over [start, stop].
/// If (stop - start)/h is an integer N within 1e-9 (relative), point n is
/// start + (stop - start) n/N, so that nothing drifts and the last point is the stop time exactly;
/// otherwise it is start + n h, and the last step is shorter.
class TimeGrid {
 public:
  /// @pre stop >= start, step > 0, all finite
  TimeGrid(double start, double stop, double step);

  std::uint64_t step_count() const { return count_; }
  double point(std::uint64_t n) const { return n >= count_ ? stop_ : inner_point(n); }
  /// The same for n < step_count().
  double inner_point(std::uint64_t n) const {
    const auto i = static_cast<double>(static_cast<std::int64_t>(n));  // signed: one instruction
    return start_ + numerator_ * i / denominator_;
  }
  /// The first n, at most step_count(), with point(n) >= t.
  std::uint64_t first_point_from(double t) const;
  /// The nominal step, also where rounding makes the difference of two points another number; only
  /// the last step never leads beyond the stop time.
  double step(std::uint64_t n) const { return n + 1 < count_ ? step_ : last_step_; }
  /// False: the last step is shorter than the others.
  bool is_even() const { return even_; }

 private:
  double start_, stop_, step_;
  double numerator_, denominator_;  // stop - start and N, or h and 1
  double last_step_ = 0;
  std::uint64_t count_ = 0;
  bool even_ = false;
};

}  // namespace tutti
