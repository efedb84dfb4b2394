// SPDX-License-Identifier: BSD-2-Clause
// Step controllers on a system without FMUs, which counts what they ask for.
#include "master/counting_system.hpp"
#include "master/stepping/controllers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <tutti/error.hpp>

namespace tutti::master {
namespace {

using Attempt = SteppedSystem::Attempt;
using Failure = Attempt::Failure;
using Status = models::StepOutcome::Status;
using ::testing::HasSubstr;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// One value whose step is given by a formula; by default y' = -y by explicit Euler, as a coupling
/// with held inputs would have it.
class Scripted final : public CountingSystem {
 public:
  double y = 1;
  bool is_iterating = false, feeds_through = false;
  double shortest = infinity;  ///< step that was tried
  std::function<double(double t, double h, double y)> formula = [](double, double h, double y0) {
    return y0 - h * y0;
  };
  /// Something else than to reach t + h.
  std::function<std::optional<Attempt>(double t, double h)> script;

  Attempt attempt(double t, double h, const Checkpoint*, double excess) override {
    EXPECT_EQ(t, time) << "the system is elsewhere";
    EXPECT_GT(t + h, t);
    ++attempts;
    shortest = std::min(shortest, h);
    Attempt result{{Status::done, t + h}, Failure::none, t};
    if (script)
      if (const auto other = script(t, h)) result = *other;
    time = result.failure == Failure::none ? result.outcome.reached : not_a_number;
    if (result.failure == Failure::none) y = formula(t, time - t + excess, y);
    return result;
  }
  bool iterates() const override { return is_iterating; }
  bool has_feed_through() const override { return feeds_through; }

