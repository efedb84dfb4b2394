// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <deque>
#include <span>
#include <vector>

namespace tutti::solvers {

/// The weights g for which |right - sum g_k columns_k| is smallest; the shortest such g where the
/// columns (nearly) depend on each other.
std::vector<double> least_squares(const std::deque<std::vector<double>>& columns,
                                  std::span<const double> right);

}  // namespace tutti::solvers
