// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "master/memory.hpp"

namespace tutti::master {

/// Derivatives of a signal at some time.
struct Derivatives {
  double first = 0, second = 0;
};

/// Some signals at the last points in time, the newest first.
class History {
 public:
  static constexpr std::size_t most = 3;

  std::size_t count() const { return count_; }
  double time(std::size_t k) const { return points_[k].time; }
  double value(std::size_t k, std::size_t signal) const { return points_[k].values[signal]; }
  void clear() { count_ = 0; }

  /// A point at the same time is replaced: the values jump there.
  void push(double t, std::span<const double> values) {
    if (count_ == 0 || points_[0].time != t) {
      std::rotate(points_.begin(), points_.end() - 1, points_.end());
      count_ = std::min(count_ + 1, most);
    }
    points_[0].time = t;
    points_[0].values.assign(values.begin(), values.end());
  }

  /// Of the polynomial through the last points, as far as points and order allow.
  Derivatives of_polynomial(std::size_t signal, std::size_t order) const {
    if (order == 0 || count_ < 2) return {};
    const double newest = quotient(0, signal);
    if (order == 1 || count_ < 3) return {newest, 0};
    const double second = (newest - quotient(1, signal)) / (time(0) - time(2));
    return {newest + second * (time(0) - time(1)), 2 * second};
  }
  /// Backward differences of backward differences (C. Andersson, Methods and Tools for
  /// Co-Simulation, Lund 2016, eq. 6.30): not exact for parabolas, but stable for larger loop gains
  /// than the polynomial.
  Derivatives of_backward_differences(std::size_t signal, std::size_t order) const {
    if (order == 0 || count_ < 2) return {};
    const double newest = quotient(0, signal);
    if (order == 1 || count_ < 3) return {newest, 0};
    return {newest, (newest - quotient(1, signal)) / (time(0) - time(1))};
  }

  void keep(Memory& memory) {
    memory(count_);
    for (std::size_t k = 0; k < count_; ++k) memory(points_[k].time, points_[k].values);
  }

 private:
  struct Point {
    double time = 0;
    std::vector<double> values;
  };
  double quotient(std::size_t k, std::size_t signal) const {
    return (value(k, signal) - value(k + 1, signal)) / (time(k) - time(k + 1));
  }

  std::array<Point, most> points_;
  std::size_t count_ = 0;
};

}  // namespace tutti::master
