// SPDX-License-Identifier: BSD-2-Clause
#include "slaves.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

using namespace fmukit_test;

namespace {

// d(x1')/d(x0, x1) = (-2 mu x0 x1 - 1, mu (1 - x0^2)) at x = (2, 0): (-1, -3).
TEST(DirectionalDerivative, IsAnalyticWhereTheModelSaysSo) {
  Slave2 s("VanDerPol");
  s.initialize();
  const std::array<unsigned, 2> unknowns{s.fmu.reference("der(x0)"), s.fmu.reference("der(x1)")};
  const std::array<unsigned, 2> knowns{s.fmu.reference("x0"), s.fmu.reference("x1")};
  const std::array<double, 2> seed{10, 1};
  std::array<double, 2> sensitivity{};
  const auto derivative = s.call<f2::GetDirectionalDerivative>("GetDirectionalDerivative");
  EXPECT_EQ(derivative(s.c, unknowns.data(), 2, knowns.data(), 2, seed.data(), sensitivity.data()),
            f2::ok);
  EXPECT_EQ(sensitivity[0], 1);
  EXPECT_EQ(sensitivity[1], -10 - 3);
}

TEST(DirectionalDerivative, OfAStateThatIsAnOutputIsOne) {
  Slave2 s("VanDerPol");
  s.initialize();
  const unsigned x0 = s.fmu.reference("x0");
  const double seed = 3;
  double sensitivity = 0;
  s.call<f2::GetDirectionalDerivative>("GetDirectionalDerivative")(s.c, &x0, 1, &x0, 1, &seed,
                                                                   &sensitivity);
  EXPECT_EQ(sensitivity, 3);
}

// The model has that derivative among its own, too.
TEST(DirectionalDerivative, OfAStateByItselfIsOneWhereTheModelSaysSo) {
  Slave3 s("ArrowColumn", {.exchange = true});
  s.initialize();
  const unsigned x1 = s.fmu.reference("x1");
  const double seed = 3;
  double sensitivity = 0;
  EXPECT_EQ(s.call<f3::GetDirectionalDerivative>("GetDirectionalDerivative")(
                s.c, &x1, 1, &x1, 1, &seed, 1, &sensitivity, 1),
            f3::ok);
  EXPECT_EQ(sensitivity, 3);
}

// y = 2 x + 3 u, x' = u, by central differences: exact for linear equations up to rounding, which
// is divided by a step of 6e-6.
TEST(DirectionalDerivative, IsADifferenceElsewhere) {
  Slave3 s("Integrator");
  s.initialize();
  const std::array<unsigned, 2> unknowns{s.fmu.reference("y"), s.fmu.reference("der(x)")};
  const std::array<unsigned, 2> knowns{s.fmu.reference("x"), s.fmu.reference("u")};
  const std::array<double, 2> seed{1, 10};
  std::array<double, 2> sensitivity{};
  const auto derivative = s.call<f3::GetDirectionalDerivative>("GetDirectionalDerivative");
  EXPECT_EQ(
      derivative(s.c, unknowns.data(), 2, knowns.data(), 2, seed.data(), 2, sensitivity.data(), 2),
      f3::ok);
  EXPECT_NEAR(sensitivity[0], 32, 1e-8);
  EXPECT_NEAR(sensitivity[1], 10, 1e-8);
  EXPECT_EQ(s.get("u"), 0);  // the instance itself is untouched
}

// seed^T J with J = [[2, 3], [0, 1]].
TEST(AdjointDerivative, IsTheTransposedProduct) {
  Slave3 s("Integrator");
  s.initialize();
  const std::array<unsigned, 2> unknowns{s.fmu.reference("y"), s.fmu.reference("der(x)")};
  const std::array<unsigned, 2> knowns{s.fmu.reference("x"), s.fmu.reference("u")};
  const std::array<double, 2> seed{10, 1};
  std::array<double, 2> sensitivity{};
  const auto derivative = s.call<f3::GetAdjointDerivative>("GetAdjointDerivative");
  EXPECT_EQ(
      derivative(s.c, unknowns.data(), 2, knowns.data(), 2, seed.data(), 2, sensitivity.data(), 2),
      f3::ok);
  EXPECT_NEAR(sensitivity[0], 20, 1e-7);  // rounding / 6e-6, times the seed
  EXPECT_NEAR(sensitivity[1], 31, 1e-7);
}

// der(x) = A x + B u with A = B = 1: one seed per element of the arrays.
TEST(DirectionalDerivative, WorksOnArrays) {
  Slave3 s("StateSpace");
  s.initialize();
  const unsigned unknown = s.fmu.reference("der(x)"), known = s.fmu.reference("u");
  const std::array<double, 3> seed{1, 2, 3};
  std::array<double, 3> sensitivity{};
  EXPECT_EQ(s.call<f3::GetDirectionalDerivative>("GetDirectionalDerivative")(
                s.c, &unknown, 1, &known, 1, seed.data(), 3, sensitivity.data(), 3),
            f3::ok);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(sensitivity[i], seed[i], 1e-8);
}

// During initialization parameters are knowns: tau = R C, so d tau / d R = C.
TEST(DirectionalDerivative, SeesParametersDuringInitialization) {
  Slave2 s("Thermostat");
  s.call<f2::SetupExperiment>("SetupExperiment")(s.c, 0, 0, 0, 0, 0);
  s.call<f2::EnterInitializationMode>("EnterInitializationMode")(s.c);
  const unsigned tau = s.fmu.reference("tau"), r = s.fmu.reference("R");
  const double seed = 1;
  double sensitivity = 0;
  EXPECT_EQ(s.call<f2::GetDirectionalDerivative>("GetDirectionalDerivative")(s.c, &tau, 1, &r, 1,
                                                                             &seed, &sensitivity),
            f2::ok);
  EXPECT_NEAR(sensitivity, 1e5, 1e-4);  // rounding of 1e3 / 6e-6
}

// der(x) of Diffusion: a tridiagonal matrix, element numbers count from 1.
TEST(ElementDependencies, AreThoseOfTheModel) {
  Slave3 s("Diffusion", {.exchange = true});
  s.initialize();
  const unsigned derivative = s.fmu.reference("der(x)"), state = s.fmu.reference("x");
  std::size_t count = 0;
  EXPECT_EQ(s.call<f3::GetNumberOfVariableDependencies>("GetNumberOfVariableDependencies")(
                s.c, derivative, &count),
            f3::ok);
  ASSERT_EQ(count, 148u);  // 3 * 50 - 2
  std::vector<std::size_t> elements(count), of_knowns(count);
  std::vector<unsigned> knowns(count);
  std::vector<f3::DependencyKind> kinds(count);
  EXPECT_EQ(
      s.call<f3::GetVariableDependencies>("GetVariableDependencies")(
          s.c, derivative, elements.data(), knowns.data(), of_knowns.data(), kinds.data(), count),
      f3::ok);
  for (std::size_t k = 0; k < count; ++k) {
    EXPECT_EQ(knowns[k], state);
    EXPECT_LE(std::max(elements[k], of_knowns[k]) - std::min(elements[k], of_knowns[k]), 1u);
    EXPECT_EQ(kinds[k], f3::dependent);
  }
}

}  // namespace
