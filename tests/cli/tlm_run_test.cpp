// SPDX-License-Identifier: BSD-2-Clause
// Systems with lines as users run them: in a worker or not, with threads, and with FMUs that fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command.hpp"
#include "support/places.hpp"

namespace tutti::testing::tlm_run {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Numbers in files read back exactly, so equal files mean equal bits.
TEST(TlmRun, GivesTheSameBitsInAWorkerAndOnTwoThreads) {
  const Workplace place;
  const auto examples = places::build_folder() / "examples";
  const auto rows = [&](const std::string& file, const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"run", (examples / file).string(), "-o", "r.csv", "--stop",
                                       "0.12"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Answer answer = place.tutti(arguments);
    EXPECT_EQ(answer.status, 0) << answer.err;
    return place.read("r.csv");
  };
  for (const char* file : {"tlm_three_masses/system.toml", "tlm_three_masses/wave.toml",
                           "tlm_double_pendulum/table.toml", "tlm_thermofluid/system.toml"}) {
    const std::string plain = rows(file, {});
    EXPECT_GT(csv_rows(plain).size(), 30u);
    EXPECT_EQ(rows(file, {"--in-process"}), plain) << file;
    EXPECT_EQ(rows(file, {"--set", "simulation.threads=2"}), plain) << file;
    EXPECT_EQ(rows(file, {"--set", "simulation.threads=2", "--in-process"}), plain) << file;
    // Every step is timed: none goes the short way of bare FMI calls.
    EXPECT_EQ(rows(file, {"--profile"}), plain) << file;
  }
}

TEST(TlmRun, WritesPortsToAFileOfTheirOwn) {
  const Workplace place;
  const std::string system =
      (places::build_folder() / "examples/tlm_three_masses/system.toml").string();
  const std::vector<std::string> ports{
      "run",    system, "--set", "results.ports=left.*", "--set", "results.ports-interval=1e-3",
      "--stop", "0.12"};
  const auto run = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = ports;
    all.insert(all.end(), more.begin(), more.end());
    return place.tutti(all);
  };
  const Answer answer = run({"-o", "r.csv"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("results in \"r.csv\", of ports in \"r-ports.csv\""));
  const std::string written = place.read("r-ports.csv");
  EXPECT_TRUE(
      written.starts_with("time,left.end.effort,left.end.flow,left.end.wave,left.end.sent"));
  EXPECT_EQ(csv_rows(written).size(), 122u);
  EXPECT_EQ(csv_rows(place.read("r.csv")).size(), 302u);  // the rows of the report
  EXPECT_EQ(run({"-o", "again.csv", "--in-process"}).status, 0);
  EXPECT_EQ(place.read("again-ports.csv"), written);

  EXPECT_EQ(run({"-o", "none"}).status, 0);
  const Answer refused = run({"-o", "r.csv", "--checkpoint", "c.checkpoint", "--every", "0.05"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("results.ports: ports cannot be recorded in a run with "
                                     "checkpoints"));
  const Answer device = run({"-o", "/dev/null"});
  EXPECT_EQ(device.status, 2);
  EXPECT_THAT(device.err, HasSubstr("ports cannot be recorded beside a pipe or device"));
}

/// Three islands: a mass, a line to an FMU of which something is expected at t = 0.5, and a mass
/// that gets its output later.
class TlmFaults : public ::testing::Test {
 protected:
  Answer run(const std::string& version, const std::string& faulty, const std::string& threads) {
    place_.write("s.toml", R"(
[components.first]
fmu = ")" + fmu("2.0", "Link") +
                               R"("
ports.p = { domain = "translational", effort = "f1", flow = "v" }
[components.faulty]
fmu = ")" + fmu(version, "faulty_" + faulty) +
                               R"("
ports.p = { domain = "translational", effort = "u", flow = "y" }
[components.last]
fmu = ")" + fmu("2.0", "Link") +
                               R"("
[[tlm]]
between = ["first.p", "faulty.p"]
delay = 0.05
impedance = 1
[[delays]]
from = "faulty.y"
to = "last.f1"
delay = 0.08
[simulation]
stop = 1
step = 0.1
)");
    return place_.tutti({"run", "s.toml", "-o", "r.csv", "--set", "simulation.threads=" + threads});
  }
  std::vector<std::vector<std::string>> rows() const { return csv_rows(place_.read("r.csv")); }
  Workplace place_;
};

// The last point that all islands have reached; its results are there.
TEST_F(TlmFaults, EndAllIslandsAtTheLastCommonPoint) {
  for (const char* threads : {"1", "2"})
    for (const char* version : {"2.0", "3.0"}) {
      const Answer answer = run(version, "error_in_step", threads);
      EXPECT_EQ(answer.status, 1);
      EXPECT_THAT(answer.err, HasSubstr("component \"faulty\""));
      EXPECT_THAT(answer.err, HasSubstr("the model failed"));
      ASSERT_EQ(rows().size(), 7u) << version;  // the names, and 0 to 0.5
      EXPECT_NEAR(std::stod(rows().back()[0]), 0.5, 1e-12);
    }
}

TEST_F(TlmFaults, OfAnFmuThatCrashesKeepTheResults) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer itself reports this";
#endif
  for (const char* threads : {"1", "2"}) {
    const Answer answer = run("2.0", "crash_in_step", threads);
    EXPECT_EQ(answer.status, 1);
    EXPECT_THAT(answer.err, HasSubstr("crashed in a step: segmentation fault (SIGSEGV)"));
    EXPECT_THAT(answer.err, HasSubstr("\"faulty\""));
    // What others had not yet reached when it crashed is missing. On a thread of its own, nothing
    // but its own speed says how far `last` has come, which waits for the others, but not they for
    // it: it may be at the start.
    EXPECT_GE(rows().size(), threads == std::string("1") ? 6u : 2u);
    EXPECT_LE(rows().size(), 7u);
  }
}

// The second island is led by the second thread, but loaded, initialized and ended by the first.
TEST_F(TlmFaults, OutsideOfStepsNameTheirComponent) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer itself reports this";
#endif
  for (const char* fault :
       {"crash_in_instantiate", "crash_in_initialization", "crash_in_terminate"}) {
    place_.write("two.toml", R"(
[components.first]
fmu = ")" + fmu("2.0", "Link") +
                                 R"("
ports.p = { domain = "translational", effort = "f1", flow = "v" }
[components.faulty]
fmu = ")" + fmu("2.0", std::string("faulty_") + fault) +
                                 R"("
ports.p = { domain = "translational", effort = "u", flow = "y" }
[[tlm]]
between = ["first.p", "faulty.p"]
delay = 0.05
impedance = 1
[simulation]
stop = 1
step = 0.1
threads = 2
)");
    const Answer answer = place_.tutti({"run", "two.toml", "-o", "none"});
    EXPECT_NE(answer.status, 0) << fault;
    EXPECT_THAT(answer.err, HasSubstr("component \"faulty\" crashed")) << fault;
    EXPECT_THAT(answer.err, Not(HasSubstr("\"first\""))) << fault;
  }
}

TEST_F(TlmFaults, ThatAreRequestsToEndTheRunAreNoFailure) {
  for (const char* threads : {"1", "2"})
    for (const char* version : {"2.0", "3.0"}) {
      const Answer answer = run(version, "asks_for_termination", threads);
      EXPECT_EQ(answer.status, 0) << answer.err;
      EXPECT_THAT(answer.out, HasSubstr("asked to end the run: t = 0 to 0.5"));
      ASSERT_EQ(rows().size(), 7u) << version;
    }
}

}  // namespace
}  // namespace tutti::testing::tlm_run
