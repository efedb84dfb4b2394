// SPDX-License-Identifier: BSD-2-Clause
#include "stability/step_limit.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tutti::stability {
namespace {

// Two frictionless oscillators coupled by their positions: stable in short steps of newton with
// constant inputs, not in some longer ones. A radius of 1 is on the border everywhere else.
TEST(StepLimit, DoesNotStepOverWindows) {
  // The radius is above 1 only in a window of a tenth of a turn.
  const double omega = 5;
  const auto radius = [&](double h) {
    return h > 1 ? 1 + 0.07 * std::max(0.0, std::sin(omega * h) - 0.9) : 1;
  };
  const std::vector<double> steps = {0.1, 1.4, 10};  // all of them stable
  for (const double h : steps) ASSERT_EQ(radius(h), 1);
  const std::vector<Complex> turns = {Complex(0, omega)};
  const StepLimit limit = find_step_limit(radius, steps, {0, turns});
  ASSERT_TRUE(limit.largest);
  EXPECT_FALSE(limit.beyond_range);
  EXPECT_EQ(limit.radii, std::vector<double>(3, 1));
  const double first = (std::asin(0.9) + 2 * std::acos(-1.0)) / omega;  // the first window above 1
  EXPECT_NEAR(*limit.largest, first, 1e-3);
}

// Explicit Euler on the oscillator of frequency 1: growth in every step, however small.
TEST(StepLimit, SearchesOnlyAsFarAsItMay) {
  std::size_t count = 0;
  const auto radius = [&](double) { return ++count, 0.5; };
  const std::vector<double> steps = {1e-3, 1};
  const std::vector<Complex> turns = {Complex(0, 1e6)};
  const StepLimit limit = find_step_limit(radius, steps, {0, turns, 100});
  EXPECT_LE(count, 2u + 100 + 2);  // a pair that was begun is ended
  EXPECT_TRUE(limit.beyond_range);
  EXPECT_LT(*limit.largest, 2e-3);  // what was not searched is not called stable
}

// A mass on a spring (omega = 1) and a spring between it and another such mass, split by position
// and force: constant inputs, one after the other.
TEST(StepLimit, HoldsForAllShorterSteps) {
  const Subsystem mass{Matrix(2, 2, {0, 1, -1, 0}), Matrix(2, 1, {0, 1}), Matrix(1, 2, {1, 0}),
                       Matrix(1, 1)};
  const CoupledSystem system{{mass, mass}, Matrix(2, 2, {0, 0.3, 0.3, 0})};
  const Scheme sequential{Sequence::solved, Prediction::hold, false, false};
  const std::vector<double> steps = logarithmic(1e-3, 10, 25);
  const StepLimit limit = find_step_limit(system, sequential, steps, 0);
  ASSERT_TRUE(limit.largest);
  for (double h = steps.front(); h < *limit.largest; h += 1e-3)
    EXPECT_LE(step_radius(system, sequential, h), 1 + 2 * tolerated_growth) << h;
}

}  // namespace
}  // namespace tutti::stability
