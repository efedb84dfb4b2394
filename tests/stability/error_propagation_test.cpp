// SPDX-License-Identifier: BSD-2-Clause
#include "stability/error_propagation.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tutti::stability {
namespace {

/// x' = a x + u, y = c x + d u.
Subsystem first_order(double a, double c, double d) {
  return {Matrix(1, 1, {a}), Matrix(1, 1, {1}), Matrix(1, 1, {c}), Matrix(1, 1, {d})};
}

/// Two of them, each the input of the other.
CoupledSystem pair_of(const Subsystem& first, const Subsystem& second, double back) {
  return {{first, second}, SparseMatrix(Matrix(2, 2, {0, back, 1, 0}))};
}

// x'' = -x, of which the first input is wrong by 1e-3 all the time: x1 = 1e-3 sin t and
// x2 = 1e-3 (1 - cos t), exactly, whatever the steps are.
TEST(ErrorPropagation, IsExactForConstantErrors) {
  const CoupledSystem system = pair_of(first_order(0, 1, 0), first_order(0, 1, 0), -1);
  ASSERT_TRUE(ErrorPropagation::is_possible(system));
  const double quantum = std::ldexp(10, -14);
  for (const double h : {quantum, 16 * quantum, 0.3 * quantum, 1000.7 * quantum}) {
    ErrorPropagation errors(system, 10);
    const double mean[] = {1e-3, 0}, none[] = {0, 0};
    double t = 0;
    for (; t + h <= 5; t += h) errors.step(h, mean, none);
    const double late = 1e-3 * quantum;  // what is left over of a quantum
    EXPECT_NEAR(errors.present()[0], 1e-3 * std::sin(t), late + 1e-14) << h;
    EXPECT_NEAR(errors.present()[1], 1e-3 * (1 - std::cos(t)), late + 1e-14) << h;
    EXPECT_NEAR(errors.largest()[1], t > 3.5 ? 2e-3 : 1e-3 * (1 - std::cos(t)), 1e-5) << h;
  }
}

// y1 = 3 u1, y2 = 2 u2, u1 = -y2 + e: y1 = 3 e/(1 + 6). Nothing has states.
TEST(ErrorPropagation, SolvesAlgebraicLoops) {
  const auto gain = [](double k) {
    return Subsystem{Matrix(0, 0), Matrix(0, 1), Matrix(1, 0), Matrix(1, 1, {k})};
  };
  const CoupledSystem system = pair_of(gain(3), gain(2), -1);
  ErrorPropagation errors(system, 1);
  const double e[] = {0.7, 0};
  errors.step(0.1, e, e);
  EXPECT_NEAR(errors.largest()[0], 0.3, 1e-14);
  EXPECT_NEAR(errors.largest()[1], 0.6, 1e-14);
  EXPECT_FALSE(ErrorPropagation::is_possible(pair_of(gain(0.5), gain(2), 1)));
}

// A fast component forgets: an error of its input is an error of its output, and no more.
TEST(ErrorPropagation, IsStableForStiffSystems) {
  const CoupledSystem system = pair_of(first_order(-1e6, 1e6, 0), first_order(-1, 1, 0), -0.5);
  ErrorPropagation errors(system, 1);
  const double e[] = {1e-3, 0}, none[] = {0, 0};
  for (int i = 0; i < 100; ++i) errors.step(0.01, e, none);
  // 2 x2' + 3 x2 = 2 e: the slow one takes the error in.
  const double slow = 2e-3 / 3 * (1 - std::exp(-1.5));
  EXPECT_NEAR(errors.present()[1], slow, 1e-8);
  EXPECT_NEAR(errors.present()[0], 1e-3 - 0.5 * slow, 1e-8);
}

TEST(ErrorPropagation, RefusesLargeSystems) {
  Subsystem large;
  const std::size_t n = ErrorPropagation::most_states + 1;
  large.a = Matrix(n, n);
  large.b = Matrix(n, 1);
  large.c = Matrix(1, n);
  large.d = Matrix(1, 1);
  EXPECT_FALSE(ErrorPropagation::is_possible({{large}, SparseMatrix(1, 1)}));
}

}  // namespace
}  // namespace tutti::stability
