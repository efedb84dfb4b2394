// SPDX-License-Identifier: BSD-2-Clause
#include "stability/scheme.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "stability/coupled_system.hpp"
#include "stability/spectrum.hpp"
#include "stability/step_limit.hpp"
#include "support/problems.hpp"

namespace tutti::stability {
namespace {

using testing::linear_example;
using testing::mass_spring_damper;

constexpr Scheme scheme(Prediction prediction, bool smooth = false, bool corrected = false) {
  return {Sequence::parallel, prediction, smooth, corrected};
}
constexpr Scheme of_sequence(Sequence sequence, Prediction prediction = Prediction::hold) {
  return {sequence, prediction, false, false};
}

double radius(const CoupledSystem& system, const Scheme& way, double h) {
  return spectral_radius(step_map(system, way, h));
}

/// Maps of the linear example as the thesis writes them: with A = -1 in both parts, K1 = (1 - E) B
/// L and K2 = (E - 1 + H) B L / H.
struct Written {
  Written(double d1, double d2, double h) : e(std::exp(-h)), d{d1, d2}, step(h) {
    for (int i = 0; i < 2; ++i) {
      k1[i] = (1 - e) * b[i];
      k2[i] = (e - 1 + h) * b[i] / h;
    }
  }
  double e, d[2], step, k1[2], k2[2];
  double b[2] = {1, 3}, c[2] = {1, -5};
};

void expect_same(const Matrix& a, const Matrix& b) {
  ASSERT_EQ(a.rows, b.rows);
  ASSERT_EQ(a.columns, b.columns);
  for (std::size_t i = 0; i < a.values.size(); ++i)
    EXPECT_NEAR(a.values[i], b.values[i], 1e-12) << i;  // rounding of an exponential
}

TEST(StepMap, IsTheBlockMatrixOfConstantExtrapolation) {
  const Written w(1, -1.1, 0.1);
  Matrix expected(4, 4);
  for (std::size_t i = 0; i < 2; ++i) {
    expected(i, i) = w.e;
    expected(i, 3 - i) = w.k1[i];
    expected(2 + i, i) = w.c[i] * w.e;
    expected(2 + i, 3 - i) = w.c[i] * w.k1[i] + w.d[i];
  }
  expect_same(step_map(linear_example(1, -1.1), scheme(Prediction::hold), 0.1), expected);
}

TEST(StepMap, IsTheBlockMatrixOfLinearExtrapolationWithDifferences) {
  const Written w(0.5, -0.5, 0.1);
  Matrix expected(6, 6);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::size_t other = 1 - i;
    expected(i, i) = w.e;
    expected(i, 2 + other) = w.k1[i] + w.k2[i];
    expected(i, 4 + other) = -w.k2[i];
    expected(2 + i, i) = w.c[i] * w.e;
    expected(2 + i, 2 + other) = w.c[i] * (w.k1[i] + w.k2[i]) + 2 * w.d[i];
    expected(2 + i, 4 + other) = -w.c[i] * w.k2[i] - w.d[i];
    expected(4 + i, 2 + i) = 1;
  }
  expect_same(step_map(linear_example(0.5, -0.5), scheme(Prediction::linear_differences), 0.1),
              expected);
}

// The state has H y' where the thesis has y'.
TEST(StepMap, IsTheBlockMatrixOfLinearExtrapolationWithDerivatives) {
  const double h = 0.1;
  const Written w(0.5, -0.5, h);
  Matrix expected(6, 6);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::size_t other = 1 - i;
    expected(i, i) = w.e;
    expected(i, 2 + other) = w.k1[i];
    expected(i, 4 + other) = w.k2[i];
    expected(2 + i, i) = w.c[i] * w.e;
    expected(2 + i, 2 + other) = w.c[i] * w.k1[i] + w.d[i];
    expected(2 + i, 4 + other) = w.c[i] * w.k2[i] + w.d[i];
    expected(4 + i, i) = -h * w.c[i] * w.e;
    expected(4 + i, 2 + other) = h * w.c[i] * (-w.k1[i] + w.b[i]);
    expected(4 + i, 4 + other) = h * w.c[i] * (-w.k2[i] + w.b[i]) + w.d[i];
  }
  expect_same(step_map(linear_example(0.5, -0.5), scheme(Prediction::linear_derivatives), h),
              expected);
}

