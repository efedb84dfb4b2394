// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/nonlinear/steady_search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace tutti::solvers {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// x' = f(x), with differences as its Jacobian.
class Field final : public SteadyProblem {
 public:
  using Function = std::function<bool(std::span<const double>, std::span<double>)>;
  Field(std::size_t size, Function f, std::size_t states = 1000)
      : size_(size), states_(std::min(size, states)), f_(std::move(f)) {}

  std::size_t size() const override { return size_; }
  std::size_t state_count() const override { return states_; }
  double nominal(std::size_t) const override { return 1; }
  bool evaluate(std::span<const double> z, std::span<double> r) override { return f_(z, r); }
  bool linearize(std::span<const double> z, std::span<const double> r,
                 std::vector<Entry>& jacobian) override {
    std::vector<double> moved(z.begin(), z.end()), there(size_);
    for (std::size_t j = 0; j < size_; ++j) {
      moved[j] = z[j] + 1e-7;
      if (!f_(moved, there)) return false;
      for (std::size_t i = 0; i < size_; ++i)
        jacobian.push_back({i, j, (there[i] - r[i]) / (moved[j] - z[j])});
      moved[j] = z[j];
    }
    return true;
  }
  double jacobian_error() const override { return 1e-9; }
  bool accept(std::vector<double>&) override { return false; }
  bool confirm(std::vector<double>&) override { return false; }

 private:
  std::size_t size_, states_;
  Function f_;
};

Field scalar(const std::function<double(double)>& f) {
  return {1, [f](std::span<const double> z, std::span<double> r) {
            r[0] = f(z[0]);
            return std::isfinite(r[0]);
          }};
}

TEST(SteadySearch, FindsTheZeroOfANonlinearEquation) {
  Field field = scalar([](double x) { return 2 - x * x * x; });
  const SteadyOutcome outcome = find_steady(field, {5}, {});
  ASSERT_TRUE(outcome.found) << outcome.newton_failure;
  EXPECT_FALSE(outcome.by_transient);
  EXPECT_NEAR(outcome.z[0], std::cbrt(2), 1e-9);  // the tolerance
}

// Far away the Newton step of atan leads farther away: only a damped one converges.
TEST(SteadySearch, ShortensStepsThatLeadAway) {
  Field field = scalar([](double x) { return -std::atan(x); });
  const SteadyOutcome outcome = find_steady(field, {30}, {});
  ASSERT_TRUE(outcome.found);
  EXPECT_FALSE(outcome.by_transient);
  EXPECT_NEAR(outcome.z[0], 0, 1e-9);
}

// Beyond 1 the slope of -x/(1 + x^2) has the other sign, so that Newton's method goes to infinity,
// where the residual vanishes, too. The solution of the differential equation goes to 0.
TEST(SteadySearch, FollowsTheTransientWhereNewtonsMethodFails) {
  Field field = scalar([](double x) { return -x / (1 + x * x); });
  const SteadyOutcome outcome = find_steady(field, {20}, {});
  ASSERT_TRUE(outcome.found) << outcome.transient_failure;
  EXPECT_TRUE(outcome.by_transient);
  EXPECT_NEAR(outcome.z[0], 0, 1e-9);
}

TEST(SteadySearch, ReportsThatThereIsNoSolution) {
  Field field = scalar([](double x) { return 1 + x * x; });
  const SteadyOutcome outcome = find_steady(field, {0.5}, {});
  EXPECT_FALSE(outcome.found);
  EXPECT_THAT(outcome.newton_failure, ::testing::Not(IsEmpty()));
  EXPECT_THAT(outcome.transient_failure, ::testing::Not(IsEmpty()));
}

// exp(-x) has no zero, although it becomes arbitrarily small.
TEST(SteadySearch, DoesNotTakeASlowEscapeForASolution) {
  Field field = scalar([](double x) { return std::exp(-x); });
  const SteadyOutcome outcome = find_steady(field, {0}, {});
  EXPECT_FALSE(outcome.found) << outcome.z[0] << " after " << outcome.steps << " steps";
}

TEST(SteadySearch, ShortensStepsOutOfTheDomain) {
  Field field = scalar([](double x) { return 0.01 - std::sqrt(x); });  // NaN below zero
  const SteadyOutcome outcome = find_steady(field, {4}, {});
  ASSERT_TRUE(outcome.found);
  EXPECT_NEAR(outcome.z[0], 1e-4, 1e-9);
}

// Position and speed of a free body: any position is steady, and it keeps the first one.
TEST(SteadySearch, KeepsAnUndeterminedState) {
  Field field(2, [](std::span<const double> z, std::span<double> r) {
    r[0] = z[1];
    r[1] = 0;
    return true;
  });
  const SteadyOutcome outcome = find_steady(field, {3, 2}, {});
  ASSERT_TRUE(outcome.found) << outcome.newton_failure;
  EXPECT_NEAR(outcome.z[0], 3, 1e-9);
  EXPECT_NEAR(outcome.z[1], 0, 1e-9);
  EXPECT_THAT(outcome.undetermined, ElementsAre(1, 0));
}

// Two connected tanks of areas 1 and 3: volume is conserved, so both levels become
// (1 * 4 + 3 * 0)/4 = 1.
TEST(SteadySearch, KeepsWhatTheEquationsConserve) {
  Field field(2, [](std::span<const double> z, std::span<double> r) {
    const double flow = z[0] - z[1];
    r[0] = -flow;
    r[1] = flow / 3;
    return true;
  });
  const SteadyOutcome outcome = find_steady(field, {4, 0}, {});
  ASSERT_TRUE(outcome.found);
  EXPECT_NEAR(outcome.z[0], 1, 1e-8);  // the tolerance, and differences
  EXPECT_NEAR(outcome.z[1], 1, 1e-8);
  EXPECT_THAT(outcome.undetermined, ElementsAre(1, 1));
}

