// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <string>
#include <tutti/plot.hpp>
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

/// Walks a curve as it is to be seen: `add(x, y)` with positions from 0 to 1 for each corner, steps
/// included, and `interrupt()` where there is nothing to join.
template <class Add, class Interrupt>
void trace(const FigureCurve& curve, const Axis& x_axis, const Axis& y_axis, const Add& add,
           const Interrupt& interrupt) {
  bool joined = false, waits = false;  // waits: a held value whose end is still to be drawn
  double x_before = 0, y_before = 0;
  const auto end_hold = [&] {
    if (waits) add(x_before, y_before);
    waits = false;
  };
  for (std::size_t i = 0; i < curve.times.size(); ++i) {
    const double x = x_axis.position(curve.times[i]), y = y_axis.position(curve.values[i]);
    if (!std::isfinite(x) || !std::isfinite(y)) {
      end_hold();
      if (joined) interrupt();
      joined = false;
      continue;
    }
    if (joined && curve.discrete && y == y_before) {
      waits = true;
    } else {
      if (joined && curve.discrete) add(x, y_before);
      add(x, y);
      waits = false;
    }
    joined = true;
    x_before = x;
    y_before = y;
  }
  end_hold();
}

}  // namespace tutti::results
