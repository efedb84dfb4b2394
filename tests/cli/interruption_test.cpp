// SPDX-License-Identifier: BSD-2-Clause
// Runs that are ended from outside: by the watchdog, by signals, by an FMU that calls exit().
#include <gmock/gmock.h>
#include <signal.h>

#include <chrono>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Interruption : public ::testing::Test {
 protected:
  std::vector<std::string> simulate(const std::string& name,
                                    const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"simulate", fmu("2.0", name), "--step", "0.1",
                                          "-o",       "y.csv"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  /// Steps of 0.2 s of wall time, far more than a test waits for.
  std::vector<std::string> simulate_slowly() const {
    return simulate("faulty_slow_step", {"--set", "at=0", "--stop", "100"});
  }
  /// Whole rows up to t, and nothing else left behind.
  void expect_results_up_to(double t) const {
    const std::string text = place_.read("y.csv");
    EXPECT_TRUE(text.ends_with('\n')) << text;
    const auto rows = csv_rows(text);
    ASSERT_GE(rows.size(), 2u);
    EXPECT_NEAR(std::stod(rows.back()[0]), t, 1e-12);
    EXPECT_EQ(place_.leftover_count(), 0u);
  }
  double seconds_since(std::chrono::steady_clock::time_point start) const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  Workplace place_;
};

TEST_F(Interruption, AnFmuThatHangsAndTalksHasATimeout) {
  const Answer answer = place_.tutti(simulate("faulty_hang_and_log", {"--step-timeout", "0.5"}));
  EXPECT_EQ(answer.status, 1);
  EXPECT_THAT(answer.err, HasSubstr("did not return within 0.5 s in a step"));
  expect_results_up_to(0.5);
}

TEST_F(Interruption, AnFmuThatHangsAndTalksIsEndedByEverySignal) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const Answer answer = place_.tutti(simulate("faulty_hang_and_log"), {{0.5, signal}});
    EXPECT_EQ(answer.status, 130) << signal;
    EXPECT_THAT(answer.err, HasSubstr("was interrupted in a step and did not return"));
    expect_results_up_to(0.5);
  }
}

// The first leaves an FMU 2 s to end its step.
TEST_F(Interruption, TheSecondCtrlCEndsTheRunAtOnce) {
  for (const char* where : {"--step-timeout=0", "--in-process"}) {
    const auto start = std::chrono::steady_clock::now();
    const Answer answer =
        place_.tutti(simulate("faulty_hang_in_step", {where}), {{0.5, SIGINT}, {0.8, SIGINT}});
    EXPECT_LT(seconds_since(start), 2.3) << where;
    EXPECT_EQ(answer.status, 130) << where << answer.err;
    EXPECT_THAT(answer.err, HasSubstr("the results up to then are in \"y.csv\"")) << where;
    expect_results_up_to(0.5);
  }
}

// timeout(1) signals the process, and then its group.
TEST_F(Interruption, ASignalThatComesTwiceAtOnceIsOne) {
  const Answer answer = place_.tutti(simulate_slowly(), {{0.5, SIGTERM}, {0.501, SIGTERM}});
  EXPECT_EQ(answer.status, 130);
  EXPECT_THAT(answer.err, HasSubstr("interrupted at t = "));
  EXPECT_THAT(answer.err, Not(HasSubstr("did not return")));
}

TEST_F(Interruption, NoSignalLosesResults) {
  for (const int signal : {SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU}) {
    const Answer answer = place_.tutti(simulate_slowly(), {{0.7, signal}});
    EXPECT_EQ(answer.status, 130) << signal << answer.err;
    const std::string at = "interrupted at t = ";
    const std::size_t found = answer.err.find(at);
    ASSERT_NE(found, std::string::npos) << answer.err;
    expect_results_up_to(std::stod(answer.err.substr(found + at.size())));
    EXPECT_THAT(place_.read("y.meta.json"), HasSubstr("interrupted"));
  }
}

TEST_F(Interruption, ACallerThatIgnoresItsChildrenGetsTheResult) {
  const std::string tutti = "env --ignore-signal=CHLD $TUTTI simulate ";
  Answer answer = place_.shell(tutti + fmu("2.0", "Dahlquist") + " -o y.csv");
  EXPECT_EQ(answer.status, 0) << answer.err;
  answer = place_.shell(tutti + fmu("2.0", "faulty_abort_in_step") + " -o y.csv");
  EXPECT_EQ(answer.status, 1);
  EXPECT_THAT(answer.err, HasSubstr("SIGABRT"));
}

TEST_F(Interruption, AnFmuThatEndsOurProcessIsReported) {
  const Answer answer = place_.tutti(simulate("faulty_exit_in_step", {"--in-process"}));
  EXPECT_EQ(answer.status, 1);
  EXPECT_THAT(answer.err,
              HasSubstr("t = 0.5 s: component \"faulty_exit_in_step\" ended the process "
                        "in a step: it called exit()"));
  EXPECT_THAT(answer.err, HasSubstr("the results up to then are in \"y.csv\""));
  expect_results_up_to(0.5);
  EXPECT_THAT(place_.read("y.meta.json"), HasSubstr("failed"));
}

TEST_F(Interruption, AnFmuThatEndsOurProcessInAProbeIsReported) {
  place_.write("s.toml", "[components.a]\nfmu = \"" + fmu("2.0", "faulty_exit_in_step") +
                             "\"\nset = { at = 0.0 }\n[components.b]\nfmu = \"" +
                             fmu("2.0", "Gain") +
                             "\"\n[connections]\nlist = [\"a.y -> b.u\", \"b.y -> a.u\"]\n"
                             "[simulation]\nstop = 1.0\nstep = 0.1\n");
  const Answer answer = place_.tutti({"advise", "s.toml", "--points", "2", "--in-process"});
  EXPECT_EQ(answer.status, 1);
  EXPECT_THAT(answer.err, HasSubstr("an FMU ended the process: it called exit()"));
}

TEST_F(Interruption, AProbeOfAnFmuThatHangsAndTalksEnds) {
  place_.write("s.toml", "[components.a]\nfmu = \"" + fmu("2.0", "faulty_hang_and_log") +
                             "\"\nset = { at = 0.0 }\n[components.b]\nfmu = \"" +
                             fmu("2.0", "Gain") +
                             "\"\n[connections]\nlist = [\"a.y -> b.u\", \"b.y -> a.u\"]\n"
                             "[simulation]\nstop = 1.0\nstep = 0.1\n");
  const Answer answer =
      place_.tutti({"advise", "s.toml", "--points", "2", "--step-timeout", "0.5"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("component \"a\" did not return within 0.5 s"));
}

}  // namespace
}  // namespace tutti::testing
