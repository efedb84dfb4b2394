// SPDX-License-Identifier: BSD-2-Clause
#include <gmock/gmock.h>

#include <cmath>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

using SteadyJson = nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

class SteadyCommandLine : public SystemRun {
 protected:
  void write_tanks(const std::string& version = "2.0", const std::string& lower = "Outflow") {
    write({{"upper", "Outflow", "q = 0.02"}, {"lower", lower, "a = 0.02"}},
          {"\"upper.flow -> lower.q\""}, "[simulation]\nstop = 50.0\nstep = 0.5\n", version);
  }
  Answer steady(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "steady");
    return place_.tutti(arguments);
  }
};

TEST_F(SteadyCommandLine, WritesValuesFromWhichARunStartsAtRest) {
  for (const char* version : {"1.0-me", "2.0", "3.0"}) {
    write_tanks(version);
    const Answer answer = steady({"s.toml", "--set", "upper.a=0.012", "-o", "steady.toml"});
    ASSERT_EQ(answer.status, 0) << answer.err;
    EXPECT_THAT(answer.out, HasSubstr("stays there")) << version;
    EXPECT_THAT(answer.out, HasSubstr("stable"));
    const double upper = std::pow(0.02 / 0.012, 2) / (2 * 9.81), lower = 1 / (2 * 9.81);
    const auto end = run({"--start-from", "steady.toml"});
    EXPECT_NEAR(end.at("upper.h"), upper, 1e-7) << version;  // the tolerance of the solver
    EXPECT_NEAR(end.at("lower.h"), lower, 1e-7) << version;
    EXPECT_EQ(place_.leftover_count(), 0u);
  }
}

TEST_F(SteadyCommandLine, FindsAnInputForAnOutputAndPrintsJson) {
  write_tanks();
  const Answer answer = steady(
      {"s.toml", "--free", "upper.q", "--fix", "lower.h=0.2", "--json", "-o", "steady.toml"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  const SteadyJson state = SteadyJson::parse(answer.out);
  EXPECT_EQ(state["found"], true);
  EXPECT_EQ(state["verified"], true);
  EXPECT_NEAR(state["inputs"][0]["value"].get<double>(), 0.02 * std::sqrt(2 * 9.81 * 0.2), 1e-8);
  EXPECT_EQ(state["inputs"][0]["unit"], "m3/s");
  EXPECT_EQ(state["fixed"][0]["name"], "lower.h");
  EXPECT_NEAR(run({"--start-from", "steady.toml"}).at("lower.h"), 0.2, 1e-6);  // of the solver
}

TEST_F(SteadyCommandLine, TakesALoneFmu) {
  const std::string tank = fmu("3.0", "Outflow");
  const Answer answer = steady({tank, "--set", "q=0.02", "-o", "steady.toml"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  const Answer simulated =
      place_.tutti({"simulate", tank, "--start-from", "steady.toml", "-o", "r.csv"});
  ASSERT_EQ(simulated.status, 0) << simulated.err;
  const auto rows = csv_rows(place_.read("r.csv"));
  EXPECT_NEAR(std::stod(rows.back()[1]), 4 / (2 * 9.81), 1e-6);  // h is the first output
}

TEST_F(SteadyCommandLine, EndsWithOneAndResidualsWithoutASolution) {
  const std::string curve = fmu("2.0", "Curve");
  const Answer answer = steady({curve, "--set", "form=2", "-o", "steady.toml"});
  EXPECT_EQ(answer.status, 1);
  EXPECT_THAT(answer.out, HasSubstr("No steady state found"));
  EXPECT_THAT(answer.out, HasSubstr("der(x)"));
  EXPECT_THAT(answer.out, HasSubstr("--set"));
  EXPECT_THAT(answer.err, HasSubstr("\"steady.toml\" is not written"));
  EXPECT_FALSE(std::filesystem::exists(place_.path() / "steady.toml"));
}

TEST_F(SteadyCommandLine, RefusesBadInputWithStatusTwo) {
  write_tanks();
  const struct {
    std::vector<std::string> arguments;
    const char* message;
  } rows[] = {
      {{"s.toml", "--fix", "lower.h"}, "expected NAME=VALUE"},
      {{"s.toml", "--fix", "lower.h=high"}, "expected NAME=VALUE"},
      {{"s.toml", "--fix", "lower.h=0.2"}, "1 value fixed (lower.h), 0 inputs free"},
      {{"s.toml", "--free", "upper.x", "--fix", "lower.h=0.2"}, "\"upper.x\""},
      {{"s.toml", "--set", "upper.x=1"}, "there is no variable \"x\""},
      {{"none.toml"}, "none.toml"},
      {{"s.toml", "-o", "s.toml"}, "s.toml"},
      {{"s.toml", "-o", "r.csv"}, "For example: -o r.toml"},
  };
  for (const auto& [arguments, message] : rows) {
    const Answer answer = steady(arguments);
    EXPECT_EQ(answer.status, 2) << message;
    EXPECT_THAT(answer.err, HasSubstr(message));
    EXPECT_THAT(answer.err, Not(HasSubstr("%key%")));
  }
  write_tanks("2.0", "OutflowCs");
  const Answer answer = steady({"s.toml"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("Export the FMU with model exchange"));
}

TEST_F(SteadyCommandLine, ReportsFaultsOfAnFmu) {
  const std::string faulty = fmu("2.0", "faulty_me_faults");
#ifdef __SANITIZE_ADDRESS__
  const char* const crash = "ended the process";  // by the sanitizer
#else
  const char* const crash = "crash";
#endif
  const struct {
    const char *fault, *message;
    int status;
  } rows[] = {{"1", "out of range", 2},   {"2", crash, 2},   {"3", "fmi2Discard", 2},
              {"4", "not finite", 1},     {"6", "event", 2}, {"7", "end the run", 2},
              {"8", "no start values", 2}};
  for (const auto& [fault, message, status] : rows) {
    const Answer answer =
        steady({faulty, "--set", std::string("fault=") + fault, "--start", "0.6"});
    EXPECT_EQ(answer.status, status) << fault << answer.out;
    EXPECT_THAT(answer.out + answer.err, HasSubstr(message)) << fault;
    EXPECT_EQ(place_.leftover_count(), 0u);
  }
}

// The state at the start is found; later, when the change over time is tested, the FMU crashes.
TEST_F(SteadyCommandLine, TellsWhenAnFmuCrashed) {
  const Answer answer = steady({fmu("2.0", "faulty_me_faults"), "--set", "fault=2"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("while a steady state was searched"));
}

TEST_F(SteadyCommandLine, NotesAShortPulseOfAnInput) {
  write({{"upper", "Outflow", "a = 0.01"}}, {},
        "[inputs]\nfile = \"u.csv\"\n[simulation]\nstop = 4.0\nstep = 0.5\n");
  place_.write("u.csv", "time,upper.q\n0,0.02\n0.05,0.02\n0.1,0.03\n0.15,0.02\n4,0.02\n");
  const Answer answer = steady({"s.toml"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("inputs change after the start: upper.q"));
  place_.write("u.csv", "time,upper.q\n0,0.02\n4,0.02\n");
  EXPECT_THAT(steady({"s.toml"}).out, Not(HasSubstr("inputs change")));
}

}  // namespace
}  // namespace tutti::testing
