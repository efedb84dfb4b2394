// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

namespace tutti::results {

struct Tick {
  double value = 0;
  std::string label;
};

/// A scale with its ticks.
struct Axis {
  double low = 0, high = 1;
  bool log = false;
  std::vector<Tick> ticks;
  std::vector<double> minor;  ///< marks without a label
  int exponent = 0;           ///< the labels are to be multiplied by 10^exponent

  /// 0 at low, 1 at high; not a number for what a logarithmic axis cannot show.
  double position(double value) const;
};

/// Ticks at 1, 2 or 5 times a power of ten within the range, or at powers of ten if it is
/// logarithmic. A range of no width is widened, one beyond 1e300 cut.
/// @param most ticks that there is room for, at least 2
/// @param margin air at both ends, so that curves do not run along the frame
Axis make_axis(double low, double high, bool log, double most, double margin = 0);

/// Leaves ticks only where a count or a switch can be: it is never half on.
void keep_whole_numbers(Axis& axis);

/// `10⁻⁵`
std::string power_of_ten(int exponent);

}  // namespace tutti::results
