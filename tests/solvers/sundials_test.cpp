// SPDX-License-Identifier: BSD-2-Clause
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <tutti/error.hpp>

#include "solvers/support/solving.hpp"

namespace tutti::solvers {
namespace {

using runs::Out;
using runs::SolverRun;
using runs::View;

/// Heat in a rod of n points whose ends are at zero; the slowest mode decays at a known rate.
OdeFunctions heat(std::size_t n) {
  const double factor = static_cast<double>((n + 1) * (n + 1));
  std::vector<std::vector<std::size_t>> rows(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0) rows[i].push_back(i - 1);
    if (i + 1 < n) rows[i].push_back(i + 1);
  }
  return {.size = n,
          .rhs =
              [n, factor](double, View y, Out f) {
                for (std::size_t i = 0; i < n; ++i)
                  f[i] = factor * ((i > 0 ? y[i - 1] : 0) - 2 * y[i] + (i + 1 < n ? y[i + 1] : 0));
              },
          .jacobian_pattern = pattern_of_rows(rows)};
}
std::vector<double> heat_mode(std::size_t n) {
  std::vector<double> y(n);
  for (std::size_t i = 0; i < n; ++i)
    y[i] = std::sin(M_PI * static_cast<double>(i + 1) / static_cast<double>(n + 1));
  return y;
}
double heat_left(std::size_t n, double t) {
  const double points = static_cast<double>(n + 1);
  return std::exp(-t * (2 - 2 * std::cos(M_PI / points)) * points * points);
}

/// I - gamma J, solved by elimination: for a tridiagonal matrix an exact preconditioner.
void precondition_heat(OdeFunctions& functions) {
  struct Factors {
    double gamma = 0;
  };
  const auto factors = std::make_shared<Factors>();
  const std::size_t n = functions.size;
  functions.prepare_preconditioner = [factors](double, View, double gamma) {
    factors->gamma = gamma;
  };
  functions.precondition = [factors, n](View r, Out z) {
    const double side = -factors->gamma * static_cast<double>((n + 1) * (n + 1));
    std::vector<double> pivot(n, 1 - 2 * side);
    std::ranges::copy(r, z.begin());
    for (std::size_t i = 1; i < n; ++i) {
      const double part = side / pivot[i - 1];
      pivot[i] -= part * side;
      z[i] -= part * z[i - 1];
    }
    for (std::size_t i = n; i-- > 0;) z[i] = (z[i] - (i + 1 < n ? side * z[i + 1] : 0)) / pivot[i];
  };
}

struct LinearChoice {
  const char* solver;
  const char* linear_solver;
};
class EveryLinearSolver : public ::testing::TestWithParam<LinearChoice> {};
INSTANTIATE_TEST_SUITE_P(
    Sundials, EveryLinearSolver, ::testing::ValuesIn([] {
      std::vector<LinearChoice> choices;
      for (const char* solver : {"cvode", "ida", "arkode-implicit"})
        for (const char* linear : {"auto", "band", "dense", "krylov", "sparse"})
          choices.push_back({solver, linear});
      return choices;
    }()),
    [](const auto& tested) {
      std::string name = std::string(tested.param.solver) + tested.param.linear_solver;
      std::erase(name, '-');
      return name;
    });

TEST_P(EveryLinearSolver, GivesTheSolutionOfTheHeatEquation) {
  const auto [solver, linear_solver] = GetParam();
  SolverRun run(solver, heat(100), 1e-7, {{"linear_solver", std::string(linear_solver)}});
  const auto y = run.solve(0, 0.1, heat_mode(100));
  EXPECT_NEAR(y[50], heat_mode(100)[50] * heat_left(100, 0.1), 2e-5);  // 200 steps at 1e-7
  const OdeStatistics statistics = run.statistics();
  EXPECT_GT(statistics.newton_iterations, 0u);
  if (linear_solver == std::string("krylov")) {
    EXPECT_EQ(statistics.factorizations, 0u);
    EXPECT_GT(statistics.jacobian_products, 0u);
  } else {
    EXPECT_GT(statistics.factorizations, 0u);
    EXPECT_EQ(statistics.jacobian_evaluations, 3 * statistics.jacobians);  // three colours
  }
}

TEST(Sundials, APreconditionerSavesProducts) {
  for (const char* const solver : {"cvode", "ida", "arkode-implicit"}) {
    std::uint64_t products[2];
    for (const bool has_preconditioner : {false, true}) {
      OdeFunctions functions = heat(100);
      if (has_preconditioner) precondition_heat(functions);
      SolverRun run(solver, std::move(functions), 1e-7, {{"linear_solver", std::string("krylov")}});
      const auto y = run.solve(0, 0.1, heat_mode(100));
      EXPECT_NEAR(y[50], heat_mode(100)[50] * heat_left(100, 0.1), 2e-5) << solver;
      products[has_preconditioner ? 1 : 0] = run.statistics().jacobian_products;
    }
    EXPECT_LT(products[1], products[0]) << solver;
  }
}

TEST(Sundials, BandAndSparseNeedAPattern) {
  for (const char* const linear : {"band", "sparse"}) {
    try {
      SolverRun run("cvode", runs::van_der_pol(), 1e-6, {{"linear_solver", std::string(linear)}});
      FAIL();
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr("pattern of the Jacobian"));
    }
  }
}

