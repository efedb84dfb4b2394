// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace tutti::master::tlm {

/// Of the cubic polynomial through two samples with slopes, s from 0 to 1 over a distance of h.
struct Hermite {
  Hermite(double from, double to, double from_slope, double to_slope, double h)
      : a(from),
        b(h * from_slope),
        c(3 * (to - from) - h * (2 * from_slope + to_slope)),
        d(2 * (from - to) + h * (from_slope + to_slope)) {}
  double value(double s) const { return a + s * (b + s * (c + s * d)); }
  double slope(double s) const { return b + s * (2 * c + s * 3 * d); }
  double a, b, c, d;
};

}  // namespace tutti::master::tlm
