// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <tutti/plot.hpp>

#include "results/plot/axis.hpp"

namespace tutti::results {

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