TEST(Sundials, ADenseMatrixHasTheValuesOfAPatternInTheirPlaces) {
  // Ten points are solved densely: with a right Jacobian, a linear problem converges in one
  // iteration per step, apart from steps whose gamma differs from that of the matrix.
  SolverRun run("cvode", heat(10), 1e-6);
  run.solve(0, 0.1, heat_mode(10));
  const OdeStatistics statistics = run.statistics();
  EXPECT_EQ(statistics.convergence_failures, 0u);
  EXPECT_LT(statistics.newton_iterations, 2 * statistics.steps);
  EXPECT_LE(statistics.jacobians, 1 + statistics.steps / 20);  // CVODE keeps one for 50 steps
}

TEST(Sundials, CvodeNeedsTheStepsOfTheReferenceForVanDerPol) {
  // CVODE 6.4.1 in plain C takes 783 steps with a thousand output points, where its first step is
  // smaller, 852 with one, 821 and 887 with the exact Jacobian: such is the effect of rounding
  // errors and of the start on the choice of steps in the jumps.
  SolverRun run("cvode", runs::van_der_pol(), 1e-6);
  const auto y = run.solve(0, 2, {2, -0.6});
  const OdeStatistics statistics = run.statistics();
  EXPECT_NEAR(static_cast<double>(statistics.steps), 835, 52);
  EXPECT_NEAR(static_cast<double>(statistics.evaluations), 1188, 50);
  EXPECT_NEAR(static_cast<double>(statistics.jacobians), 16, 1);
  EXPECT_NEAR(static_cast<double>(statistics.error_test_failures), 61, 6);
  EXPECT_NEAR(y[0], 1.74249243, 1e-4);  // 100 rtol
  EXPECT_NEAR(y[1], -0.85551919, 1e-4);
}

TEST(Sundials, EveryStiffSolverSolvesVanDerPol) {
  for (const char* const solver : {"cvode", "ida", "arkode-implicit", "arkode-imex"}) {
    SolverRun run(solver, runs::van_der_pol(), 1e-7);
    const auto y = run.solve(0, 2, {2, -0.6});
    EXPECT_NEAR(y[0], 1.74249243, 1e-5) << solver;  // 100 rtol
    EXPECT_NEAR(y[1], -0.85551919, 1e-5) << solver;
  }
}

