// SPDX-License-Identifier: BSD-2-Clause
#include "slaves.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>

using namespace fmukit_test;

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

template <class T>
void expect_passed_through(Slave3& s, const std::string& type, const std::string& name,
                           const std::vector<T>& values) {
  EXPECT_EQ(s.set<T>(type, name + "_in", values), f3::ok) << name;
  EXPECT_EQ(s.get<T>(type, name + "_out", values.size()), values) << name;
}

TEST(Fmi3, PassesEveryType) {
  Slave3 s("Feedthrough");
  s.initialize();
  expect_passed_through<double>(s, "Float64", "real", {0.1});
  expect_passed_through<float>(s, "Float32", "float32", {0.1f});
  expect_passed_through<std::int8_t>(s, "Int8", "int8", {-128});
  expect_passed_through<std::int16_t>(s, "Int16", "int16", {-32768});
  expect_passed_through<std::int32_t>(s, "Int32", "int32", {-2147483647 - 1});
  expect_passed_through<std::int64_t>(s, "Int64", "int64", {INT64_MIN});
  expect_passed_through<std::uint8_t>(s, "UInt8", "uint8", {255});
  expect_passed_through<std::uint16_t>(s, "UInt16", "uint16", {65535});
  expect_passed_through<std::uint32_t>(s, "UInt32", "uint32", {4294967295});
  expect_passed_through<std::uint64_t>(s, "UInt64", "uint64", {UINT64_MAX});
  expect_passed_through<std::int64_t>(s, "Int64", "option", {3});
  expect_passed_through<double>(s, "Float64", "array", {7, 8, 9});
  expect_passed_through<double>(s, "Float64", "matrix", {1, 2, 3, 4});
  const unsigned in = s.fmu.reference("flags_in"), out = s.fmu.reference("flags_out");
  const bool flags[] = {false, true};
  bool back[] = {true, true};
  EXPECT_EQ(s.call<f3::Set<bool>>("SetBoolean")(s.c, &in, 1, flags, 2), f3::ok);
  EXPECT_EQ(s.call<f3::Get<bool>>("GetBoolean")(s.c, &out, 1, back, 2), f3::ok);
  EXPECT_FALSE(back[0]);
  EXPECT_TRUE(back[1]);
}

TEST(Fmi3, PassesTextsAndBytes) {
  Slave3 s("Feedthrough");
  s.initialize();
  EXPECT_EQ(s.set<f3::String>("String", "words_in", {"one", "two"}), f3::ok);
  const auto words = s.get<f3::String>("String", "words_out", 2);
  ASSERT_EQ(words.size(), 2u);
  EXPECT_STREQ(words[1], "two");

  const unsigned in = s.fmu.reference("binary_in"), out = s.fmu.reference("binary_out");
  const std::uint8_t bytes[] = {0, 1, 0xff, 0};
  const f3::Binary value = bytes;
  std::size_t size = sizeof bytes;
  EXPECT_EQ(s.call<f3::SetBinary>("SetBinary")(s.c, &in, 1, &size, &value, 1), f3::ok);
  f3::Binary back = nullptr;
  size = 0;
  EXPECT_EQ(s.call<f3::GetBinary>("GetBinary")(s.c, &out, 1, &size, &back, 1), f3::ok);
  ASSERT_EQ(size, sizeof bytes);
  EXPECT_EQ(back[2], 0xff);
}

TEST(Fmi3, RefusesTheWrongNumberOfValues) {
  Slave3 s("Feedthrough");
  s.initialize();
  EXPECT_EQ(s.set<double>("Float64", "array_in", {1, 2}), f3::error);
  Slave3 other("Feedthrough");
  other.initialize();
  EXPECT_EQ(other.set<double>("Float64", "array_in", {1, 2, 3, 4}), f3::error);
}

