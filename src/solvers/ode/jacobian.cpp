// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/ode/jacobian.hpp"

#include <algorithm>
#include <cmath>

namespace tutti::solvers {

Jacobian::Jacobian(OdeProblem& problem)
    : problem_(problem),
      pattern_(problem.jacobian_pattern()),
      increment_(problem.size()),
      moved_(problem.size()),
      result_(problem.size()) {
  if (pattern_ != nullptr)
    groups_ = color_columns(*pattern_);
  else
    for (std::size_t j = 0; j < problem.size(); ++j) groups_.push_back({j});
}

bool Jacobian::evaluate(double t, std::span<const double> y, std::span<const double> f,
                        std::span<const double> least_increment, const Store& store) {
  return problem_.has_directional_derivatives() ? by_derivatives(t, y, store)
                                                : by_differences(t, y, f, least_increment, store);
}

template <class Action>
void Jacobian::for_each_row(std::size_t column, const Action& action) const {
  if (pattern_ == nullptr) {
    for (std::size_t row = 0; row < problem_.size(); ++row) action(row);
  } else {
    for (const std::int64_t row : pattern_->rows_of(column)) action(static_cast<std::size_t>(row));
  }
}

bool Jacobian::by_differences(double t, std::span<const double> y, std::span<const double> f,
                              std::span<const double> least_increment, const Store& store) {
  // sqrt(unit roundoff): truncation and rounding error of a forward difference balance there.
  const double root = std::sqrt(std::numeric_limits<double>::epsilon());
  std::ranges::copy(y, moved_.begin());
  for (const std::vector<std::size_t>& group : groups_) {
    for (const std::size_t j : group) {
      moved_[j] = y[j] + std::max(root * std::abs(y[j]), least_increment[j]);
      increment_[j] = moved_[j] - y[j];  // what the rounded number really is
    }
    ++evaluations_;
    if (!problem_.evaluate(t, moved_, result_)) return false;
    for (const std::size_t j : group) {
      for_each_row(j, [&](std::size_t i) { store(i, j, (result_[i] - f[i]) / increment_[j]); });
      moved_[j] = y[j];
    }
  }
  return true;
}

bool Jacobian::by_derivatives(double t, std::span<const double> y, const Store& store) {
  std::ranges::fill(moved_, 0.0);
  for (const std::vector<std::size_t>& group : groups_) {
    for (const std::size_t j : group) moved_[j] = 1;
    if (!problem_.differentiate(t, y, moved_, result_)) return false;
    for (const std::size_t j : group) {
      for_each_row(j, [&](std::size_t i) { store(i, j, result_[i]); });
      moved_[j] = 0;
    }
  }
  return true;
}

}  // namespace tutti::solvers
