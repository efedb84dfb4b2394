// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <tutti/error.hpp>

#include "implicit_runs.hpp"
#include "solvers/ode/rodas_coefficients.hpp"

namespace tutti::solvers::implicit_runs {
namespace {

using RodasRow = std::array<double, rodas::stages>;
using RodasMatrix = std::array<RodasRow, rodas::stages>;

double rodas_dot(const RodasRow& a, const RodasRow& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
RodasRow rodas_times(const RodasMatrix& m, const RodasRow& x) {
  RodasRow result{};
  for (std::size_t i = 0; i < x.size(); ++i) result[i] = rodas_dot(m[i], x);
  return result;
}
RodasRow rodas_product(const RodasRow& a, const RodasRow& b) {
  RodasRow result{};
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = a[i] * b[i];
  return result;
}

/// The method in its usual form (Hairer, Wanner II, IV.7, equation 7.4): with u = Gamma k,
/// inverse(Gamma) = I / gamma - C, A = alpha inverse(Gamma), m = b inverse(Gamma).
struct RodasTableau {
  RodasMatrix gamma{}, alpha{}, beta{};
  RodasRow b{}, embedded{}, nodes{}, beta_sums{}, gamma_sums{};

  RodasTableau() {
    constexpr std::size_t n = rodas::stages;
    for (std::size_t j = 0; j < n; ++j)  // forward substitution
      for (std::size_t i = j; i < n; ++i) {
        double right = i == j ? 1 : 0;
        for (std::size_t k = j; k < i; ++k) right += rodas::c[i][k] * gamma[k][j];
        gamma[i][j] = rodas::gamma * right;
      }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t k = 0; k < i; ++k) alpha[i][j] += rodas::a[i][k] * gamma[k][j];
        beta[i][j] = alpha[i][j] + gamma[i][j];
      }
    embedded = alpha[n - 1];
    for (std::size_t j = 0; j < n; ++j) b[j] = embedded[j] + gamma[n - 1][j];
    const RodasRow ones = {1, 1, 1, 1, 1, 1};
    nodes = rodas_times(alpha, ones);
    beta_sums = rodas_times(beta, ones);
    gamma_sums = rodas_times(gamma, ones);
  }
};

constexpr double published_digits = 1e-12;  // 16 digits of numbers up to 34, a few products

// The conditions for trees with up to 4 nodes (Hairer, Wanner II, IV.7, equation 7.15).
TEST(RodasCoefficients, SatisfyTheConditionsOfOrderFour) {
  const RodasTableau m;
  const RodasRow ones = {1, 1, 1, 1, 1, 1};
  const RodasRow squares = rodas_product(m.nodes, m.nodes);
  const RodasRow slopes = rodas_times(m.beta, m.beta_sums);
  for (const RodasRow& weights : {m.b, m.embedded}) {  // order 3
    EXPECT_NEAR(rodas_dot(weights, ones), 1, published_digits);
    EXPECT_NEAR(rodas_dot(weights, m.beta_sums), 1.0 / 2, published_digits);
    EXPECT_NEAR(rodas_dot(weights, squares), 1.0 / 3, published_digits);
    EXPECT_NEAR(rodas_dot(weights, slopes), 1.0 / 6, published_digits);
  }
  EXPECT_NEAR(rodas_dot(m.b, rodas_product(squares, m.nodes)), 1.0 / 4, published_digits);
  EXPECT_NEAR(rodas_dot(m.b, rodas_product(m.nodes, rodas_times(m.alpha, m.beta_sums))), 1.0 / 8,
              published_digits);
  EXPECT_NEAR(rodas_dot(m.b, rodas_times(m.beta, squares)), 1.0 / 12, published_digits);
  EXPECT_NEAR(rodas_dot(m.b, rodas_times(m.beta, slopes)), 1.0 / 24, published_digits);
}

// Stiffly accurate: the weights are the last row of beta, of the embedded solution the last but
// one; the nodes and the factors of df/dt are row sums.
TEST(RodasCoefficients, AreStifflyAccurateAndConsistent) {
  const RodasTableau m;
  for (std::size_t i = 0; i < rodas::stages; ++i) {
    EXPECT_NEAR(m.b[i], m.beta[5][i], published_digits);
    EXPECT_NEAR(m.embedded[i], m.beta[4][i], published_digits);
    EXPECT_NEAR(m.nodes[i], rodas::nodes[i], published_digits);
    EXPECT_NEAR(m.gamma_sums[i], rodas::time_weights[i], published_digits);
  }
}

Settings loose_rodas(double h) { return {.rtol = 1, .atol = 1, .step = h}; }

TEST(Rodas, IsOfOrderFour) {
  const double order = order_between(1.0 / 64, [](double h) {
    return std::abs(run("rodas", rational(), {1}, loose_rodas(h)).y[0] - 0.5);
  });
  EXPECT_NEAR(order, 4, 0.1);  // O(h)
}

TEST(Rodas, KeepsItsOrderForAlgebraicEquationsOfIndexOne) {
  const auto error = [](double h) {
    return std::abs(run("rodas", linear_dae(), {0, 0}, loose_rodas(h)).y[0] -
                    linear_dae_solution(1));
  };
  EXPECT_NEAR(order_between(1.0 / 16, error), 4, 0.1);  // O(h)
}

TEST(Rodas, InterpolatesWithOrderThree) {
  const auto error = [](double h) {
    const auto problem = make_problem(rational());
    const auto integrator =
        find_ode_integrator("rodas")->make(*problem, options_of(loose_rodas(h), 1));
    integrator->start(0, std::vector{1.0});
    for (double t = 0; t < 0.5;) t = integrator->step(1).t;
    const double t = 0.5 - 0.4 * h;
    double y = 0;
    integrator->interpolate(t, {&y, 1});
    return std::abs(y - 1 / (1 + t * t));
  };
  EXPECT_NEAR(order_between(1.0 / 32, error), 4, 0.2);  // O(h)
}

TEST(Rodas, SolvesVanDerPol) {
  const Solved solved = run("rodas", van_der_pol(), {2, -0.6}, {.end = 2});
  EXPECT_NEAR(solved.y[0], 1.74249243, 100 * 1e-6);  // the acceptance: 100 tolerances
  EXPECT_NEAR(solved.y[1], -0.85551919, 100 * 1e-6);
  // Six evaluations per step, of which a rejected one repeats five; one more for the first size.
  EXPECT_EQ(solved.work.evaluations,
            6 * solved.work.steps + 5 * solved.work.error_test_failures + 1);
  EXPECT_EQ(solved.work.jacobians, solved.work.steps);
}

TEST(Rodas, SolvesTheHeatEquationSparsely) {
  const Solved dense =
      run("rodas", heat(100), triangle(100), {.end = 0.1, .own = {{"linear_solver", "dense"}}});
  const Solved sparse = run("rodas", heat(100), triangle(100), {.end = 0.1});
  for (std::size_t i = 0; i < 100; ++i)
    EXPECT_NEAR(sparse.y[i], dense.y[i], 1e-12);  // rounding, condition 1e4
}

TEST(Rodas, RefusesAProblemWithoutExactDerivatives) {
  OdeFunctions problem = rational();
  problem.time_derivative = nullptr;
  try {
    run("rodas", problem, {1}, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::capability);
    const std::string text = error.what();
    EXPECT_NE(text.find("the time derivative df/dt"), std::string::npos) << text;
    EXPECT_NE(text.find("radau5"), std::string::npos) << text;
  }
  problem.jacobian = nullptr;
  EXPECT_THROW(run("rodas", problem, {1}, {}), Error);
}

TEST(ImplicitEuler, IsOfOrderOne) {
  for (const auto& make : {linear_dae, linear_dae_as_residual}) {
    const auto error = [&](double h) {
      const Solved solved =
          run("implicit-euler", make(), {0, 0}, {.rtol = 1e-9, .atol = 1e-9, .own = {{"h", h}}});
      return std::abs(solved.y[0] - linear_dae_solution(1));
    };
    EXPECT_NEAR(order_between(0.01, error), 1, 0.02);  // O(h)
  }
}

TEST(ImplicitEuler, FactorizesALinearProblemOnce) {
  OdeFunctions problem = heat(50);
  problem.jacobian_times = nullptr;
  const Solved solved = run("implicit-euler", std::move(problem), triangle(50), {.end = 0.5});
  EXPECT_EQ(solved.work.steps, 50u);  // of the default h = 0.01
  EXPECT_EQ(solved.work.jacobians, 1u);
  EXPECT_LE(solved.work.factorizations, 2u);  // the last step may differ by rounding
}

TEST(ImplicitEuler, LocatesRootsOnItsDenseOutput) {
  OdeFunctions functions{.size = 1, .rhs = [](double, View, Out f) { f[0] = 1; }};
  functions.root_count = 1;
  functions.roots = [](double, View y, View, Out g) { g[0] = y[0] - 0.4567; };
  const auto problem = make_problem(std::move(functions));
  const auto integrator = find_ode_integrator("implicit-euler")->make(*problem, options_of({}, 1));
  integrator->start(0, std::vector{0.0});
  OdeIntegrator::Step step;
  while (!step.root && step.t < 1) step = integrator->step(1);
  EXPECT_NEAR(step.t, 0.4567, 1e-12);  // a line is exact; the locator's 1e-13
}

TEST(ImplicitEuler, ShortensAStepWhereNewtonFails) {
  // y = (1 - t/2)^2; the root of a negative number is not a number.
  const OdeFunctions problem{.size = 1,
                             .rhs = [](double, View y, Out f) { f[0] = -std::sqrt(y[0]); }};
  const Solved solved = run("implicit-euler", problem, {1}, {.end = 1.9});
  EXPECT_NEAR(solved.y[0], 0.05 * 0.05, 0.01);  // h
}

}  // namespace
}  // namespace tutti::solvers::implicit_runs
