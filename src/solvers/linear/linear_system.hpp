// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <span>
#include <vector>

namespace tutti::solvers {

/// The weights g for which |right - sum g_k columns_k| is smallest; the shortest such g where the
/// columns (nearly) depend on each other.
std::vector<double> least_squares(const std::deque<std::vector<double>>& columns,
                                  std::span<const double> right);

/// An element of a sparse matrix; elements of the same place add up.
struct Entry {
  std::size_t row, column;
  double value;
};

/// A x = b, factorised once: densely where A is small or full, else sparsely. For a singular matrix
/// the solution is not finite, or huge: see free_direction().
class LinearSystem {
 public:
  LinearSystem(std::size_t size, std::span<const Entry> entries);
  ~LinearSystem();
  LinearSystem(const LinearSystem&) = delete;
  LinearSystem& operator=(const LinearSystem&) = delete;

  void solve(std::span<const double> right, std::span<double> x) const;
  /// A null vector v != 0 of A: in every row, the sum of the terms A_ij v_j is at most `tolerance`
  /// times the sum of their magnitudes. Does not depend on the units of equations and unknowns. Its
  /// largest element is 1; negligible elements are 0. Empty: none.
  std::vector<double> free_direction(double tolerance) const;

 private:
  struct Factors;
  struct Matrix;
  std::unique_ptr<Matrix> matrix_;
  std::unique_ptr<Factors> factors_;
};

}  // namespace tutti::solvers
