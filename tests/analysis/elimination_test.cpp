// SPDX-License-Identifier: BSD-2-Clause
#include "analysis/linear_model/elimination.hpp"

#include <gmock/gmock.h>

#include <tutti/error.hpp>

namespace tutti::analysis {
namespace {

using models::LinearEquations;
using ::testing::HasSubstr;

/// x' = a x + b u, y = c x + d u
LinearEquations scalar_part(double a, double b, double c, double d) {
  LinearEquations part;
  part.states.push_back({"x", "", -1, 0, 0});
  part.a = {{0, 0, a}};
  part.b = {{0, 0, b}};
  part.c = {{0, 0, c}};
  part.d = {{0, 0, d}};
  return part;
}

LinearNetwork ring(const LinearEquations& one, const LinearEquations& two, double factor) {
  LinearNetwork network;
  network.parts = {{&one, 1, 1, true}, {&two, 1, 1, true}};
  network.links = {{0, 1, 1, 0}, {1, 0, factor, 0}};
  network.input_names = {"one.u", "two.u"};
  return network;
}

// u1 = y2 + w, u2 = f y1 with y_i = c_i x_i + d_i u_i:
// (1 - f d1 d2) u1 = c2 x2 + d2 f c1 x1 + w.
TEST(Elimination, OfAnAlgebraicLoopIsExact) {
  const LinearEquations one = scalar_part(-1, 2, 3, 0.5), two = scalar_part(-4, 5, 6, -0.25);
  const double f = 2, det = 1 - f * 0.5 * -0.25;
  const CoupledMatrices m = eliminate(ring(one, two, f), {0}, {0, 1});
  const double u1_x1 = -0.25 * f * 3 / det, u1_x2 = 6 / det, u1_w = 1 / det;
  // Rounding: all numbers are of the order of 10.
  EXPECT_NEAR(m.a(0, 0), -1 + 2 * u1_x1, 1e-14);
  EXPECT_NEAR(m.a(0, 1), 2 * u1_x2, 1e-14);
  EXPECT_NEAR(m.a(1, 0), 5 * f * (3 + 0.5 * u1_x1), 1e-14);
  EXPECT_NEAR(m.a(1, 1), -4 + 5 * f * 0.5 * u1_x2, 1e-14);
  EXPECT_NEAR(m.b(0, 0), 2 * u1_w, 1e-14);
  EXPECT_NEAR(m.b(1, 0), 5 * f * 0.5 * u1_w, 1e-14);
  EXPECT_NEAR(m.c(0, 1), 0.5 * u1_x2, 1e-14);
  EXPECT_NEAR(m.d(0, 0), 0.5 * u1_w, 1e-14);
  EXPECT_NEAR(m.d(1, 0), -0.25 * f * 0.5 * u1_w, 1e-14);
}

TEST(Elimination, OfALoopWithGainOneNamesItsVariables) {
  const LinearEquations one = scalar_part(-1, 1, 1, 0.5), two = scalar_part(-1, 1, 1, 2);
  try {
    eliminate(ring(one, two, 1), {}, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::numeric);
    EXPECT_THAT(error.what(), HasSubstr("one.u, two.u"));
    EXPECT_THAT(error.what(), HasSubstr("singular"));
  }
}

// A chain without loops: every matrix is as sparse as its parts.
TEST(Elimination, KeepsAChainSparse) {
  constexpr std::size_t count = 300;
  const LinearEquations part = scalar_part(-1, 1, 1, 0);
  LinearNetwork network;
  for (std::size_t i = 0; i < count; ++i) {
    network.parts.push_back({&part, 1, 1, true});
    network.input_names.push_back(std::to_string(i));
    if (i > 0) network.links.push_back({i, i - 1, 1, 0});
  }
  const CoupledMatrices m = eliminate(network, {0}, {count - 1});
  EXPECT_EQ(m.a.entries.size(), 2 * count - 1);
  EXPECT_EQ(m.b.entries.size(), 1u);
  EXPECT_EQ(m.c.entries.size(), 1u);
  EXPECT_TRUE(m.d.entries.empty());
}

TEST(Inputs, AreFoundByOneNewtonStepOfALinearSystem) {
  const LinearEquations one = scalar_part(-1, 1, 1, 0.5), two = scalar_part(-1, 1, 1, -0.5);
  LinearNetwork network = ring(one, two, 1);
  // u1 = -0.5 u2 + 1, u2 = 0.5 u1, from zero: u1 = 0.8, u2 = 0.4.
  EXPECT_THAT(
      solve_inputs(network, {1, 0}),
      ::testing::ElementsAre(::testing::DoubleNear(0.8, 1e-15), ::testing::DoubleNear(0.4, 1e-15)));
  network.parts[1].adjusts = false;  // co-simulation: y2 stays, so u1 = 1, u2 = 0.5
  EXPECT_THAT(
      solve_inputs(network, {1, 0}),
      ::testing::ElementsAre(::testing::DoubleNear(1, 1e-15), ::testing::DoubleNear(0.5, 1e-15)));
}

}  // namespace
}  // namespace tutti::analysis
