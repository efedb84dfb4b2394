// SPDX-License-Identifier: BSD-2-Clause
// A cycle that something outside of it drives: linear models have inputs for that.
#include <gtest/gtest.h>

#include <cmath>

#include "stability/interface_predictor.hpp"

namespace tutti::stability {
namespace {

constexpr double rate = 1e4;

Matrix row_of(std::initializer_list<double> values) {
  Matrix matrix(1, values.size());
  std::copy(values.begin(), values.end(), matrix.values.begin());
  return matrix;
}

/// x' = a x + b_0 u_0 + ... over a step along these lines, exactly.
double stepped(const Subsystem& system, double x, double h, std::span<const InputLine> inputs) {
  const double a = system.a(0, 0), psi = std::expm1(a * h) / a, psi2 = (psi / h - 1) / a;
  double result = std::exp(a * h) * x;
  for (std::size_t j = 0; j < inputs.size(); ++j)
    result += system.b(0, j) * (psi * inputs[j].start + psi2 * (inputs[j].end - inputs[j].start));
  return result;
}

/// a: x' = -(0.5 + rate) x + rate u + e, y = rate (x - u) + 3 e; b: x' = -2 x + u, y = x.
InterfaceModel driven_pair(bool follows_lines) {
  InterfaceModel model;
  model.size = 2;
  model.revision = 1;
  InterfaceModel::Part a, b;
  a.system = {row_of({-0.5 - rate}), row_of({rate, 1}), row_of({rate}), row_of({-rate, 3})};
  a.inputs = {{1, 1.0}};
  a.outside = 1;
  a.outputs = {0};
  a.slopes = {-0.5};  // x = 1 in both, e = 0
  b.system = {row_of({-2}), row_of({1}), row_of({1}), row_of({0})};
  b.inputs = {{0, 1.0}};
  b.outputs = {1};
  b.slopes = {-2};
  a.follows_lines = b.follows_lines = follows_lines;
  model.parts = {a, b};
  return model;
}

struct Drive {
  bool follows_lines;
  double jump;    ///< of e, at t = 0.6
  double xa, xb;  ///< at t = 1.2, by the trapezoidal rule with 400,000 steps, whose error is 1e-9
};
class DrivenFromOutside : public ::testing::TestWithParam<Drive> {};

// Lines and constants can have every effect on one state, and a ramp e = 2 t is a line, with or
// without a jump between two steps: so steps are exact, 1000 times as long as the fast motion of
// the pair, and predictions as exact as rounding errors of 1e-16 times the stiffness allow.
TEST_P(DrivenFromOutside, APairIsSteppedExactly) {
  const InterfaceModel model = driven_pair(GetParam().follows_lines);
  InterfacePredictor predictor(model);
  double xa = 1, xb = 1, t = 0;
  std::vector<double> y = {0, 1}, next(2);
  for (int k = 0; k < 12; ++k) {
    const double h = 0.05 * (1 + k % 3), jump = k < 6 ? 0 : GetParam().jump;
    const double before = 2 * t + jump, after = 2 * (t + h) + jump;
    OutsideLine ramp{{before, after}, {before, after}};
    if (!GetParam().follows_lines) ramp.shown = {(before + after) / 2, (before + after) / 2};
    ASSERT_TRUE(predictor.predict(y, h, next, {&ramp, 1}));
    const auto lines = predictor.lines();
    const InputLine of_a[] = {lines[0], ramp.shown};
    xa = stepped(model.parts[0].system, xa, h, of_a);
    xb = stepped(model.parts[1].system, xb, h, lines.subspan(1));
    y = {rate * (xa - lines[0].end) + 3 * ramp.shown.end, xb};
    predictor.correct(y);
    EXPECT_NEAR(next[0], y[0], 1e-7) << "t = " << t;
    EXPECT_NEAR(next[1], y[1], 1e-9) << "t = " << t;
    t += h;
  }
  EXPECT_NEAR(xa, GetParam().xa, 1e-8);
  EXPECT_NEAR(xb, GetParam().xb, 1e-8);
}
constexpr double straight[] = {2.074290166, 2.074374584}, jumping[] = {2.918475751, 2.918596855};
INSTANTIATE_TEST_SUITE_P(Ramps, DrivenFromOutside,
                         ::testing::Values(Drive{true, 0, straight[0], straight[1]},
                                           Drive{false, 0, straight[0], straight[1]},
                                           Drive{true, 1, jumping[0], jumping[1]},
                                           Drive{false, 1, jumping[0], jumping[1]}));

}  // namespace
}  // namespace tutti::stability
