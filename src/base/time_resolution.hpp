// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace tutti {

/// Two times near t that differ by less are the same but for rounding: no step is that short. At
/// t = 1e9 s this is 4e-7 s.
inline double time_resolution(double t) {
  return 2 * std::numeric_limits<double>::epsilon() * std::abs(t);
}

/// The same for times that may have been added up step by step, of a step of h: a billionth of it,
/// where doubles are as fine as that.
inline double same_time(double t, double h) {
  return std::max(1e-9 * h, std::min(time_resolution(t), h / 4));
}

/// Do they differ by at most that? Mostly they are equal, and then nothing is computed that the
/// next step would have to wait for.
inline bool are_near(double a, double b, double nearness) {
  return a == b || std::abs(a - b) <= nearness;
}

/// The shortest step between these times with which time moves on, also with half of it.
inline double shortest_step(double start, double stop) {
  return 8 * time_resolution(std::max(std::abs(start), std::abs(stop)));
}

}  // namespace tutti
