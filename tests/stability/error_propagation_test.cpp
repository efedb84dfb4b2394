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

/// y = k u
Subsystem direct_gain(double k) {
  return {Matrix(0, 0), Matrix(0, 1), Matrix(1, 0), Matrix(1, 1, {k})};
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
  const CoupledSystem system = pair_of(direct_gain(3), direct_gain(2), -1);
  ErrorPropagation errors(system, 1);
  const double e[] = {0.7, 0};
  errors.step(0.1, e, e);
  EXPECT_NEAR(errors.largest()[0], 0.3, 1e-14);
  EXPECT_NEAR(errors.largest()[1], 0.6, 1e-14);
  EXPECT_FALSE(ErrorPropagation::is_possible(pair_of(direct_gain(0.5), direct_gain(2), 1)));
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

TEST(ErrorPropagation, GoesOnFromACheckpointAsIfNothingHadHappened) {
  const CoupledSystem system = pair_of(first_order(-1, 1, 0), first_order(-2, 1, 0.5), -1);
  ErrorPropagation errors(system, 1), other(system, 1);
  const double e[] = {1e-3, -2e-3}, wrong[] = {5, 7};
  for (int i = 0; i < 3; ++i) {
    errors.step(0.0301, e, e);
    other.step(0.0301, e, e);
    std::vector<double> saved{42};  // what others have saved
    other.save(saved);
    other.step(0.2, wrong, wrong);
    saved.push_back(43);
    const auto rest = other.restore(std::span<const double>(saved).subspan(1));
    ASSERT_EQ(rest.size(), 1u);
    EXPECT_EQ(rest[0], 43);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(other.largest()[k], errors.largest()[k]);
      EXPECT_EQ(other.present()[k], errors.present()[k]);
    }
  }
}

// 0.02: the maximum may lie between the points that are looked at.
TEST(ErrorPropagation, KnowsTheEffectOfConstantErrors) {
  const std::vector<std::size_t> both{0, 1}, first{0}, second{1};
  const Subsystem lag = first_order(-1, 1, 0), integrator = first_order(0, 1, 0);
  const ErrorPropagation lags({{lag, lag}, SparseMatrix(2, 2)}, 3);
  const Matrix gains = lags.gains(both);
  EXPECT_NEAR(gains(0, 0), 1 - std::exp(-3), 1e-9);  // rounding of exponentials
  EXPECT_EQ(gains(0, 1), 0);
  EXPECT_EQ(lags.gains(second)(1, 0), gains(1, 1));
  // (sin t, 1 - cos t), of which equal parts of 32 periods see nothing.
  const CoupledSystem oscillator = pair_of(integrator, integrator, -1);
  const Matrix effect = ErrorPropagation(oscillator, 64 * std::acos(-1)).gains(first);
  EXPECT_NEAR(effect(0, 0), 1, 0.02);
  EXPECT_NEAR(effect(1, 0), 2, 0.02);
  EXPECT_EQ(ErrorPropagation(pair_of(direct_gain(3), direct_gain(0), 1), 1).gains(first)(0, 0), 3);
}

TEST(ErrorPropagation, KeepsWhatIsNotANumber) {
  ErrorPropagation errors(pair_of(direct_gain(1), direct_gain(0), 0), 1);
  const std::vector<double> none{0, 0};
  for (const double error : {1.0, std::nan(""), 1.0})
    errors.step(0.1, none, std::vector{error, 0.0});
  EXPECT_TRUE(std::isnan(errors.largest()[0]));
}

TEST(ErrorPropagation, RefusesLargeSystems) {
  Subsystem large;
  const std::size_t n = ErrorPropagation::most_states + 1;
  large.a = Matrix(n, n);
  large.b = Matrix(n, 1);
  large.c = Matrix(1, n);
  large.d = Matrix(1, 1);
  EXPECT_FALSE(ErrorPropagation::is_possible({{large}, SparseMatrix(1, 1)}));
  for (const std::size_t outputs :
       {ErrorPropagation::most_outputs, ErrorPropagation::most_outputs + 1}) {
    const Subsystem wide{Matrix(0, 0), Matrix(0, 1), Matrix(outputs, 0), Matrix(outputs, 1)};
    EXPECT_EQ(ErrorPropagation::is_possible({{wide}, SparseMatrix(1, outputs)}),
              outputs == ErrorPropagation::most_outputs);
  }
}

}  // namespace
}  // namespace tutti::stability
