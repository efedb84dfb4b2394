// SPDX-License-Identifier: BSD-2-Clause
#include "results/deviation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "results/signal.hpp"

namespace tutti::results {
namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

double largest_magnitude(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  return largest;
}

/// Texts as numbers: the same number for the same text.
class TextNumbers {
 public:
  std::vector<double> of(const std::vector<std::string>& texts) {
    std::vector<double> numbers;
    for (const std::string& text : texts)
      numbers.push_back(
          numbers_.try_emplace(text, static_cast<double>(numbers_.size())).first->second);
    return numbers;
  }

 private:
  std::unordered_map<std::string, double> numbers_;
};

/// Both sides of one variable.
class Pair {
 public:
  Pair(const ResultTable& result, const ResultColumn& a, const ResultTable& reference,
       const ResultColumn& b, const Allowance& allowance)
      : a_(a), b_(b), times_(result.times), reference_times_(reference.times) {
    if (b.is_text) {
      TextNumbers numbers;
      own_a_ = numbers.of(a.texts);
      own_b_ = numbers.of(b.texts);
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
    const auto other = std::find(own_b_.begin(), own_b_.end(), expected);
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
  std::stable_sort(
      deviations.begin(), deviations.end(),
      [](const Deviation& a, const Deviation& b) { return a.tolerances > b.tolerances; });
  return deviations;
}

}  // namespace tutti::results
