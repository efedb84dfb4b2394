// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <tutti/compare.hpp>
#include <vector>

namespace tutti::results {

/// All rows of one time: the first has the values before an event, the last those after it.
struct Knot {
  double time = 0;
  std::uint32_t first = 0, last = 0;  ///< rows
};
/// @pre the times do not decrease
std::vector<Knot> knots_of(const std::vector<double>& times);

/// The position of a time among the knots of one file: at `knot`, or between it and the next.
struct Place {
  std::uint32_t knot = 0;
  bool at = false;
};
struct GridPoint {
  double time = 0;
  Place a, b;
};

/// The times of two files where both have values. Times that agree to 1e-9 are one point.
std::vector<GridPoint> common_grid(const std::vector<Knot>& a, const std::vector<Knot>& b);

/// The common times of a result (a) and a reference (b), for all their columns.
struct CommonTime {
  std::vector<Knot> a, b;
  std::vector<GridPoint> grid;  ///< not empty
};

/// The measures of one variable, without the verdict.
/// @pre the columns have one entry per row of their file
VariableDifference difference_of(const ResultColumn& a, const ResultColumn& b,
                                 const CommonTime& time);

}  // namespace tutti::results
