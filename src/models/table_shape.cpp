// SPDX-License-Identifier: BSD-2-Clause
#include "models/table_shape.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/infinity.hpp"
#include "base/time_grid.hpp"

namespace tutti::models {
namespace {

/// On the line through the rows k - 1 and k.
double between(const PiecewiseLine& line, std::size_t k, double t) {
  if (k == 0) return line.values.front();
  if (k == line.times.size()) return line.values.back();
  const double t0 = line.times[k - 1], u0 = line.values[k - 1];
  return u0 + (t - t0) * (line.values[k] - u0) / (line.times[k] - t0);
}

/// A polynomial through five rows, in Newton's form.
class Quartic {
 public:
  static constexpr std::size_t pieces = 4;

  /// @pre the rows have different times
  Quartic(const PiecewiseLine& line, std::size_t first, std::size_t last) {
    for (std::size_t i = 0; i <= pieces; ++i) {
      rows_[i] = first + (last - first) * i / pieces;
      times_[i] = line.times[rows_[i]];
      factors_[i] = line.values[rows_[i]];
      largest_ = std::max(largest_, std::abs(factors_[i]));
    }
    for (std::size_t degree = 1; degree <= pieces; ++degree)
      for (std::size_t i = pieces; i >= degree; --i)
        factors_[i] = (factors_[i] - factors_[i - 1]) / (times_[i] - times_[i - degree]);
  }
  double at(double t) const {
    double value = factors_[pieces];
    for (std::size_t i = pieces; i-- > 0;) value = value * (t - times_[i]) + factors_[i];
    return value;
  }
  /// Whether it is near at the rows, and in the middle between them.
  bool is_near(const PiecewiseLine& line, const InputTolerance& tolerance) const {
    const double allowed = tolerance.atol + tolerance.rtol * largest_;
    const auto misses = [&](double t, double u) { return !(std::abs(at(t) - u) <= allowed); };
    for (std::size_t k = rows_.front() + 1; k <= rows_.back(); ++k) {
      const double t0 = line.times[k - 1], t1 = line.times[k];
      if (misses(t1, line.values[k])) return false;
      if (misses(t0 + (t1 - t0) / 2, (line.values[k - 1] + line.values[k]) / 2)) return false;
    }
    return true;
  }
  const std::array<std::size_t, pieces + 1>& rows() const { return rows_; }

 private:
  std::array<std::size_t, pieces + 1> rows_{};
  std::array<double, pieces + 1> times_{}, factors_{};
  double largest_ = 0;
};

}  // namespace

double PiecewiseLine::from(double t) const {
  const auto after = std::ranges::upper_bound(times, t);
  return between(*this, static_cast<std::size_t>(after - times.begin()), t);
}

double PiecewiseLine::until(double t) const {
  const auto after = std::ranges::lower_bound(times, t);
  return between(*this, static_cast<std::size_t>(after - times.begin()), t);
}

double straight_until(const PiecewiseLine& line, double t, double end,
                      const InputTolerance& tolerance) {
  const auto& [times, values] = line;
  const double nearness = 4 * time_resolution(end);
  auto k = static_cast<std::size_t>(std::ranges::upper_bound(times, t + nearness) - times.begin());
  const double start = between(line, k, t);
  double lowest = -infinity, highest = infinity, passed = t, largest = std::abs(start);
  for (; k < times.size() && times[k] < end - nearness; ++k) {
    if (k > 0 && times[k] == times[k - 1]) return passed;
    const double since = times[k] - t, slope = (values[k] - start) / since;
    if (lowest <= slope && slope <= highest) passed = times[k];
    largest = std::max(largest, std::abs(values[k]));
    const double allowed = (tolerance.atol + tolerance.rtol * largest) / since;
    lowest = std::max(lowest, slope - allowed);
    highest = std::min(highest, slope + allowed);
    if (lowest > highest) return passed;
  }
  const double slope = (between(line, k, end) - start) / (end - t);
  return lowest <= slope && slope <= highest ? end : passed;
}

// Blocks of rows are doubled while a polynomial is near enough, and halved until one is: each row
// is visited about six times.
void find_knots(const PiecewiseLine& line, const InputTolerance& tolerance,
                std::vector<double>& knots) {
  const auto& [times, values] = line;
  const auto is_jump = [&](std::size_t k) { return times[k] == times[k - 1]; };
  constexpr std::size_t fewest = Quartic::pieces;
  std::size_t length = 2 * fewest;
  for (std::size_t first = 0; first + 1 < times.size();) {
    // The rows up to the next jump, as far as they may be needed.
    std::size_t last = first;
    const auto look_ahead = [&](std::size_t wanted) {
      while (last < wanted && last + 1 < times.size() && !is_jump(last + 1)) ++last;
      return last;
    };
    const auto passes = [&](std::size_t end) {
      return Quartic(line, first, end).is_near(line, tolerance);
    };
    std::size_t end = look_ahead(first + length);
    if (end < first + fewest) {
      for (std::size_t k = first; k <= end; ++k) knots.push_back(times[k]);
      first = end == first || (end + 1 < times.size() && is_jump(end + 1)) ? end + 1 : end;
      continue;
    }
    while (end > first + fewest && !passes(end)) end = first + std::max(fewest, (end - first) / 2);
    if (end == last && end > first + fewest)
      for (;;) {
        const std::size_t longer = look_ahead(first + 2 * (end - first));
        if (longer == end || !passes(longer)) break;
        end = longer;
      }
    const Quartic found(line, first, end);
    for (const std::size_t row : found.rows()) knots.push_back(times[row]);
    length = std::max(2 * fewest, end - first);
    first = end + 1 < times.size() && is_jump(end + 1) ? end + 1 : end;
  }
}

}  // namespace tutti::models
