// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "solvers/linear/linear_system.hpp"

namespace tutti::solvers {

/// J d = b where J may be singular: the Jacobian of x' = f(x) with further algebraic equations and
/// unknowns. Its rank is that of the matrix with columns times `weights` and rows of sum 1, so that
/// it does not depend on units.
///
/// Where J is singular, d is a solution (or the one with the smallest residual) after which
/// quantities that the equations conserve have their first values, as far as there is one; and of
/// these the shortest. A large system is assumed to be regular; if it is not, d is not finite, or
/// huge.
class DeficientSystem {
 public:
  /// @param state_count the first unknowns are states, the first equations their derivatives
  /// @param rank_tolerance relative to the largest pivot
  DeficientSystem(std::size_t size, std::span<const Entry> entries, std::span<const double> weights,
                  std::size_t state_count, double rank_tolerance);
  ~DeficientSystem();
  DeficientSystem(const DeficientSystem&) = delete;
  DeficientSystem& operator=(const DeficientSystem&) = delete;

  /// @param moved the unknowns minus their first values
  void solve(std::span<const double> right, std::span<const double> moved,
             std::span<double> d) const;
  std::size_t rank() const;
  /// By unknown, 1: the equations leave it undetermined, alone or together with others.
  std::vector<std::uint8_t> undetermined() const;
  /// By row, sum_j |J_ij| weights_j.
  std::span<const double> row_sums() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tutti::solvers
