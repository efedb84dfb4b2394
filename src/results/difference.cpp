// SPDX-License-Identifier: BSD-2-Clause
#include "results/difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace tutti::results {
namespace {

/// Relative, so that the first microseconds of a run over years remain distinct.
bool is_same_time(double a, double b) {
  constexpr double relative = 1e-9;  // event times of different tools, files of 10 digits
  return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b));
}

enum class Limit { left, right };

/// The row whose value applies at a place: the row before, up to the next row's time.
std::uint32_t current_row(const std::vector<Knot>& knots, Place place, Limit limit) {
  if (!place.at || limit == Limit::right) return knots[place.knot].last;
  return place.knot > 0 ? knots[place.knot - 1].last : knots[0].first;
}

/// One column of numbers as a function of time.
class Curve {
 public:
  Curve(const std::vector<double>& values, const std::vector<Knot>& knots, bool holds)
      : values_(values), knots_(knots), holds_(holds) {}

  double at(Place place, double t, Limit limit) const {
    if (holds_) return values_[current_row(knots_, place, limit)];
    const Knot& knot = knots_[place.knot];
    if (place.at) return values_[limit == Limit::left ? knot.first : knot.last];
    const double y0 = values_[knot.last];
    const Knot& next = knots_[place.knot + 1];
    return y0 + (values_[next.first] - y0) * ((t - knot.time) / (next.time - knot.time));
  }

 private:
  const std::vector<double>& values_;
  const std::vector<Knot>& knots_;
  bool holds_;
};

/// A column of texts, constant between rows.
class Texts {
 public:
  Texts(const std::vector<std::string>& values, const std::vector<Knot>& knots)
      : values_(values), knots_(knots) {}
  const std::string& at(Place place, double, Limit limit) const {
    return values_[current_row(knots_, place, limit)];
  }

 private:
  const std::vector<std::string>& values_;
  const std::vector<Knot>& knots_;
};

double difference(const std::string& a, const std::string& b) { return a == b ? 0 : 1; }
double difference(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;  // equal infinities too
  return a - b;
}

std::string text_of(double value) { return fmt::format("{:.6g}", value); }
std::string text_of(const std::string& value) { return value; }

bool is_finite(double value) { return std::isfinite(value); }
bool is_finite(const std::string&) { return true; }

/// One pass over the grid: the integral of the squared difference, and its largest value.
template <class A, class B>
class GridPass {
 public:
  GridPass(const A& a, const B& b, std::span<const GridPoint> grid, VariableDifference& out)
      : a_(a), b_(b), grid_(grid), out_(out) {}

  void run() {
    const GridPoint& first = grid_.front();
    const GridPoint& last = grid_.back();
    // Beyond the ends there are values only where both files have a row.
    if (first.a.at && first.b.at) look(first, Limit::left);
    double integral = 0, last_square = 0, last_h = 0;
    for (std::size_t i = 0; i + 1 < grid_.size(); ++i) {
      const double d0 = look(grid_[i], Limit::right);
      const double d1 = look(grid_[i + 1], Limit::left);
      last_h = grid_[i + 1].time - grid_[i].time;
      last_square = (d0 * d0 + d0 * d1 + d1 * d1) / 3;  // mean square of a straight line
      integral += last_h * last_square;
    }
    if (last.a.at && last.b.at) {
      const double end = look(last, Limit::right);
      // The value of the last row has no interval: it counts for the last interval.
      if (out_.discrete) integral += last_h * std::max(end * end - last_square, 0.0);
    }
    const double span = last.time - first.time;
    out_.rms = span > 0 ? std::sqrt(integral / span) : std::max(largest_, 0.0);
    out_.largest = std::max(largest_, 0.0);
    if (!out_.problem.empty() || largest_point_ == nullptr) return;
    const GridPoint& point = *largest_point_;
    out_.time = point.time;
    out_.result = text_of(a_.at(point.a, point.time, largest_limit_));
    out_.reference = text_of(b_.at(point.b, point.time, largest_limit_));
  }

