// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <vector>

namespace tutti::models {

/// A continuous column of a table: a line from each row to the next, constant outside. Two rows of
/// the same time are a jump.
struct PiecewiseLine {
  std::span<const double> times, values;

  /// Right-hand and left-hand limit at t: the two differ at a jump.
  double from(double t) const;
  double until(double t) const;
};

/// Deviations that may be neglected: atol + rtol |u|.
struct InputTolerance {
  double atol = 0, rtol = 0;
};

/// The end of the longest step from t on, `end` or a row before it, over which the line between the
/// values at its ends is within the tolerance of every row. Visits each row up to there once, and
/// one more. A shorter step is within twice the tolerance. Does not cross jumps.
///
/// Swinging door: the slopes of lines from the start that are near enough to all rows so far form
/// an interval, which each row narrows; once it is empty, no later row can pass.
double straight_until(const PiecewiseLine& line, double t, double end,
                      const InputTolerance& tolerance);

/// Adds the times where an integrator of high order has to stop, so that it sees everything that
/// is larger than the tolerance, to `knots`. Through each five successive knots the column is a
/// polynomial of degree four within the tolerance, or the five are successive rows: a smooth signal
/// has few of them, however many rows there are.
void find_knots(const PiecewiseLine& line, const InputTolerance& tolerance,
                std::vector<double>& knots);

}  // namespace tutti::models
