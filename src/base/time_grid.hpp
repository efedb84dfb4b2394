// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace tutti {

/// Two times near t that differ by less are equal up to rounding: no step is that short. At t = 1e9
/// s this is 4e-7 s.
inline double time_resolution(double t) {
  return 2 * std::numeric_limits<double>::epsilon() * std::abs(t);
}

/// The same for times accumulated over steps of h: a billionth of h, where doubles resolve that.
inline double same_time(double t, double h) {
  return std::max(1e-9 * h, std::min(time_resolution(t), h / 4));
}

/// Whether they differ by at most `nearness`. Mostly they are equal, and then nothing is computed
/// that the next step would wait for.
inline bool are_near(double a, double b, double nearness) {
  return a == b || std::abs(a - b) <= nearness;
}

/// The shortest step between these times that advances time, also if it is halved.
inline double shortest_step(double start, double stop) {
  return 8 * time_resolution(std::max(std::abs(start), std::abs(stop)));
}

/// The communication points over [start, stop]: of a fixed step h, spaced logarithmically, or
/// given. If (stop - start)/h is an integer N within 1e-9 (relative), point n is start + (stop -
/// start) n/N, so that nothing drifts and the last point is the stop time exactly; otherwise it is
/// start + n h, and the last step is shorter.
class TimeGrid {
 public:
  /// @pre stop >= start, step > 0, all finite
  TimeGrid(double start, double stop, double step);
  /// The start, then points from `first` to the stop time, `per_decade` for each factor of ten.
  /// @pre start <= first < stop, first > 0, per_decade > 0
  static TimeGrid logarithmic(double start, double first, double stop, double per_decade);

  /// @pre at least two points, ascending
  static TimeGrid through(std::vector<double> points);

  double start() const { return start_; }
  double stop() const { return stop_; }
  std::uint64_t step_count() const { return count_; }
  double point(std::uint64_t n) const {
    if (n >= count_) return stop_;
    return uniform_ ? uniform_point(n) : points_[n];
  }
  /// The same where is_uniform().
  double uniform_point(std::uint64_t n) const {
    const auto i = static_cast<double>(static_cast<std::int64_t>(n));  // signed: one instruction
    return start_ + numerator_ * i / denominator_;
  }
  /// The first n, at most step_count(), with point(n) >= t.
  std::uint64_t first_point_from(double t) const;
  /// The nominal step, also where the difference of two points is rounded; only the last step is
  /// shortened to end at the stop time.
  double step(std::uint64_t n) const {
    if (!uniform_) return points_[n + 1] - points_[n];
    return n + 1 < count_ ? step_ : last_step_;
  }
  /// Times near t that differ by less are the same point of the simulation up to rounding.
  double nearness(double t) const {
    return std::max(time_resolution(4 * t), same_time(t, step(0)));
  }
  bool is_uniform() const { return uniform_; }
  /// False: not all steps are equal.
  bool is_even() const { return even_; }

 private:
  double start_, stop_, step_;
  double numerator_, denominator_;  // stop - start and N, or h and 1
  double last_step_ = 0;
  std::uint64_t count_ = 0;
  bool even_ = false;
  bool uniform_ = true;
  std::vector<double> points_;  // if not uniform
};

}  // namespace tutti