 private:
  double look(const GridPoint& point, Limit limit) {
    const auto& a = a_.at(point.a, point.time, limit);
    const auto& b = b_.at(point.b, point.time, limit);
    const double d = difference(a, b);
    if (!std::isfinite(d)) {
      // Between two rows of which one is not finite, there is nothing to compare.
      if ((!is_finite(a) && point.a.at) || (!is_finite(b) && point.b.at) ||
          (is_finite(a) && is_finite(b)))
        complain(point.time, text_of(a), text_of(b));
      return 0;
    }
    if (std::abs(d) > largest_) {
      largest_ = std::abs(d);
      largest_point_ = &point;
      largest_limit_ = limit;
    }
    return d;
  }

  void complain(double t, std::string a, std::string b) {
    if (!out_.problem.empty()) return;
    out_.problem = fmt::format("{} instead of {} at t = {:.6g}", a, b, t);
    out_.time = t;
    out_.result = std::move(a);
    out_.reference = std::move(b);
  }

  const A& a_;
  const B& b_;
  std::span<const GridPoint> grid_;
  VariableDifference& out_;
  double largest_ = -1;
  const GridPoint* largest_point_ = nullptr;
  Limit largest_limit_ = Limit::left;
};

double scale_of(const std::vector<double>& reference) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : reference) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (low > high) return 1;
  const double magnitude = std::max(std::abs(low), std::abs(high));
  if (magnitude == 0) return 1;
  const double range = high - low;
  return range > 1e-9 * magnitude && std::isfinite(range) ? range : magnitude;
}

/// Determined by the metadata of either side; without any, both must look discrete.
bool is_discrete(const ResultColumn& a, const ResultColumn& b) {
  if (b.is_stated || a.is_stated) return (b.is_stated ? b : a).motion == Motion::discrete;
  const auto fits = [](const ResultColumn& c) { return c.motion != Motion::continuous; };
  return fits(a) && fits(b);
}

}  // namespace

std::vector<Knot> knots_of(const std::vector<double>& times) {
  std::vector<Knot> knots;
  knots.reserve(times.size());
  for (std::uint32_t row = 0; row < times.size(); ++row) {
    if (knots.empty() || times[row] != knots.back().time) knots.push_back({times[row], row, row});
    knots.back().last = row;
  }
  return knots;
}

std::vector<GridPoint> common_grid(const std::vector<Knot>& a, const std::vector<Knot>& b) {
  std::vector<GridPoint> grid;
  grid.reserve(std::max(a.size(), b.size()));
  std::uint32_t i = 0, j = 0;  // the next knot of each
  while (i < a.size() && j < b.size()) {
    const double at = a[i].time, bt = b[j].time;
    if (is_same_time(at, bt)) {
      grid.push_back({std::min(at, bt), {i++, true}, {j++, true}});
    } else if (at < bt) {
      if (j > 0) grid.push_back({at, {i, true}, {j - 1, false}});
      ++i;
    } else {
      if (i > 0) grid.push_back({bt, {i - 1, false}, {j, true}});
      ++j;
    }
  }
  return grid;
}

VariableDifference difference_of(const ResultColumn& a, const ResultColumn& b,
                                 const CommonTime& time) {
  VariableDifference out;
  out.name = b.name;
  out.unit = b.unit.empty() ? a.unit : b.unit;
  out.is_text = b.is_text;
  if (a.is_text != b.is_text) {
    out.problem = fmt::format("{} instead of {}", a.is_text ? "texts" : "numbers",
                              b.is_text ? "texts" : "numbers");
    return out;
  }
  if (b.is_text) {
    out.discrete = true;
    const Texts of_a(a.texts, time.a), of_b(b.texts, time.b);
    GridPass(of_a, of_b, time.grid, out).run();
    return out;
  }
  out.discrete = is_discrete(a, b);
  out.scale = scale_of(b.numbers);
  const Curve of_a(a.numbers, time.a, out.discrete), of_b(b.numbers, time.b, out.discrete);
  GridPass(of_a, of_b, time.grid, out).run();
  out.rms /= out.scale;
  out.largest /= out.scale;
  return out;
}

}  // namespace tutti::results
