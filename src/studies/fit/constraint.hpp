// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

namespace tutti::studies {

/// `left <= right`, or `left >= right`.
struct Constraint {
  std::string left, right;  ///< formulas of results
  bool is_upper = true;     ///< <=

  /// At most 0 where it is satisfied.
  double violation(double left_value, double right_value) const {
    return is_upper ? left_value - right_value : right_value - left_value;
  }
};

/// @throws Error(usage) unless there is exactly one <= or >= outside of parentheses
Constraint parse_constraint(const std::string& text);

}  // namespace tutti::studies
