// SPDX-License-Identifier: BSD-2-Clause
#include <gmock/gmock.h>

#include <cmath>

#include "solvers/ode/consistent_start.hpp"
#include "solvers/support/solving.hpp"

namespace tutti::solvers {
namespace {

using runs::Out;
using runs::SolverRun;
using runs::View;

/// x' = -x + z, 0 = z + z^3 - sin t - sin^3 t: z = sin t, x = (e^-t + sin t - cos t) / 2 from 0.
OdeFunctions index_one() {
  return {.size = 2, .residual = [](double t, View y, View yp, Out r) {
            const double s = std::sin(t);
            r[0] = yp[0] + y[0] - y[1];
            r[1] = y[1] + y[1] * y[1] * y[1] - s - s * s * s;
          }};
}
double index_one_x(double t) { return (std::exp(-t) + std::sin(t) - std::cos(t)) / 2; }

TEST(Ida, SolvesADaeOfIndexOne) {
  for (const double rtol : {1e-5, 1e-8}) {
    SolverRun run("ida", index_one(), rtol);
    const auto y = run.solve(0, 5, {0, 0}, {0, 1});
    EXPECT_NEAR(y[0], index_one_x(5), 100 * rtol);  // a hundred steps at the tolerance
    EXPECT_NEAR(y[1], std::sin(5.0), 100 * rtol);
  }
}

TEST(Ida, InterpolatesTheSolutionAndItsDerivative) {
  SolverRun run("ida", index_one(), 1e-9);
  run.integrator->start(0, std::vector{0.0, 0.0}, std::vector{0.0, 1.0});
  double before = 0, t = 0;
  while (t < 2) {
    before = t;
    t = run.integrator->step(5).t;
  }
  const double middle = (before + t) / 2;
  std::vector<double> y(2), yp(2);
  run.integrator->interpolate(middle, y);
  run.integrator->interpolate_derivative(middle, yp);
  EXPECT_NEAR(y[0], index_one_x(middle), 1e-7);  // a hundred steps at the tolerance
  EXPECT_NEAR(yp[0], y[1] - y[0], 1e-5);         // an order of h = 0.01 less
}

OdeFunctions robertson(bool has_mass_matrix) {
  const auto reactions = [](View y, Out f) {
    f[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
    f[1] = 0.04 * y[0] - 1e4 * y[1] * y[2] - 3e7 * y[1] * y[1];
    f[2] = y[0] + y[1] + y[2] - 1;
  };
  if (!has_mass_matrix)
    return {.size = 3, .residual = [reactions](double, View y, View yp, Out r) {
              reactions(y, r);
              r[0] -= yp[0], r[1] -= yp[1];
            }};
  return {.size = 3,
          .rhs = [reactions](double, View y, Out f) { reactions(y, f); },
          .mass = [](double, View, Out values) { values[0] = 1, values[1] = 1, values[2] = 0; },
          .mass_pattern = pattern_of_rows(std::vector<std::vector<std::size_t>>(3))};
}

TEST(Ida, SolvesRobertsonsReactionsAsADae) {
  for (const bool has_mass_matrix : {false, true}) {
    OdeOptions options;
    options.atol = {1e-8, 1e-14, 1e-6};
    SolverRun run("ida", robertson(has_mass_matrix), 1e-6, {}, options);
    const auto y = run.solve(
        0, 40, {1, 0, 0}, has_mass_matrix ? std::vector<double>{} : std::vector{-0.04, 0.04, 0.0});
    // E. Hairer, G. Wanner, II, IV.10, at t = 40; 100 rtol
    EXPECT_NEAR(y[0], 0.7158270688, 1e-4);
    EXPECT_NEAR(y[1] / 0.9185534764e-5, 1, 1e-4);
    EXPECT_NEAR(y[2], 0.2841637457, 1e-4);
  }
}

/// A planar pendulum of length 1 with the constraint on the position and on the velocity, and
/// multipliers for both (C. W. Gear, G. K. Gupta, B. Leimkuhler, 1985): index 2. From (1, 0) it has
/// a period of 2 s.
OdeFunctions stabilised_pendulum(bool tells_algebraic) {
  OdeFunctions functions{.size = 6, .residual = [](double, View y, View yp, Out r) {
                           constexpr double g = 13.7503671;
                           r[0] = yp[0] - y[2] + 2 * y[0] * y[5];
                           r[1] = yp[1] - y[3] + 2 * y[1] * y[5];
                           r[2] = yp[2] + y[0] * y[4];
                           r[3] = yp[3] + y[1] * y[4] + g;
                           r[4] = y[0] * y[0] + y[1] * y[1] - 1;
                           r[5] = y[0] * y[2] + y[1] * y[3];
                         }};
  if (tells_algebraic) functions.algebraic = {0, 0, 0, 0, 1, 1};
  return functions;
}

TEST(Ida, LeavesMultipliersOutOfTheErrorTestOfAPendulum) {
  for (const bool tells_algebraic : {true, false}) {
    SolverRun run("ida", stabilised_pendulum(tells_algebraic), 1e-9, {{"suppress_alg", true}});
    const auto y = run.solve(0, 10, {1, 0, 0, 0, 0, 0}, {0, 0, 0, -13.7503671, 0, 0});
    EXPECT_NEAR(y[0], 1, 1e-5);  // of the reference
    EXPECT_NEAR(y[1], 0, 1e-5);
  }
}

TEST(Ida, WatchesRootsOfTheDerivative) {
  // x' = cos t changes its sign at pi/2, downwards.
  for (const bool is_external : {false, true}) {
    OdeFunctions functions{
        .size = 1, .residual = [](double t, View, View yp, Out r) { r[0] = yp[0] - std::cos(t); }};
    functions.root_count = 1;
    functions.root_directions = {-1};
    functions.roots = [](double, View, View yp, Out g) { g[0] = yp[0]; };
    functions.handle_event = [](OdeEvent&) { return AfterEvent::stop; };
    SolverRun run("ida", std::move(functions), 1e-9, {{"external_event_detection", is_external}});
    run.solve(0, 3, {0}, {1});
    ASSERT_EQ(run.event_times.size(), 1u);
    EXPECT_NEAR(run.event_times[0], M_PI / 2, 1e-5);  // y' of the interpolant: an order less
  }
}

TEST(Ida, ChangingMassMatricesAreFollowed) {
  // (1 + t) y' = -y: y = 1 / (1 + t).
  for (const bool has_jacobian : {false, true}) {
    OdeFunctions functions{.size = 1, .rhs = [](double, View y, Out f) { f[0] = -y[0]; }};
    functions.mass = [](double t, View, Out values) { values[0] = 1 + t; };
    functions.constant_mass = false;
    if (has_jacobian) functions.jacobian = [](double, View, Out values) { values[0] = -1; };
    SolverRun run("ida", std::move(functions), 1e-8);
    EXPECT_NEAR(run.solve(0, 3, {1})[0], 0.25, 1e-6);  // a hundred steps at the tolerance
  }
}

const std::vector<double> start_atol(8, 1e-8);
const ConsistentStart from_tolerance{.rtol = 1e-8, .atol = start_atol};

TEST(ConsistentStart, FindsAlgebraicComponentsAndDerivatives) {
  const auto problem = make_problem(index_one());
  std::vector<double> y{0.3, 5}, yp{0, 0};
  find_consistent_start(*problem, 0.5, 1, y, yp, from_tolerance);
  EXPECT_EQ(y[0], 0.3);                    // a state keeps its value
  EXPECT_NEAR(y[1], std::sin(0.5), 1e-8);  // the tolerance
  EXPECT_NEAR(yp[0], std::sin(0.5) - 0.3, 1e-8);
}

TEST(ConsistentStart, LeavesConsistentValuesAlone) {
  const auto problem = make_problem(index_one());
  const double s = std::sin(0.5);
  std::vector<double> y{0.3, s + 1e-10}, yp{s - 0.3, 7};
  const auto before = std::pair(y, yp);
  find_consistent_start(*problem, 0.5, 1, y, yp, from_tolerance);
  EXPECT_EQ(std::pair(y, yp), before);
}

TEST(ConsistentStart, FindsDerivativesOfAProblemWithAMassMatrix) {
  const auto problem = make_problem(robertson(true));
  std::vector<double> y{1, 0, 0.5}, yp;
  find_consistent_start(*problem, 0, 1, y, yp, from_tolerance);
  EXPECT_NEAR(y[2], 0, 1e-8);  // the tolerance
  EXPECT_NEAR(yp[0], -0.04, 1e-6);
  EXPECT_NEAR(yp[1], 0.04, 1e-6);
}

TEST(ConsistentStart, AcceptsConsistentValuesOfAHigherIndex) {
  const auto problem = make_problem(stabilised_pendulum(true));
  std::vector<double> y{1, 0, 0, 0, 0, 0}, yp{0, 0, 0, -13.7503671, 0, 0};
  find_consistent_start(*problem, 0, 1, y, yp, from_tolerance);
  y[4] = 1e-9;  // not exactly, but within the tolerance
  find_consistent_start(*problem, 0, 1, y, yp, from_tolerance);
}

TEST(ConsistentStart, NamesEquationsAndTheIndexWhereItFails) {
  const auto problem = make_problem(stabilised_pendulum(false));
  std::vector<double> y{1, 0, 0.5, 0, 0, 0}, yp(6);
  try {
    find_consistent_start(*problem, 0, 1, y, yp, from_tolerance);
    FAIL();
  } catch (const OdeFailure& failure) {
    EXPECT_THAT(failure.what(), ::testing::HasSubstr("3 (residual 13.8)"));
    EXPECT_THAT(failure.what(), ::testing::HasSubstr("index is probably above 1"));
    EXPECT_TRUE(failure.worst_state.has_value());
  }
}

TEST(ConsistentStart, SolvesForStatesWhereDerivativesAreGiven) {
  // y0' + y1' = y0 and y0' + y1' = 2 - y1 determine y for given y', but not y'.
  OdeFunctions functions{.size = 2, .residual = [](double, View y, View yp, Out r) {
                           r[0] = yp[0] + yp[1] - y[0];
                           r[1] = yp[0] + yp[1] - 2 + y[1];
                         }};
  const auto problem = make_problem(std::move(functions));
  std::vector<double> y{7, 7}, yp{0.25, 0.25};
  ConsistentStart options = from_tolerance;
  EXPECT_THROW(find_consistent_start(*problem, 0, 1, y, yp, options), OdeFailure);
  EXPECT_EQ(y, (std::vector{7.0, 7.0}));
  options.yp_is_given = true;
  find_consistent_start(*problem, 0, 1, y, yp, options);
  EXPECT_NEAR(y[0], 0.5, 1e-8);
  EXPECT_NEAR(y[1], 1.5, 1e-8);
}

TEST(ConsistentStart, NeverTakesAnEquilibriumForStartValues) {
  // M is singular without a zero column, and y is inconsistent: 0 = f1 - f2.
  OdeFunctions functions;
  functions.size = 2;
  functions.rhs = [](double, View y, Out f) { f[0] = -y[0], f[1] = -y[0] + y[1] - 1; };
  functions.mass = [](double, View, Out m) { std::ranges::fill(m, 1.0); };
  const auto problem = make_problem(std::move(functions));
  std::vector<double> y{1, 0}, yp;
  EXPECT_THROW(find_consistent_start(*problem, 0, 1, y, yp, from_tolerance), OdeFailure);
}

TEST(ConsistentStart, WarnsOfAnIndexAboveOneIfAsked) {
  const auto pendulum = make_problem(stabilised_pendulum(true));
  std::vector<double> y{1, 0, 0, 0, 0, 0}, yp{0, 0, 0, -13.7503671, 0, 0};
  ConsistentStart options = from_tolerance;
  options.checks_index = true;
  EXPECT_THAT(find_consistent_start(*pendulum, 0, 1, y, yp, options),
              ::testing::HasSubstr("index is probably above 1"));
  const auto plain = make_problem(index_one());
  y = {0.3, 0}, yp = {-0.3, 0};
  EXPECT_EQ(find_consistent_start(*plain, 0, 1, y, yp, options), "");
}

TEST(ConsistentStart, FindsNoSolutionWhereThereIsNone) {
  OdeFunctions functions{.size = 1,
                         .residual = [](double, View y, View, Out r) { r[0] = y[0] * y[0] + 1; }};
  const auto problem = make_problem(std::move(functions));
  std::vector<double> y{3}, yp{0};
  EXPECT_THROW(find_consistent_start(*problem, 0, 1, y, yp, from_tolerance), OdeFailure);
  EXPECT_EQ(y[0], 3);
}

}  // namespace
}  // namespace tutti::solvers
