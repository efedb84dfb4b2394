// SPDX-License-Identifier: BSD-2-Clause
#include "slaves.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

using namespace fmukit_test;

namespace {

/// An instance of FMI 2.0 model exchange that has left initialization and its first events.
struct Exchange2 : Slave2 {
  explicit Exchange2(const std::string& name) : Slave2(name, f2::model_exchange) {
    initialize();
    events();
    call<f2::EnterContinuousTimeMode>("EnterContinuousTimeMode")(c);
  }
  f2::EventInfo events() {
    f2::EventInfo info{};
    bool states_changed = false;
    do {
      call<f2::NewDiscreteStates>("NewDiscreteStates")(c, &info);
      states_changed = states_changed || info.values_of_continuous_states_changed;
    } while (info.new_discrete_states_needed && !info.terminate_simulation);
    info.values_of_continuous_states_changed = states_changed;
    return info;
  }
};

TEST(ModelExchange, EvaluatesTheEquationsAtTheGivenPoint) {
  Exchange2 s("VanDerPol");
  const std::array<double, 2> x{0.5, -3};
  std::array<double, 2> dx{};
  EXPECT_EQ(s.call<f2::SetContinuousStates>("SetContinuousStates")(s.c, x.data(), 2), f2::ok);
  EXPECT_EQ(s.call<f2::GetDerivatives>("GetDerivatives")(s.c, dx.data(), 2), f2::ok);
  EXPECT_EQ(dx[0], -3);
  EXPECT_EQ(dx[1], (1 - 0.25) * -3 - 0.5);
  EXPECT_EQ(s.get("der(x1)"), dx[1]);
  EXPECT_EQ(s.get("x0"), 0.5);
}

TEST(ModelExchange, HandlesStateEvents) {
  Exchange2 s("BouncingBall");
  const std::array<double, 2> fallen{-1e-9, -4};
  double z = 0;
  s.call<f2::SetTime>("SetTime")(s.c, 0.4);
  s.call<f2::SetContinuousStates>("SetContinuousStates")(s.c, fallen.data(), 2);
  s.call<f2::GetEventIndicators>("GetEventIndicators")(s.c, &z, 1);
  EXPECT_LT(z, 0);
  EXPECT_EQ(s.call<f2::EnterEventMode>("EnterEventMode")(s.c), f2::ok);
  const f2::EventInfo info = s.events();
  EXPECT_TRUE(info.values_of_continuous_states_changed);
  EXPECT_FALSE(info.next_event_time_defined);
  std::array<double, 2> x{};
  s.call<f2::GetContinuousStates>("GetContinuousStates")(s.c, x.data(), 2);
  EXPECT_DOUBLE_EQ(x[1], 0.7 * 4);
  s.call<f2::GetEventIndicators>("GetEventIndicators")(s.c, &z, 1);
  EXPECT_GT(z, 0);  // on the other side again, so that the next fall is seen
}

TEST(ModelExchange, AnnouncesTimeEvents) {
  Slave3 s("Stair", {.exchange = true});
  s.initialize();
  bool repeat = true, terminate = false, nominals = true, states = true, defined = false;
  double next = 0;
  const auto update = s.call<f3::UpdateDiscreteStates>("UpdateDiscreteStates");
  EXPECT_EQ(update(s.c, &repeat, &terminate, &nominals, &states, &defined, &next), f3::ok);
  EXPECT_FALSE(repeat || terminate || nominals || states);
  EXPECT_TRUE(defined);
  EXPECT_EQ(next, 1);
  s.call<f3::EnterContinuousTimeMode>("EnterContinuousTimeMode")(s.c);
  s.call<f3::SetTime>("SetTime")(s.c, 1.0);
  s.call<f3::EnterEventMode>("EnterEventMode")(s.c);
  update(s.c, &repeat, &terminate, &nominals, &states, &defined, &next);
  EXPECT_EQ(next, 2);
  EXPECT_EQ(s.get<int>("Int32", "counter", 1).at(0), 2);
}

TEST(ModelExchange, AsksForStepEvents) {
  Exchange2 s("Saw");
  const double before = 0.9, behind = 2.5;
  f2::Boolean event = 1, terminate = 1;
  const auto completed = s.call<f2::CompletedIntegratorStep>("CompletedIntegratorStep");
  s.call<f2::SetContinuousStates>("SetContinuousStates")(s.c, &before, 1);
  EXPECT_EQ(completed(s.c, 1, &event, &terminate), f2::ok);
  EXPECT_FALSE(event || terminate);
  s.call<f2::SetContinuousStates>("SetContinuousStates")(s.c, &behind, 1);
  completed(s.c, 1, &event, &terminate);
  EXPECT_TRUE(event);
  s.call<f2::EnterEventMode>("EnterEventMode")(s.c);
  s.events();  // repeats until x < 1
  EXPECT_EQ(s.get("x"), 0.5);
  EXPECT_EQ(s.get_integer("jumps"), 2);
}

TEST(ModelExchange, WorksInFmi1) {
  Slave1 s("BouncingBall", true);
  f1::EventInfo info{};
  EXPECT_EQ(s.call<f1::SetTime>("SetTime")(s.c, 0), f1::ok);
  EXPECT_EQ(s.call<f1::Initialize>("Initialize")(s.c, 0, 0, &info), f1::ok);
  EXPECT_TRUE(info.iteration_converged);
  std::array<unsigned, 2> references{};
  s.call<f1::GetStateValueReferences>("GetStateValueReferences")(s.c, references.data(), 2);
  EXPECT_EQ(references[0], s.fmu.reference("h"));
  EXPECT_EQ(references[1], s.fmu.reference("v"));
  const std::array<double, 2> fallen{-1e-9, -4};
  std::array<double, 2> dx{};
  s.call<f1::SetContinuousStates>("SetContinuousStates")(s.c, fallen.data(), 2);
  s.call<f1::GetDerivatives>("GetDerivatives")(s.c, dx.data(), 2);
  EXPECT_EQ(dx[1], -9.81);
  EXPECT_EQ(s.call<f1::EventUpdate>("EventUpdate")(s.c, 0, &info), f1::ok);
  EXPECT_TRUE(info.state_values_changed);
  EXPECT_DOUBLE_EQ(s.get("v"), 2.8);
}

TEST(ModelExchange, TellsNominalValues) {
  Exchange2 s("Thermostat");
  double nominal = 0;
  s.call<f2::GetNominalsOfContinuousStates>("GetNominalsOfContinuousStates")(s.c, &nominal, 1);
  EXPECT_EQ(nominal, 300);
}

TEST(ModelExchange, IsRefusedByModelsThatOnlyHaveAStep) {
  Slave2 s("Trivial", f2::model_exchange);
  EXPECT_EQ(s.c, nullptr);
  ASSERT_EQ(s.messages.size(), 1u);
  EXPECT_NE(s.messages[0].text.find("no model exchange"), std::string::npos);
}

}  // namespace
