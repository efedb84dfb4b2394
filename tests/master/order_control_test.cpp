// SPDX-License-Identifier: BSD-2-Clause
// Step controls that know the order of the inputs: PyFMI's, which does not, the textbook's, ours
// and the predictor, on systems without FMUs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <tutti/error.hpp>

#include "master/counting_system.hpp"
#include "master/stepping/controllers.hpp"
#include "master/stepping/prediction.hpp"

namespace tutti::master {
namespace {

using Status = models::StepOutcome::Status;
using ::testing::HasSubstr;

/// Values that step by a formula.
class Formula final : public CountingSystem {
 public:
  using Step = std::function<std::vector<double>(double t, double h, std::vector<double> y)>;
  explicit Formula(std::vector<double> y0, Step step) : y(std::move(y0)), step_(std::move(step)) {}

  std::vector<double> y;

  Attempt attempt(double t, double h, const Checkpoint*, double) override {
    EXPECT_EQ(t, time) << "the system is elsewhere";
    ++attempts;
    y = step_(t, h, y);
    time = t + h;
    return {{Status::done, t + h}, Attempt::Failure::none, t};
  }

 private:
  std::vector<double> values() const override { return y; }
  void set_values(const std::vector<double>& values) override { y = values; }

  Step step_;
};

/// Values that are functions of the time.
Formula signal(const std::function<double(double)>& f, InputModel model = {}) {
  Formula system({f(0)}, [f](double t, double h, const auto&) { return std::vector{f(t + h)}; });
  system.input_models = {model};
  system.order = model.order;
  return system;
}

ControlSettings order_settings(const std::string& name,
                               ControlVariant variant = ControlVariant::tutti) {
  ControlSettings settings;
  settings.name = name;
  settings.variant = variant;
  settings.min = 1e-9;
  settings.max = 1;
  return settings;
}

/// y' = -y by a Taylor polynomial of degree q + 1, as inputs of order q would have it: the error of
/// a step is y h^(q + 2)/(q + 2)!
Formula decay(std::uint32_t q) {
  Formula system({1}, [q](double, double h, const auto& y) {
    double factor = 0, term = 1;
    for (std::uint32_t k = 0; k <= q + 1; term *= -h / ++k) factor += term;
    return std::vector{factor * y[0]};
  });
  system.order = q;
  return system;
}

// The equations of PyFMI 2.x: E = sqrt(mean(|y2 - y1|/w)), H E^(-1/2), whatever the order is.
TEST(PyfmiVariant, NeitherSquaresNorKnowsTheOrder) {
  for (const std::uint32_t q : {0u, 1u, 2u}) {
    const double h = 0.02;
    Formula whole = decay(q), halves = decay(q);
    whole.attempt(0, h, nullptr, 0);
    halves.attempt(0, h / 2, nullptr, 0);
    halves.attempt(h / 2, h / 2, nullptr, 0);
    const double w = 1e-4 + 1e-4 * halves.y[0];
    const double error = std::sqrt(std::abs(halves.y[0] - whole.y[0]) / w);
    Formula system = decay(q);
    const auto controller =
        make_step_controller(order_settings("richardson", ControlVariant::pyfmi), h);
    const ControlledStep step = controller->advance(system, 0, 1);
    EXPECT_DOUBLE_EQ(step.error, error);
    EXPECT_EQ(step.steps, 1u);
    EXPECT_EQ(system.attempts, 3);
    EXPECT_EQ(system.y, halves.y);  // no local extrapolation
    EXPECT_DOUBLE_EQ(controller->next_step(), h * std::min(6.0, 0.9 / std::sqrt(error)));
  }
}

// y2 - y1 = (h/2)^2 for y' = -y and y = 1, over w = 1e-4 (1 + y2): E = 1.1 at m = 1.21.
TEST(PyfmiVariant, AcceptsBelowElevenTenths) {
  const auto first_step = [](double m) {
    const double w = 2e-4;  // y2 is nearly 1: below 2 %
    const double h = 2 * std::sqrt(m * w);
    Formula system = decay(0);
    return make_step_controller(order_settings("richardson", ControlVariant::pyfmi), h)
               ->advance(system, 0, 1)
               .h == h;
  };
  EXPECT_TRUE(first_step(1.21 * 0.97));  // 3 %: y2 is below 1
  EXPECT_FALSE(first_step(1.21 * 1.001));
}

// Without an error the step grows to six times.
TEST(PyfmiVariant, GrowsSixfoldAndMeetsTheEnd) {
  Formula system = signal([](double) { return 1; });
  const auto controller =
      make_step_controller(order_settings("richardson", ControlVariant::pyfmi), 0.01);
  controller->advance(system, 0, 1);
  EXPECT_DOUBLE_EQ(controller->next_step(), 0.06);
  controller->advance(system, 0.01, 0.05);
  EXPECT_DOUBLE_EQ(system.time, 0.05);
}

// The error of the halves is y h^(q + 2)/(q + 2)! / 2^(q + 1) to leading order, and h^(q + 2) is
// what the next step follows from.
TEST(TextbookVariant, EstimatesTheErrorOfTheHalves) {
  for (const std::uint32_t q : {0u, 1u, 2u}) {
    const double h = 0.05;
    ControlSettings settings = order_settings("richardson", ControlVariant::textbook);
    settings.rtol = 0;
    settings.atol = 1e-2;
    Formula system = decay(q);
    const auto controller = make_step_controller(settings, h);
    const double error = controller->advance(system, 0, 10).error * settings.atol;
    const double truth = std::abs(system.y[0] - std::exp(-h));
    EXPECT_NEAR(error / truth, 1, 0.06);  // 0.06: terms of the next order, h
    const double factor = 0.9 * std::pow(error / settings.atol, -1.0 / (q + 2));
    EXPECT_NEAR(controller->next_step(), h * std::min(6.0, factor), 1e-12);
  }
}

// Steps are as tolerance^(1/(q + 2)): with a 16th of it half as long for q = 2.
TEST(Richardson, StepsFollowTheOrderOfTheInputs) {
  for (const auto variant : {ControlVariant::tutti, ControlVariant::textbook})
    for (const std::uint32_t q : {0u, 1u, 2u}) {
      const auto steps = [&](double tolerance) {
        Formula system = decay(q);
        ControlSettings settings = order_settings("richardson", variant);
        settings.atol = tolerance;
        settings.rtol = 0;
        const auto controller = make_step_controller(settings, 1e-3);
        int n = 0;
        for (; system.time < 2; ++n) controller->advance(system, system.time, 2);
        return n;
      };
      const double power = q + 2;
      const double ratio = steps(1e-8 / std::pow(4, power)) / static_cast<double>(steps(1e-8));
      EXPECT_NEAR(ratio, 4, 0.5) << q;  // 0.5: the first steps, which only grow by limits
    }
}

// Outputs of the time only: the bend is seen with the order of the inputs, so that a parabola is
// nothing new for linear inputs, but a cubic is.
TEST(Richardson, SeesWhatIsBeyondTheOrderOfTheInputs) {
  const auto last_error = [](std::uint32_t q, int power) {
    Formula system =
        signal([power](double t) { return std::pow(t, power); }, {q, InputModel::Basis::points});
    ControlSettings settings = order_settings("richardson");
    settings.atol = 1;
    settings.grow = 1;
    const auto controller = make_step_controller(settings, 0.1);
    double error = 0;
    while (system.time < 0.95) error = controller->advance(system, system.time, 1).error;
    return error;
  };
  const double rounding = 1e-12;
  EXPECT_GT(last_error(0, 2), 1e-3);
  EXPECT_LT(last_error(1, 2), rounding);
  EXPECT_GT(last_error(1, 3), 1e-4);
  EXPECT_LT(last_error(2, 3), rounding);
}

/// Mean over [0, h] by the midpoint rule, or the value at h.
double mean_of(const std::function<double(double)>& f, double h) {
  constexpr int parts = 1000;
  double sum = 0;
  for (int k = 0; k < parts; ++k) sum += std::abs(f((k + 0.5) * h / parts));
  return sum / parts;
}

// d = u^(q + 1)/(q + 1)! of a power is 1, so the error is that of the polynomial itself.
TEST(Prediction, IsTheMeanErrorOfTheInput) {
  using Basis = InputModel::Basis;
  struct Case {
    InputModel model;
    double (*error)(double s, double h, double a, double b);
  };
  const Case cases[] = {
      {{0, Basis::points}, [](double s, double, double, double) { return s; }},
      {{1, Basis::points}, [](double s, double, double a, double) { return s * (s + a); }},
      {{2, Basis::points},
       [](double s, double, double a, double b) { return s * (s + a) * (s + b); }},
      {{1, Basis::derivatives}, [](double s, double, double, double) { return s * s; }},
      {{2, Basis::derivatives}, [](double s, double, double, double) { return s * s * s; }},
      {{2, Basis::slopes},
       [](double s, double, double a, double) { return s * s * (s + 1.5 * a); }},
      {{0, Basis::end}, [](double s, double h, double, double) { return h - s; }},
      {{1, Basis::end}, [](double s, double h, double, double) { return s * (h - s); }},
      {{2, Basis::end}, [](double s, double h, double a, double) { return (s + a) * s * (h - s); }},
  };
  for (const auto& [model, error] : cases) {
    const double h = 0.3, a = 0.2, b = 0.25;
    const auto at = [&, error = error](double s) { return error(s, h, a, b); };
    EXPECT_NEAR(node_polynomial(model, h, a, b), mean_of(at, h), 1e-6);  // of the midpoint rule
    InputModel through = model;
    through.feeds_through = true;
    if (model.basis == Basis::end) continue;
    EXPECT_NEAR(node_polynomial(through, h, a, b), at(h), 1e-12);  // rounding
  }
}

// A cubic has d = 1 for quadratic inputs, at any distances of the points.
TEST(Prediction, TakesDividedDifferencesOfUnevenSteps) {
  const InputModel model{2, InputModel::Basis::points};
  Formula system = signal([](double t) { return t * t * t; }, model);
  Prediction prediction(1, 0);
  double t = 0;
  for (const double h : {0.1, 0.4, 0.2}) {
    prediction.begin(system, t);
    system.attempt(t, h, nullptr, 0);
    const double error = prediction.error(system, h);
    if (h == 0.2) {
      EXPECT_NEAR(error, node_polynomial(model, h, 0.4, 0.5), 1e-14);  // rounding
      EXPECT_EQ(prediction.power(), 3);
    }
    t += h;
  }
}

TEST(Predictor, TakesOnePassAStepAndSavesOnce) {
  Formula system = signal([](double t) { return std::sin(t); }, {1, InputModel::Basis::points});
  const auto controller = make_step_controller(order_settings("predictor"), 1e-3);
  int steps = 0;
  for (; system.time < 10; ++steps) controller->advance(system, system.time, 10);
  const auto failed = static_cast<int>(controller->counts().error_test_failures);
  EXPECT_EQ(system.attempts, steps + failed);
  EXPECT_EQ(system.saves, steps);
  EXPECT_EQ(system.restores, failed);
}

// Errors are as h^(q + 1), so steps are as tolerance^(1/(q + 1)).
TEST(Predictor, StepsFollowTheOrderOfTheInputs) {
  for (const std::uint32_t q : {0u, 1u, 2u}) {
    const auto steps = [q](double tolerance) {
      Formula system = signal([](double t) { return std::exp(t); }, {q, InputModel::Basis::points});
      ControlSettings settings = order_settings("predictor");
      settings.atol = 0;
      settings.rtol = tolerance;
      const auto controller = make_step_controller(settings, 1e-4);
      int n = 0;
      for (; system.time < 3; ++n) controller->advance(system, system.time, 3);
      return static_cast<double>(n);
    };
    const double tolerance = 1e-4;
    const double few = steps(tolerance), many = steps(tolerance / std::pow(4, q + 1));
    EXPECT_NEAR(many / few, 4, 0.6) << q;  // 0.6: the first steps, of order 0
  }
}

// exp: the error of each step is the same part of the value, so the controller settles where it is
// 0.9^k, the safety. Over a step the PI rule may not swing.
TEST(Predictor, SettlesWhereTheErrorIsTheSafetysShare) {
  Formula system = signal([](double t) { return std::exp(t); }, {1, InputModel::Basis::points});
  ControlSettings settings = order_settings("predictor");
  settings.atol = 0;
  const auto controller = make_step_controller(settings, 1e-3);
  double error = 0;
  while (system.time < 3) error = controller->advance(system, system.time, 100).error;
  // h = 0.9 h err^(-0.3/k) with k = 2.
  EXPECT_NEAR(error, std::pow(0.9, 2 / 0.3), 0.02);
}

TEST(Predictor, RejectsOnlyWhatCanBeTakenBack) {
  const auto kink = [](double t) { return t < 0.5 ? 0 : t - 0.5; };
  for (const bool goes_back : {true, false}) {
    Formula system = signal(kink, {1, InputModel::Basis::points});
    system.goes_back = goes_back;
    const auto controller = make_step_controller(order_settings("predictor"), 0.01);
    double worst = 0;
    int steps = 0;
    for (; system.time < 1; ++steps)
      worst = std::max(worst, controller->advance(system, system.time, 1).error);
    const ControlCounts& counts = controller->counts();
    EXPECT_GT(counts.error_test_failures, 0u);
    EXPECT_EQ(goes_back, system.saves > 0);
    if (goes_back) {
      EXPECT_LE(worst, 1);
      EXPECT_EQ(counts.accepted_without_rollback, 0u);
    } else {
      EXPECT_EQ(system.attempts, steps);
      EXPECT_EQ(counts.accepted_without_rollback, counts.error_test_failures);
      EXPECT_EQ(counts.worst_without_rollback, worst);
    }
  }
}

// An event may change everything; the values before it predict nothing.
TEST(Predictor, ForgetsThePastAtAnEvent) {
  const auto jump = [](double t) { return t < 0.5 ? 0 : 1000 + t; };
  for (const bool told : {true, false}) {
    Formula system = signal(jump, {1, InputModel::Basis::points});
    ControlSettings settings = order_settings("predictor");
    settings.max = 0.1;
    settings.rtol = 1e-3;
    const auto controller = make_step_controller(settings, 0.1);
    while (system.time < 0.5 - 1e-9) controller->advance(system, system.time, 0.5 - 1e-9);
    system.time = 0.5;
    system.y = {jump(0.5)};
    if (told) controller->forget();
    controller->advance(system, 0.5, 1);
    EXPECT_EQ(controller->counts().error_test_failures == 0, told);
  }
}

}  // namespace
}  // namespace tutti::master
