// SPDX-License-Identifier: BSD-2-Clause
// The misbehaving FMUs must misbehave as their names say; what a simulator makes of them is tested
// elsewhere.
#include "slaves.hpp"

#include <gtest/gtest.h>

#include <dlfcn.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <thread>

using namespace fmukit_test;

namespace {

/// The status of the first step at or behind t = 0.5, after good steps before.
template <class Slave>
auto status_at_fault(Slave& s) {
  s.initialize();
  EXPECT_EQ(int(s.step(0, 0.25)), 0);
  EXPECT_EQ(int(s.step(0.25, 0.25)), 0);
  return s.step(0.5, 0.25);
}

TEST(Faulty, ReturnsTheStatusOfItsName) {
  const std::pair<const char*, int> rows[] = {
      {"warning_in_step", 1}, {"discard_always", 2}, {"error_in_step", 3}, {"fatal_in_step", 4}};
  for (const auto& [name, status] : rows) {
    Slave1 one(std::string("faulty_") + name);
    Slave2 two(std::string("faulty_") + name);
    EXPECT_EQ(status_at_fault(one), status) << name;
    EXPECT_EQ(status_at_fault(two), status) << name;
    Slave3 three(std::string("faulty_") + name);
    three.initialize();
    three.step(0, 0.5);
    EXPECT_EQ(three.step(0.5, 0.25).status, status) << name;
  }
}

TEST(Faulty, DiscardsWithOrWithoutProgress) {
  Slave2 some("faulty_discard_with_progress"), none("faulty_discard_without_progress");
  double reached = 0;
  EXPECT_EQ(status_at_fault(some), f2::discard);
  some.call<f2::GetRealStatus>("GetRealStatus")(some.c, f2::last_successful_time, &reached);
  EXPECT_DOUBLE_EQ(reached, 0.51);
  EXPECT_EQ(some.step(0.51, 0.01), f2::ok);  // short steps go on
  EXPECT_EQ(status_at_fault(none), f2::discard);
  none.call<f2::GetRealStatus>("GetRealStatus")(none.c, f2::last_successful_time, &reached);
  EXPECT_DOUBLE_EQ(reached, 0.5);
  EXPECT_EQ(none.step(0.5, 0.01), f2::ok);
}

TEST(Faulty, GivesNaN) {
  Slave2 s("faulty_nan_in_step");
  EXPECT_EQ(status_at_fault(s), f2::ok);
  EXPECT_TRUE(std::isnan(s.get("y")));
}

TEST(Faulty, FinishesPendingStepsLater) {
  Slave2 s("faulty_pending");
  std::atomic<int> finished{-1};
  s.on_finished = [&](f2::Status status) { finished = status; };
  s.initialize();
  ASSERT_EQ(s.step(0, 0.1), f2::pending);
  f2::Status status = f2::pending;
  while (status == f2::pending) {
    s.call<f2::GetStatus>("GetStatus")(s.c, f2::do_step_status, &status);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(status, f2::ok);
  EXPECT_EQ(finished, f2::ok);
  EXPECT_DOUBLE_EQ(s.get("y"), 0.1);
  EXPECT_EQ(s.step(0.1, 0.1), f2::pending);
}

TEST(Faulty, StaysPendingForever) {
  Slave2 s("faulty_pending_forever");
  s.initialize();
  ASSERT_EQ(s.step(0, 0.1), f2::pending);
  f2::Status status = f2::ok;
  s.call<f2::GetStatus>("GetStatus")(s.c, f2::do_step_status, &status);
  EXPECT_EQ(status, f2::pending);
  EXPECT_EQ(s.call<f2::CancelStep>("CancelStep")(s.c), f2::ok);
}

TEST(Faulty, LacksTheFunctionsOfItsName) {
  EXPECT_EQ(Archive("2.0", "faulty_missing_do_step").find("fmi2DoStep"), nullptr);
  EXPECT_EQ(Archive("3.0", "faulty_missing_do_step").find("fmi3DoStep"), nullptr);
  EXPECT_EQ(Archive("1.0-cs", "faulty_missing_do_step").find("faulty_missing_do_step_fmiDoStep"),
            nullptr);
  const Archive misspelt("2.0", "faulty_misspelt_function");
  EXPECT_EQ(misspelt.find("fmi2GetFMUstate"), nullptr);
  EXPECT_NE(misspelt.find("fmi2GetFMUState"), nullptr);
}

TEST(Faulty, ClaimsAStateThatItDoesNotHave) {
  Slave2 s("faulty_lies_about_state");
  const auto cs = s.fmu.root().child("CoSimulation");
  EXPECT_TRUE(cs.attribute("canGetAndSetFMUstate").as_bool());
  s.initialize();
  f2::FmuState state = nullptr;
  EXPECT_EQ(s.call<f2::GetFmuState>("GetFMUstate")(s.c, &state), f2::error);
}

TEST(Faulty, RefusesItsOwnToken) {
  EXPECT_EQ(Slave1("faulty_wrong_guid").c, nullptr);
  EXPECT_EQ(Slave2("faulty_wrong_guid").c, nullptr);
  EXPECT_EQ(Slave3("faulty_wrong_token").c, nullptr);
}

TEST(Faulty, CallsItsOwnFunctionsWhereTheNamesAreThoseOfLibraries) {
  const Archive fmu("2.0", "faulty_symbol_clash");
  EXPECT_NE(fmu.find("CVodeCreate"), nullptr);
  EXPECT_NE(fmu.find("_ZN4pugi12xml_documentC1Ev"), nullptr);
}

TEST(Faulty, NeedsALibraryThatIsNotThere) {
  try {
    const Archive fmu("2.0", "faulty_missing_library");
    FAIL() << "was loaded";
  } catch (const std::exception& e) {
    EXPECT_NE(std::string(e.what()).find("libfaulty_not_shipped.so"), std::string::npos);
  }
}

TEST(Faulty, SetsTrapsForLoggers) {
  Slave2 s("faulty_log_traps");
  s.initialize();
  EXPECT_EQ(s.step(0, 0.1), f2::ok);
  EXPECT_EQ(s.messages.at(0).text, "a number 42, a text inside, a real 1.500, a percent sign %");
}

TEST(Faulty, FailsToInitialize) {
  Slave2 s("faulty_error_in_initialization");
  EXPECT_EQ(s.initialize(), f2::error);
  EXPECT_NE(s.messages.back().text.find("no solution"), std::string::npos);
}

#ifndef FMUKIT_SANITIZED  // sanitizers report crashes in their own way
using FaultyDeathTest = testing::Test;

// The child process inherits what the parent has loaded, and the parent tidies up.
TEST(FaultyDeathTest, Crashes) {
  Slave2 crash("faulty_crash_in_step"), leave("faulty_exit_in_step");
  EXPECT_EXIT(status_at_fault(crash), testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(status_at_fault(leave), testing::ExitedWithCode(0), "");
  const Archive fmu("2.0", "faulty_crash_in_instantiate");
  const auto instantiate = fmu.function<f2::Instantiate>("fmi2Instantiate");
  EXPECT_EXIT(instantiate("a", f2::co_simulation, "", "", nullptr, 0, 0),
              testing::KilledBySignal(SIGSEGV), "");
}
#endif

}  // namespace
