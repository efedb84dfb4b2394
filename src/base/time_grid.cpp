// SPDX-License-Identifier: BSD-2-Clause
#include "base/time_grid.hpp"

namespace tutti {

TimeGrid::TimeGrid(double start, double stop, double step)
    : start_(start), stop_(stop), step_(step) {
  const double ratio = (stop - start) / step;
  const double nearest = std::round(ratio);
  even_ = nearest >= 1 && std::abs(ratio - nearest) <= 1e-9 * nearest;
  count_ = static_cast<std::uint64_t>(even_ ? nearest : std::ceil(ratio));
  numerator_ = even_ ? stop - start : step;
  denominator_ = even_ ? static_cast<double>(count_) : 1;
  // t + h may exceed the stop time by a rounding error, which some FMUs reject.
  const double rest = count_ > 0 ? stop - point(count_ - 1) : 0;
  last_step_ = even_ && point(count_ - 1) + step <= stop ? step : std::min(step, rest);
}

TimeGrid TimeGrid::logarithmic(double start, double first, double stop, double per_decade) {
  const double decades = std::log10(stop / first);
  const double steps = std::max(1.0, std::round(decades * per_decade));
  std::vector<double> points{start};
  for (double n = first > start ? 0 : 1; n < steps; ++n)
    points.push_back(first * std::pow(10.0, decades * n / steps));
  points.push_back(stop);
  return through(std::move(points));
}

TimeGrid TimeGrid::through(std::vector<double> points) {
  TimeGrid grid(points.front(), points.back(), points.back() - points.front());
  grid.uniform_ = grid.even_ = false;
  grid.count_ = points.size() - 1;
  grid.points_ = std::move(points);
  return grid;
}

std::uint64_t TimeGrid::first_point_from(double t) const {
  if (!(t > start_)) return 0;
  if (t >= stop_) return count_;
  if (!uniform_) {
    const auto found = std::ranges::lower_bound(points_, t);
    return static_cast<std::uint64_t>(found - points_.begin());
  }
  // The quotient is exact up to rounding; comparing with the points corrects it.
  const double guess = std::floor((t - start_) * denominator_ / numerator_);
  auto n = std::min(static_cast<std::uint64_t>(guess), count_);
  while (n > 0 && point(n - 1) >= t) --n;
  while (point(n) < t) ++n;
  return n;
}

}  // namespace tutti
