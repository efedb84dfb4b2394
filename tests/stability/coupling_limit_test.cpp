// SPDX-License-Identifier: BSD-2-Clause
#include "stability/coupling_limit.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "support/problems.hpp"

namespace tutti::stability {
namespace {

using testing::linear_example;
constexpr double pi = std::numbers::pi;

constexpr Prediction every_prediction[] = {
    Prediction::hold,
    Prediction::linear_differences,
    Prediction::linear_derivatives,
    Prediction::quadratic_backward,
    Prediction::quadratic_differences,
    Prediction::quadratic_derivatives,
};

/// The magnitude up to which eigenvalues of this angle keep the scheme stable.
double critical_magnitude(const Scheme& scheme, double angle) {
  const auto stable = [&](double magnitude) {
    const std::array mu = {std::polar(magnitude, angle)};
    return judge(limit_radius(scheme, mu)) != CouplingVerdict::unstable;
  };
  // All schemes are stable at 0. The first magnitude that is not, on a grid, then bisected.
  constexpr double most = 2, spacing = 0.01;
  double low = 0, high = 0;
  do {
    low = high;
    high += spacing;
  } while (high < most && stable(high));
  if (high >= most) return most;
  for (int i = 0; i < 50; ++i) {
    const double middle = 0.5 * (low + high);
    (stable(middle) ? low : high) = middle;
  }
  return low;
}

TEST(CouplingLimit, HasTheCriticalMagnitudesOfTheDifferenceSchemes) {
  const struct {
    Prediction prediction;
    double positive, negative, imaginary, at_45, at_135;
  } rows[] = {
      {Prediction::linear_differences, 1, 1.0 / 3, 0.3933, 0.5060, 0.3467},
      {Prediction::quadratic_backward, 1, 1.0 / 5, 0.2509, 0.3536, 0.2111},
      {Prediction::quadratic_differences, 0.5, 1.0 / 7, 0.1778, 0.2459, 0.1505},
  };
  for (const auto& row : rows) {
    const Scheme scheme{Sequence::parallel, row.prediction, false, false};
    constexpr double digits = 5e-5;  // of the figures
    EXPECT_NEAR(critical_magnitude(scheme, 0), row.positive, digits);
    EXPECT_NEAR(critical_magnitude(scheme, pi), row.negative, 1e-8);  // exact fractions
    EXPECT_NEAR(critical_magnitude(scheme, pi / 2), row.imaginary, digits);
    EXPECT_NEAR(critical_magnitude(scheme, pi / 4), row.at_45, digits);
    EXPECT_NEAR(critical_magnitude(scheme, 3 * pi / 4), row.at_135, digits);
    for (double angle = 0; angle < 2 * pi; angle += 0.1)
      EXPECT_GE(critical_magnitude(scheme, angle), row.negative - 1e-8) << angle;
  }
}

TEST(CouplingLimit, IsOneForHeldInputsAndForDerivatives) {
  for (const Prediction prediction :
       {Prediction::hold, Prediction::linear_derivatives, Prediction::quadratic_derivatives})
    for (double angle = 0; angle < 2 * pi; angle += 0.3)
      EXPECT_NEAR(critical_magnitude({Sequence::parallel, prediction, false, false}, angle), 1,
                  1e-8);  // the margin of rounding
}

TEST(CouplingLimit, OfSmoothingIsThatOfDifferencesWhateverTheDerivatives) {
  for (const Prediction prediction :
       {Prediction::linear_differences, Prediction::linear_derivatives}) {
    const Scheme smooth{Sequence::parallel, prediction, true, false};
    EXPECT_NEAR(critical_magnitude(smooth, pi / 2), 0.3933, 5e-5);  // digits of the figure
    // Growth of 1.2068 a step at mu = +-0.5 i and H = 1e-3; in the limit a little less.
    EXPECT_NEAR(limit_radius(smooth, linear_example(0.5, -0.5)), 1.202, 1e-3);
  }
}

TEST(CouplingLimit, IsUnconditionalWhereOutputsAreMadeConsistent) {
  for (const Prediction prediction : every_prediction)
    EXPECT_EQ(limit_radius({Sequence::parallel, prediction, false, true}, linear_example(2, -3)),
              0);
}

// The polynomials are the characteristic ones of the map of a system without states.
TEST(CouplingLimit, IsTheSpectralRadiusOfTheMapWithoutStates) {
  const CoupledSystem bare = linear_example(0.8, -0.6).without_states();
  for (const Prediction prediction : every_prediction) {
    const Scheme scheme{Sequence::parallel, prediction, false, false};
    // A triple eigenvalue is computed to the cube root of the precision.
    const double accuracy = prediction == Prediction::quadratic_derivatives ? 1e-5 : 1e-7;
    EXPECT_NEAR(limit_radius(scheme, bare), spectral_radius(step_map(bare, scheme, 0.3)), accuracy);
  }
}

// The eigenvalues of Gauss-Seidel on two parts are the squares of Jacobi's.
TEST(CouplingLimit, OfGaussSeidelIsTheSquareForTwoParts) {
  const Scheme jacobi{}, seidel{Sequence::sequential, Prediction::hold, false, false};
  const double radius = limit_radius(jacobi, linear_example(0.8, -0.6));
  EXPECT_NEAR(limit_radius(seidel, linear_example(0.8, -0.6)), radius * radius, 1e-14);  // rounding
}

TEST(CouplingLimit, JudgesTheLinearExample) {
  EXPECT_EQ(judge(limit_radius(Scheme{}, linear_example(1, -0.9))), CouplingVerdict::stable);
  EXPECT_EQ(judge(limit_radius(Scheme{}, linear_example(1, -1))), CouplingVerdict::marginal);
  EXPECT_EQ(judge(limit_radius(Scheme{}, linear_example(1, -1.1))), CouplingVerdict::unstable);
}

// Upper pendulum D1 = e e^T / m1 with e = (cos a1, sin a1), lower D2 = -m2 n n^T with
// n = (sin a2, -cos a2): mu = +-i sqrt(m2 / m1) |sin(a2 - a1)|.
TEST(Spectrum, HasTheEigenvaluesOfTheDoublePendulum) {
  const double a1 = -1, a2 = 0.3, m1 = 1, m2 = 1.5;
  const double e[] = {std::cos(a1), std::sin(a1)}, n[] = {std::sin(a2), -std::cos(a2)};
  CoupledSystem system;
  for (int part = 0; part < 2; ++part) {
    const double* const v = part == 0 ? e : n;
    const double scale = part == 0 ? 1 / m1 : -m2;
    Matrix d(2, 2);
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j) d(i, j) = scale * v[i] * v[j];
    system.parts.push_back({Matrix(0, 0), Matrix(0, 2), Matrix(2, 0), d});
  }
  system.l = Matrix(4, 4, {0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0});
  const Complex mu = eigenvalues(input_loop_gain(system)).front();
  EXPECT_NEAR(std::abs(mu), 1.180113, 5e-7);  // digits of the figure
  EXPECT_NEAR(mu.real(), 0, 1e-12);           // rounding
}

TEST(Spectrum, TellsWhoTakesPartInTheLargestMode) {
  // A weak loop of 0 and 1, a strong one of 2 and 3.
  Matrix matrix(4, 4);
  matrix(0, 1) = matrix(1, 0) = 0.5;
  matrix(2, 3) = 1;
  matrix(3, 2) = -4;
  const std::vector<double> weights = participation(matrix);
  EXPECT_NEAR(weights[0] + weights[1], 0, 1e-12);  // rounding
  EXPECT_NEAR(weights[2], 0.5, 1e-12);             // both are needed alike
  EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1, 1e-12);
}

}  // namespace
}  // namespace tutti::stability
