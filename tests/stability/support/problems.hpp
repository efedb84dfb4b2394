// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "stability/coupled_system.hpp"

/// Coupled linear systems of Ch. Andersson, Methods and Tools for Co-Simulation of Dynamic Systems
/// with the Functional Mock-up Interface, Lund 2016.
namespace tutti::stability::testing {

/// Example 6.1.1: x1' = -x1 + u1, y1 = x1 + d1 u1; x2' = -x2 + 3 u2, y2 = -5 x2 + d2 u2; u1 = y2,
/// u2 = y1. The eigenvalues of D L are +-sqrt(d1 d2).
inline CoupledSystem linear_example(double d1, double d2) {
  const auto scalar = [](double value) { return Matrix(1, 1, {value}); };
  return {{{scalar(-1), scalar(1), scalar(1), scalar(d1)},
           {scalar(-1), scalar(3), scalar(-5), scalar(d2)}},
          Matrix(2, 2, {0, 1, 1, 0})};
}

/// Example 6.4.1 with the parameters of its table 7.1: two masses between three spring-dampers,
/// k = (10, 25, 50), c = (1, 0.1, 2), m = 1. The second outputs its position relative to the first.
inline CoupledSystem mass_spring_damper() {
  const Matrix identity(2, 2, {1, 0, 0, 1}), none(2, 2);
  const Subsystem left{Matrix(2, 2, {0, 1, -10, -1}), Matrix(2, 2, {0, 0, 25, 0.1}), identity,
                       none};
  const Subsystem right{Matrix(2, 2, {0, 1, -75, -2.1}), Matrix(2, 2, {0, 0, 25, 0.1}), identity,
                        Matrix(2, 2, {-1, 0, 0, -1})};
  return {{left, right}, Matrix(4, 4, {0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0})};
}

}  // namespace tutti::stability::testing
