// SPDX-License-Identifier: BSD-2-Clause
#include "models/step_monitor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace tutti::models {
namespace {

TEST(StepMonitor, CountsForTheStateWithTheLargestError) {
  StepMonitor monitor(3);
  monitor.accepted(0.5, 0.5, 3, std::array{0.1, -0.7, 0.2});
  monitor.accepted(1.0, 0.5, 4, std::array{0.8, -0.7, 0.2});
  monitor.rejected(1.0, 0.5, solvers::Rejection::error_test, std::array{0.1, -1.5, 1.2});
  monitor.rejected(1.0, 0.3, solvers::Rejection::convergence, {});
  monitor.rejected(1.0, 0.2, solvers::Rejection::evaluation, {});
  const SolverDiagnosis& diagnosis = monitor.diagnosis();
  EXPECT_EQ(diagnosis.accepted, 2u);
  EXPECT_EQ(diagnosis.states[0].limited, 1u);
  EXPECT_EQ(diagnosis.states[1].limited, 1u);
  EXPECT_EQ(diagnosis.states[1].rejected, 1u);
  EXPECT_EQ(diagnosis.states[2].limited, 0u);
  EXPECT_EQ(diagnosis.error_failures, 1u);
  EXPECT_EQ(diagnosis.convergence_failures, 1u);
  EXPECT_EQ(diagnosis.evaluation_failures, 1u);
  EXPECT_EQ(diagnosis.steps[1].order, 4);
  EXPECT_EQ(diagnosis.steps[1].error, 0.8);
}

TEST(StepMonitor, DoesWithoutErrors) {
  StepMonitor monitor(1);
  monitor.accepted(1, 1, 1, {});
  EXPECT_EQ(monitor.diagnosis().steps[0].state, -1);
  EXPECT_EQ(monitor.diagnosis().states[0].limited, 0u);
}

TEST(StepMonitor, KeepsTheShortestOfManySteps) {
  StepMonitor monitor(1);
  double t = 0;
  constexpr int many = 100'000, short_ones = 97;
  for (int i = 0; i < many; ++i) {
    const double h = i % (many / short_ones) == 5 ? 1e-3 : 1.0;
    monitor.accepted(t += h, h, 1, std::array{0.5});
  }
  const auto& steps = monitor.diagnosis().steps;
  EXPECT_EQ(monitor.diagnosis().accepted, many);
  EXPECT_LE(steps.size(), StepMonitor::most_steps);
  EXPECT_GT(steps.size(), StepMonitor::most_steps / 2);
  EXPECT_TRUE(std::ranges::is_sorted(steps, {}, &SolverDiagnosis::Step::t));
  // They are a thousand steps apart, and a point stands for 32.
  EXPECT_EQ(std::ranges::count(steps, 1e-3, &SolverDiagnosis::Step::h),
            (many - 6) / (many / short_ones) + 1);
}

}  // namespace
}  // namespace tutti::models