 private:
  std::vector<double> values() const override { return {y}; }
  void set_values(const std::vector<double>& values) override { y = values[0]; }
};

Attempt plain_to(double reached, Status status) { return {{status, reached}, Failure::none, 0}; }

ControlSettings settings_of(const std::string& name,
                            ControlVariant variant = ControlVariant::tutti) {
  ControlSettings settings;
  settings.name = name;
  settings.variant = variant;
  settings.min = 1e-5;
  settings.max = 0.1;
  return settings;
}

/// Steps from 0 to the stop time, as Simulation takes them.
struct Walk {
  std::vector<ControlledStep> steps;
  std::vector<double> times;
  ControlCounts counts;
};
Walk walk(Scripted& system, const ControlSettings& settings, double stop, double first = 0.01,
          double meets = infinity) {
  const auto controller = make_step_controller(settings, first);
  Walk walk;
  while (system.time < stop && walk.steps.size() < 100000) {
    const double limit = std::min(stop, system.time < meets ? meets : stop);
    walk.steps.push_back(controller->advance(system, system.time, limit));
    EXPECT_LE(controller->next_step(), *settings.max);
    EXPECT_GE(controller->next_step(), *settings.min);
    if (std::abs(system.time - limit) < 1e-12) system.time = limit;
    walk.times.push_back(system.time);
    if (walk.steps.back().outcome.status == Status::terminated) break;
  }
  walk.counts = controller->counts();
  return walk;
}
std::string refusal(Scripted& system, const ControlSettings& settings) {
  try {
    walk(system, settings, 1);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Not resolved: a jump at t = 0.5; and no convergence over t = 0.25 with steps above 0.002.
Scripted rough_system(bool iterates) {
  Scripted system;
  system.is_iterating = iterates;
  system.formula = [](double t, double h, double y) { return t < 0.5 && t + h >= 0.5 ? 1 : y; };
  system.y = 0;
  system.script = [](double t, double h) -> std::optional<Attempt> {
    if (t < 0.25 && t + h > 0.25 && h > 0.002) return Attempt{{}, Failure::not_converged, t};
    return {};
  };
  return system;
}

// A. Nicolai, MASTERSIM, 2018, algorithms 5 and 6: with N steps, C failures to converge and E of
// the error test, of which A are accepted at the smallest step, there are T = N + E - A tests.
TEST(MastersimVariants, FollowTheCountsOfTheirAlgorithm) {
  for (const auto variant : {ControlVariant::mastersim, ControlVariant::mastersim_2018})
    for (const bool iterates : {true, false}) {
      Scripted system = rough_system(iterates);
      ControlSettings settings = settings_of("richardson", variant);
      settings.at_min = OnLimit::go_on;
      const Walk walked = walk(system, settings, 1, 0.1);
      const auto n = static_cast<int>(walked.steps.size());
      const auto c = static_cast<int>(walked.counts.convergence_failures);
      const auto e = static_cast<int>(walked.counts.error_test_failures);
      const auto a = static_cast<int>(walked.counts.accepted_at_min);
      const int tests = n + e - a;
      EXPECT_GT(c, 0);
      EXPECT_GT(e, a);
      EXPECT_GT(a, 0);
      EXPECT_EQ(system.attempts, 3 * tests + c);
      EXPECT_EQ(system.saves, iterates ? n + 2 * tests : n);
      EXPECT_EQ(system.restores, c + tests + (e - a));
    }
}

TEST(Richardson, SavesOncePerStep) {
  for (const auto variant : {ControlVariant::tutti, ControlVariant::eas}) {
    Scripted system = rough_system(true);
    ControlSettings settings = settings_of("richardson", variant);
    settings.at_min = OnLimit::go_on;
    const Walk walked = walk(system, settings, 1, 0.1);
    EXPECT_EQ(system.saves, static_cast<int>(walked.steps.size()));
  }
}

// One Euler step of h and two of h/2 on y' = -y: y2 - y1 = (h/2)^2 y0, which is also e' = ym - (y0
// + y1)/2 = 0 at least; from it and the rule follow error and next step.
TEST(Richardson, EstimatesTheErrorAndChoosesTheNextStepAsWritten) {
  Scripted system;
  const double h = 0.02, w = 1e-4 * (1 - h + h * h / 4) + 1e-4, error = h * h / 4 / w;
  const auto controller = make_step_controller(settings_of("richardson"), h);
  const ControlledStep step = controller->advance(system, 0, 1);
  EXPECT_NEAR(step.error, error, 1e-12);  // rounding of y, over the tolerance
  EXPECT_DOUBLE_EQ(step.h, h);
  EXPECT_EQ(system.y, (1 - h / 2) * (1 - h / 2));  // the half steps are kept
  EXPECT_NEAR(controller->next_step(), h * 0.9 / std::sqrt(error), 1e-12);
}

TEST(EasVariant, CountsBothHalvesAndTakesTheOrderFromFeedThrough) {
  for (const bool feeds : {false, true}) {
    Scripted system;
    system.feeds_through = feeds;
    const double h = 0.005, w = 1e-4 * (1 - h) * (1 - h) + 1e-4, error = h * h / w;
    const auto controller = make_step_controller(settings_of("richardson", ControlVariant::eas), h);
    const ControlledStep step = controller->advance(system, 0, 1);
    EXPECT_EQ(step.steps, 2);
    EXPECT_DOUBLE_EQ(step.h, h);
    EXPECT_DOUBLE_EQ(step.outcome.reached, 2 * h);
    EXPECT_NEAR(step.error, error, 1e-12);
    const double factor = 0.85 / (feeds ? error : std::sqrt(error));
    EXPECT_NEAR(controller->next_step(), h * std::min(2.0, factor), 1e-12);
  }
}

TEST(Richardson, FactorsAreBoundedAndCanBeSet) {
  // Error 0: the step grows by `grow`. A jump: it shrinks by `shrink`.
  Scripted smooth;
  smooth.formula = [](double, double, double y) { return y; };
  ControlSettings settings = settings_of("richardson");
  settings.grow = 3;
  settings.shrink = 0.5;
  auto controller = make_step_controller(settings, 0.01);
  controller->advance(smooth, 0, 1);
  EXPECT_DOUBLE_EQ(controller->next_step(), 0.03);

  Scripted jumps;
  jumps.formula = [](double t, double h, double) { return t + h > 0.015 ? 1e9 : 1; };
  controller = make_step_controller(settings, 0.02);
  EXPECT_DOUBLE_EQ(controller->advance(jumps, 0, 1).h, 0.01);  // half of the first
}

TEST(Richardson, StopsAtTheSmallestStepOrGoesOn) {
  Scripted system = rough_system(false);
  ControlSettings settings = settings_of("richardson");
  EXPECT_THAT(refusal(system, settings), HasSubstr("the minimum, is"));
  EXPECT_GE(system.shortest, 1e-5 / 2);  // half of it

  settings.at_min = OnLimit::go_on;
  Scripted other = rough_system(false);
  const Walk walked = walk(other, settings, 1);
  EXPECT_EQ(other.time, 1);
  EXPECT_GT(walked.counts.accepted_at_min, 0u);
  for (const ControlledStep& step : walked.steps)
    EXPECT_TRUE(step.error <= 1 || step.h <= 1.001e-5) << step.h;  // times are rounded
}

// The error of a step is h^2/4 y over the tolerance, so steps are as the root of the tolerance, and
// so is the error at the end, which is of order h.
TEST(Richardson, AQuarterOfTheToleranceHalvesStepsAndError) {
  for (const auto variant :
       {ControlVariant::tutti, ControlVariant::eas, ControlVariant::mastersim}) {
    const auto steps_and_error = [&](double tolerance) {
      Scripted system;
      ControlSettings settings = settings_of("richardson", variant);
      settings.atol = settings.rtol = tolerance;
      const Walk walked = walk(system, settings, 2, 1e-4);
      return std::pair(static_cast<double>(walked.steps.size()), std::abs(system.y - std::exp(-2)));
    };
    const auto [n1, e1] = steps_and_error(1e-6);
    const auto [n2, e2] = steps_and_error(1e-6 / 4);
    EXPECT_NEAR(n2 / n1, 2, 0.1);  // 0.1: the first steps, which only double
    EXPECT_NEAR(e1 / e2, 2, 0.1);
  }
}

// y = sin(20 t) at the end of each step, whatever the step is: y2 = y1.
TEST(Richardson, SeesOutputsOfTimeOnlyByTheSlopeTest) {
  const auto steps = [](std::optional<ErrorEstimator> estimator) {
    Scripted system;
    system.formula = [](double t, double h, double) { return std::sin(20 * (t + h)); };
    system.y = 0;
    ControlSettings settings = settings_of("richardson");
    settings.estimator = estimator;
    return walk(system, settings, 1).steps.size();
  };
  EXPECT_LT(steps(ErrorEstimator::classic), 20u);  // blind: the largest step, ten times
  // ym - (y0 + y1)/2 = h^2/8 20^2 |y| <= 1e-4 (1 + |y|) asks for steps below 2e-3.
  EXPECT_GT(steps({}), 400u);
  EXPECT_GT(steps(ErrorEstimator::linear), 400u);
  EXPECT_GT(steps(ErrorEstimator::extended), 400u);
}

class EveryControl : public ::testing::TestWithParam<std::pair<std::string, ControlVariant>> {
 protected:
  ControlSettings settings() const { return settings_of(GetParam().first, GetParam().second); }
};
INSTANTIATE_TEST_SUITE_P(Master, EveryControl,
                         ::testing::Values(std::pair("convergence", ControlVariant::tutti),
                                           std::pair("convergence", ControlVariant::mastersim),
                                           std::pair("richardson", ControlVariant::tutti),
                                           std::pair("richardson", ControlVariant::eas),
                                           std::pair("richardson", ControlVariant::mastersim),
                                           std::pair("richardson", ControlVariant::mastersim_2018),
                                           std::pair("richardson", ControlVariant::pyfmi),
                                           std::pair("richardson", ControlVariant::textbook),
                                           std::pair("predictor", ControlVariant::tutti)));

TEST_P(EveryControl, MeetsItsLimitsExactly) {
  Scripted system;
  const Walk walked = walk(system, settings(), 1, 0.01, 0.3217);
  EXPECT_THAT(walked.times, ::testing::Contains(0.3217));
  EXPECT_EQ(walked.times.back(), 1);
}

/// Nothing changes: every step is exact.
Scripted still_system() {
  Scripted system;
  system.formula = [](double, double, double y) { return y; };
  return system;
}

// What remains to a limit is shared with the step before it; other masters take what remains.
TEST_P(EveryControl, TakesNoTinyStepToALimit) {
  if (GetParam().second != ControlVariant::tutti) return;
  Scripted system = still_system();
  for (const ControlledStep& step : walk(system, settings(), 1.0001, 0.1).steps)
    EXPECT_GT(step.h, 0.05);
}

TEST_P(EveryControl, GoesOnWithTheLastStepAfterAShortOneToALimit) {
  Scripted system = still_system();
  const auto controller = make_step_controller(settings(), 0.05);
  controller->advance(system, 0, 1e-3);
  const bool mastersim =
      GetParam().first == "richardson" && (GetParam().second == ControlVariant::mastersim ||
                                           GetParam().second == ControlVariant::mastersim_2018);
  EXPECT_DOUBLE_EQ(controller->next_step(), mastersim ? 2e-3 : 0.05);
}

TEST_P(EveryControl, RepeatsAStepThatAComponentCutToWhereItEnded) {
  Scripted system;
  system.script = [](double t, double h) -> std::optional<Attempt> {
    if (t < 0.2 && t + h > 0.2 + 1e-12) return Attempt{{}, Failure::cut, 0.2};
    return {};
  };
  const Walk walked = walk(system, settings(), 1, 0.03);
  EXPECT_EQ(walked.times.back(), 1);
  EXPECT_THAT(walked.times, ::testing::Contains(::testing::DoubleNear(0.2, 1e-12)));
}

// A component that always ends a little before: the steps shrink, and the run ends.
TEST_P(EveryControl, GivesUpWhereStepsAreCutForEver) {
  Scripted system;
  system.script = [](double t, double h) { return Attempt{{}, Failure::cut, t + 0.999 * h}; };
  EXPECT_THAT(refusal(system, settings()), HasSubstr(" s fails, and the next"));
}

TEST_P(EveryControl, GivesUpWhereNothingConverges) {
  Scripted system;
  system.script = [](double t, double) { return Attempt{{}, Failure::not_converged, t}; };
  EXPECT_THAT(refusal(system, settings()), HasSubstr(" s fails, and the next"));
  EXPECT_LT(system.attempts, 20);
}

TEST_P(EveryControl, EndsWhereAComponentAsksForIt) {
  for (const bool cuts : {true, false}) {
    Scripted system;
    system.script = [&](double t, double h) -> std::optional<Attempt> {
      if (t + h <= 0.2 + 1e-12) return {};
      if (cuts || t < 0.2 - 1e-12) return Attempt{{}, Failure::cut, std::max(t, 0.2), true};
      return plain_to(t + h, Status::terminated);
    };
    const Walk walked = walk(system, settings(), 1, 0.03);
    EXPECT_EQ(walked.steps.back().outcome.status, Status::terminated);
    if (cuts) {
      EXPECT_NEAR(system.time, 0.2, 1e-12);
      EXPECT_EQ(walked.steps.back().steps, 0u);
    }
  }
}

/// An event at 0.37 ends whatever leads beyond.
std::optional<Attempt> event_at_037(double t, double h) {
  if (t < 0.37 && t + h >= 0.37) return plain_to(0.37, Status::event);
  return {};
}

TEST_P(EveryControl, StopsAtAnEventThatEndsTheStep) {
  Scripted system;
  system.script = event_at_037;
  const Walk walked = walk(system, settings(), 1, 0.03);
  int events = 0;
  for (const ControlledStep& step : walked.steps)
    if (step.outcome.status == Status::event) {
      ++events;
      EXPECT_DOUBLE_EQ(step.outcome.reached, 0.37);
    }
  EXPECT_EQ(events, 1);
  EXPECT_EQ(walked.times.back(), 1);
}

TEST(Richardson, TestsAlsoAStepThatAnEventEnds) {
  Scripted system;  // without an event the first step would be rejected: (h/2)^2 > 2e-4
  system.script = event_at_037;
  ControlSettings settings = settings_of("richardson");
  settings.max = 0.5;
  const Walk walked = walk(system, settings, 1, 0.5);
  EXPECT_LT(walked.times.front(), 0.1);
  for (const ControlledStep& step : walked.steps) EXPECT_LE(step.error, 1);
}

// Something that every step ends with, however short: an event within the smallest step is taken.
TEST_P(EveryControl, GoesOnWhereEveryStepEndsWithAnEvent) {
  Scripted system;
  system.script = [](double t, double h) { return plain_to(t + h, Status::event); };
  ControlSettings coarse = settings();
  coarse.min = 1e-3;
  coarse.atol = 1e-2;
  walk(system, coarse, 1, 0.01);
  EXPECT_EQ(system.time, 1);
}

TEST_P(EveryControl, EndsWithAnErrorOrGoesOnWhereValuesAreNotNumbers) {
  for (const double bad : {not_a_number, infinity})
    for (const OnLimit at_min : {OnLimit::stop, OnLimit::go_on}) {
      Scripted system;
      system.formula = [bad](double t, double h, double y) { return t + h > 0.1 ? bad : y; };
      ControlSettings chosen = settings();
      chosen.min = 1e-3;
      chosen.at_min = at_min;
      const std::string what = refusal(system, chosen);
      if (GetParam().first != "convergence" && at_min == OnLimit::stop)
        EXPECT_THAT(what, HasSubstr("not finite (NaN or infinity)"));
      else
        EXPECT_EQ(system.time, 1);  // whoever walks looks at the numbers
    }
}

// A value that is 0 has no relative tolerance.
TEST(Richardson, TakesExactZerosWithoutAbsoluteTolerance) {
  Scripted system;
  system.y = 0;
  ControlSettings settings = settings_of("richardson");
  settings.atol = 0;
  EXPECT_LT(walk(system, settings, 1).steps.size(), 30u);
}

TEST(Convergence, DoublesAfterSuccessAndTakesAFifthAfterFailure) {
  Scripted system = rough_system(true);
  const auto controller = make_step_controller(settings_of("convergence"), 0.012);
  double t = 0;
  std::vector<double> sizes;
  while (t < 0.3) {
    sizes.push_back(controller->advance(system, t, 1).h);
    t = system.time;
  }
  // 0.012 to 0.096 lead to 0.18; 0.1 leads beyond 0.25, where nothing above 0.002 converges.
  ASSERT_GT(sizes.size(), 5u);
  EXPECT_DOUBLE_EQ(sizes[1], 0.024);
  EXPECT_DOUBLE_EQ(sizes[3], 0.096);
  EXPECT_DOUBLE_EQ(sizes[4], 0.02);
  EXPECT_DOUBLE_EQ(sizes[5], 0.04);
  EXPECT_GT(controller->counts().convergence_failures, 1u);
}

TEST(Convergence, TriesTheSmallestStepBeforeItGivesUp) {
  Scripted system;
  system.script = [](double t, double h) -> std::optional<Attempt> {
    if (h > 1e-3) return Attempt{{}, Failure::not_converged, t};
    return {};
  };
  ControlSettings settings = settings_of("convergence");
  settings.min = 1e-3;
  const auto controller = make_step_controller(settings, 4e-3);
  EXPECT_DOUBLE_EQ(controller->advance(system, 0, 1).h, 1e-3);

  Scripted again;
  again.script = system.script;
  settings.variant = ControlVariant::mastersim;  // a fifth would be less
  EXPECT_THAT(refusal(again, settings), HasSubstr(" s fails, and the next"));
}

TEST(AddedUpSteps, DriftAsTheirSumDoes) {
  Scripted system;
  ControlSettings settings = settings_of("fixed");
  settings.clock = TimeStepping::accumulate;
  const auto controller = make_step_controller(settings, 0.1);
  for (int n = 0; n < 100; ++n) controller->advance(system, system.time, infinity);
  EXPECT_EQ(system.time, 9.99999999999998);
}

TEST(AddedUpSteps, AreNotRepeated) {
  Scripted system;
  system.script = [](double, double) { return Attempt{{}, Failure::cut, 0.05}; };
  ControlSettings settings = settings_of("fixed");
  settings.clock = TimeStepping::accumulate;
  EXPECT_THAT(refusal(system, settings), HasSubstr("ended its step at t = 0.05 s"));
}

}  // namespace
}  // namespace tutti::master
