// SPDX-License-Identifier: BSD-2-Clause
#include "slaves.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

using namespace fmukit_test;

namespace {

/// |x - exp(-1)| at t = 1 after n steps of Dahlquist's equation with k = 1.
double dahlquist_error(int n) {
  Slave2 s("Dahlquist");
  s.initialize();
  for (int i = 0; i < n; ++i) s.step(double(i) / n, 1.0 / n);
  return std::abs(s.get("x") - std::exp(-1));
}

// The classical Runge-Kutta method has order 4: halving h divides the error by 16.
TEST(Integrator, IsOfFourthOrder) {
  const double order = std::log2(dahlquist_error(10) / dahlquist_error(20));
  EXPECT_NEAR(order, 4.0, 0.15);  // 0.15: the next term of the error at h = 1/10
}

// One step of RK4 on x' = -x multiplies by the Taylor polynomial of exp(-h) of degree 4.
TEST(Integrator, TakesOneStepPerCommunicationStepUnlessToldOtherwise) {
  const double h = 0.1, factor = 1 - h + h * h / 2 - h * h * h / 6 + h * h * h * h / 24;
  Slave1 one("Dahlquist");
  Slave2 two("Dahlquist");
  Slave3 three("Dahlquist");
  one.initialize(), two.initialize(), three.initialize();
  EXPECT_EQ(one.step(0, h), f1::ok);
  EXPECT_EQ(two.step(0, h), f2::ok);
  EXPECT_EQ(three.step(0, h).status, f3::ok);
  EXPECT_NEAR(one.get("x"), factor, 1e-15);  // rounding
  EXPECT_EQ(two.get("x"), one.get("x"));
  EXPECT_EQ(three.get("x"), one.get("x"));
}

// Free fall: h = 1 + g t^2 / 2 reaches the ground at sqrt(2 / 9.81) with v = g t; then v <- -e v.
// RK4 is exact for parabolas, so only the location of the event and rounding are left.
TEST(Integrator, LocatesStateEventsInsideItsSteps) {
  Slave2 s("BouncingBall");
  s.initialize();
  for (int i = 0; i < 50; ++i) ASSERT_EQ(s.step(i * 0.01, 0.01), f2::ok);
  const double bounce = std::sqrt(2 / 9.81), t = 0.5 - bounce, v = 0.7 * 9.81 * bounce;
  EXPECT_NEAR(s.get("h"), v * t - 9.81 / 2 * t * t, 1e-12);  // event time to some 1e-15
  EXPECT_NEAR(s.get("v"), v - 9.81 * t, 1e-12);
}

// The times between bounces shrink by e; when the speed falls below 0.1 the ball rests.
TEST(Integrator, BringsTheBallToRest) {
  Slave3 s("BouncingBall");
  s.initialize();
  for (int i = 0; i < 300; ++i) ASSERT_EQ(s.step(i * 0.01, 0.01).status, f3::ok);
  EXPECT_EQ(s.get("v"), 0);
  EXPECT_NEAR(s.get("h"), 0, 1e-12);
  EXPECT_TRUE(s.get<bool>("Boolean", "at_rest", 1).at(0));
}

TEST(Integrator, HitsTimeEventsExactly) {
  Slave2 s("Stair");
  s.initialize();
  EXPECT_EQ(s.step(0, 0.9), f2::ok);
  EXPECT_EQ(s.get_integer("counter"), 1);
  EXPECT_EQ(s.step(0.9, 1.6), f2::ok);  // events at 1 and 2
  EXPECT_EQ(s.get_integer("counter"), 3);
  ASSERT_GE(s.messages.size(), 2u);
  EXPECT_EQ(s.messages[0].text, "step 2 at t = 1");
  EXPECT_EQ(s.messages[1].category, "logEvents");
}

// 5 s in steps of 0.25 s: x = 1 is reached after 4 steps, and again every 4 steps.
TEST(Integrator, RunsStepEvents) {
  Slave2 s("Saw");
  s.initialize();
  for (int i = 0; i < 20; ++i) ASSERT_EQ(s.step(i * 0.25, 0.25), f2::ok);
  EXPECT_EQ(s.get_integer("jumps"), 5);
  EXPECT_EQ(s.get("x"), 0);
}

// x' = u with u = 1 + 2 t + 3 t^2 over one step of 0.5: x = t + t^2 + t^3, exact for RK4.
TEST(Integrator, TakesInputsAsPolynomials) {
  Slave1 one("Integrator");
  Slave2 two("Integrator");
  one.initialize(), two.initialize();
  const unsigned reference[] = {two.fmu.reference("u"), two.fmu.reference("u")};
  const int order[] = {1, 2};
  const double derivative[] = {2, 6};
  one.set("u", 1), two.set("u", 1);
  EXPECT_EQ(one.call<f1::SetRealInputDerivatives>("SetRealInputDerivatives")(one.c, reference, 2,
                                                                             order, derivative),
            f1::ok);
  EXPECT_EQ(two.call<f2::SetRealInputDerivatives>("SetRealInputDerivatives")(two.c, reference, 2,
                                                                             order, derivative),
            f2::ok);
  one.step(0, 0.5), two.step(0, 0.5);
  EXPECT_NEAR(two.get("x"), 0.5 + 0.25 + 0.125, 1e-15);  // rounding
  EXPECT_NEAR(two.get("u"), 1 + 1 + 0.75, 1e-15);        // the value at the end
  EXPECT_EQ(one.get("x"), two.get("x"));
  // The next step has no derivatives any more.
  two.set("u", 1);
  two.step(0.5, 0.5);
  EXPECT_NEAR(two.get("x"), 0.875 + 0.5, 1e-15);
}

// y = 2 x + 3 u, so y' = 2 u + 3 u'; u = 1 + 4 t ends at 3 with slope 4: y' = 6 + 12.
TEST(Integrator, TellsDerivativesOfOutputs) {
  Slave2 s("Integrator");
  s.initialize();
  const unsigned u = s.fmu.reference("u"), y = s.fmu.reference("y"), x = s.fmu.reference("x");
  const int first = 1;
  const double slope = 4;
  s.set("u", 1);
  s.call<f2::SetRealInputDerivatives>("SetRealInputDerivatives")(s.c, &u, 1, &first, &slope);
  s.step(0, 0.5);
  double rate = 0;
  const auto derivative = s.call<f2::GetRealOutputDerivatives>("GetRealOutputDerivatives");
  EXPECT_EQ(derivative(s.c, &y, 1, &first, &rate), f2::ok);
  EXPECT_NEAR(rate, 18, 1e-12);  // exact for a parabola, but for rounding over an eighth
  EXPECT_EQ(derivative(s.c, &x, 1, &first, &rate), f2::ok);
  EXPECT_EQ(rate, 3);  // a state: its derivative, exactly
}

// u = 1 + 2 t + 3 t^2 inside a step of 0.5 s; then, with a = v' = -100 sin x + u,
//   y'  = v^2 + x a + 2 u u' - 3 sin(3 t),
//   y'' = 3 v a + x a' + 2 u'^2 + 2 u u'' - 9 cos(3 t), a' = -100 v cos x + u'.
class SwingAtTheEnd {
 public:
  template <class Slave>
  explicit SwingAtTheEnd(Slave& s) : x_(s.get("x")), v_(s.get("v")) {}
  double first() const { return v_ * v_ + x_ * a() + 2 * u * du - 3 * std::sin(3 * t); }
  double second() const {
    const double da = -100 * v_ * std::cos(x_) + du;
    return 3 * v_ * a() + x_ * da + 2 * du * du + 2 * u * ddu - 9 * std::cos(3 * t);
  }
  double a() const { return -100 * std::sin(x_) + u; }
  static constexpr double t = 0.5, u = 2.75, du = 5, ddu = 6;

