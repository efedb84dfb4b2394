// SPDX-License-Identifier: BSD-2-Clause
#include "studies/search/box_step.hpp"

#include <cmath>
#include <optional>

#include "solvers/linear/least_squares.hpp"

namespace tutti::studies {
namespace {

/// Bounded-variable least squares (P. B. Stark and R. L. Parker, Computational Statistics 10,
/// 1995): an active set that changes by one variable at a time, from p = 0.
class BoxSolver {
 public:
  explicit BoxSolver(const BoxProblem& problem)
      : problem_(problem),
        rows_(problem.b.size()),
        p_(problem.columns, 0.0),
        is_fixed_(problem.columns, false) {}

  std::vector<double> solve() {
    for (std::size_t j = 0; j < problem_.columns; ++j)
      is_fixed_[j] = problem_.lower[j] == 0 || problem_.upper[j] == 0;
    // Each set of fixed variables occurs at most once; in practice a few times their number.
    for (std::size_t k = 0; k < 20 * (problem_.columns + 1); ++k) {
      const auto wrong = worst_multiplier();
      if (k > 0 && !wrong) break;
      if (wrong) is_fixed_[*wrong] = false;
      while (!move_to_free_minimum()) {
      }
    }
    return p_;
  }

 private:
  double column_times(std::size_t j, const std::vector<double>& v) const {
    double sum = 0;
    for (std::size_t i = 0; i < rows_; ++i) sum += problem_.a[j * rows_ + i] * v[i];
    return sum;
  }

  std::vector<double> residual(bool only_fixed) const {
    std::vector<double> r = problem_.b;
    for (std::size_t j = 0; j < problem_.columns; ++j)
      for (std::size_t i = 0; i < rows_ && !(only_fixed && !is_fixed_[j]); ++i)
        r[i] -= problem_.a[j * rows_ + i] * p_[j];
    return r;
  }

  /// The fixed variable whose move into the box decreases the sum most, in units of its column.
  std::optional<std::size_t> worst_multiplier() const {
    const std::vector<double> r = residual(false);
    const double length = std::sqrt(dot(r, r));
    std::optional<std::size_t> worst;
    double largest = 1e-12 * length;
    for (std::size_t j = 0; j < problem_.columns; ++j) {
      if (!is_fixed_[j] || problem_.lower[j] == problem_.upper[j]) continue;
      const double norm = column_norm(j);
      if (norm == 0) continue;
      const double descent = column_times(j, r) / norm;  // > 0: an increase of p decreases the sum
      const double inward = p_[j] <= problem_.lower[j] ? descent : -descent;
      if (inward <= largest) continue;
      largest = inward;
      worst = j;
    }
    return worst;
  }

  static double dot(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }
  double column_norm(std::size_t j) const {
    double sum = 0;
    for (std::size_t i = 0; i < rows_; ++i)
      sum += problem_.a[j * rows_ + i] * problem_.a[j * rows_ + i];
    return std::sqrt(sum);
  }

  /// Moves to the minimum of the free variables, or towards it as far as a bound. True: reached.
  bool move_to_free_minimum() {
    std::vector<std::size_t> free;
    std::vector<double> a;
    for (std::size_t j = 0; j < problem_.columns; ++j) {
      if (is_fixed_[j]) continue;
      free.push_back(j);
      const auto first = problem_.a.begin() + static_cast<std::ptrdiff_t>(j * rows_);
      a.insert(a.end(), first, first + static_cast<std::ptrdiff_t>(rows_));
    }
    if (free.empty()) return true;
    const std::vector<double> goal = solvers::solve_least_squares(a, free.size(), residual(true));
    double part = 1;
    std::size_t first_at_bound = problem_.columns;
    for (std::size_t k = 0; k < free.size(); ++k) {
      const std::size_t j = free[k];
      const double bound = goal[k] > p_[j] ? problem_.upper[j] : problem_.lower[j];
      const double distance = goal[k] - p_[j];
      if (std::abs(distance) <= std::abs(bound - p_[j])) continue;
      const double fraction = (bound - p_[j]) / distance;
      if (fraction >= part) continue;
      part = fraction;
      first_at_bound = k;
    }
    for (std::size_t k = 0; k < free.size(); ++k) p_[free[k]] += part * (goal[k] - p_[free[k]]);
    if (first_at_bound == problem_.columns) return true;
    const std::size_t j = free[first_at_bound];
    p_[j] = goal[first_at_bound] > p_[j] ? problem_.upper[j] : problem_.lower[j];
    is_fixed_[j] = true;
    return false;
  }

  const BoxProblem& problem_;
  std::size_t rows_;
  std::vector<double> p_;
  std::vector<bool> is_fixed_;
};

}  // namespace

std::vector<double> solve_in_box(const BoxProblem& problem) { return BoxSolver(problem).solve(); }

}  // namespace tutti::studies
