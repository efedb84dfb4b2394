// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/events/root_locator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "solvers/ode/ode.hpp"

namespace tutti::solvers {
namespace {

using RootFunctions = std::vector<std::function<double(double t)>>;

/// Event functions of time alone: the solution is y = t.
class TimedRoots final : public OdeProblem {
 public:
  explicit TimedRoots(RootFunctions functions, std::vector<int> directions = {})
      : functions_(std::move(functions)), directions_(std::move(directions)) {}
  std::size_t size() const override { return 1; }
  std::size_t root_count() const override { return functions_.size(); }
  int root_direction(std::size_t i) const override {
    return directions_.empty() ? 0 : directions_[i];
  }
  bool evaluate_roots(double t, std::span<const double> y, std::span<const double>,
                      std::span<double> g) override {
    EXPECT_EQ(y[0], t);
    for (std::size_t i = 0; i < functions_.size(); ++i) g[i] = functions_[i](t);
    return !refuses_;
  }
  void refuse() { refuses_ = true; }

 private:
  RootFunctions functions_;
  std::vector<int> directions_;
  bool refuses_ = false;
};

void write_time(double t, std::span<double> y, std::span<double>) { y[0] = t; }

/// A look from `start` to `end`.
struct Looked {
  std::optional<double> t;
  std::vector<int> directions;
  std::uint64_t evaluations = 0;
};
Looked look(TimedRoots& problem, double start, double end) {
  RootLocator locator(problem);
  locator.start(start, std::vector{start}, {});
  const auto found = locator.look(end, write_time);
  return {found, {locator.directions().begin(), locator.directions().end()}, locator.evaluations()};
}

constexpr double locator_precision = 1e-13;  // of the time: where a bracket ends

TEST(RootLocator, FindsARootToItsPrecisionAndReturnsTheSideBehindIt) {
  for (const double root : {1e-3, 0.3, 0.5, 0.99999}) {
    TimedRoots problem({[=](double t) { return std::exp(5 * t) - std::exp(5 * root); }});
    const Looked found = look(problem, 0, 1);
    ASSERT_TRUE(found.t) << root;
    EXPECT_GE(*found.t, root);
    EXPECT_LE(*found.t, root + 2 * locator_precision);
    EXPECT_EQ(found.directions, std::vector{1});
    EXPECT_LE(found.evaluations, 25u);  // bisection would need 43
  }
}

TEST(RootLocator, NeedsFewEvaluationsForALine) {
  TimedRoots problem({[](double t) { return t - 0.3; }});
  // Both ends and the root itself; then the other end follows by tenths, 1e-13 of them.
  EXPECT_LE(look(problem, 0, 1).evaluations, 3 + 13u);
}

TEST(RootLocator, FindsRootsOfHighMultiplicityAndJumps) {
  TimedRoots flat({[](double t) { return std::pow(t - 0.3, 9); }});
  EXPECT_NEAR(look(flat, 0, 1).t.value_or(-1), 0.3, 2 * locator_precision);
  EXPECT_LE(look(flat, 0, 1).evaluations, 400u);  // slow, but it ends
  TimedRoots jump({[](double t) { return t < 0.3 ? -1e-9 : 1e9; }});
  EXPECT_NEAR(look(jump, 0, 1).t.value_or(-1), 0.3, 2 * locator_precision);
  EXPECT_LE(look(jump, 0, 1).evaluations, 100u);
  const double infinity = std::numeric_limits<double>::infinity();
  TimedRoots infinite({[=](double t) { return t < 0.3 ? -infinity : infinity; }});
  EXPECT_NEAR(look(infinite, 0, 1).t.value_or(-1), 0.3, 2 * locator_precision);
}

TEST(RootLocator, PrecisionIsRelativeToTheTime) {
  TimedRoots problem({[](double t) { return t - 1e6 - 0.3; }});
  const Looked found = look(problem, 1e6, 1e6 + 1);
  EXPECT_NEAR(found.t.value_or(0), 1e6 + 0.3, 1e6 * locator_precision);
}

TEST(RootLocator, SaysInWhichDirectionAFunctionWent) {
  TimedRoots falling({[](double t) { return 0.4 - t; }});
  EXPECT_EQ(look(falling, 0, 1).directions, std::vector{-1});
}

TEST(RootLocator, IgnoresTheWrongDirection) {
  // Rises at 0.2, falls at 0.6.
  const auto bump = [](double t) { return (t - 0.2) * (0.6 - t); };
  TimedRoots rising({bump}, {1}), falling({bump}, {-1});
  EXPECT_NEAR(look(rising, 0, 0.5).t.value_or(-1), 0.2, 2 * locator_precision);
  EXPECT_FALSE(look(falling, 0, 0.5).t);
  EXPECT_FALSE(look(rising, 0.3, 1).t);
  EXPECT_NEAR(look(falling, 0.3, 1).t.value_or(-1), 0.6, 2 * locator_precision);
}

TEST(RootLocator, FindsTheFirstOfSeveralAndThenTheOthers) {
  TimedRoots problem({[](double t) { return t - 0.7; }, [](double t) { return 0.2 - t; },
                      [](double t) { return t - 0.5; }, [](double) { return 1; }});
  RootLocator locator(problem);
  locator.start(0, std::vector{0.0}, {});
  const auto next = [&] { return locator.look(1, write_time).value_or(-1); };
  const auto directions = [&] {
    return std::vector(locator.directions().begin(), locator.directions().end());
  };
  EXPECT_NEAR(next(), 0.2, 2 * locator_precision);
  EXPECT_EQ(directions(), (std::vector{0, -1, 0, 0}));
  EXPECT_NEAR(next(), 0.5, 2 * locator_precision);
  EXPECT_EQ(directions(), (std::vector{0, 0, 1, 0}));
  EXPECT_NEAR(next(), 0.7, 2 * locator_precision);
  EXPECT_EQ(directions(), (std::vector{1, 0, 0, 0}));
  EXPECT_EQ(next(), -1);
}

TEST(RootLocator, ReportsFunctionsThatTriggerTogetherAtOnce) {
  TimedRoots problem({[](double t) { return t - 0.4; }, [](double t) { return 1e6 * (t - 0.4); }});
  EXPECT_EQ(look(problem, 0, 1).directions, (std::vector{1, 1}));
}

TEST(RootLocator, AFunctionThatStartsAtZeroIsInactiveUntilItHasLeftZero) {
  for (const double slope : {1, -1}) {
    TimedRoots leaving({[=](double t) { return slope * t; }});
    EXPECT_FALSE(look(leaving, 0, 1).t) << slope;
    TimedRoots returning({[=](double t) { return slope * t * (0.5 - t); }});
    const Looked found = look(returning, 0, 1);
    EXPECT_NEAR(found.t.value_or(-1), 0.5, 2 * locator_precision) << slope;
    EXPECT_EQ(found.directions, std::vector{slope > 0 ? -1 : 1});
  }
  // Zero for a while, then it leaves: the first step in which it does makes it active.
  TimedRoots late({[](double t) { return t < 1.5 ? 0 : (t - 1.5) * (2.5 - t); }});
  RootLocator locator(late);
  locator.start(0, std::vector{0.0}, {});
  EXPECT_FALSE(locator.look(1, write_time));
  EXPECT_FALSE(locator.look(2, write_time));
  EXPECT_NEAR(locator.look(3, write_time).value_or(-1), 2.5, 4 * locator_precision);
}

TEST(RootLocator, AFunctionThatEndsAtZeroTriggersWhenItFell) {
  TimedRoots falling({[](double t) { return 1 - t; }});
  EXPECT_EQ(look(falling, 0, 1).t, 1.0);
  // One that rises to zero has not changed its domain yet; it does so in the next step.
  TimedRoots rising({[](double t) { return t - 1; }});
  RootLocator locator(rising);
  locator.start(0, std::vector{0.0}, {});
  EXPECT_FALSE(locator.look(1, write_time));
  EXPECT_NEAR(locator.look(2, write_time).value_or(-1), 1, 4 * locator_precision);
}

TEST(RootLocator, DoesNotSeeADoubleRootInsideOneLook) {
  TimedRoots problem({[](double t) { return (t - 0.4) * (t - 0.6); }});
  EXPECT_FALSE(look(problem, 0, 1).t);
  EXPECT_NEAR(look(problem, 0, 0.5).t.value_or(-1), 0.4, 2 * locator_precision);
}

TEST(RootLocator, WhatCannotBeComputedEndsTheIntegration) {
  TimedRoots undefined({[](double t) { return t > 0.5 ? std::nan("") : -1; }});
  try {
    look(undefined, 0, 1);
    FAIL();
  } catch (const OdeFailure& failure) {
    EXPECT_EQ(failure.t, 1);
    EXPECT_NE(std::string(failure.what()).find("event"), std::string::npos);
  }
  TimedRoots refusing({[](double) { return 1; }});
  refusing.refuse();
  EXPECT_THROW(look(refusing, 0, 1), OdeFailure);
}

}  // namespace
}  // namespace tutti::solvers
