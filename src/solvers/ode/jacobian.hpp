// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "solvers/linear/sparsity.hpp"
#include "solvers/ode/ode.hpp"

namespace tutti::solvers {

/// J = df/dy, or dF/dy + c dF/dy' of an implicit problem: computed by the problem if it can;
/// otherwise a group of columns at a time, by directional derivatives if available, else by forward
/// differences; or a group of rows at a time, by adjoint derivatives if these are fewer calls.
class Jacobian {
 public:
  explicit Jacobian(OdeProblem& problem);

  /// Null: the matrix is full.
  const SparsityPattern* pattern() const { return pattern_; }
  /// The size of `values`: those of the pattern, or of all columns one after the other.
  std::size_t value_count() const;

  /// @pre f = f(t, y). `least_increment[j]` is the smallest change of y[j] that shows in f.
  /// False: the problem could not be computed.
  bool evaluate(double t, std::span<const double> y, std::span<const double> f,
                std::span<const double> least_increment, std::span<double> values);
  /// Of an implicit problem. @pre r = F(t, y, y')
  bool evaluate(double t, std::span<const double> y, std::span<const double> yp, double c,
                std::span<const double> r, std::span<const double> least_increment,
                std::span<double> values);

  /// dF/dy' by differences. @pre r = F(t, y, y')
  bool evaluate_slopes(double t, std::span<const double> y, std::span<const double> yp,
                       std::span<const double> r, std::span<const double> least_increment,
                       std::span<double> values);

  /// Number of calls of the problem for one matrix, unless it computes it as a whole.
  std::size_t group_count() const { return by_rows_ ? row_groups_.size() : groups_.size(); }
  /// It comes from adjoint derivatives.
  bool is_by_rows() const { return by_rows_; }

  /// Of differences; directional derivatives are not counted.
  std::uint64_t evaluations() const { return evaluations_; }

 private:
  void choose_direction();
  bool by_derivatives(double t, std::span<const double> y, std::span<double> values);
  bool by_adjoints(double t, std::span<const double> y, std::span<double> values);
  /// Moves a group of columns of y by increment_, and calls evaluate(result).
  template <class Evaluate>
  bool by_differences(std::span<const double> y, std::span<const double> f,
                      std::span<const double> least_increment, std::span<double> values,
                      const Evaluate& evaluate);
  /// Calls action(row, place in the values) for the elements of a column.
  template <class Action>
  void for_each_row(std::size_t column, const Action& action) const;

  OdeProblem& problem_;
  std::size_t size_;  ///< a change of size is detected later, elsewhere
  const SparsityPattern* pattern_;
  std::vector<std::vector<std::size_t>> groups_;
  Transposed transposed_;  ///< the pattern by rows, if it has adjoint derivatives
  std::vector<std::vector<std::size_t>> row_groups_;
  bool by_rows_ = false;
  std::vector<double> increment_, moved_, moved_slope_, result_;
  std::uint64_t evaluations_ = 0;
};

}  // namespace tutti::solvers
