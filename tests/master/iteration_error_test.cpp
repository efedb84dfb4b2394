// SPDX-License-Identifier: BSD-2-Clause
// Iterations end when their error is within the tolerance, not when their changes are small: loops
// of two fast components, whose gains come near 1 as the step grows.
#include <gtest/gtest.h>

#include <cmath>

#include "master/coupling/coupling_method.hpp"

namespace tutti::master {
namespace {

using CouplingStatus = CouplingOutcome::Status;
using Vector = std::vector<double>;

/// x_1 = g x_2 + b, x_2 = g x_1: g = 1 - 1/(1 + lambda h) as of two capacitors over a resistor.
class StiffPair : public InterfaceProblem {
 public:
  static constexpr double lambda = 1e4;
  std::size_t size() const override { return 2; }
  double step_size() const override { return h; }
  Pass evaluate(std::span<const double> x, std::span<double> result) override {
    ++passes;
    // Components have solvers of their own, whose errors depend on the inputs.
    result[0] = gain() * x[1] + b + noise * std::sin(1e6 * x[1]);
    result[1] = gain() * x[0] + noise * std::cos(1e6 * x[0]);
    return {};
  }
  Pass sweep(std::span<double> x) override {
    ++passes;
    x[0] = gain() * x[1] + b;
    x[1] = gain() * x[0];
    return {};
  }
  bool others_settled() const override { return true; }
  void sensitivities(std::span<const double>, std::span<const double>,
                     const Store& store) override {
    ++jacobians;
    store(0, 1, gain());
    store(1, 0, gain());
  }
  double tolerance(std::size_t, double) const override { return 1e-4; }
  double change(std::span<const double> before, std::span<const double> after) const override {
    return std::hypot(after[0] - before[0], after[1] - before[1]) / 1e-4 / std::sqrt(2.0);
  }
  double gain() const { return 1 - 1 / (1 + lambda * h); }
  double solution() const { return b / (1 - gain() * gain()); }

  double h = 1e-6, b = 1, noise = 0;
  int passes = 0, jacobians = 0;
};

class ErrorOfCoupling : public ::testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<CouplingMethod> make(std::uint32_t iterations = 100000) const {
    CouplingOptions options;
    options.most_iterations = iterations;
    return find_coupling_method(GetParam())->make(options);
  }
};
INSTANTIATE_TEST_SUITE_P(Coupling, ErrorOfCoupling,
                         ::testing::Values("anderson", "broyden", "iterated", "newton"));

// What was learnt in a short step says that a residual is an error of its own size. In the long one
// the error is 1 + lambda h = 1000 times as large.
TEST_P(ErrorOfCoupling, IsWithinTheToleranceAfterTheStepHasGrown) {
  const auto method = make();
  StiffPair pair;
  pair.b = 1 - pair.gain() * pair.gain();
  Vector x = {0, 0};
  ASSERT_EQ(method->step(pair, x).status, CouplingStatus::converged);
  ASSERT_NEAR(x[0], 1, 3e-4);
  pair.h = 0.1;
  pair.b = 0.9 * (1 - pair.gain() * pair.gain());  // a solution of 0.9 instead of 1
  ASSERT_LT(std::abs(pair.b - (1 - pair.gain() * pair.gain())), 3e-4);
  EXPECT_EQ(method->step(pair, x).status, CouplingStatus::converged);
  EXPECT_NEAR(x[0], 0.9, 5e-4);  // the tolerance is 1e-4, the estimate is none to the last digit
}

// A start that misses by less than the tolerance is a solution; one that only looks so is not.
TEST_P(ErrorOfCoupling, IsWithinTheToleranceInManyStepsOfGrowingSize) {
  const auto method = make();
  StiffPair pair;
  pair.b = 1 - pair.gain() * pair.gain();
  Vector x = {1, 1};
  for (double target = 1; pair.h < 0.1; pair.h *= 1.7, target *= 0.98) {
    pair.b = target * (1 - pair.gain() * pair.gain());
    ASSERT_EQ(method->step(pair, x).status, CouplingStatus::converged);
    ASSERT_NEAR(x[0], target, 5e-4) << "h = " << pair.h;
  }
}

// An extrapolated start misses by 50 tolerances, but its residual is below the noise: only
// sensitivities of steps of about this size show it.
TEST(LearningCoupling, IsNotFooledByAGoodStartOfALongStep) {
  for (const char* name : {"broyden", "newton"}) {
    const auto method = find_coupling_method(name)->make({});
    StiffPair pair;
    pair.noise = 1e-8;
    double target = 1;
    Vector x;
    for (; pair.h < 0.1; pair.h *= 2, target *= 0.98) {
      pair.b = target * (1 - pair.gain() * pair.gain());
      x = {target + 0.005, pair.gain() * (target + 0.005)};
      ASSERT_EQ(method->step(pair, x).status, CouplingStatus::converged) << name;
      // The noise is amplified by 1/(1 - g) < 1000.
      ASSERT_NEAR(x[0], target, 5e-4) << name << ", h = " << pair.h;
    }
  }
}

// A step of a system at rest converges without a change, so nothing is learnt in it. The residuals
// of those in which it moves are within the tolerance, the errors are 50000 times as large.
TEST(LearningCoupling, IsNotFooledByASystemAtRest) {
  for (const char* name : {"broyden", "newton"}) {
    const auto method = find_coupling_method(name)->make({});
    StiffPair pair;
    pair.h = 10;
    pair.b = 0;
    Vector x = {0, 0};
    ASSERT_EQ(method->step(pair, x).status, CouplingStatus::converged) << name;
    Vector memory;
    save(*method, memory);
    pair.b = 2e-6;
    ASSERT_EQ(method->step(pair, x).status, CouplingStatus::converged) << name;
    restore(*method, memory);  // that step is rolled back
    pair.b = 0;
    x = {0, 0};
    for (int step = 0; step < 5; ++step) {
      pair.b += 2e-6;
      ASSERT_EQ(method->step(pair, x).status, CouplingStatus::converged) << name;
      EXPECT_NEAR(x[0], pair.solution(), 5e-4) << name;
    }
  }
}

TEST(NewtonCoupling, TakesNoSensitivitiesAgainWhileTheStepStays) {
  const auto newton = find_coupling_method("newton")->make({});
  StiffPair pair;
  pair.h = 0.1;
  Vector x = {0, 0};
  for (int step = 0; step < 10; ++step) {
    pair.b = 1 + 0.1 * step;
    ASSERT_EQ(newton->step(pair, x).status, CouplingStatus::converged);
    EXPECT_NEAR(x[0], pair.solution(), 1e-3);
  }
  EXPECT_EQ(pair.jacobians, 1);
  EXPECT_EQ(pair.passes, 20);  // two a step: one to correct, one with what was corrected
}

TEST(NewtonCoupling, ReportsTheFreeDirectionOfALoopOfGainOne) {
  StiffPair pair;
  pair.h = 1e9;  // gain 1 - 1e-13
  Vector x = {1, 2};
  const CouplingOutcome outcome = find_coupling_method("newton")->make({})->step(pair, x);
  EXPECT_EQ(outcome.status, CouplingStatus::singular);
  ASSERT_EQ(outcome.free_direction.size(), 2u);
  EXPECT_NEAR(outcome.free_direction[0], outcome.free_direction[1], 1e-6);
}

}  // namespace
}  // namespace tutti::master
