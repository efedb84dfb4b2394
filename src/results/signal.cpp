// SPDX-License-Identifier: BSD-2-Clause
#include "results/signal.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tutti::results {
namespace {

// A change is a jump if it is so much faster than those before and behind it.
constexpr double much_faster = 8;
// Rows that are so much nearer to each other than others around say nothing new of a polynomial.
constexpr double near_rows = 1e-3;

/// Neville's scheme: the value at t of the polynomial through some points.
double interpolated(std::span<const double> times, std::span<const double> values, double t) {
  std::array<double, 4> p{};
  std::copy(values.begin(), values.end(), p.begin());
  for (std::size_t degree = 1; degree < times.size(); ++degree)
    for (std::size_t i = 0; i + degree < times.size(); ++i)
      p[i] = ((t - times[i + degree]) * p[i] + (times[i] - t) * p[i + 1]) /
             (times[i] - times[i + degree]);
  return p[0];
}

}  // namespace

Signal::Signal(std::span<const double> times, std::span<const double> values, bool holds,
               double smallest_jump)
    : times_(times), values_(values), holds_(holds) {
  for (std::size_t row = 0; row + 1 < values.size(); ++row)
    if (is_jump(row, smallest_jump)) jumps_.push_back(row);
}

bool Signal::is_jump(std::size_t row, double smallest) const {
  const double change = std::abs(values_[row + 1] - values_[row]);
  if (change == 0 || !std::isfinite(change)) return false;
  const auto length = [&](std::size_t i) { return times_[i + 1] - times_[i]; };
  if (holds_ || length(row) == 0) return true;
  if (!(change > smallest)) return false;
  // The slopes on both sides; an event there, or the end of the run, has none.
  double slope = 0;
  bool any = false;
  for (const std::size_t i : {row - 1, row + 1}) {
    if (i >= values_.size() - 1 || !(length(i) > 0)) continue;
    const double beside = std::abs(values_[i + 1] - values_[i]) / length(i);
    if (!std::isfinite(beside)) continue;
    slope = std::max(slope, beside);
    any = true;
  }
  return any && change > much_faster * slope * length(row);
}

std::size_t Signal::row_before(double t) const {
  const auto next = std::upper_bound(times_.begin(), times_.end(), t);
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(next - times_.begin() - 1, 0));
}

Signal::Value Signal::at(double t) const {
  const std::size_t row = row_before(t);
  if (holds_ || times_[row] >= t || row + 1 == times_.size()) return {values_[row], 0};
  const auto jumps = [&](std::size_t i) {
    return std::binary_search(jumps_.begin(), jumps_.end(), i);
  };
  const double length = times_[row + 1] - times_[row];
  std::array<double, 4> times{times_[row], times_[row + 1]};
  std::array<double, 4> values{values_[row], values_[row + 1]};
  std::size_t count = 2;
  const auto add = [&](std::size_t i, double distance) {
    if (distance < near_rows * length || !std::isfinite(values_[i])) return;
    times[count] = times_[i];
    values[count++] = values_[i];
  };
  if (!jumps(row)) {
    if (row > 0 && !jumps(row - 1)) add(row - 1, times_[row] - times_[row - 1]);
    if (row + 2 < times_.size() && !jumps(row + 1)) add(row + 2, times_[row + 2] - times_[row + 1]);
  }
  const auto through = [&](std::size_t points) {
    return interpolated({times.data(), points}, {values.data(), points}, t);
  };
  const double value = through(count);
  return {value, count > 2 ? std::abs(value - through(count - 1)) : 0};
}

double Signal::distance_from_jumps(double value, double t, double shift) const {
  double distance = std::numeric_limits<double>::infinity();
  // The first jump that does not end before the shift.
  const auto first = std::partition_point(
      jumps_.begin(), jumps_.end(), [&](std::size_t row) { return times_[row + 1] < t - shift; });
  for (auto jump = first; jump != jumps_.end() && times_[*jump] <= t + shift; ++jump) {
    const auto [low, high] = std::minmax(values_[*jump], values_[*jump + 1]);
    if (!holds_ && low <= value && value <= high) return 0;
    distance = std::min({distance, std::abs(value - low), std::abs(value - high)});
  }
  return distance;
}

}  // namespace tutti::results