// R = (I - D L)^-1 = 1 / (1 - d1 d2) [1 d1; d2 1]; the thesis' lower rows are R times those without
// D L.
TEST(StepMap, IsTheBlockMatrixOfCorrectedConstantExtrapolation) {
  const Written w(1, -0.9, 0.1);
  Matrix expected(4, 4);
  const double r[2][2] = {{1 / 1.9, 1 / 1.9}, {-0.9 / 1.9, 1 / 1.9}};
  for (std::size_t i = 0; i < 2; ++i) {
    expected(i, i) = w.e;
    expected(i, 3 - i) = w.k1[i];
    for (std::size_t j = 0; j < 2; ++j) {
      expected(2 + i, j) = r[i][j] * w.c[j] * w.e;
      expected(2 + i, 3 - j) += r[i][j] * w.c[j] * w.k1[j];
    }
  }
  expect_same(step_map(linear_example(1, -0.9), scheme(Prediction::hold, false, true), 0.1),
              expected);
}

TEST(StepMap, HasTheSpectralRadiiOfTheLinearExample) {
  constexpr double steps[] = {1e-6, 1e-3, 1e-2, 0.1};
  // The first of (6.30) follows from its limit, the root 2.8552397 of l^3 = mu (5/2 l^2 - 2 l +
  // 1/2) with mu = i sqrt(1.1), and the slope of 8.5 that the others show.
  const struct {
    Scheme way;
    double d1, d2, radii[4];
  } rows[] = {
      {scheme(Prediction::hold), 1, -1.1, {1.048813, 1.052853, 1.091393, 1.592121}},
      {scheme(Prediction::hold, false, true), 1, -1.1, {0.999998, 0.997916, 0.979251, 0.801556}},
      {scheme(Prediction::linear_differences), 1, -1.1, {2.240686, 2.248226, 2.317347, 3.042620}},
      {scheme(Prediction::quadratic_backward), 1, -1.1, {2.855248, 2.863723, 2.941032, 3.738954}},
      {scheme(Prediction::linear_differences), .5, -.5, {1.202097, 1.206775, 1.251058, 1.837739}},
      {scheme(Prediction::linear_derivatives, true),
       .5,
       -.5,
       {1.202097, 1.206775, 1.251058, 1.837739}},
  };
  for (const auto& row : rows)
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_NEAR(radius(linear_example(row.d1, row.d2), row.way, steps[i]), row.radii[i], 1e-6)
          << "to the digits of the figures, H = " << steps[i];
}

// On the border rho(D L) = 1 constant extrapolation is stable only in the limit.
TEST(StepMap, GrowsByFourTimesTheStepOnTheBorder) {
  const double h = 1e-4;
  EXPECT_NEAR((radius(linear_example(1, -1), scheme(Prediction::hold), h) - 1) / h, 4.0,
              0.01);  // O(H)
}

TEST(StepMap, OfSmoothingWithDerivativesHasTheSpectrumOfDifferencesWithoutIt) {
  for (const double h : {1e-3, 0.03, 0.4})
    for (const bool corrected : {false, true}) {
      const double smooth = radius(linear_example(0.7, -0.4),
                                   scheme(Prediction::linear_derivatives, true, corrected), h);
      const double plain = radius(linear_example(0.7, -0.4),
                                  scheme(Prediction::linear_differences, false, corrected), h);
      EXPECT_NEAR(smooth, plain, 1e-9 * plain) << "rounding of eigenvalues, H = " << h;
    }
}

TEST(StepMap, HasTheSpectralRadiiOfTheMassSpringDamper) {
  const struct {
    bool smooth, corrected;
    double differences, derivatives;
  } rows[] = {{false, false, 0.96436, 0.95634},
              {true, false, 1.01628, 0.96436},
              {true, true, 0.97912, 0.94906},
              {false, true, 0.94906, 0.94949}};
  for (const auto& row : rows) {
    const auto at = [&](Prediction prediction) {
      return radius(mass_spring_damper(), scheme(prediction, row.smooth, row.corrected), 0.085);
    };
    // To the digits of the figures.
    EXPECT_NEAR(at(Prediction::linear_differences), row.differences, 1e-5);
    EXPECT_NEAR(at(Prediction::linear_derivatives), row.derivatives, 1e-5);
  }
}