// z = (x, u): x' = u - x^2 = 0 with x = 3.
TEST(SteadySearch, FindsAnUnknownInputForAGivenState) {
  Field field(
      2,
      [](std::span<const double> z, std::span<double> r) {
        r[0] = z[1] - z[0] * z[0];
        r[1] = z[0] - 3;
        return true;
      },
      1);
  const SteadyOutcome outcome = find_steady(field, {1, 0}, {});
  ASSERT_TRUE(outcome.found);
  EXPECT_NEAR(outcome.z[0], 3, 1e-8);  // the tolerance, relative to 3 + 1
  EXPECT_NEAR(outcome.z[1], 9, 1e-7);
}

TEST(SteadySearch, ReportsAPointThatCannotBeEvaluated) {
  Field field = scalar([](double) { return std::nan(""); });
  const SteadyOutcome outcome = find_steady(field, {1}, {});
  EXPECT_FALSE(outcome.found);
  EXPECT_THAT(outcome.newton_failure, ::testing::HasSubstr("cannot be evaluated"));
}

// A chain of tanks: larger than matrices that are treated as full.
TEST(SteadySearch, SolvesLargeSystems) {
  constexpr std::size_t n = 700;
  class Chain final : public SteadyProblem {
   public:
    std::size_t size() const override { return n; }
    std::size_t state_count() const override { return n; }
    double nominal(std::size_t) const override { return 1; }
    bool evaluate(std::span<const double> z, std::span<double> r) override {
      for (std::size_t i = 0; i < n; ++i) r[i] = (i == 0 ? 1 : z[i - 1] * z[i - 1]) - z[i] * z[i];
      return true;
    }
    bool linearize(std::span<const double> z, std::span<const double>,
                   std::vector<Entry>& jacobian) override {
      for (std::size_t i = 0; i < n; ++i) {
        jacobian.push_back({i, i, -2 * z[i]});
        if (i > 0) jacobian.push_back({i, i - 1, 2 * z[i - 1]});
      }
      return true;
    }
    double jacobian_error() const override { return 1e-14; }
    bool accept(std::vector<double>&) override { return false; }
    bool confirm(std::vector<double>&) override { return false; }
  } chain;
  const SteadyOutcome outcome = find_steady(chain, std::vector<double>(n, 2), {});
  ASSERT_TRUE(outcome.found) << outcome.newton_failure;
  EXPECT_NEAR(outcome.z.back(), 1, 1e-8);
}

// Two masses with a spring and a damper between them, and nothing else. What the equations
// conserve, the momentum, says nothing about the position, which stays near the start.
TEST(SteadySearch, KeepsAFreeBodyNearTheStart) {
  for (const double position : {0.01, 0.2, 1.0, 3.0})
    for (const double speed : {0.0, 0.1}) {
      Field field(4, [](std::span<const double> z, std::span<double> r) {
        const double force = 30 * (z[0] - z[2]) + 4 * (z[1] - z[3]);
        r[0] = z[1];
        r[1] = -force / 10;
        r[2] = z[3];
        r[3] = force;
        return true;
      });
      const SteadyOutcome outcome = find_steady(field, {position, speed, 0, 0}, {});
      ASSERT_TRUE(outcome.found) << outcome.newton_failure;
      EXPECT_FALSE(outcome.by_transient) << outcome.newton_failure;
      EXPECT_NEAR(outcome.z[0], outcome.z[2], 1e-8);
      EXPECT_GT(outcome.z[0], -1e-6) << position;
      EXPECT_LT(outcome.z[0], position + 1e-6);
      EXPECT_NEAR(outcome.z[1], 0, 1e-8);
      EXPECT_THAT(outcome.undetermined, ElementsAre(1, 0, 1, 0));
    }
}

/// -x, with an event wherever the search would end, or without a Jacobian at the end.
class Troublesome final : public SteadyProblem {
 public:
  bool always_event = false;
  int linearizations = 1000;

  std::size_t size() const override { return 1; }
  std::size_t state_count() const override { return 1; }
  double nominal(std::size_t) const override { return 1; }
  bool evaluate(std::span<const double> z, std::span<double> r) override {
    r[0] = -z[0];
    return true;
  }
  bool linearize(std::span<const double>, std::span<const double>,
                 std::vector<Entry>& jacobian) override {
    jacobian.push_back({0, 0, -1});
    return linearizations-- > 0;
  }
  double jacobian_error() const override { return 1e-14; }
  bool accept(std::vector<double>&) override { return false; }
  bool confirm(std::vector<double>&) override { return always_event; }
};

TEST(SteadySearch, EndsWhereEventsKeepChangingTheEquations) {
  Troublesome problem;
  problem.always_event = true;
  const SteadyOutcome outcome = find_steady(problem, {1}, {});
  EXPECT_FALSE(outcome.found);
  EXPECT_THAT(outcome.newton_failure, ::testing::HasSubstr("events keep changing"));
  EXPECT_THAT(outcome.transient_failure, ::testing::HasSubstr("events keep changing"));
  EXPECT_LT(outcome.steps, 200);
}

TEST(SteadySearch, KnowsWhatCountsAsZeroWithoutALastJacobian) {
  Troublesome problem;
  problem.linearizations = 2;
  const SteadyOutcome outcome = find_steady(problem, {1}, {});
  ASSERT_TRUE(outcome.found) << outcome.newton_failure;
  EXPECT_THAT(outcome.allowed, ::testing::SizeIs(1));
  EXPECT_THAT(outcome.jacobian, IsEmpty());
}

}  // namespace
}  // namespace tutti::solvers