// One state, one input, x' = 2 x + 3 u with u = 1 and x(0) = 0: x = 1.5 (exp(2 t) - 1).
TEST(StructuralParameters, ChangeTheSizesInConfigurationMode) {
  Slave3 s("StateSpace");
  EXPECT_EQ(s.call<f3::EnterConfigurationMode>("EnterConfigurationMode")(s.c), f3::ok);
  for (const char* name : {"m", "n", "r"})
    EXPECT_EQ(s.set<std::uint64_t>("UInt64", name, {1}), f3::ok);
  EXPECT_EQ(s.call<f3::ExitConfigurationMode>("ExitConfigurationMode")(s.c), f3::ok);
  std::size_t states = 0;
  s.call<f3::GetNumberOfContinuousStates>("GetNumberOfContinuousStates")(s.c, &states);
  EXPECT_EQ(states, 1u);
  EXPECT_EQ(s.set<double>("Float64", "A", {2}), f3::ok);
  s.set<double>("Float64", "B", {3}), s.set<double>("Float64", "C", {1});
  s.set<double>("Float64", "D", {0}), s.set<double>("Float64", "u", {1});
  s.initialize();
  EXPECT_EQ(s.step(0, 1).status, f3::ok);
  const double exact = 1.5 * (std::exp(2.0) - 1);
  EXPECT_NEAR(s.get<double>("Float64", "y", 1).at(0), exact, 1e-6);  // h^4 = 1e-8, times exp(2)
}

TEST(StructuralParameters, CannotBeSetElsewhere) {
  Slave3 s("StateSpace");
  EXPECT_EQ(s.set<std::uint64_t>("UInt64", "n", {2}), f3::error);
}

TEST(EventMode, EndsAStepEarlyAtAnEvent) {
  Slave3 s("BouncingBall", {.event_mode = true, .early_return = true});
  s.initialize();
  bool repeat, terminate, nominals, states = false, defined;
  double next;
  const auto update = s.call<f3::UpdateDiscreteStates>("UpdateDiscreteStates");
  update(s.c, &repeat, &terminate, &nominals, &states, &defined, &next);
  EXPECT_EQ(s.call<f3::EnterStepMode>("EnterStepMode")(s.c), f3::ok);
  const Slave3::Step step = s.step(0, 1);
  EXPECT_EQ(step.status, f3::ok);
  EXPECT_TRUE(step.event);
  EXPECT_TRUE(step.early);
  EXPECT_NEAR(step.reached, std::sqrt(2 / 9.81), 1e-12);  // bisection to some 1e-15
  EXPECT_LT(s.get("v"), 0);                               // nothing has happened yet
  EXPECT_EQ(s.call<f3::EnterEventMode>("EnterEventMode")(s.c), f3::ok);
  update(s.c, &repeat, &terminate, &nominals, &states, &defined, &next);
  EXPECT_TRUE(states);
  EXPECT_GT(s.get("v"), 0);
  s.call<f3::EnterStepMode>("EnterStepMode")(s.c);
  EXPECT_EQ(s.step(step.reached, 0.1).status, f3::ok);
}

TEST(EventMode, IsHandledInsideWhereTheSimulatorAllowsNoEarlyReturn) {
  for (const char* model : {"BouncingBall", "Pulse"}) {
    Slave3 s(model, {.event_mode = true, .early_return = false});
    s.initialize();
    s.call<f3::EnterStepMode>("EnterStepMode")(s.c);
    const Slave3::Step step = s.step(0, 0.6);  // events at 0.45 and 0.5
    EXPECT_EQ(step.status, f3::ok) << model;
    EXPECT_FALSE(step.early) << model;
    EXPECT_EQ(step.reached, 0.6) << model;
  }
}