 private:
  double x_, v_;
};

/// y', y'', x', x'' that the FMU tells.
template <class Function, class Slave, class... More>
std::array<double, 4> rates(Slave& s, const char* function, More... more) {
  const unsigned y = s.fmu.reference("y"), x = s.fmu.reference("x");
  const unsigned references[] = {y, y, x, x};
  const int orders[] = {1, 2, 1, 2};
  std::array<double, 4> values{};
  EXPECT_EQ(s.template call<Function>(function)(s.c, references, 4, orders, values.data(), more...),
            0);
  return values;
}

template <class Slave>
void expect_rates(Slave& s, const std::array<double, 4>& found) {
  const SwingAtTheEnd right(s);
  const double fine = 1e-7;  // differences of order 4, 80 to the radian: 1e-8
  EXPECT_NEAR(found[0], right.first(), fine * std::abs(right.first()));
  EXPECT_NEAR(found[1], right.second(), fine * std::abs(right.second()));
  EXPECT_EQ(found[2], s.get("v"));
  EXPECT_NEAR(found[3], right.a(), fine * std::abs(right.a()));
}

template <class Set, class Slave>
void push(Slave& s) {
  const unsigned references[] = {s.fmu.reference("u"), s.fmu.reference("u")};
  const int orders[] = {1, 2};
  const double values[] = {2, 6};
  s.set("u", 1);
  EXPECT_EQ(s.template call<Set>("SetRealInputDerivatives")(s.c, references, 2, orders, values), 0);
  s.step(0, 0.5);
}

TEST(Integrator, TellsSecondDerivativesOfOutputsWhereInputsAreCurved) {
  Slave1 one("Swing");
  Slave2 two("Swing");
  one.initialize(), two.initialize();
  push<f1::SetRealInputDerivatives>(one), push<f2::SetRealInputDerivatives>(two);
  expect_rates(one, rates<f1::GetRealOutputDerivatives>(one, "GetRealOutputDerivatives"));
  expect_rates(two, rates<f2::GetRealOutputDerivatives>(two, "GetRealOutputDerivatives"));

  Slave3* self = nullptr;
  Slave3 three("Swing", {.intermediate =
                             [&](double t, bool sets, bool) {
                               if (sets) self->set("u", 1 + 2 * t + 3 * t * t);
                               return std::numeric_limits<double>::infinity();
                             },
                         .intermediate_input = "u"});
  self = &three;
  three.initialize();
  three.set("u", 1);
  three.step(0, 0.5);
  EXPECT_NEAR(three.get("y"), two.get("y"), 1e-12);  // the same equations, but for rounding
  expect_rates(three, rates<f3::GetOutputDerivatives>(three, "GetOutputDerivatives", 4u));
}

TEST(Integrator, TellsNoDerivativeOfOrderThree) {
  Slave2 s("Swing");
  s.initialize();
  s.step(0, 0.1);
  const unsigned y = s.fmu.reference("y");
  const int third = 3;
  double value = 0;
  EXPECT_EQ(
      s.call<f2::GetRealOutputDerivatives>("GetRealOutputDerivatives")(s.c, &y, 1, &third, &value),
      f2::error);
  EXPECT_EQ(s.fmu.root().child("CoSimulation").attribute("maxOutputDerivativeOrder").as_int(), 2);
}

TEST(OwnStep, IsUsedWhereTheModelHasOne) {
  Slave2 s("Trivial");
  s.initialize();
  s.set("u", 3);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(s.step(i * 0.5, 0.5), f2::ok);
  EXPECT_EQ(s.get("y"), 6);
}

TEST(OwnStep, GoesOnAfterEarlyReturnsWhereTheSimulatorKnowsNone) {
  Slave2 s("Pulse");
  s.initialize();
  s.set("u", 1);
  EXPECT_EQ(s.step(0, 2), f2::ok);  // events at 0.5 and 1.5
  EXPECT_EQ(s.get_integer("level"), 2);
  EXPECT_NEAR(s.get("y"), 2, 1e-15);
}

TEST(RepeatedStep, StartsAgainWithNewInputsInFmi1) {
  Slave1 s("Integrator");
  s.initialize();
  s.set("u", 1);
  EXPECT_EQ(s.step(0, 1), f1::ok);
  s.set("u", 5);
  EXPECT_EQ(s.step(0, 1, false), f1::ok);
  EXPECT_EQ(s.get("x"), 5);
  EXPECT_TRUE(s.fmu.root()
                  .child("Implementation")
                  .child("CoSimulation_StandAlone")
                  .child("Capabilities")
                  .attribute("canRejectSteps")
                  .as_bool());
}

// u = 1 + 2 t over [0, 1]: x = 1 + 1, in the repeated step with u = 3 - 4 t: x = 3 - 2.
TEST(RepeatedStep, FollowsTheDerivativesThatWereSetForIt) {
  Slave1 s("Integrator");
  s.initialize();
  const auto derivative = [&](double value) {
    const unsigned u = s.fmu.reference("u");
    const int first = 1;
    return s.call<f1::SetRealInputDerivatives>("SetRealInputDerivatives")(s.c, &u, 1, &first,
                                                                          &value);
  };
  s.set("u", 1);
  EXPECT_EQ(derivative(2), f1::ok);
  EXPECT_EQ(s.step(0, 1), f1::ok);
  EXPECT_NEAR(s.get("x"), 2, 1e-14);
  s.set("u", 3);
  EXPECT_EQ(derivative(-4), f1::ok);
  EXPECT_EQ(s.step(0, 1, false), f1::ok);
  EXPECT_NEAR(s.get("x"), 1, 1e-14);
  s.set("u", 5);
  EXPECT_EQ(s.step(0, 1, false), f1::ok);  // no derivatives, no slope
  EXPECT_NEAR(s.get("x"), 5, 1e-14);
}

TEST(Resource, IsFoundInEveryVersion) {
  Slave1 one("Resource");
  Slave2 two("Resource");
  Slave3 three("Resource");
  EXPECT_EQ(one.initialize(), f1::ok);
  EXPECT_EQ(two.initialize(), f2::ok);
  EXPECT_EQ(three.initialize(), f3::ok);
  EXPECT_EQ(two.get_integer("y"), 'a');
  EXPECT_EQ(three.get<int>("Int32", "y", 1).at(0), 'a');
}

// 20 degrees outside 0: hysteresis keeps the room within the band, up to one internal step.
TEST(Thermostat, HoldsTheTemperature) {
  Slave2 s("Thermostat");
  s.initialize();
  EXPECT_EQ(s.get("tau"), 1000);
  double low = 1e9, high = 0;
  for (int i = 0; i < 360; ++i) {
    ASSERT_EQ(s.step(i * 10, 10), f2::ok);
    low = std::min(low, s.get("T")), high = std::max(high, s.get("T"));
  }
  EXPECT_NEAR(low, 292.15, 0.2);  // the slope near the set point is 0.03 K/s, samples every 10 s
  EXPECT_NEAR(high, 294.15, 0.3);
  EXPECT_GE(low, 292.15 - 1e-9);  // events are located
  EXPECT_LE(high, 294.15 + 1e-9);
}

}  // namespace
