// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

/// Dense linear least squares with few columns. Matrices are stored column by column.
namespace tutti::solvers {

/// min |A x - b|^2 is, up to a constant, min |R x - c|^2 with a square R.
struct ReducedSystem {
  std::vector<double> r, c;
};
/// By Householder's QR.
ReducedSystem reduce_least_squares(std::span<const double> a, std::size_t columns,
                                   std::span<const double> b);

/// The x with the smallest |A x - b|, and of these the one with the fewest non-zero elements that
/// QR with column pivoting finds.
std::vector<double> solve_least_squares(std::span<const double> a, std::size_t columns,
                                        std::span<const double> b);

/// A = U diag(values) V^T.
struct SingularValues {
  std::vector<double> values;   ///< in descending order, as many as columns
  std::vector<double> vectors;  ///< V
};
SingularValues singular_values(std::span<const double> a, std::size_t columns);

}  // namespace tutti::solvers