TEST(IntermediateUpdate, ShowsEveryInternalStep) {
  std::vector<double> times, heights;
  Slave3* self = nullptr;
  Slave3 s("BouncingBall", {.intermediate = [&](double t, bool set, bool) {
             times.push_back(t);
             heights.push_back(self->get("h"));
             EXPECT_FALSE(set);
             return never;
           }});
  self = &s;
  s.initialize();
  EXPECT_EQ(s.step(0, 0.01).status, f3::ok);  // 10 internal steps; the last is the step's end
  ASSERT_EQ(times.size(), 9u);
  EXPECT_NEAR(times[4], 0.005, 1e-15);
  EXPECT_NEAR(heights[4], 1 - 9.81 / 2 * 0.005 * 0.005, 1e-14);
}

TEST(IntermediateUpdate, MayEndTheStepEarly) {
  Slave3 s("BouncingBall", {.early_return = true, .intermediate = [](double t, bool, bool early) {
                              return early && t > 0.0045 ? t : never;
                            }});
  s.initialize();
  const Slave3::Step step = s.step(0, 0.01);
  EXPECT_TRUE(step.early);
  EXPECT_FALSE(step.event);
  EXPECT_NEAR(step.reached, 0.005, 1e-15);
}

TEST(IntermediateUpdate, MayEndTheStepAtATimeToCome) {
  Slave3 s("BouncingBall",
           {.early_return = true, .intermediate = [](double, bool, bool) { return 0.0052; }});
  s.initialize();
  const Slave3::Step step = s.step(0, 0.01);
  EXPECT_TRUE(step.early);
  EXPECT_EQ(step.reached, 0.0052);
}

// y integrates u over 4 parts of 0.05 s; u = 1 at the start and 2, 3, 4 by the updates.
TEST(IntermediateUpdate, MayAskForInputs) {
  double u = 1;
  Slave3* self = nullptr;
  Slave3 s("Pulse", {.intermediate = [&](double, bool set, bool) {
             EXPECT_TRUE(set);
             self->set("u", ++u);
             return never;
           }});
  self = &s;
  s.initialize();
  s.set("u", u);
  EXPECT_EQ(s.step(0, 0.2).status, f3::ok);
  EXPECT_NEAR(s.get("y"), 0.05 * (1 + 2 + 3 + 4), 1e-15);
}

// The integrator asks at each of its stages, so u = t^3 is integrated exactly by a method of
// order 4.
TEST(IntermediateUpdate, AsksForTheInputsOfAnIntegrator) {
  Slave3* self = nullptr;
  Slave3 s("Integrator", {.intermediate =
                              [&](double t, bool set, bool) {
                                if (set) self->set("u", t * t * t);
                                return never;
                              },
                          .intermediate_input = "u"});
  self = &s;
  s.initialize();
  for (int n = 0; n < 4; ++n) EXPECT_EQ(s.step(n * 0.5, 0.5).status, f3::ok);
  EXPECT_NEAR(s.get("x"), 4, 1e-14);              // t^4/4 at 2
  EXPECT_NEAR(s.get("y"), 2 * 4 + 3 * 8, 1e-13);  // u at the end
}

// FMI 3.0, 4.2.1: who declares no intermediate input will set none.
TEST(IntermediateUpdate, AsksNobodyWhoHasNotSaidThatItSetsInputs) {
  Slave3 s("Integrator", {.intermediate = [&](double, bool set, bool) {
             EXPECT_FALSE(set);
             return never;
           }});
  s.initialize();
  EXPECT_EQ(s.step(0, 0.5).status, f3::ok);
}