TEST(Sundials, AMaximumOrderOfOneNeedsTenTimesTheStepsForAHundredthOfTheTolerance) {
  // The error of a step of order 1 is h^2, so the number of steps is the tolerance to the -1/2.
  double steps[2];
  for (const int fine : {0, 1}) {
    OdeFunctions functions{.size = 1,
                           .rhs = [](double t, View y, Out f) { f[0] = -y[0] + std::sin(t); }};
    SolverRun run("cvode", std::move(functions), fine != 0 ? 1e-8 : 1e-6,
                  {{"maxord", std::int64_t{1}}});
    run.solve(0, 5, {1});
    steps[fine] = static_cast<double>(run.statistics().steps);
  }
  EXPECT_NEAR(steps[1] / steps[0], 10, 1);  // the start, and steps that are not always the largest
}

TEST(Sundials, AFirstStepThatIsGivenIsTaken) {
  for (const char* const solver : {"cvode", "ida", "arkode-explicit"}) {
    OdeFunctions functions{.size = 1, .rhs = [](double, View y, Out f) { f[0] = -y[0]; }};
    OdeOptions options;
    options.first_step = 1e-3;
    SolverRun run(solver, std::move(functions), 1e-4, {}, options);
    run.integrator->start(0, std::vector{1.0});
    EXPECT_NEAR(run.integrator->step(1).t, 1e-3, 1e-12) << solver;  // rounding
  }
}

TEST(Sundials, ARightHandSideThatIsNanIsTriedWithASmallerStep) {
  for (const char* const solver : {"cvode", "cvode-adams", "ida", "arkode-implicit"}) {
    OdeFunctions functions{.size = 1, .rhs = [](double, View y, Out f) {
                             f[0] = y[0] < 0 ? std::numeric_limits<double>::quiet_NaN()
                                             : -std::sqrt(y[0]);
                           }};
    SolverRun run(solver, std::move(functions), 1e-6);
    EXPECT_NEAR(run.solve(0, 1.9, {1})[0], 0.05 * 0.05, 1e-4) << solver;  // 100 rtol
  }
}

struct CountingMonitor final : OdeMonitor {
  void accepted(double, double h, int order, std::span<const double> errors) override {
    ++steps;
    size += h;
    highest_order = std::max(highest_order, order);
    for (const double error : errors) worst = std::max(worst, std::abs(error));
  }
  void rejected(double, double, Rejection why, std::span<const double>) override {
    ++(why == Rejection::error_test   ? error_tests
       : why == Rejection::evaluation ? evaluations
                                      : others);
  }
  std::uint64_t steps = 0, error_tests = 0, evaluations = 0, others = 0;
  double size = 0, worst = 0;
  int highest_order = 0;
};

TEST(Sundials, AMonitorHearsWhichStepsTheProblemRefused) {
  for (const char* const solver : {"cvode", "ida", "arkode-implicit"}) {
    // Stages below zero cannot be computed, nor can the tenth evaluation, whatever it is for.
    OdeFunctions functions{.size = 1, .rhs = [count = 0](double, View y, Out f) mutable {
                             f[0] = ++count == 10 || y[0] < 0
                                        ? std::numeric_limits<double>::quiet_NaN()
                                        : -std::sqrt(y[0]);
                           }};
    functions.jacobian = [](double, View y, Out values) { values[0] = -0.5 / std::sqrt(y[0]); };
    CountingMonitor monitor;
    OdeOptions options;
    options.monitor = &monitor;
    options.first_step = 1.9;
    SolverRun run(solver, std::move(functions), 1e-3, {}, options);
    run.solve(0, 1.9, {1});
    EXPECT_GT(monitor.evaluations, 0u) << solver;
    EXPECT_EQ(monitor.evaluations + monitor.others, run.statistics().convergence_failures)
        << solver;
  }
}

