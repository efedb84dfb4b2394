// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <tutti/error.hpp>

#include "implicit_runs.hpp"
#include "solvers/ode/radau_coefficients.hpp"

namespace tutti::solvers::implicit_runs {
namespace {

constexpr double few_roundoffs = 1e-14;  // of sums of a few numbers of size 1 to 10

double radau_product(const radau::Row& row, const auto& value) {
  double sum = 0;
  for (std::size_t j = 0; j < 3; ++j) sum += row[j] * value(j);
  return sum;
}

/// Steps of constant size, Newton to rounding: what is left is the error of the method.
Settings exact_radau(double h) {
  return {.rtol = 1, .atol = 1, .own = {{"newt", std::int64_t{20}}, {"fnewt", 1e-13}}, .step = h};
}

// B(5): the weights integrate powers up to 4 exactly; C(3): so do the stages up to 2; the last
// stage is the solution. By a theorem of Butcher the order is 5 (Hairer, Wanner II, IV.5).
TEST(Radau5Coefficients, SatisfyTheSimplifyingAssumptions) {
  const auto power = [](int k) {
    return [k](std::size_t j) { return std::pow(radau::nodes[j], k); };
  };
  for (int k = 1; k <= 5; ++k)
    EXPECT_NEAR(radau_product(radau::runge_kutta[2], power(k - 1)), 1.0 / k, few_roundoffs);
  for (const radau::Row& row : radau::runge_kutta)
    for (int k = 1; k <= 3; ++k) {
      const double c = radau_product(row, power(0));
      EXPECT_NEAR(radau_product(row, power(k - 1)), std::pow(c, k) / k, few_roundoffs);
    }
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(radau_product(radau::runge_kutta[i], power(0)), radau::nodes[i], few_roundoffs);
  EXPECT_EQ(radau::nodes[2], 1);
}

TEST(Radau5Coefficients, TransformTheInverseToBlocks) {
  using namespace radau;
  const Matrix blocks = {{{gamma, 0, 0}, {0, alpha, -beta}, {0, beta, alpha}}};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const auto column = [&](const Matrix& m) {
        return [&m, j](std::size_t k) { return m[k][j]; };
      };
      const double one = i == j ? 1 : 0;
      EXPECT_NEAR(radau_product(runge_kutta[i], column(slopes)), one, few_roundoffs);
      EXPECT_NEAR(radau_product(to_modes[i], column(from_modes)), one, few_roundoffs);
      // inverse(A) T = T blocks
      EXPECT_NEAR(radau_product(slopes[i], column(from_modes)),
                  radau_product(from_modes[i], column(blocks)), few_roundoffs);
    }
}

// The estimate f + e z / h vanishes where y is a polynomial of degree 3: there f = 1 or 0.
TEST(Radau5Coefficients, EstimateNoErrorOfACubic) {
  for (int k = 1; k <= 3; ++k)
    EXPECT_NEAR(radau_product(radau::error_weights,
                              [k](std::size_t j) { return std::pow(radau::nodes[j], k); }),
                k == 1 ? -1 : 0, few_roundoffs);
}

TEST(Radau5, IsOfOrderFive) {
  const double order = order_between(1.0 / 8, [](double h) {
    return std::abs(run("radau5", rational(), {1}, exact_radau(h)).y[0] - 0.5);
  });
  EXPECT_NEAR(order, 5, 0.1);  // O(h)
}

// The error of a stiff component is C h^3 / lambda (Hairer, Wanner II, IV.15).
TEST(Radau5, IsOfOrderThreeWhereTheProblemIsVeryStiff) {
  const double order = order_between(1.0 / 16, [](double h) {
    const Solved stiff = run("radau5", prothero_robinson(-1e4), {0}, exact_radau(h));
    return std::abs(stiff.y[0] - std::sin(1));
  });
  EXPECT_NEAR(order, 3, 0.1);  // O(h)
}

TEST(Radau5, KeepsItsOrderForAlgebraicEquationsOfIndexOne) {
  for (const auto& make : {linear_dae, linear_dae_as_residual}) {
    const auto error = [&](double h) {
      const Solved solved = run("radau5", make(), {0, 0}, exact_radau(h));
      EXPECT_NEAR(solved.y[1], solved.y[0] + std::sin(1), 1e-12);  // Newton's tolerance
      return std::abs(solved.y[0] - linear_dae_solution(1));
    };
    EXPECT_NEAR(order_between(1.0 / 4, error), 5, 0.1);  // O(h)
  }
}

// The sheet: 546 steps of another implementation at 1e-6; the published code takes 536.
TEST(Radau5, SolvesVanDerPolLikeThePublishedCode) {
  const Solved solved = run("radau5", van_der_pol(), {2, -0.6}, {.end = 2});
  EXPECT_NEAR(solved.y[0], 1.74249243, 100 * 1e-6);  // the acceptance: 100 tolerances
  EXPECT_NEAR(solved.y[1], -0.85551919, 100 * 1e-6);
  EXPECT_NEAR(static_cast<double>(solved.work.steps), 536, 0.05 * 536);  // the start differs
  // The published code: 4217 evaluations, 297 Jacobians, 438 pairs of factors, 7 failures.
  EXPECT_NEAR(static_cast<double>(solved.work.evaluations), 4217, 0.05 * 4217);
  EXPECT_NEAR(static_cast<double>(solved.work.jacobians), 297, 0.05 * 297);
  EXPECT_NEAR(static_cast<double>(solved.work.factorizations), 2 * 438, 0.05 * 2 * 438);
  EXPECT_LE(solved.work.error_test_failures, 10u);
}

TEST(Radau5, ErrorsFollowTheTolerance) {
  double last = 1;
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    const Solved solved = run("radau5", rational(), {1}, {.rtol = tolerance, .atol = tolerance});
    const double error = std::abs(solved.y[0] - 0.5);
    EXPECT_LE(error, tolerance);  // the solution is two orders better than its estimate
    EXPECT_LT(error, last);
    last = error;
  }
}

