// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <vector>

namespace tutti::studies {

/// min |A p - b|^2 subject to lower <= p <= upper.
struct BoxProblem {
  std::size_t columns = 0;
  std::vector<double> a = {}, b = {};          ///< column by column
  std::vector<double> lower = {}, upper = {};  ///< lower <= 0 <= upper
};
/// @pre the columns of A are independent
std::vector<double> solve_in_box(const BoxProblem& problem);

}  // namespace tutti::studies
