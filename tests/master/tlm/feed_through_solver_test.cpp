// SPDX-License-Identifier: BSD-2-Clause
#include "master/tlm/feed_through_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tutti::master::tlm {
namespace {

using Ports = std::vector<FeedThroughSolver::Port>;

/// Solves e = c + Z f(e); returns how often f was evaluated.
template <class Flows>
int solve_law(FeedThroughSolver& solver, Ports& ports, const Flows& flows) {
  flows(ports);
  solver.solve(ports);
  for (int n = 1; n < 50; ++n) {
    flows(ports);
    if (solver.improve(ports)) return n;
  }
  return 50;
}

// f = (p - e)/r with Z/r = 35: with D = -1/r one step is exact. 1e-12: the tolerance of the law.
TEST(FeedThroughSolver, NeedsOneStepWhereFlowsAreLinear) {
  constexpr double pressure = 3, r = 2, impedance = 70, wave = 1.5;
  const auto flows = [&](Ports& ports) { ports[0].flow = (pressure - ports[0].effort) / r; };
  FeedThroughSolver solver;
  solver.resize(1);
  const double derivative = -1 / r;
  solver.set_derivatives({&derivative, 1});
  Ports ports{{wave, impedance, 0, 100}};
  EXPECT_EQ(solve_law(solver, ports, flows), 1);
  const double exact = (wave + impedance * pressure / r) / (1 + impedance / r);
  EXPECT_NEAR(ports[0].effort, exact, 1e-12 * exact * 40);
  ports[0].wave = -2;  // and again, from where it is
  EXPECT_EQ(solve_law(solver, ports, flows), 1);
}

// Without derivatives, two evaluations of a linear function tell its slope.
TEST(FeedThroughSolver, LearnsTheSlopeOfALinearFlowFromTwoEvaluations) {
  const auto flows = [](Ports& ports) { ports[0].flow = 5 - 2 * ports[0].effort; };
  FeedThroughSolver solver;
  solver.resize(1);
  Ports ports{{1, 3, 0, 0}};
  EXPECT_EQ(solve_law(solver, ports, flows), 2);
  EXPECT_NEAR(solver.derivatives()[0], -2, 1e-12);
  EXPECT_NEAR(ports[0].effort, (1 + 3 * 5) / (1 + 3 * 2.0), 1e-12 * 32);
}

// A valve: f = sqrt|p - e|, which falls with e.
TEST(FeedThroughSolver, SolvesNonlinearFlows) {
  const auto flows = [](Ports& ports) {
    const double d = 4 - ports[0].effort;
    ports[0].flow = std::copysign(std::sqrt(std::abs(d)), d);
  };
  FeedThroughSolver solver;
  solver.resize(1);
  const double derivative = -0.25;  // at e = 0
  solver.set_derivatives({&derivative, 1});
  Ports ports{{1, 2, 0, 0}};
  EXPECT_LE(solve_law(solver, ports, flows), 10);  // it converges faster than linearly
  // e = 1 + 2 sqrt(4 - e): with s = sqrt(4 - e), s^2 + 2 s - 3 = 0, s = 1.
  EXPECT_NEAR(ports[0].effort, 3, 1e-11);  // the law holds to 1e-12 of terms up to 6
}

// f = g - D e with a full matrix D: (I + Z D) e = c + Z g.
TEST(FeedThroughSolver, SolvesTwoPortsTogether) {
  const auto flows = [](Ports& ports) {
    const double a = ports[0].effort, b = ports[1].effort;
    ports[0].flow = 1 - 2 * a + 0.5 * b;
    ports[1].flow = -3 + 0.5 * a - b;
  };
  FeedThroughSolver solver;
  solver.resize(2);
  Ports ports{{1, 10, 0, 0}, {2, 4, 0, 0}};
  const double d[] = {-2, 0.5, 0.5, -1};
  solver.set_derivatives(d);
  EXPECT_EQ(solve_law(solver, ports, flows), 1);
  // 21 a - 5 b = 11, -2 a + 5 b = -10
  EXPECT_NEAR(ports[0].effort, 1.0 / 19, 1e-11);
  EXPECT_NEAR(ports[1].effort, (-10 + 2.0 / 19) / 5, 1e-11);

  // Broyden's method needs at most two steps for each unknown (D. M. Gay, 1979).
  FeedThroughSolver learner;
  learner.resize(2);
  Ports again{{1, 10, 0, 0}, {2, 4, 0, 0}};
  EXPECT_LE(solve_law(learner, again, flows), 5);
  EXPECT_NEAR(again[0].effort, 1.0 / 19, 1e-11);
}

TEST(FeedThroughSolver, IsTheSameAfterItWasRestored) {
  FeedThroughSolver solver;
  solver.resize(1);
  const double derivative = -4;
  solver.set_derivatives({&derivative, 1});
  std::vector<double> saved;
  save(solver, saved);
  const double other = 7;
  solver.set_derivatives({&other, 1});
  restore(solver, saved);
  EXPECT_EQ(solver.derivatives()[0], -4);
}

}  // namespace
}  // namespace tutti::master::tlm
