// SPDX-License-Identifier: BSD-2-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "solvers/support/solving.hpp"

namespace tutti::solvers {
namespace {

using runs::Out;
using runs::SolverRun;
using runs::View;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr double fast = 3e3, slow = 1;

double cosine_rate(std::size_t i) { return i % 2 == 0 ? fast : slow; }

/// y_i' = -lambda_i (y_i - cos t) - sin t, with two rates and no pattern: cos t.
OdeFunctions follow_cosine(std::size_t n) {
  return {.size = n, .rhs = [n](double t, View y, Out f) {
            for (std::size_t i = 0; i < n; ++i)
              f[i] = -cosine_rate(i) * (y[i] - std::cos(t)) - std::sin(t);
          }};
}

TEST(Automatic, SolvesLargeStiffProblemsWithoutAFullMatrix) {
  constexpr std::size_t n = 600;
  SolverRun run("auto", follow_cosine(n), 1e-5);
  EXPECT_THAT(run.integrator->note(), Not(HasSubstr("krylov")));  // explicit so far
  const auto y = run.solve(0, 3, std::vector<double>(n, 1.0));
  for (const double component : y) ASSERT_NEAR(component, std::cos(3), 1e-3);  // 100 rtol
  EXPECT_THAT(run.integrator->note(), AllOf(HasSubstr("cvode"), HasSubstr("linear_solver = krylov"),
                                            HasSubstr("600 states")));
  EXPECT_EQ(run.statistics().factorizations, 0u);
  EXPECT_GT(run.statistics().jacobian_products, 0u);
}

TEST(Automatic, SolvesLargeProblemsOfOtherFormsWithoutAFullMatrix) {
  constexpr std::size_t n = 600;
  OdeFunctions with_mass = follow_cosine(n);
  with_mass.mass = [](double, View, Out m) {
    std::ranges::fill(m, 0.0);
    for (std::size_t i = 0; i < n; ++i) m[i * n + i] = 1;
  };
  SolverRun mass("auto", std::move(with_mass));
  EXPECT_THAT(mass.integrator->note(), AllOf(HasSubstr("ida"), HasSubstr("krylov")));
  SolverRun implicit("auto", {.size = n, .residual = [](double t, View y, View yp, Out r) {
                                for (std::size_t i = 0; i < n; ++i)
                                  r[i] = yp[i] + cosine_rate(i) * (y[i] - std::cos(t));
                              }});
  EXPECT_THAT(implicit.integrator->note(), AllOf(HasSubstr("ida"), HasSubstr("krylov")));
}

TEST(Automatic, KeepsMatricesOfFewStates) {
  SolverRun run("auto", follow_cosine(60), 1e-5);
  run.solve(0, 3, std::vector<double>(60, 1.0));
  EXPECT_THAT(run.integrator->note(), AllOf(HasSubstr("cvode"), Not(HasSubstr("krylov"))));
}

/// For 60 states and with events, where a one-step method needs fewer steps.
TEST(Automatic, EvaluatesJacobiansOftenOnlyWhereTheyAreKnown) {
  for (const bool is_known : {true, false}) {
    OdeFunctions functions = follow_cosine(60);
    if (is_known)
      functions.jacobian_times = [](double, View, View seed, Out result) {
        for (std::size_t i = 0; i < seed.size(); ++i) result[i] = -cosine_rate(i) * seed[i];
      };
    functions.root_count = 1;
    functions.roots = [](double, View, View, Out g) { g[0] = 1; };
    SolverRun run("auto", std::move(functions), 1e-5);
    run.solve(0, 3, std::vector<double>(60, 1.0));
    EXPECT_THAT(run.integrator->note(), HasSubstr(is_known ? "radau5" : "cvode"));
  }
}

}  // namespace
}  // namespace tutti::solvers