TEST(StepMap, OfGaussSeidelUsesNewValuesWhereTheyAreKnown) {
  const Written w(0.5, -0.5, 0.1);
  Matrix expected(4, 4);
  // The first part as with jacobi; the second has u2 = y1 at the end of the step.
  const double y1[4] = {w.e, 0, 0, w.k1[0] + w.d[0]};  // c1 = 1
  expected(0, 0) = w.e;
  expected(0, 3) = w.k1[0];
  expected(1, 1) = w.e;
  expected(3, 1) = w.c[1] * w.e;
  for (std::size_t j = 0; j < 4; ++j) {
    expected(2, j) = y1[j];
    expected(1, j) += w.k1[1] * y1[j];
    expected(3, j) += (w.c[1] * w.k1[1] + w.d[1]) * y1[j];
  }
  expect_same(step_map(linear_example(0.5, -0.5), of_sequence(Sequence::sequential), 0.1),
              expected);
}

// Sweeps that have converged: the fixed point of Gauss-Seidel and of Jacobi is the solved step.
TEST(StepMap, OfTheSolvedStepIsWhereSweepsEnd) {
  const CoupledSystem system = linear_example(0.3, -0.3);
  const double h = 0.05;
  const Matrix solved = step_map(system, of_sequence(Sequence::solved), h);
  for (const Sequence sequence : {Sequence::parallel, Sequence::sequential}) {
    const Matrix sweep = step_map(system, of_sequence(sequence), h);
    // One unit vector of the states: x stays where the step began, y is repeated.
    std::vector<double> y = {0, 0}, x = {0, 0};
    for (int i = 0; i < 200; ++i) {
      std::vector<double> next = {0, 0};
      for (std::size_t r = 0; r < 2; ++r) {
        x[r] = sweep(r, 0) + sweep(r, 2) * y[0] + sweep(r, 3) * y[1];
        next[r] = sweep(2 + r, 0) + sweep(2 + r, 2) * y[0] + sweep(2 + r, 3) * y[1];
      }
      y = next;
    }
    for (std::size_t r = 0; r < 2; ++r) {
      EXPECT_NEAR(x[r], solved(r, 0), 1e-12);  // converged: the contraction is below 0.6
      EXPECT_NEAR(y[r], solved(2 + r, 0), 1e-12);
    }
    EXPECT_LT(spectral_radius(sweep_map(system, sequence, h)), 0.7);
  }
}

// With the line to the new value, the solved step is of second order: the trapezoidal rule is what
// it becomes for integrators.
TEST(StepMap, OfTheSolvedStepWithLinesIsTheTrapezoidalRuleForAnIntegrator) {
  const double h = 0.2;
  const Subsystem integrator{Matrix(1, 1, {0}), Matrix(1, 1, {1}), Matrix(1, 1, {1}),
                             Matrix(1, 1, {0})};
  const CoupledSystem decay{{integrator}, Matrix(1, 1, {-1})};  // x' = -x
  const Matrix map =
      step_map(decay, of_sequence(Sequence::solved, Prediction::linear_differences), h);
  EXPECT_NEAR(map(0, 0) + map(0, 1), (1 - h / 2) / (1 + h / 2), 1e-14);  // rounding; y = x
  EXPECT_NEAR(radius(decay, of_sequence(Sequence::solved), h), 1 / (1 + h), 1e-14);  // Euler
}

TEST(StepMap, IsEmptyWhereTheLoopHasNoSolution) {
  EXPECT_EQ(step_map(linear_example(1, 1), scheme(Prediction::hold, false, true), 0.1).rows, 0u);
  EXPECT_EQ(coupled_matrix(linear_example(1, 1)).rows, 0u);
}

