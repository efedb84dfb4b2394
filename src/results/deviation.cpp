// SPDX-License-Identifier: BSD-2-Clause
#include "results/deviation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>
#include <unordered_map>

namespace tutti::results {
namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

// A change is a jump if it is this much faster than those before and after it.
constexpr double much_faster = 8;
// Rows that are this much closer than their neighbours add no information to a polynomial.
constexpr double near_rows = 1e-3;

/// Neville's scheme: the value at t of the polynomial through some points.
double interpolated(std::span<const double> times, std::span<const double> values, double t) {
  std::array<double, 4> p{};
  std::ranges::copy(values, p.begin());
  for (std::size_t degree = 1; degree < times.size(); ++degree)
    for (std::size_t i = 0; i + degree < times.size(); ++i)
      p[i] = ((t - times[i + degree]) * p[i] + (times[i] - t) * p[i + 1]) /
             (times[i] - times[i + degree]);
  return p[0];
}

/// One column of a result as a function of time, with its jumps.
class Signal {
 public:
  /// @param times not decreasing, as many as values; both outlive the signal
  /// @param holds keeps each value until the next row
  /// @param smallest_jump of a signal that does not hold: smaller changes are not jumps
  Signal(std::span<const double> times, std::span<const double> values, bool holds,
         double smallest_jump);

  struct Value {
    double value = 0;
    double uncertainty = 0;  ///< of a value between two rows
  };
  /// @pre t is not before the first row. After the last one, its value.
  Value at(double t) const;
  /// The distance of a value from those before, after and (unless the signal holds) between the
  /// jumps within `shift` of t; infinity: there is none.
  double distance_from_jumps(double value, double t, double shift) const;

 private:
  bool is_jump(std::size_t row, double smallest) const;
  /// The last row at or before t.
  std::size_t row_before(double t) const;

  std::span<const double> times_, values_;
  bool holds_;
  std::vector<std::size_t> jumps_;  ///< rows: between each of them and the next, ascending
};

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
  const auto next = std::ranges::upper_bound(times_, t);
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(next - times_.begin() - 1, 0));
}

Signal::Value Signal::at(double t) const {
  const std::size_t row = row_before(t);
  if (holds_ || times_[row] >= t || row + 1 == times_.size()) return {values_[row], 0};
  const auto jumps = [&](std::size_t i) { return std::ranges::binary_search(jumps_, i); };
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
  double distance = no_limit;
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

double largest_magnitude(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  return largest;
}

/// One variable in both results.
class Pair {
 public:
  Pair(const ResultTable& result, const ResultColumn& a, const ResultTable& reference,
       const ResultColumn& b, const Allowance& allowance)
      : a_(a), b_(b), times_(result.times), reference_times_(reference.times) {
    if (b.is_text) {  // equal texts get equal numbers
      std::unordered_map<std::string_view, double> numbers;
      const auto number = [&](const std::string& text) {
        return numbers.try_emplace(text, static_cast<double>(numbers.size())).first->second;
      };
      std::ranges::transform(a.texts, std::back_inserter(own_a_), number);
      std::ranges::transform(b.texts, std::back_inserter(own_b_), number);
    }
    tolerance_ = allowance.absolute + allowance.relative * largest_magnitude(b.numbers);
    shift_ = allowance.shift;
  }

  Deviation measure() const {
    const bool holds = b_.is_text || b_.motion == Motion::discrete;
    const std::vector<double>&own = values(a_, own_a_), &others = values(b_, own_b_);
    const Signal result(times_, own, holds, tolerance_),
        reference(reference_times_, others, holds, tolerance_);
    Deviation out;
    out.name = b_.name;
    out.unit = b_.unit;
    std::size_t worst = times_.size();
    for (std::size_t row = 0; row < times_.size(); ++row) {
      const double t = times_[row];
      if (t < reference_times_.front() - shift_ || t > reference_times_.back() + shift_) continue;
      const double distance = distance_at(result, reference, own[row], t);
      if (row == 0) out.at_start = distance / tolerance_;
      if (!(distance > out.largest)) continue;
      out.largest = distance;
      worst = row;
    }
    if (worst < times_.size()) describe(worst, reference.at(times_[worst]).value, out);
    return out;
  }

 private:
  static const std::vector<double>& values(const ResultColumn& column,
                                           const std::vector<double>& of_texts) {
    return column.is_text ? of_texts : column.numbers;
  }
  double distance_at(const Signal& result, const Signal& reference, double value, double t) const {
    const auto [expected, uncertainty] = reference.at(t);
    if (value == expected || (std::isnan(value) && std::isnan(expected))) return 0;
    double distance = std::abs(value - expected);
    distance = std::isnan(distance) ? no_limit : std::max(0.0, distance - uncertainty);
    if (distance > tolerance_ || b_.is_text)
      distance = std::min({distance, reference.distance_from_jumps(value, t, shift_),
                           result.distance_from_jumps(expected, t, shift_)});
    return b_.is_text && distance > 0 ? no_limit : distance;
  }
  void describe(std::size_t row, double expected, Deviation& out) const {
    out.tolerances = out.largest / tolerance_;
    out.time = times_[row];
    if (!b_.is_text) {
      out.result = fmt::format("{:.6g}", a_.numbers[row]);
      out.reference = fmt::format("{:.6g}", expected);
      return;
    }
    out.result = a_.texts[row];
    const auto other = std::ranges::find(own_b_, expected);
    out.reference = b_.texts[static_cast<std::size_t>(other - own_b_.begin())];
  }

  const ResultColumn &a_, &b_;
  const std::vector<double>&times_, &reference_times_;
  std::vector<double> own_a_, own_b_;  ///< of texts
  double tolerance_ = 0, shift_ = 0;
};

}  // namespace

std::vector<Deviation> deviations_of(const ResultTable& result, const ResultTable& reference,
                                     const Allowance& allowance) {
  std::unordered_map<std::string_view, const ResultColumn*> columns;
  for (const ResultColumn& column : result.columns) columns.emplace(column.name, &column);
  std::vector<Deviation> deviations;
  if (reference.times.empty()) return deviations;
  for (const ResultColumn& column : reference.columns)
    if (const auto own = columns.find(column.name);
        own != columns.end() && own->second->is_text == column.is_text)
      deviations.push_back(Pair(result, *own->second, reference, column, allowance).measure());
  std::ranges::stable_sort(deviations, std::ranges::greater{}, &Deviation::tolerances);
  return deviations;
}

}  // namespace tutti::results
