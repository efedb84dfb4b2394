// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>

#include "solvers/ode/ode.hpp"

namespace tutti::solvers {

/// J = df/dy, a group of columns at a time: by directional derivatives where the problem has them,
/// else by forward differences.
class Jacobian {
 public:
  explicit Jacobian(OdeProblem& problem);

  /// @pre f = f(t, y). `least_increment[j]` is the smallest change of y[j] that shows in f.
  /// Calls store(row, column, value) for every element of the pattern, by groups.
  /// False: the problem could not be computed.
  using Store = std::function<void(std::size_t row, std::size_t column, double value)>;
  bool evaluate(double t, std::span<const double> y, std::span<const double> f,
                std::span<const double> least_increment, const Store& store);

  /// Of differences; directional derivatives are not counted.
  std::uint64_t evaluations() const { return evaluations_; }

 private:
  bool by_differences(double t, std::span<const double> y, std::span<const double> f,
                      std::span<const double> least_increment, const Store& store);
  bool by_derivatives(double t, std::span<const double> y, const Store& store);
  template <class Action>
  void for_each_row(std::size_t column, const Action& action) const;

  OdeProblem& problem_;
  const SparsityPattern* pattern_;
  std::vector<std::vector<std::size_t>> groups_;
  std::vector<double> increment_, moved_, result_;
  std::uint64_t evaluations_ = 0;
};

}  // namespace tutti::solvers
