// SPDX-License-Identifier: BSD-2-Clause
#include "slaves.hpp"

#include <gtest/gtest.h>

using namespace fmukit_test;

namespace {

void keep_text(void* out, f2::String, f2::Status, f2::String, f2::String message, ...) {
  *static_cast<std::string*>(out) = message;
}

TEST(CallOrder, NoStepBeforeInitialization) {
  Slave1 one("Trivial");
  EXPECT_EQ(one.step(0, 0.1), f1::error);
  Slave2 two("Trivial");
  EXPECT_EQ(two.step(0, 0.1), f2::error);
  EXPECT_NE(two.messages.at(0).text.find("fmi2DoStep: not allowed"), std::string::npos);
  Slave3 three("Trivial");
  EXPECT_EQ(three.step(0, 0.1).status, f3::error);
}

TEST(CallOrder, NoStepThatBeginsElsewhere) {
  Slave2 s("Trivial");
  s.initialize();
  EXPECT_EQ(s.step(0, 0.1), f2::ok);
  EXPECT_EQ(s.step(0.3, 0.1), f2::error);
  EXPECT_EQ(s.messages.at(0).text,
            "fmi2DoStep: the step starts at t = 0.3, but the model is at t = 0.1");
}

TEST(CallOrder, AnErrorLeavesOnlyResetAndStates) {
  Slave2 s("Trivial");
  s.initialize();
  EXPECT_EQ(s.step(7, 0.1), f2::error);
  EXPECT_EQ(s.step(0, 0.1), f2::error);
  EXPECT_EQ(s.call<f2::Reset>("Reset")(s.c), f2::ok);
  EXPECT_EQ(s.initialize(), f2::ok);
  EXPECT_EQ(s.step(0, 0.1), f2::ok);
}

TEST(Setting, IsRefusedForWhatTheModelCalculates) {
  Slave2 s("Integrator");
  EXPECT_EQ(s.set("y", 1), f2::error);
  EXPECT_NE(s.messages.at(0).text.find("\"y\" cannot be set now"), std::string::npos);
}

TEST(Setting, OfFixedParametersEndsWithInitialization) {
  Slave2 s("BouncingBall");
  EXPECT_EQ(s.set("g", -1.62), f2::ok);
  s.initialize();
  EXPECT_EQ(s.set("e", 0.5), f2::ok);  // tunable
  EXPECT_EQ(s.set("g", -9.81), f2::error);
}

TEST(Getting, OfUnknownReferencesIsAnError) {
  Slave2 s("Trivial");
  s.initialize();
  const unsigned reference = 4711;
  double value = 0;
  EXPECT_EQ(s.call<f2::GetReal>("GetReal")(s.c, &reference, 1, &value), f2::error);
  EXPECT_NE(s.messages.at(0).text.find("4711"), std::string::npos);
}

TEST(Getting, OfAnotherTypeIsAnError) {
  Slave3 s("Feedthrough");
  s.initialize();
  EXPECT_TRUE(s.get<double>("Float64", "int8_out", 1).empty());
}

TEST(Getting, FollowsWhatWasSetDuringInitialization) {
  Slave2 s("Thermostat");
  s.call<f2::SetupExperiment>("SetupExperiment")(s.c, 0, 0, 0, 0, 0);
  s.call<f2::EnterInitializationMode>("EnterInitializationMode")(s.c);
  EXPECT_EQ(s.get("tau"), 1000);
  s.set("R", 0.02);
  EXPECT_EQ(s.get("tau"), 2000);
}

TEST(Instantiate, WantsTheTokenOfTheDescription) {
  const Archive fmu("2.0", "Trivial");
  std::string text;
  const f2::Callbacks callbacks{keep_text, nullptr, nullptr, nullptr, &text};
  const auto instantiate = fmu.function<f2::Instantiate>("fmi2Instantiate");
  EXPECT_EQ(instantiate("a", f2::co_simulation, "{wrong}", "", &callbacks, 0, 0), nullptr);
  EXPECT_NE(text.find("GUID is {wrong}"), std::string::npos);
}

TEST(Logging, SendsDebugMessagesOnlyWhereSwitchedOn) {
  Slave2 quiet("Stair", f2::co_simulation, false);
  quiet.initialize();
  quiet.step(0, 1.5);
  EXPECT_TRUE(quiet.messages.empty());

  const char* events = "logEvents";
  const char* other = "logStatusWarning";
  const auto choose = quiet.call<f2::SetDebugLogging>("SetDebugLogging");
  EXPECT_EQ(choose(quiet.c, 1, 1, &other), f2::ok);
  quiet.step(1.5, 1);
  EXPECT_TRUE(quiet.messages.empty());
  EXPECT_EQ(choose(quiet.c, 1, 1, &events), f2::ok);
  quiet.step(2.5, 1);
  EXPECT_EQ(quiet.messages.size(), 1u);
}

TEST(OncePerProcess, IsHeld) {
  Slave2 first("faulty_once_per_process");
  EXPECT_NE(first.c, nullptr);
  const auto again = first.call<f2::Instantiate>("Instantiate");
  const char* guid = first.fmu.root().attribute("guid").value();
  EXPECT_EQ(again("b", f2::co_simulation, guid, "", &first.callbacks, 0, 0), nullptr);
  EXPECT_NE(first.messages.back().text.find("once per process"), std::string::npos);
}

}  // namespace