// Every output of the linear example five times, each feeding an input of a fifth of the effect.
TEST(Compression, KeepsTheSpectralRadius) {
  const CoupledSystem small = linear_example(0.7, -0.4);
  CoupledSystem large;
  constexpr std::size_t copies = 5;
  for (const Subsystem& part : small.parts) {
    Subsystem wide{part.a, Matrix(1, copies), Matrix(copies, 1), Matrix(copies, copies)};
    for (std::size_t i = 0; i < copies; ++i) {
      wide.b(0, i) = part.b(0, 0) / copies;
      wide.c(i, 0) = part.c(0, 0);
      for (std::size_t j = 0; j < copies; ++j) wide.d(i, j) = part.d(0, 0) / copies;
    }
    large.parts.push_back(wide);
  }
  large.l = SparseMatrix(2 * copies, 2 * copies);
  for (std::size_t i = 0; i < 2 * copies; ++i)
    large.l.entries.push_back({i, (i + copies) % (2 * copies), 1});
  EXPECT_FALSE(compressed(large, 7).has_value());  // 2 states, 3 times 2 outputs
  const CoupledSystem compact = compressed(large, 8).value().system;
  EXPECT_EQ(compact.outputs(), 2u);
  EXPECT_EQ(compact.inputs(), 2u);
  for (const Scheme& way : {scheme(Prediction::hold), scheme(Prediction::quadratic_differences),
                            scheme(Prediction::linear_derivatives, true, true),
                            of_sequence(Sequence::sequential), of_sequence(Sequence::solved)}) {
    const double expected = radius(small, way, 0.1);
    EXPECT_NEAR(radius(compact, way, 0.1), expected, 1e-10);  // rounding
    EXPECT_NEAR(radius(large, way, 0.1), expected, 1e-7);     // and many eigenvalues of 0
  }
}

TEST(CoupledSystem, HasTheEigenvaluesOfTheMassSpringDamperAsOne) {
  const std::vector<Complex> values = eigenvalues(coupled_matrix(mass_spring_damper()));
  ASSERT_EQ(values.size(), 4u);
  EXPECT_NEAR(values[0].real(), -0.99443, 1e-5);  // to the digits of the figures
  EXPECT_NEAR(std::abs(values[0].imag()), 9.26708, 1e-5);
  EXPECT_NEAR(values[2].real(), -0.60557, 1e-5);
  EXPECT_NEAR(std::abs(values[2].imag()), 4.75992, 1e-5);
}

TEST(StepLimit, IsWhereTheMassSpringDamperBecomesUnstable) {
  const struct {
    bool smooth, corrected;
    double differences, derivatives;  // first unstable one on a grid of 0.001
  } rows[] = {{false, false, 0.107, 0.137},
              {true, false, 0.079, 0.107},
              {true, true, 0.095, 0.143},
              {false, true, 0.143, 0.246}};
  const std::vector<double> steps = logarithmic(1e-3, 10, 25);
  const CoupledSystem system = mass_spring_damper();
  const double abscissa = spectral_abscissa(coupled_matrix(system));
  for (const auto& row : rows)
    for (const auto& [prediction, first] :
         {std::pair(Prediction::linear_differences, row.differences),
          std::pair(Prediction::linear_derivatives, row.derivatives)}) {
      const StepLimit limit =
          find_step_limit(system, scheme(prediction, row.smooth, row.corrected), steps, abscissa);
      ASSERT_TRUE(limit.largest);
      EXPECT_FALSE(limit.beyond_range);
      EXPECT_LE(*limit.largest, first);
      EXPECT_GE(*limit.largest, first - 0.001);
    }
}

// Explicit Euler on x' = -x, and on x' = x, which may grow.
TEST(StepLimit, ComparesWithTheGrowthOfTheSystemItself) {
  const Subsystem integrator{Matrix(1, 1, {0}), Matrix(1, 1, {1}), Matrix(1, 1, {1}),
                             Matrix(1, 1, {0})};
  const std::vector<double> steps = logarithmic(0.01, 100, 25);
  const StepLimit decay =
      find_step_limit({{integrator}, Matrix(1, 1, {-1})}, scheme(Prediction::hold), steps, -1);
  ASSERT_TRUE(decay.largest);
  EXPECT_NEAR(*decay.largest, 2, 1e-3);  // |1 - h| <= 1, bisected to 5e-4
  const StepLimit growth =
      find_step_limit({{integrator}, Matrix(1, 1, {1})}, scheme(Prediction::hold), steps, 1);
  EXPECT_TRUE(growth.beyond_range);  // 1 + h < exp(h)
  // Implicit Euler grows faster, by an error of first order.
  EXPECT_TRUE(is_stable(1 / (1 - 0.1), 0.1, 1));
  EXPECT_FALSE(is_stable(1.25, 0.1, 1));
}

}  // namespace
}  // namespace tutti::stability