TEST(Sundials, WorkIsCountedOnceHoweverOftenItIsStarted) {
  for (const char* const solver : {"cvode", "ida", "arkode-implicit"}) {
    SolverRun run(solver, runs::van_der_pol());
    run.solve(0, 1, {2, -0.6});
    const OdeStatistics before = run.statistics();
    EXPECT_GT(before.jacobians, 0u);
    const std::vector<double> y{2, -0.6};
    for (int i = 0; i < 3; ++i) run.integrator->start(0, y);
    const OdeStatistics after = run.statistics();
    EXPECT_EQ(after.jacobians, before.jacobians) << solver;
    EXPECT_EQ(after.steps, before.steps) << solver;
    EXPECT_EQ(after.newton_iterations, before.newton_iterations) << solver;
    EXPECT_EQ(after.starts, before.starts + 3);
  }
}

/// A ball that moves up and down: sin t, watched at 0.5.
OdeFunctions crossing(int direction) {
  OdeFunctions functions{.size = 2,
                         .rhs = [](double, View y, Out f) { f[0] = y[1], f[1] = -y[0]; }};
  functions.root_count = 1;
  functions.root_directions = {direction};
  functions.roots = [](double, View y, View, Out g) { g[0] = y[0] - 0.5; };
  return functions;
}

TEST(Sundials, DirectedRootsAreFoundInTheirDirectionOnly) {
  const std::vector<double> up{M_PI / 6, M_PI / 6 + 2 * M_PI};
  const std::vector<double> down{5 * M_PI / 6, 5 * M_PI / 6 + 2 * M_PI};
  for (const char* const solver : {"cvode", "cvode-adams", "ida", "arkode-explicit"})
    for (const bool is_external : {false, true})
      for (const int direction : {1, -1}) {
        SolverRun run(solver, crossing(direction), 1e-9,
                      {{"external_event_detection", is_external}});
        run.solve(0, 4 * M_PI, {0, 1});
        // 1e-6: the error of the solution there, a thousand steps at 1e-9
        EXPECT_THAT(run.event_times,
                    ::testing::Pointwise(::testing::DoubleNear(1e-6), direction > 0 ? up : down))
            << solver;
      }
}

TEST(Sundials, OwnEventLocationGoesOnBehindARootWithoutAnotherStart) {
  SolverRun run("cvode", crossing(0), 1e-8, {{"external_event_detection", true}});
  run.integrator->start(0, std::vector{0.0, 1.0});
  std::vector<int> directions;
  double t = 0;
  while (t < 2 * M_PI) {
    const OdeIntegrator::Step step = run.integrator->step(2 * M_PI);
    t = step.t;
    if (step.root) directions.push_back(run.integrator->roots()[0]);
  }
  EXPECT_EQ(directions, (std::vector{1, -1}));
  EXPECT_EQ(run.statistics().starts, 1u);
}

TEST(Sundials, AMonitorHearsOfEveryStepWithItsErrors) {
  for (const char* const solver : {"cvode", "ida", "arkode-explicit", "arkode-implicit"}) {
    CountingMonitor monitor;
    OdeOptions options;
    options.monitor = &monitor;
    SolverRun run(solver, runs::van_der_pol(), 1e-6, {}, options);
    run.solve(0, 2, {2, -0.6});
    const OdeStatistics statistics = run.statistics();
    EXPECT_EQ(monitor.steps, statistics.steps) << solver;
    EXPECT_EQ(monitor.error_tests, statistics.error_test_failures) << solver;
    EXPECT_EQ(monitor.others + monitor.evaluations, statistics.convergence_failures) << solver;
    EXPECT_NEAR(monitor.size, 2, 1e-9) << solver;  // rounding errors of a thousand steps
    // The root mean square of two components is at most 1.
    EXPECT_LE(monitor.worst, std::sqrt(2.0) * 1.01) << solver;
    EXPECT_GT(monitor.worst, 0.1) << solver;
    EXPECT_GE(monitor.highest_order, 4) << solver;
  }
}

TEST(Sundials, AnUnknownOptionIsRefusedWithTheNearest) {
  try {
    SolverRun run("cvode", runs::van_der_pol(), 1e-6, {{"maxor", std::int64_t{2}}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("maxord"));
  }
}

}  // namespace
}  // namespace tutti::solvers
