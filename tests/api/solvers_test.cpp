// SPDX-License-Identifier: BSD-2-Clause
// <tutti/solvers.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tutti/error.hpp>
#include <tutti/simulation.hpp>
#include <tutti/solvers.hpp>

#include "api/systems.hpp"

namespace tutti::testing {
namespace {

TEST(OdeSolvers, AreListedByName) {
  const std::vector<SolverInfo> solvers = ode_solvers();
  const auto by_name = [](const SolverInfo& a, const SolverInfo& b) { return a.name < b.name; };
  EXPECT_TRUE(std::is_sorted(solvers.begin(), solvers.end(), by_name));
  for (const SolverInfo& solver : solvers) EXPECT_FALSE(solver.summary.empty()) << solver.name;
}

// Dahlquist: x' = -x, x(0) = 1. 1e-2: euler at its default step of 0.1 s misses e^-1 by 0.02.
TEST(OdeSolvers, AllIntegrateAnFmu) {
  for (const SolverInfo& solver : ode_solvers()) {
    SimulateOptions options;
    options.fmu = fmu_of("2.0", "Dahlquist");
    options.kind = FmuKind::model_exchange;
    options.solver = solver.name;
    options.stop = 1;
    options.max_step = 0.01;
    Rows rows;
    RunReport report;
    try {
      report = simulate(options, &rows, {});
    } catch (const Error& error) {
      // This FMU has no directional derivatives, which Rosenbrock methods need.
      EXPECT_EQ(error.code(), ErrorCode::capability) << error.what();
      EXPECT_EQ(solver.name, "rodas") << error.what();
      continue;
    }
    EXPECT_EQ(report.end.kind, RunEnd::Kind::completed) << solver.name;
    ASSERT_TRUE(report.statistics.solver) << solver.name;
    EXPECT_EQ(report.statistics.solver->name, solver.name);
    EXPECT_GT(report.statistics.solver->steps, 0u) << solver.name;
    EXPECT_GT(report.statistics.solver->evaluations, 0u) << solver.name;
    ASSERT_FALSE(rows.values.empty());
    EXPECT_NEAR(rows.values.back(), std::exp(-1), 1e-2) << solver.name;
  }
}

}  // namespace
}  // namespace tutti::testing
