// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <tutti/ode.hpp>
#include <vector>

namespace tutti::solvers {

/// Groups of columns no two of which have a row in common: one difference of the right-hand side
/// gives all columns of a group (A. R. Curtis, M. J. D. Powell, J. K. Reid, On the estimation of
/// sparse Jacobian matrices, J. Inst. Maths Applics 13, 1974). Greedy, so not always the fewest.
std::vector<std::vector<std::size_t>> color_columns(const SparsityPattern& pattern);

/// Rows as columns: place[k] is the number of entry k in the original.
struct Transposed {
  SparsityPattern pattern;
  std::vector<std::size_t> place;
};
Transposed transposed(const SparsityPattern& pattern);

}  // namespace tutti::solvers
