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

  /// 0 at low, 1 at high; NaN for values that a logarithmic axis cannot show.
  double position(double value) const;
};

/// Ticks at 1, 2 or 5 times a power of ten within the range, or at powers of ten if it is
/// logarithmic. A range of width zero is widened, one beyond 1e300 is cut.
/// @param most maximum number of ticks, at least 2
/// @param margin space at both ends, so that curves do not touch the frame
Axis make_axis(double low, double high, bool log, double most, double margin = 0);

/// Keeps only ticks at integers, for counts and switches.
void keep_whole_numbers(Axis& axis);

/// `10⁻⁵`
std::string power_of_ten(int exponent);

/// Traces a curve as it is drawn: `add(x, y)` with positions from 0 to 1 for each corner, steps
/// included, and `interrupt()` at gaps.
template <class Add, class Interrupt>
void trace(const FigureCurve& curve, const Axis& x_axis, const Axis& y_axis, const Add& add,
           const Interrupt& interrupt) {
  bool joined = false, waits = false;  // waits: a constant value whose end has not been drawn yet
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
