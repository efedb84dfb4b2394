// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/ode/one_step.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace tutti::solvers {
namespace {

// What every method with error control has from its base, looked at with those that differ most.

constexpr const char* one_step_methods[] = {"dop853", "dopri5", "rk34"};

using Values = std::vector<double>;
using ConstView = std::span<const double>;
using MutableView = std::span<double>;

OdeFunctions oscillator() {
  return {.size = 2, .rhs = [](double, ConstView y, MutableView f) { f[0] = y[1], f[1] = -y[0]; }};
}

std::unique_ptr<OdeIntegrator> integrator_of(const char* name, OdeProblem& problem,
                                             OdeOptions options) {
  options.atol.resize(problem.size(), options.rtol);
  return find_ode_integrator(name)->make(problem, options);
}

struct Recorder final : OdeMonitor {
  struct Entry {
    double t, h;
    int order;
    std::optional<Rejection> why;
    Values errors;
  };
  void accepted(double t, double h, int order, ConstView errors) override {
    entries.push_back({t, h, order, {}, {errors.begin(), errors.end()}});
  }
  void rejected(double t, double h, Rejection why, ConstView errors) override {
    entries.push_back({t, h, 0, why, {errors.begin(), errors.end()}});
  }
  std::vector<Entry> entries;
};

TEST(OneStep, MeetsEveryLimitExactly) {
  for (const char* name : one_step_methods) {
    const auto problem = make_problem(oscillator());
    const auto integrator = integrator_of(name, *problem, {.rtol = 1e-6});
    integrator->start(0, Values{1, 0});
    double t = 0;
    for (int n = 1; n <= 30; ++n) {
      const double limit = 0.1 * n;
      while (t < limit) t = integrator->step(limit).t;
      EXPECT_EQ(t, limit) << name;
    }
  }
}

TEST(OneStep, ALimitThatCutsAStepShortDoesNotShortenTheNext) {
  const auto problem = make_problem(oscillator());
  const auto integrator = integrator_of("dopri5", *problem, {.rtol = 1e-6});
  integrator->start(0, Values{1, 0});
  double t = 0, usual = 0;
  for (int n = 0; n < 10; ++n) {
    const double before = t;
    t = integrator->step(100).t;
    usual = t - before;
  }
  t = integrator->step(t + 1e-6).t;
  EXPECT_GT(integrator->step(100).t - t, 0.9 * usual);
}

TEST(OneStep, StepsThatEndAtLimitsShrinkAsTheirErrorGrows) {
  for (const char* name : one_step_methods) {
    // y = sin t^2: slow at first, 20 rad/s at the end. Every step of 0.2 s ends at a limit.
    const auto problem = make_problem({.size = 2, .rhs = [](double t, ConstView y, MutableView f) {
                                         f[0] = 2 * t * y[1], f[1] = -2 * t * y[0];
                                       }});
    const auto integrator = integrator_of(name, *problem, {.rtol = 1e-6});
    integrator->start(0, Values{0, 1});
    double t = 0;
    for (int n = 1; n <= 50; ++n)
      while (t < 0.2 * n) t = integrator->step(0.2 * n).t;
    Values y(2);
    integrator->interpolate(t, y);
    // 1e-6 in each of some thousand steps at most, with changing signs; without control it is 1.
    EXPECT_NEAR(y[0], std::sin(t * t), 1e-3) << name;
  }
}

TEST(OneStep, TheStepAfterARootGoesOnWithoutARestart) {
  for (const char* name : one_step_methods) {
    OdeFunctions with_roots = oscillator();
    with_roots.root_count = 1;
    with_roots.roots = [](double, ConstView y, ConstView, MutableView g) { g[0] = y[0]; };
    const auto plain = make_problem(oscillator()), rooted = make_problem(with_roots);
    const auto reference = integrator_of(name, *plain, {.rtol = 1e-6});
    const auto tested = integrator_of(name, *rooted, {.rtol = 1e-6});
    reference->start(0, Values{1, 0});
    tested->start(0, Values{1, 0});
    int roots = 0;
    for (double t = 0; t < 20;) {
      t = reference->step(20).t;
      OdeIntegrator::Step step;
      for (step = tested->step(20); step.root; step = tested->step(20)) {
        ++roots;
        // pi/2 and so on; the solution has drifted by some tolerances of 1e-6, rk34's by more.
        EXPECT_NEAR(std::cos(step.t), 0, 1e-3) << name;
      }
      EXPECT_EQ(step.t, t) << name;
      Values a(2), b(2);
      reference->interpolate(t, a);
      tested->interpolate(t, b);
      EXPECT_EQ(a, b) << name;  // the same bits
    }
    EXPECT_EQ(roots, 6) << name;  // cos has six zeros up to 20
    EXPECT_EQ(tested->statistics().steps, reference->statistics().steps);
    EXPECT_EQ(tested->statistics().starts, 1u);
  }
}

TEST(OneStep, ALimitBeforeTheEndOfAStepWithARootIsMetToo) {
  OdeFunctions functions{
      .size = 1, .rhs = [](double, ConstView, MutableView f) { f[0] = 1; }, .root_count = 1};
  functions.roots = [](double t, ConstView, ConstView, MutableView g) { g[0] = t - 0.1; };
  const auto problem = make_problem(functions);
  const auto integrator = integrator_of("dopri5", *problem, {.rtol = 1e-6, .first_step = 1});
  integrator->start(0, Values{0});
  EXPECT_TRUE(integrator->step(1).root);
  EXPECT_EQ(integrator->step(0.5).t, 0.5);  // inside the step
  Values y(1);
  integrator->interpolate(0.5, y);
  EXPECT_NEAR(y[0], 0.5, 1e-15);  // a line, but for rounding errors
  EXPECT_EQ(integrator->step(2).t, 1);
  EXPECT_EQ(integrator->statistics().steps, 1u);
}

// y = (1 - t/2)^2 until t = 2; below zero the square root is NaN.
OdeFunctions emptying_tank() {
  return {.size = 1, .rhs = [](double, ConstView y, MutableView f) { f[0] = -std::sqrt(y[0]); }};
}

TEST(OneStep, AStepWhoseDerivativesAreNotFiniteIsTriedAgainSmaller) {
  for (const char* name : one_step_methods) {
    const auto problem = make_problem(emptying_tank());
    Recorder recorder;
    const auto integrator =
        integrator_of(name, *problem, {.rtol = 1e-6, .first_step = 50, .monitor = &recorder});
    integrator->start(0, Values{1});
    double t = integrator->step(100).t;
    ASSERT_LT(t, 1.9) << name;
    while (t < 1.9) t = integrator->step(1.9).t;
    Values y(1);
    integrator->interpolate(1.9, y);
    // Ten tolerances; rk34 takes the first step that can be computed, however long.
    EXPECT_NEAR(y[0], 0.05 * 0.05, std::string(name) == "rk34" ? 1 : 1e-5) << name;
    ASSERT_FALSE(recorder.entries.empty());
    EXPECT_EQ(recorder.entries.front().why, Rejection::evaluation) << name;
    EXPECT_TRUE(recorder.entries.front().errors.empty());
    EXPECT_GT(integrator->statistics().convergence_failures, 0u);
  }
}

/// Why it fails on the way from `start` to `end`.
std::optional<OdeFailure> failure_of(const char* name, const OdeFunctions& functions, Values y,
                                     OdeOptions options, double end = 1, double start = 0) {
  const auto problem = make_problem(functions);
  const auto integrator = integrator_of(name, *problem, std::move(options));
  try {
    integrator->start(start, y);
    for (double t = start; t < end;) t = integrator->step(end).t;
  } catch (const OdeFailure& failure) {
    return failure;
  }
  return {};
}

TEST(OneStep, ADerivativeThatStaysNotFiniteIsNamedWithItsTime) {
  for (const char* name : one_step_methods) {
    const OdeFunctions wall{.size = 3, .rhs = [](double t, ConstView, MutableView f) {
                              f[0] = f[1] = f[2] = 1;
                              if (t > 0.5) f[1] = std::nan("");
                            }};
    const auto failure = failure_of(name, wall, {0, 0, 0}, {.rtol = 1e-6});
    ASSERT_TRUE(failure) << name;
    EXPECT_NEAR(failure->t, 0.5, 1e-9) << name;  // as near as attempts get before they fail
    EXPECT_EQ(failure->worst_state, 1u) << name;
    EXPECT_NE(std::string(failure->what()).find("not finite"), std::string::npos);
  }
}

TEST(OneStep, AStartThatCannotBeComputedFailsAtOnce) {
  for (const char* name : one_step_methods) {
    const auto failure = failure_of(name, emptying_tank(), {-1}, {.rtol = 1e-6});
    ASSERT_TRUE(failure) << name;
    EXPECT_EQ(failure->t, 0);
  }
}

TEST(OneStep, ASingularityEndsTheIntegrationAndNamesTheWorstState) {
  // y = 1 / (1 - t) in the second of three components.
  const OdeFunctions pole{.size = 3, .rhs = [](double, ConstView y, MutableView f) {
                            f[0] = f[2] = 0;
                            f[1] = y[1] * y[1];
                          }};
  for (const char* name : one_step_methods) {
    const auto failure = failure_of(name, pole, {1, 1, 1}, {.rtol = 1e-6}, 2);
    ASSERT_TRUE(failure) << name;
    EXPECT_EQ(failure->worst_state, 1u) << name;
    EXPECT_NEAR(failure->t, 1, 0.01) << name;
  }
}

TEST(OneStep, AnErrorThatDoesNotShrinkFailsWithItsSizeAndAHint) {
  // The sign of y changes the derivative from -1e12 to 1e12: at t = 1 no step is small enough.
  const OdeFunctions relay{.size = 2, .rhs = [](double, ConstView y, MutableView f) {
                             f[0] = 0;
                             f[1] = y[1] > 0 ? -1e12 : 1e12;
                           }};
  for (const char* name : one_step_methods) {
    const auto failure = failure_of(name, relay, {1, 1e-3}, {.rtol = 1e-9}, 2, 1);
    ASSERT_TRUE(failure) << name;
    EXPECT_EQ(failure->worst_state, 1u) << name;
    EXPECT_NE(std::string(failure->what()).find("h = "), std::string::npos) << failure->what();
    EXPECT_EQ(failure->key, "solver.rtol");
    EXPECT_FALSE(failure->hint.empty());
  }
}

TEST(OneStep, AFirstStepBelowTheResolutionOfTheTimeIsNoEndlessLoop) {
  for (const char* name : one_step_methods) {
    const auto problem = make_problem(oscillator());
    const auto integrator = integrator_of(name, *problem, {.rtol = 1e-6, .first_step = 1e-30});
    integrator->start(1e6, Values{1, 0});
    double t = 1e6;
    int steps = 0;
    for (; t < 1e6 + 1 && steps < 1000; ++steps) t = integrator->step(1e6 + 1).t;
    EXPECT_EQ(t, 1e6 + 1) << name;
  }
}

TEST(OneStep, TakesTheFirstStepThatItIsGiven) {
  for (const char* name : one_step_methods) {
    const auto problem = make_problem(oscillator());
    const auto integrator = integrator_of(name, *problem, {.rtol = 1e-6, .first_step = 1e-3});
    integrator->start(0, Values{1, 0});
    EXPECT_EQ(integrator->step(1).t, 1e-3) << name;
  }
}

TEST(OneStep, NeverExceedsItsLargestStep) {
  for (const char* name : one_step_methods) {
    const auto problem = make_problem(oscillator());
    const auto integrator = integrator_of(name, *problem, {.rtol = 1e-2, .max_step = 0.0997});
    integrator->start(0, Values{1, 0});
    for (double t = 0; t < 1;) {
      const double before = t;
      t = integrator->step(1).t;
      EXPECT_LE(t - before, 0.0997 * (1 + 1e-9)) << name;  // no hundredth more
    }
  }
}

TEST(OneStep, TellsItsMonitorOfEveryAttempt) {
  const auto problem = make_problem({.size = 2, .rhs = [](double t, ConstView, MutableView f) {
                                       f[0] = std::exp(-1000 * (t - 1) * (t - 1));
                                       f[1] = 0;
                                     }});
  for (const auto& [name, order] : {std::pair{"dop853", 8}, {"dopri5", 5}}) {
    Recorder recorder;
    const auto integrator = integrator_of(name, *problem, {.rtol = 1e-9, .monitor = &recorder});
    integrator->start(0, Values{0, 0});
    double at = 0;
    while (at < 2) at = integrator->step(2).t;
    std::uint64_t accepted = 0, rejected = 0;
    double t = 0;
    for (const Recorder::Entry& entry : recorder.entries) {
      ASSERT_EQ(entry.errors.size(), 2u);
      EXPECT_EQ(entry.errors[1], 0) << name;
      // The norm is the root mean square of two components.
      const double norm = std::abs(entry.errors[0]) / std::sqrt(2);
      if (entry.why) {
        ++rejected;
        EXPECT_EQ(*entry.why, Rejection::error_test);
        EXPECT_EQ(entry.t, t) << name;
        EXPECT_GT(norm, 1) << name;
      } else {
        ++accepted;
        EXPECT_NEAR(entry.t - entry.h, t, 1e-15) << name;  // rounding errors of times up to 2
        EXPECT_EQ(entry.order, order);
        EXPECT_LE(norm, 1) << name;
        t = entry.t;
      }
    }
    EXPECT_EQ(accepted, integrator->statistics().steps) << name;
    EXPECT_EQ(rejected, integrator->statistics().error_test_failures) << name;
    EXPECT_GT(rejected, 0u) << name;
    EXPECT_EQ(t, 2);
  }
}

TEST(OneStep, WhatTheProblemThrowsReachesTheCaller) {
  const auto problem = make_problem({.size = 1, .rhs = [](double t, ConstView, MutableView f) {
                                       if (t > 0.5) throw std::out_of_range("half time");
                                       f[0] = 1;
                                     }});
  for (const char* name : one_step_methods) {
    const auto integrator = integrator_of(name, *problem, {.rtol = 1e-6});
    integrator->start(0, Values{0});
    EXPECT_THROW(for (double t = 0; t < 1;) t = integrator->step(1).t, std::out_of_range);
  }
}

}  // namespace
}  // namespace tutti::solvers
