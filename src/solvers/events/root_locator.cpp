// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/events/root_locator.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/ode/ode.hpp"

namespace tutti::solvers {

RootLocator::RootLocator(OdeProblem& problem)
    : problem_(problem),
      low_(problem.root_count()),
      high_(low_.size()),
      middle_(low_.size()),
      is_active_(low_.size(), 1),
      y_(problem.size()),
      yp_(problem.form() == OdeForm::implicit ? problem.size() : 0),
      directions_(low_.size()) {}

void RootLocator::start(double t, std::span<const double> y, std::span<const double> yp) {
  t_low_ = t;
  evaluate(t, y, yp, low_);
  std::ranges::fill(is_active_, std::uint8_t{0});
  activate(low_);
}

/// Activates the functions that are not zero there.
void RootLocator::activate(const std::vector<double>& g) {
  all_active_ = true;
  for (std::size_t i = 0; i < g.size(); ++i) {
    if (is_active_[i] == 0 && g[i] != 0) is_active_[i] = 1, low_[i] = g[i];
    all_active_ &= is_active_[i] != 0;
  }
}

void RootLocator::evaluate(double t, std::span<const double> y, std::span<const double> yp,
                           std::vector<double>& g) {
  ++evaluations_;
  if (!problem_.evaluate_roots(t, y, yp, g) ||
      std::ranges::any_of(g, [](double value) { return std::isnan(value); }))
    throw OdeFailure(t, "the event indicators cannot be computed here");
}

void RootLocator::evaluate_on(double t, const Solution& solution, std::vector<double>& g) {
  solution(t, y_, yp_);
  evaluate(t, y_, yp_, g);
}

bool RootLocator::triggers(std::size_t i, const std::vector<double>& high) const {
  const bool before = low_[i] > 0, after = high[i] > 0;
  if (before == after || is_active_[i] == 0) return false;
  const int direction = problem_.root_direction(i);
  return direction == 0 || (direction > 0) == after;
}

bool RootLocator::any_triggers(const std::vector<double>& high) const {
  for (std::size_t i = 0; i < high.size(); ++i)
    if (triggers(i, high)) return true;
  return false;
}

/// The root of the secant of the function with the largest part of its change above zero. With
/// alpha below 1 nearer to the lower end, above 1 nearer to the upper one.
double RootLocator::next_point(double t_high, double alpha) const {
  std::size_t chosen = 0;
  double largest = -1;
  for (std::size_t i = 0; i < low_.size(); ++i) {
    if (!triggers(i, high_)) continue;
    const double part = std::abs(high_[i] / (low_[i] - high_[i]));
    if (part > largest) largest = part, chosen = i;
  }
  const double low = low_[chosen], high = high_[chosen];
  if (low == 0 || high == 0) return t_low_ + (t_high - t_low_) / 2;
  return t_high - (t_high - t_low_) * high / (high - alpha * low);
}

std::optional<double> RootLocator::look(double t, const Solution& solution) {
  constexpr double probe = 0.1;  // of the step: where SUNDIALS checks
  if (!all_active_) {
    evaluate_on(t_low_ + probe * (t - t_low_), solution, middle_);
    activate(middle_);
  }
  evaluate_on(t, solution, high_);
  if (!any_triggers(high_)) {
    low_.swap(high_);
    t_low_ = t;
    if (!all_active_) activate(low_);
    return {};
  }
  double t_high = t, alpha = 1;
  const double tolerance = 1e-13 * std::max(std::abs(t_low_), std::abs(t));
  enum class Kept { neither, lower, upper } last = Kept::neither;
  while (t_high - t_low_ > tolerance) {
    const double length = t_high - t_low_;
    const double inward = length / (2 * std::min(length / tolerance, 5.0));
    double middle = next_point(t_high, alpha);
    if (!(middle - t_low_ >= tolerance / 2)) middle = t_low_ + inward;
    if (!(t_high - middle >= tolerance / 2)) middle = t_high - inward;
    if (!(middle > t_low_ && middle < t_high)) break;  // adjacent numbers
    evaluate_on(middle, solution, middle_);
    if (any_triggers(middle_)) {
      t_high = middle;
      high_.swap(middle_);
      alpha = last == Kept::lower ? alpha / 2 : 1;
      last = Kept::lower;
    } else {
      t_low_ = middle;
      low_.swap(middle_);
      alpha = last == Kept::upper ? alpha * 2 : 1;
      last = Kept::upper;
    }
  }
  for (std::size_t i = 0; i < low_.size(); ++i)
    directions_[i] = !triggers(i, high_) ? 0 : high_[i] > 0 ? 1 : -1;
  low_.swap(high_);
  t_low_ = t_high;
  if (!all_active_) activate(low_);
  return t_high;
}

}  // namespace tutti::solvers
