// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <cmath>

#include "stability/scheme.hpp"
#include "stability/spectrum.hpp"

namespace tutti::stability {
namespace {

constexpr Scheme predicted(Prediction prediction) {
  return {Sequence::predicted, prediction, false, false};
}

/// Two capacitors over a small resistance, one of them with a load: v1' = -i, and i = (v1 - v2)/r,
/// v2' = i - v2/2.
CoupledSystem capacitors(double r) {
  CoupledSystem system;
  system.parts = {{Matrix(1, 1), Matrix(1, 1, {-1}), Matrix(1, 1, {1}), Matrix(1, 1)},
                  {Matrix(1, 1, {-1 / r - 0.5}), Matrix(1, 1, {1 / r}), Matrix(1, 1, {-1 / r}),
                   Matrix(1, 1, {1 / r})}};
  system.l = Matrix(2, 2, {0, 1, 1, 0});
  return system;
}

// A mass on a spring to the ground, and another one behind a stiff spring and damper: force and
// displacement are exchanged.
CoupledSystem masses(double k, double d) {
  CoupledSystem system;
  system.parts = {{Matrix(2, 2, {0, 1, -1, 0}), Matrix(2, 1, {0, -1}), Matrix(2, 2, {1, 0, 0, 1}),
                   Matrix(2, 1)},
                  {Matrix(2, 2, {0, 1, -k, -d}), Matrix(2, 2, {0, 0, k, d}), Matrix(1, 2, {-k, -d}),
                   Matrix(1, 2, {k, d})}};
  system.l = Matrix(3, 3, {0, 0, 1, 1, 0, 0, 0, 1, 0});
  return system;
}

double distance_from_exact(const CoupledSystem& system, Prediction prediction, double h) {
  double most = 0;
  for (const Complex z : eigenvalues(step_map(system, predicted(prediction), h))) {
    double nearest = 2;
    for (const Complex lambda : eigenvalues(coupled_matrix(system)))
      nearest = std::min(nearest, std::abs(z - std::exp(lambda * h)));
    most = std::max(most, nearest);
  }
  return most;
}

// A component with one state: one value of its input is enough for any effect on it.
TEST(PredictedMap, IsTheExactOneWhereComponentsHaveOneState) {
  for (const double h : {0.01, 0.1, 1.0})
    for (const Prediction prediction : {Prediction::hold, Prediction::linear_differences})
      EXPECT_LT(distance_from_exact(capacitors(1e-3), prediction, h), 1e-9) << h;  // rounding
}

// Two states: lines have the effect, constants do not.
TEST(PredictedMap, IsTheExactOneWhereLinesCanHaveTheEffect) {
  const CoupledSystem system = masses(1e4, 20);
  for (const double h : {0.01, 0.1, 1.0})
    EXPECT_LT(distance_from_exact(system, Prediction::linear_differences, h), 1e-6) << h;
  EXPECT_GT(spectral_radius(step_map(system, predicted(Prediction::hold), 0.1)), 1);
}

}  // namespace
}  // namespace tutti::stability
