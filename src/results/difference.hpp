// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <tutti/compare.hpp>

#include "results/common_grid.hpp"

namespace tutti::results {

/// The common times of a result (a) and a reference (b), for all their columns.
struct CommonTime {
  std::vector<Knot> a, b;
  std::vector<GridPoint> grid;  ///< not empty
};

/// The measures of one variable; the verdict is not in them.
/// @pre the columns have one entry per row of their file
VariableDifference difference_of(const ResultColumn& a, const ResultColumn& b,
                                 const CommonTime& time);

}  // namespace tutti::results