// u = 100 sin x - 100 x of the x of each stage makes x'' = -100 x of the pendulum x'' = -100 sin x
// + u. A step of the integrator then multiplies x + i v/10 by 1 + z + z^2/2 + z^3/6 + z^4/24 with
// z = -10 i h.
TEST(IntermediateUpdate, ShowsTheOutputsOfEachStageToWhoSetsInputsFromThem) {
  int unfinished = 0, finished = 0;
  Slave3* self = nullptr;
  const auto couple = [&](double, bool set, bool) {
    ++(self->step_finished ? finished : unfinished);
    EXPECT_TRUE(self->get_allowed);
    EXPECT_NE(set, self->step_finished);
    const double x = self->get("x");
    if (set) self->set("u", 100 * std::sin(x) - 100 * x);
    return never;
  };
  Slave3 s("Swing",
           {.intermediate = couple, .intermediate_input = "u", .intermediate_output = "x"});
  self = &s;
  s.initialize();
  EXPECT_EQ(s.step(0, 0.1).status, f3::ok);  // 20 internal steps
  const std::complex<double> z{0, -10 * 0.005};
  const std::complex<double> exact =
      std::pow(1.0 + z * (1.0 + z / 2.0 * (1.0 + z / 3.0 * (1.0 + z / 4.0))), 20);
  EXPECT_NEAR(s.get("x"), exact.real(), 1e-13);  // rounding of 20 steps
  EXPECT_NEAR(s.get("v"), 10 * exact.imag(), 1e-12);
  EXPECT_EQ(unfinished, 20 * 5);  // four stages, and the end of the internal step
  EXPECT_EQ(finished, 19);        // the last one is the end of the communication step
}

// x' = u + du (t - start of the step), for inputs that are given as value and slope: u = t^2 by
// chords is integrated as the trapezoidal rule does it.
TEST(StepStart, IsTheLastCommunicationPoint) {
  Slave1 one("Ramp");
  Slave2 two("Ramp");
  Slave3 three("Ramp");
  const auto integral = [](auto& slave) {
    slave.initialize();
    for (int n = 0; n < 4; ++n) {
      const double t = 0.5 * n;
      slave.set("u", t * t);
      slave.set("du", ((t + 0.5) * (t + 0.5) - t * t) / 0.5);
      slave.step(t, 0.5);
    }
    return slave.get("x");
  };
  const double trapezoids = 0.5 * (0.25 + 1 + 2.25 + 4.0 / 2);
  EXPECT_NEAR(integral(one), trapezoids, 1e-14);
  EXPECT_NEAR(integral(two), trapezoids, 1e-14);
  EXPECT_NEAR(integral(three), trapezoids, 1e-14);
}

TEST(StepStart, IsTheTimeInModelExchange) {
  Slave3 s("Ramp", {.exchange = true});
  s.initialize();
  s.call<f3::EnterContinuousTimeMode>("EnterContinuousTimeMode")(s.c);
  s.call<f3::SetTime>("SetTime")(s.c, 3);
  s.set("u", 2);
  s.set("du", 5);
  EXPECT_EQ(s.get("der(x)"), 2);
}

TEST(Termination, IsAskedForWhereTheVersionHasAWay) {
  Slave1 one("faulty_asks_for_termination");  // has none, so the simulation goes on
  one.initialize();
  EXPECT_EQ(one.step(0, 0.5), f1::ok);
  EXPECT_EQ(one.step(0.5, 0.1), f1::ok);
  EXPECT_EQ(one.step(0.6, 0.1), f1::ok);
  EXPECT_EQ(fmi1_messages().size(), 1u);

  Slave3 three("faulty_asks_for_termination");
  three.initialize();
  EXPECT_FALSE(three.step(0, 0.5).terminate);
  EXPECT_TRUE(three.step(0.5, 0.1).terminate);

  Slave2 two("faulty_asks_for_termination");
  two.initialize();
  EXPECT_EQ(two.step(0, 0.5), f2::ok);
  EXPECT_EQ(two.step(0.5, 0.1), f2::discard);
  f2::Boolean terminated = 0;
  double time = 0;
  two.call<f2::GetBooleanStatus>("GetBooleanStatus")(two.c, f2::terminated, &terminated);
  two.call<f2::GetRealStatus>("GetRealStatus")(two.c, f2::last_successful_time, &time);
  EXPECT_TRUE(terminated);
  EXPECT_EQ(time, 0.6);
}

}  // namespace
