// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/ode/jacobian.hpp"

#include <algorithm>
#include <cmath>

namespace tutti::solvers {

Jacobian::Jacobian(OdeProblem& problem)
    : problem_(problem),
      size_(problem.size()),
      pattern_(problem.jacobian_pattern()),
      increment_(size_),
      moved_(size_),
      result_(size_) {
  if (pattern_ != nullptr)
    groups_ = color_columns(*pattern_);
  else
    for (std::size_t j = 0; j < size_; ++j) groups_.push_back({j});
  if (!problem.has_jacobian() && problem.has_adjoint_derivatives()) choose_direction();
}

// An adjoint derivative costs about as much as a directional one, and is exact where a difference
// is not.
void Jacobian::choose_direction() {
  if (pattern_ != nullptr) {
    transposed_ = transposed(*pattern_);
    row_groups_ = color_columns(transposed_.pattern);
  } else {
    row_groups_ = groups_;
  }
  by_rows_ = !problem_.has_directional_derivatives() || row_groups_.size() < groups_.size();
}

std::size_t Jacobian::value_count() const {
  return pattern_ != nullptr ? pattern_->entry_count() : size_ * size_;
}

bool Jacobian::evaluate(double t, std::span<const double> y, std::span<const double> f,
                        std::span<const double> least_increment, std::span<double> values) {
  if (problem_.has_jacobian()) return problem_.jacobian(t, y, values);
  if (by_rows_) return by_adjoints(t, y, values);
  if (problem_.has_directional_derivatives()) return by_derivatives(t, y, values);
  return by_differences(y, f, least_increment, values,
                        [&] { return problem_.evaluate(t, moved_, result_); });
}

bool Jacobian::evaluate(double t, std::span<const double> y, std::span<const double> yp, double c,
                        std::span<const double> r, std::span<const double> least_increment,
                        std::span<double> values) {
  if (problem_.has_jacobian()) return problem_.residual_jacobian(t, y, yp, c, values);
  moved_slope_.resize(size_);
  return by_differences(y, r, least_increment, values, [&] {
    for (std::size_t j = 0; j < moved_.size(); ++j)
      moved_slope_[j] = yp[j] + c * (moved_[j] - y[j]);
    return problem_.residual(t, moved_, moved_slope_, result_);
  });
}

bool Jacobian::evaluate_slopes(double t, std::span<const double> y, std::span<const double> yp,
                               std::span<const double> r, std::span<const double> least_increment,
                               std::span<double> values) {
  return by_differences(yp, r, least_increment, values,
                        [&] { return problem_.residual(t, y, moved_, result_); });
}

template <class Action>
void Jacobian::for_each_row(std::size_t column, const Action& action) const {
  if (pattern_ == nullptr) {
    const std::size_t n = size_;
    for (std::size_t row = 0; row < n; ++row) action(row, column * n + row);
  } else {
    auto place = static_cast<std::size_t>(pattern_->column_start[column]);
    for (const std::int64_t row : pattern_->rows_of(column))
      action(static_cast<std::size_t>(row), place++);
  }
}

template <class Evaluate>
bool Jacobian::by_differences(std::span<const double> y, std::span<const double> f,
                              std::span<const double> least_increment, std::span<double> values,
                              const Evaluate& evaluate) {
  // sqrt(unit roundoff): truncation and rounding error of a forward difference balance there.
  const double root = std::sqrt(std::numeric_limits<double>::epsilon());
  std::ranges::copy(y, moved_.begin());
  for (const std::vector<std::size_t>& group : groups_) {
    // Backward where the problem cannot be computed ahead: at the edge of its domain.
    bool done = false;
    for (const double direction : {1.0, -1.0}) {
      for (const std::size_t j : group) {
        moved_[j] = y[j] + direction * std::max(root * std::abs(y[j]), least_increment[j]);
        increment_[j] = moved_[j] - y[j];  // the exact difference after rounding
      }
      ++evaluations_;
      done = evaluate() && std::ranges::all_of(result_, [](double x) { return std::isfinite(x); });
      if (done) break;
    }
    if (!done) return false;
    for (const std::size_t j : group) {
      for_each_row(j, [&](std::size_t i, std::size_t place) {
        values[place] = (result_[i] - f[i]) / increment_[j];
      });
      moved_[j] = y[j];
    }
  }
  return true;
}

bool Jacobian::by_derivatives(double t, std::span<const double> y, std::span<double> values) {
  std::ranges::fill(moved_, 0.0);
  for (const std::vector<std::size_t>& group : groups_) {
    for (const std::size_t j : group) moved_[j] = 1;
    if (!problem_.differentiate(t, y, moved_, result_)) return false;
    for (const std::size_t j : group) {
      for_each_row(j, [&](std::size_t i, std::size_t place) { values[place] = result_[i]; });
      moved_[j] = 0;
    }
  }
  return true;
}

bool Jacobian::by_adjoints(double t, std::span<const double> y, std::span<double> values) {
  std::ranges::fill(moved_, 0.0);
  for (const std::vector<std::size_t>& group : row_groups_) {
    for (const std::size_t i : group) moved_[i] = 1;
    if (!problem_.differentiate_adjoint(t, y, moved_, result_)) return false;
    for (const std::size_t i : group) {
      moved_[i] = 0;
      if (pattern_ == nullptr) {
        for (std::size_t j = 0; j < size_; ++j) values[j * size_ + i] = result_[j];
        continue;
      }
      auto entry = static_cast<std::size_t>(transposed_.pattern.column_start[i]);
      for (const std::int64_t column : transposed_.pattern.rows_of(i))
        values[transposed_.place[entry++]] = result_[static_cast<std::size_t>(column)];
    }
  }
  return true;
}

}  // namespace tutti::solvers