OdeFunctions robertson_as_mass() {
  return {.size = 3,
          .rhs =
              [](double, View y, Out f) {
                f[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
                f[1] = -f[0] - 3e7 * y[1] * y[1];
                f[2] = y[0] + y[1] + y[2] - 1;
              },
          .mass =
              [](double, View, Out m) {
                std::ranges::fill(m, 0.0);
                m[0] = m[4] = 1;
              }};
}
OdeFunctions robertson_as_residual() {
  return {.size = 3, .residual = [](double, View y, View yp, Out r) {
            const double first = -0.04 * y[0] + 1e4 * y[1] * y[2];
            r[0] = yp[0] - first;
            r[1] = yp[1] + first + 3e7 * y[1] * y[1];
            r[2] = y[0] + y[1] + y[2] - 1;
          }};
}

// Reference at 1e11: F. Mazzia, C. Magherini, Test set for initial value problem solvers, 2008.
TEST(Radau5, SolvesRobertsonAsDaeInBothForms) {
  for (const auto& make : {robertson_as_mass, robertson_as_residual}) {
    const Solved solved =
        run("radau5", make(), {1, 0, 0}, {.end = 1e11, .rtol = 1e-6, .atol = 1e-12});
    // 100 relative tolerances, as for van der Pol
    EXPECT_NEAR(solved.y[0] / 2.083340149701255e-8, 1, 1e-4);
    EXPECT_NEAR(solved.y[1] / 8.333360770334713e-14, 1, 1e-4);
    EXPECT_NEAR(solved.y[2], 0.9999999791665050, 1e-12);
    EXPECT_LT(solved.work.steps, 500u);  // 441 when this was written, over 17 decades
  }
}

// (1 + y) y' = -y, z = y^2: y + ln y = 1 - t.
TEST(Radau5, SolvesAStateDependentMassMatrix) {
  OdeFunctions problem{
      .size = 2,
      .rhs =
          [](double, View y, Out f) {
            f[0] = -y[0];
            f[1] = y[1] - y[0] * y[0];
          },
      .mass = [](double, View y, Out m) { m[0] = 1 + y[0], m[1] = m[2] = m[3] = 0; },
      .constant_mass = false};
  const Settings settings{.end = 5, .rtol = 1e-8, .atol = 1e-10};
  const double without = run("radau5", problem, {1, 1}, settings).y[0];
  EXPECT_NEAR(without + std::log(without), 1 - 5.0, 1e-7);  // 10 relative tolerances
  problem.jacobian = [](double, View y, Out j) { j[0] = -1, j[1] = -2 * y[0], j[2] = 0, j[3] = 1; };
  const Solved solved = run("radau5", problem, {1, 1}, settings);
  EXPECT_NEAR(solved.y[0] / without, 1, 1e-8);
  EXPECT_EQ(solved.work.jacobian_evaluations, 0u);  // only M is evaluated for differences
}

/// A pendulum in Cartesian coordinates with its constraint differentiated 3 - index times.
OdeFunctions pendulum(int index) {
  constexpr double g = 13.7503671;  // the period is 2
  return {.size = 5,
          .rhs =
              [index](double, View y, Out f) {
                f[0] = y[2], f[1] = y[3];
                f[2] = -y[0] * y[4], f[3] = -g - y[1] * y[4];
                f[4] = index == 3   ? y[0] * y[0] + y[1] * y[1] - 1
                       : index == 2 ? y[0] * y[2] + y[1] * y[3]
                                    : y[2] * y[2] + y[3] * y[3] - g * y[1] -
                                          y[4] * (y[0] * y[0] + y[1] * y[1]);
              },
          .mass =
              [](double, View, Out m) {
                std::ranges::fill(m, 0.0);
                for (std::size_t i = 0; i < 4; ++i) m[6 * i] = 1;
              }};
}

// The sheet, 4.13: p(10) = (1, 0) within 1e-5. Index 3 has order 3 to 2 in its components only.
TEST(Radau5, SolvesThePendulumAsIndexOneTwoAndThree) {
  for (const int index : {1, 2, 3}) {
    SolverOptions own;
    if (index == 2) own = {{"index2", std::int64_t{1}}};
    if (index == 3) own = {{"index2", std::int64_t{2}}, {"index3", std::int64_t{1}}};
    const Solved solved = run("radau5", pendulum(index), {1, 0, 0, 0, 0},
                              {.end = 10, .rtol = 1e-8, .atol = 1e-8, .own = own});
    EXPECT_NEAR(solved.y[0], 1, 1e-5) << index;
    EXPECT_NEAR(solved.y[1], 0, 1e-5) << index;
  }
}

TEST(Radau5, SparseEliminationGivesTheNumbersOfDense) {
  const auto solve_heat = [](const char* storage) {
    return run("radau5", heat(100), triangle(100),
               {.end = 0.1, .own = {{"linear_solver", storage}}});
  };
  const Solved dense = solve_heat("dense"), sparse = solve_heat("sparse"),
               chosen = solve_heat("auto");
  EXPECT_EQ(sparse.work.steps, dense.work.steps);
  EXPECT_EQ(chosen.y, sparse.y);
  for (std::size_t i = 0; i < 100; ++i)
    EXPECT_NEAR(sparse.y[i], dense.y[i], 1e-12);  // rounding, condition 1e4
}

// A linear problem with a constant J: one Jacobian in three groups of columns; what remains is one
// evaluation per step and three per iteration, and the retries of the error estimate.
TEST(Radau5, EvaluatesTheJacobianOfALinearProblemOnce) {
  OdeFunctions problem = heat(100);
  problem.jacobian_times = nullptr;
  const OdeStatistics work = run("radau5", std::move(problem), triangle(100), {.end = 0.1}).work;
  EXPECT_EQ(work.jacobians, 1u);
  EXPECT_EQ(work.jacobian_evaluations, 3u);
  EXPECT_LT(work.factorizations, 2 * (work.steps + work.error_test_failures));
  EXPECT_GE(work.evaluations, work.steps + 3 * work.newton_iterations);
  EXPECT_LE(work.evaluations,
            work.steps + 3 * work.newton_iterations + 2 * work.error_test_failures + 2);
}

// The collocation polynomial has degree 3: its error inside a step is C h^4.
TEST(Radau5, InterpolatesWithOrderThree) {
  const auto error = [](double h) {
    const auto problem = make_problem(rational());
    const auto integrator =
        find_ode_integrator("radau5")->make(*problem, options_of(exact_radau(h), 1));
    integrator->start(0, std::vector{1.0});
    for (double t = 0; t < 0.5;) t = integrator->step(1).t;
    const double t = 0.5 - 0.4 * h;
    double y = 0;
    integrator->interpolate(t, {&y, 1});
    return std::abs(y - 1 / (1 + t * t));
  };
  EXPECT_NEAR(order_between(1.0 / 32, error), 4, 0.2);  // O(h)
}

// The oscillator's y = cos t is zero at pi/2, 3 pi/2, ...
TEST(Radau5, LocatesRootsOnItsDenseOutput) {
  for (const bool is_implicit : {false, true}) {
    OdeFunctions functions{.size = 2};
    if (is_implicit)
      functions.residual = [](double, View y, View yp, Out r) {
        r[0] = yp[0] - y[1];
        r[1] = yp[1] + y[0];
      };
    else
      functions.rhs = [](double, View y, Out f) { f[0] = y[1], f[1] = -y[0]; };
    functions.root_count = 1;
    // y'_0 - y_1 vanishes, but is there for implicit problems only.
    functions.roots = [](double, View y, View yp, Out g) {
      g[0] = yp.empty() ? y[0] : y[0] + yp[0] - y[1];
    };
    const auto problem = make_problem(std::move(functions));
    const auto integrator = find_ode_integrator("radau5")->make(
        *problem, options_of({.rtol = 1e-10, .atol = 1e-10}, 2));
    integrator->start(0, std::vector{1.0, 0.0}, std::vector{0.0, -1.0});
    std::vector<double> found;
    for (double t = 0; t < 10;) {
      const auto step = integrator->step(10);
      t = step.t;
      if (step.root) found.push_back(t);
    }
    ASSERT_EQ(found.size(), 3u);
    // 1e-10 per step, and the larger error of the polynomial inside a step
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(found[k], M_PI * (static_cast<double>(k) + 0.5), 1e-7);
  }
}

TEST(Radau5, InterpolatesTheDerivativeOfImplicitProblems) {
  const auto problem = make_problem(linear_dae_as_residual());
  const auto integrator =
      find_ode_integrator("radau5")->make(*problem, options_of({.rtol = 1e-8, .atol = 1e-8}, 2));
  integrator->start(0, std::vector{0.0, 0.0}, std::vector{0.0, 1.0});
  double t = 0;
  while (t < 0.5) t = integrator->step(1).t;
  std::vector<double> yp(2), y(2);
  integrator->interpolate_derivative(t, yp);
  EXPECT_NEAR(yp[0], (std::cos(t) + std::sin(t) - std::exp(-t)) / 2, 1e-6);  // 100 tolerances
  integrator->interpolate(t - 1e-4, y);
  const double before = y[0];
  integrator->interpolate(t, y);
  EXPECT_NEAR((y[0] - before) / 1e-4, yp[0], 1e-3);  // a difference quotient, O(1e-4)
}

TEST(Radau5, TriesASmallerStepWhereTheProblemIsNotANumber) {
  // y = (1 - t/2)^2; trial stages reach below zero.
  const OdeFunctions problem{.size = 1,
                             .rhs = [](double, View y, Out f) { f[0] = -std::sqrt(y[0]); }};
  const Solved solved = run("radau5", problem, {1}, {.end = 1.9});
  EXPECT_NEAR(solved.y[0], 0.05 * 0.05, 1e-5);  // 10 tolerances
}

TEST(Radau5, ReportsWhereTheProblemEnds) {
  const OdeFunctions problem{
      .size = 1, .rhs = [](double t, View, Out f) { f[0] = t < 0.5 ? 1 : std::nan(""); }};
  try {
    run("radau5", problem, {0}, {});
    FAIL();
  } catch (const OdeFailure& failure) {
    EXPECT_NEAR(failure.t, 0.5, 1e-6);
    EXPECT_STREQ(failure.what(), "the derivatives cannot be computed or are not finite here");
  }
}

TEST(Radau5, TakesDifferencesBackwardAtTheEdgeOfTheDomain) {
  const OdeFunctions problem{
      .size = 1, .rhs = [](double, View y, Out f) { f[0] = y[0] > 1 ? std::nan("") : -y[0]; }};
  EXPECT_NEAR(run("radau5", problem, {1}, {}).y[0], std::exp(-1), 1e-6);  // one tolerance
}

// 0 = y - 1 does not determine z: the pencil is singular for every h.
TEST(Radau5, SaysThatTheAlgebraicBlockIsSingular) {
  const OdeFunctions problem{.size = 2,
                             .rhs = [](double, View y, Out f) { f[0] = -y[0], f[1] = y[0] - 1; },
                             .mass = [](double, View, Out m) { m[0] = 1, m[1] = m[2] = m[3] = 0; }};
  for (const char* solver : {"radau5", "implicit-euler"}) try {
      run(solver, problem, {1, 0}, {});
      FAIL();
    } catch (const OdeFailure& failure) {
      EXPECT_NE(std::string(failure.what()).find("index above 1"), std::string::npos)
          << failure.what();
      EXPECT_EQ(failure.worst_state, 1u);
    }
}

// Newton diverges with every step: 0 = z^2 + 1 has no solution. At t = 0 the time is no measure.
TEST(Radau5, HintsAtTheIndexWhereNoStepConvergesFromTheStart) {
  const OdeFunctions problem{
      .size = 2,
      .rhs = [](double, View y, Out f) { f[0] = -y[0], f[1] = y[1] * y[1] + 1; },
      .mass = [](double, View, Out m) { m[0] = 1, m[1] = m[2] = m[3] = 0; }};
  try {
    run("radau5", problem, {1, 1}, {});
    FAIL();
  } catch (const OdeFailure& failure) {
    EXPECT_NE(failure.hint.find("index2"), std::string::npos) << failure.what() << failure.hint;
  }
}

TEST(Radau5, RefusesMoreComponentsOfHighIndexThanThereAre) {
  EXPECT_THROW(run("radau5", rational(), {1}, {.own = {{"index3", std::int64_t{2}}}}), Error);
}

TEST(Radau5, RefusesSparseEliminationWithoutAPattern) {
  EXPECT_THROW(run("radau5", rational(), {1}, {.own = {{"linear_solver", "sparse"}}}), Error);
}

}  // namespace
}  // namespace tutti::solvers::implicit_runs
