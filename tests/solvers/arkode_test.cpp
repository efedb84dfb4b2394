// SPDX-License-Identifier: BSD-2-Clause
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <tutti/error.hpp>

#include "solvers/ode/arkode_tables.hpp"
#include "solvers/support/solving.hpp"

namespace tutti::solvers {
namespace {

using arkode::Family;
using runs::Out;
using runs::SolverRun;
using runs::View;

const char* solver_of(Family kind) {
  return kind == Family::explicit_method   ? "arkode-explicit"
         : kind == Family::implicit_method ? "arkode-implicit"
                                           : "arkode-imex";
}

/// y' = A y + (0, sin 2t - 1.5 cos 2t), whose solution from (1, 0) is known by a run at 1e-13.
/// Newton's method solves the stages of a linear problem exactly, so that only the method's error
/// is left.
OdeFunctions forced_pair(bool is_split) {
  const auto matrix = [](double t, View y, Out f) {
    static_cast<void>(t);
    f[0] = -0.5 * y[0] + 2 * y[1];
    f[1] = -2 * y[0] - 0.25 * y[1];
  };
  const auto forcing = [](double t, View y, Out n) {
    n[0] = 0.1 * y[1];
    n[1] = std::sin(2 * t) - 1.5 * std::cos(2 * t);
  };
  OdeFunctions functions{.size = 2};
  functions.jacobian = [](double, View, Out values) {
    values[0] = -0.5, values[1] = -2, values[2] = 2, values[3] = -0.25;
  };
  if (is_split) {
    functions.rhs = matrix;
    functions.nonstiff = forcing;
    return functions;
  }
  functions.rhs = [matrix, forcing](double t, View y, Out f) {
    double n[2];
    matrix(t, y, f);
    forcing(t, y, n);
    f[0] += n[0], f[1] += n[1];
  };
  functions.jacobian = [](double, View, Out values) {
    values[0] = -0.5, values[1] = -2, values[2] = 2.1, values[3] = -0.25;
  };
  return functions;
}

/// With tolerances that accept everything, each step has the size h.
double error_with_step(Family kind, const std::string& table, double h,
                       const std::vector<double>& exact) {
  OdeOptions options;
  options.first_step = options.max_step = h;
  options.atol = {1e6, 1e6};
  SolverRun run(solver_of(kind), forced_pair(kind == Family::imex), 1, {{"table", table}}, options);
  const auto y = run.solve(0, 2, {1, 0});
  return std::hypot(y[0] - exact[0], y[1] - exact[1]);
}

class EveryTable : public ::testing::TestWithParam<Family> {};
INSTANTIATE_TEST_SUITE_P(Arkode, EveryTable,
                         ::testing::Values(Family::explicit_method, Family::implicit_method,
                                           Family::imex),
                         [](const auto& tested) {
                           std::string name = solver_of(tested.param);
                           std::erase(name, '-');
                           return name;
                         });

TEST_P(EveryTable, HasTheOrderOfItsName) {
  const Family kind = GetParam();
  SolverRun reference("arkode-explicit", forced_pair(false), 1e-14, {{"order", std::int64_t{8}}});
  const std::vector<double> exact = reference.solve(0, 2, {1, 0});
  for (const char* const name : arkode::table_names(kind).subspan(1)) {
    const int order = arkode::find_table(kind, name, 0).order;
    const double h = order >= 6 ? 0.25 : 0.05;
    const double observed = std::log2(error_with_step(kind, name, h, exact) /
                                      error_with_step(kind, name, h / 2, exact));
    EXPECT_GT(observed, order - 0.2) << name;  // 0.2: the next term of the error at this h
    EXPECT_LT(observed, order + 1.2) << name;  // some have a small leading coefficient
  }
}

TEST_P(EveryTable, IsFoundByItsOrder) {
  const Family kind = GetParam();
  for (int order = arkode::lowest_order(kind); order <= arkode::highest_order(kind); ++order)
    EXPECT_EQ(arkode::find_table(kind, "", order).order, order == 7 ? 8 : order);
}

TEST_P(EveryTable, HoldsItsTolerance) {
  SolverRun reference("arkode-explicit", forced_pair(false), 1e-13, {{"order", std::int64_t{8}}});
  const double exact = reference.solve(0, 2, {1, 0})[0];
  SolverRun run(solver_of(GetParam()), forced_pair(GetParam() == Family::imex), 1e-8);
  EXPECT_NEAR(run.solve(0, 2, {1, 0})[0], exact, 1e-6);  // a hundred steps at the tolerance
}

// y' = (y2 - y1, y1 - y2) 2/3 from (1, 2): y1 + y2 = 3, and y2 - y1 decays like exp(-4 t/3). Here
// ARKODE's own estimate of the convergence rate falls to 0, and an error of 3e-3 at rtol 1e-8
// remained.
TEST(Arkode, ALinearProblemWithAnExactJacobianHoldsItsTolerance) {
  OdeFunctions functions{.size = 2};
  functions.rhs = [](double, View y, Out f) {
    f[0] = 2.0 / 3 * (y[1] - y[0]);
    f[1] = -f[0];
  };
  functions.jacobian = [](double, View, Out values) {
    values[0] = values[3] = -2.0 / 3, values[1] = values[2] = 2.0 / 3;
  };
  for (double rtol = 1e-5; rtol > 1e-11; rtol /= 2) {
    OdeOptions options;
    options.atol = {rtol, rtol};
    SolverRun run("arkode-implicit", functions, rtol, {}, options);
    const auto y = run.solve(0, 1, {1, 2});
    // Errors of steps add up: about 10 of them.
    EXPECT_NEAR(y[1] - y[0], std::exp(-4.0 / 3), 100 * rtol) << rtol;
  }
}

TEST(Arkode, AnUnknownTableIsRefusedWithTheNearest) {
  try {
    SolverRun run("arkode-implicit", runs::van_der_pol(), 1e-6,
                  {{"table", std::string("kvaerno-5-3")}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("arkode-implicit"));
    EXPECT_THAT(error.what(), ::testing::HasSubstr("kvaerno-5-3-4"));
  }
}

TEST(Arkode, AStageThatCannotBeComputedIsTriedWithASmallerStep) {
  // y = e^-20t; the stages of the first step reach below zero.
  OdeFunctions functions{.size = 1, .rhs = [](double, View y, Out f) {
                           f[0] = y[0] < 0 ? std::numeric_limits<double>::quiet_NaN() : -20 * y[0];
                         }};
  OdeOptions options;
  options.first_step = 1;
  SolverRun run("arkode-explicit", std::move(functions), 1e-8, {{"order", std::int64_t{5}}},
                options);
  EXPECT_NEAR(run.solve(0, 0.5, {1})[0], std::exp(-10.0), 1e-6);  // a hundred steps at 1e-8
  EXPECT_GT(run.statistics().convergence_failures, 0u);
}

TEST(Arkode, ARightHandSideThatCannotBeComputedAnywhereEndsTheRun) {
  OdeFunctions functions{.size = 1, .rhs = [](double t, View, Out f) {
                           f[0] = t < 0.5 ? 1 : std::numeric_limits<double>::infinity();
                         }};
  SolverRun run("arkode-explicit", std::move(functions), 1e-6);
  try {
    run.solve(0, 1, {0});
    FAIL();
  } catch (const OdeFailure& failure) {
    EXPECT_NEAR(failure.t, 0.5, 1e-3);  // where the last of ten smaller steps ends
    EXPECT_THAT(failure.what(), ::testing::HasSubstr("cannot be computed"));
  }
}

TEST(Arkode, BothKindsOfDenseOutputAgreeWithTheSolution) {
  for (const char* const kind : {"hermite", "lagrange"}) {
    OdeFunctions functions{.size = 1, .rhs = [](double, View y, Out f) { f[0] = -y[0]; }};
    SolverRun run("arkode-explicit", std::move(functions), 1e-6,
                  {{"interpolation", std::string(kind)}, {"order", std::int64_t{5}}});
    run.integrator->start(0, std::vector{1.0});
    double before = 0, t = 0;
    while (t < 0.8) {
      before = t;
      t = run.integrator->step(10).t;
    }
    double y = 0;
    const double middle = (before + t) / 2;
    run.integrator->interpolate(middle, {&y, 1});
    EXPECT_NEAR(y, std::exp(-middle), 1e-4) << kind;  // h^5 / 5! for steps of about 0.4
    EXPECT_EQ(run.integrator->interpolation_degree(), 4);
  }
}

}  // namespace
}  // namespace tutti::solvers
