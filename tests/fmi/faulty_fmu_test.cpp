// SPDX-License-Identifier: BSD-2-Clause
// What the face makes of FMUs that misbehave. Those that crash, hang or never answer are the
// business of the process around them.
#include <gtest/gtest.h>

#include <cfenv>
#include <clocale>

#include "fmi/support/fixture.hpp"
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

namespace tutti::fmi::test {
namespace {

std::string function_of(const std::string& version, const std::string& name) {
  return (version == "1.0-cs" ? "fmi" : "fmi" + version.substr(0, 1)) + name;
}

class Faulty : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { version_ = GetParam(); }
  Owned<CoSimulation> make(const std::string& what) {
    return open_fmu(version_, "faulty_" + what, lines_.log())
        ->instantiate_co_simulation(named("it"));
  }
  /// Steps of 0.1 up to t = 0.5, where the faults begin.
  Owned<CoSimulation> at_the_fault(const std::string& what) {
    auto it = make(what);
    initialize(*it);
    for (int n = 0; n < 5; ++n) it->do_step(n * 0.1, 0.1);
    return it;
  }
  std::string version_;
  Lines lines_;
};
class FaultyInEveryVersion : public Faulty {};
class FaultyBeforeFmi3 : public Faulty {};
const auto name_of = [](const auto& version) { return "Fmi" + std::string(1, *version.param); };
INSTANTIATE_TEST_SUITE_P(Versions, FaultyInEveryVersion, testing::Values("1.0-cs", "2.0", "3.0"),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Versions, FaultyBeforeFmi3, testing::Values("1.0-cs", "2.0"), name_of);

TEST_P(FaultyInEveryVersion, WarningIsLoggedAFewTimesAndCounted) {
  {
    const auto it = at_the_fault("warning_in_step");
    for (int n = 0; n < 20; ++n) {
      EXPECT_EQ(it->do_step(0.5 + n * 0.1, 0.1).status, StepOutcome::Status::done);
    }
    EXPECT_EQ(it->counts().warnings, 20u);
    EXPECT_EQ(lines_.count(function_of(version_, "DoStep returned a warning")), 5u);
  }
  EXPECT_TRUE(lines_.contain(function_of(version_, "DoStep returned 15 more warnings")));
}

TEST_P(FaultyInEveryVersion, ErrorNamesInstanceFunctionTimeAndReason) {
  const auto it = at_the_fault("error_in_step");
  const std::string text = error_of(ErrorCode::fmu, [&] { it->do_step(0.5, 0.1); });
  EXPECT_CONTAINS(text, "component \"it\" (FMI " + version_.substr(0, 3) + "): ");
  EXPECT_CONTAINS(text, function_of(version_, "DoStep failed (") + function_of(version_, "Error)"));
  EXPECT_CONTAINS(text, "at t = 0.5 s, h = 0.1 s: the model failed");
  EXPECT_THROW(it->do_step(0.5, 0.1), std::logic_error);
  EXPECT_THROW(real(*it, "y"), std::logic_error);
}

TEST_P(FaultyInEveryVersion, ErrorCanBeLeftByGoingBackToASavedState) {
  if (version_ == "1.0-cs") GTEST_SKIP() << "FMI 1.0 has no states";
  const auto it = at_the_fault("error_in_step");
  FmuState state;
  it->save_state(state);
  EXPECT_THROW(it->do_step(0.5, 0.1), Error);
  it->restore_state(state);
  EXPECT_NEAR(real(*it, "y"), 0.5, 1e-15);  // u = 1; rounding of five additions
}

// After a fatal error nothing may be called for any instance, not even to free it: what the
// instances hold is lost, and the leak sanitizer must not count it.
TEST_P(FaultyInEveryVersion, FatalErrorEndsAllInstancesOfTheFmu) {
#if defined(__SANITIZE_ADDRESS__)
  const __lsan::ScopedDisabler lost;
#endif
  const auto fmu = open_fmu(version_, "faulty_fatal_in_step", lines_.log());
  const auto one = fmu->instantiate_co_simulation(named("one"));
  const auto two = fmu->instantiate_co_simulation(named("two"));
  initialize(*one);
  initialize(*two);
  for (int n = 0; n < 5; ++n) one->do_step(n * 0.1, 0.1);
  EXPECT_CONTAINS(error_of(ErrorCode::fmu, [&] { one->do_step(0.5, 0.1); }), "Fatal");
  EXPECT_THROW(one->do_step(0.5, 0.1), std::logic_error);
  EXPECT_CONTAINS(error_of(ErrorCode::fmu, [&] { two->do_step(0, 0.1); }),
                  "another instance of this FMU failed fatally");
}

TEST_P(FaultyInEveryVersion, DiscardSaysHowFarItCame) {
  const auto it = at_the_fault("discard_with_progress");  // 0.01 s at a time
  const StepOutcome outcome = it->do_step(0.5, 0.1);
  EXPECT_EQ(outcome.status, StepOutcome::Status::discarded);
  // 3.0: "the FMU is in the same state as before the call" (section 2.2.4).
  EXPECT_NEAR(outcome.reached, version_ == "3.0" ? 0.5 : 0.51, 1e-15);
  if (version_ == "3.0") return;  // this FMU did move, and breaks that rule
  EXPECT_EQ(it->do_step(outcome.reached, 0.01).status, StepOutcome::Status::done);
}

TEST_P(FaultyInEveryVersion, DiscardWithoutProgressStaysWhereItIs) {
  const auto it = at_the_fault("discard_without_progress");
  const StepOutcome outcome = it->do_step(0.5, 0.1);
  EXPECT_EQ(outcome.status, StepOutcome::Status::discarded);
  EXPECT_EQ(outcome.reached, 0.5);
}

TEST_P(FaultyInEveryVersion, TerminationIsAnOutcome) {
  const auto it = at_the_fault("asks_for_termination");
  const StepOutcome outcome = it->do_step(0.5, 0.1);
  if (version_ == "1.0-cs") return;  // it can only discard
  EXPECT_EQ(outcome.status, StepOutcome::Status::terminated);
  EXPECT_GE(outcome.reached, 0.5);
  EXPECT_LE(outcome.reached, 0.6);
}

TEST_P(FaultyInEveryVersion, ExceptionThatEscapesIsAnError) {
  const auto it = make("throw_in_step");
  initialize(*it);
  const std::string text = error_of(ErrorCode::fmu, [&] { it->do_step(0, 0.1); });
  EXPECT_CONTAINS(text, function_of(version_, "DoStep let a C++ exception escape"));
}

TEST_P(FaultyInEveryVersion, LogTrapsAreSurvived) {
  const auto it = make("log_traps");
  initialize(*it);
  it->do_step(0, 0.1);
  EXPECT_TRUE(lines_.contain("warning|it||no category"));
  EXPECT_TRUE(lines_.contain("and # and"));  // ## in the message about references
  if (version_ == "3.0") return;             // its messages are finished texts
  EXPECT_TRUE(lines_.contain("a number 42, a text inside, a real 1.500, a percent sign %"));
  EXPECT_TRUE(lines_.contain("a format that writes: %n"));
  EXPECT_TRUE(lines_.contain("a null text: (null)"));
  EXPECT_TRUE(lines_.contain("warning|it|logStatusWarning|no instance name"));
}

TEST_P(FaultyInEveryVersion, ALoggerGetsAnEnvironmentThatIsNone) {
  if (version_ == "1.0-cs") return;  // its loggers get none
  const auto it = make("wrong_environment");
  initialize(*it);
  it->do_step(0, 0.1);
  EXPECT_EQ(lines_.contain("warning|it|logStatusWarning|found by its name"), version_ == "2.0");
  EXPECT_FALSE(lines_.contain("instance"));
}

TEST_P(FaultyInEveryVersion, MegabytesOfMessagesArriveWhole) {
  const auto it = at_the_fault("log_megabytes");
  it->do_step(0.5, 0.1);
  EXPECT_EQ(lines_.count("xxxxx"), 2000u);
}

TEST_P(FaultyInEveryVersion, ErrorInInitializationGivesItsReason) {
  const auto it = make("error_in_initialization");
  const std::string text = error_of(ErrorCode::fmu, [&] { initialize(*it); });
  EXPECT_CONTAINS(text, "the initial equations have no solution");
}

TEST_P(FaultyInEveryVersion, RefusalToInstantiateMentionsTheUsualReasons) {
  EXPECT_CONTAINS(error_of(ErrorCode::fmu, [&] { make("refuse_to_instantiate"); }),
                  "logged no reason");
}

TEST_P(FaultyInEveryVersion, WrongTokenIsAnErrorOfTheFmu) {
  const std::string text =
      error_of(ErrorCode::fmu, [&] { make(version_ == "3.0" ? "wrong_token" : "wrong_guid"); });
  EXPECT_CONTAINS(text, "could not be instantiated");
}

TEST_P(FaultyInEveryVersion, MissingFunctionIsNamedWithItsFile) {
  const std::string text = error_of(ErrorCode::binary, [&] { make("missing_do_step"); });
  EXPECT_CONTAINS(text, function_of(version_, "DoStep"));
  EXPECT_CONTAINS(text, "faulty_missing_do_step.so");
}

TEST_P(FaultyInEveryVersion, MissingLibraryIsNamed) {
  const std::string text = error_of(ErrorCode::binary, [&] { make("missing_library"); });
  EXPECT_CONTAINS(text, "libfaulty_not_shipped.so");
}

TEST_P(FaultyInEveryVersion, WorkingDirectoryLocaleAndRoundingAreRestored) {
  const std::filesystem::path folder = std::filesystem::current_path();
  const std::string locale = std::setlocale(LC_ALL, nullptr);
  initialize(*make("change_folder"));
  EXPECT_EQ(std::filesystem::current_path(), folder);
  EXPECT_TRUE(lines_.contain("initialization changed the working directory"));
  initialize(*make("change_locale"));
  EXPECT_EQ(std::setlocale(LC_ALL, nullptr), locale);
  initialize(*make("change_rounding"));
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  EXPECT_TRUE(lines_.contain("changed the rounding mode"));
}

TEST_P(FaultyInEveryVersion, SecondInstanceOfAnOncePerProcessFmuIsRefused) {
  auto first = make("once_per_process");
  const std::string text = error_of(ErrorCode::capability, [&] { make("once_per_process"); });
  EXPECT_CONTAINS(text, "only once per process");
  first.reset();
  EXPECT_NO_THROW(make("once_per_process"));
}

TEST_P(FaultyInEveryVersion, NeedForAToolIsNoted) {
  make("needs_tool");
  EXPECT_TRUE(lines_.contain("info|it||the FMU needs an external tool"));
}

TEST_P(FaultyInEveryVersion, SymbolsLikeOursReachTheFmusOwnFunctions) {
  const auto it = make("symbol_clash");
  initialize(*it);
  it->do_step(0, 0.1);
  EXPECT_EQ(integer(*it, "clash"), 0);
}

TEST_P(FaultyBeforeFmi3, PendingStepIsWaitedFor) {
  for (const char* const how : {"pending", "pending_silently"}) {  // by callback, by asking
    const auto it = make(how);
    initialize(*it);
    for (int n = 0; n < 5; ++n) {
      EXPECT_EQ(it->do_step(n * 0.1, 0.1).status, StepOutcome::Status::done);
    }
    EXPECT_NEAR(real(*it, "y"), 0.5, 1e-15) << how;  // u = 1; rounding
  }
}

TEST_P(FaultyBeforeFmi3, PendingStepMayFail) {
  const auto it = at_the_fault("pending_fails_later");
  EXPECT_CONTAINS(error_of(ErrorCode::fmu, [&] { it->do_step(0.5, 0.1); }), "DoStep failed");
}

class FaultyFmi2 : public Faulty {};
INSTANTIATE_TEST_SUITE_P(Versions, FaultyFmi2, testing::Values("2.0"), name_of);

TEST_P(FaultyFmi2, LacksOfOptionalFunctionsMatterOnlyWhenTheyAreNeeded) {
  const auto it = make("lacks_optional_functions");
  initialize(*it);
  it->do_step(0, 0.1);
  EXPECT_NEAR(real(*it, "y"), 0.1, 1e-15);
}

TEST_P(FaultyFmi2, PromisedButMissingFunctionIsNamedWhenNeeded) {
  for (const char* const what : {"lacks_state_functions", "misspelt_function"}) {
    const auto it = make(what);
    initialize(*it);
    FmuState state;
    const std::string text = error_of(ErrorCode::binary, [&] { it->save_state(state); });
    EXPECT_CONTAINS(text, "canGetAndSetFMUstate");
    EXPECT_CONTAINS(text, "lacks the function fmi2GetFMUstate");
    it->do_step(0, 0.1);  // all else works
  }
}

TEST_P(FaultyFmi2, LieAboutStatesIsAnError) {
  const auto it = make("lies_about_state");
  initialize(*it);
  FmuState state;
  EXPECT_CONTAINS(error_of(ErrorCode::fmu, [&] { it->save_state(state); }), "fmi2GetFMUstate");
}

}  // namespace
}  // namespace tutti::fmi::test
