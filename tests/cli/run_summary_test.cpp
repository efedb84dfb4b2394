// SPDX-License-Identifier: BSD-2-Clause
// What `tutti run` and `tutti simulate` say of a run in words: the summary, and what deserves a
// look, each provoked by a system.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "support/places.hpp"
#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class RunSummaries : public SystemRun {
 protected:
  /// The findings of a kind, of a run with --json.
  nlohmann::json findings(const std::string& kind, std::vector<std::string> arguments = {}) {
    arguments.emplace_back("--json");
    run(std::move(arguments));
    EXPECT_EQ(answer_.status, 0) << answer_.err;
    nlohmann::json found = nlohmann::json::array();
    const auto report = nlohmann::json::parse(answer_.out);  // lives as long as the loop
    for (const auto& finding : report["findings"])
      if (finding["kind"] == kind) found.push_back(finding);
    return found;
  }
  /// x' = y, y' = -x, until t = 10 s.
  void write_oscillator(const std::string& settings) {
    write({{"a", "Feedback", "a = 0.0, b = 1.0, x = 1.0"},
           {"b", "Feedback", "a = 0.0, b = -1.0, x = 0.0"}},
          {"\"a.y -> b.u\"", "\"b.y -> a.u\""}, "[simulation]\nstop = 10.0\n" + settings);
  }
  /// What a program prints on a terminal of so many columns, both streams.
  std::string on_terminal(const std::string& command, unsigned short columns) {
    winsize size{24, columns, 0, 0};
    int terminal = -1;
    const std::string program = "cd " + place_.path().string() + " && " + command;
    const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
    if (child == 0) {
      ::setenv("TERM", "xterm", 1);
      ::execl("/bin/sh", "sh", "-c", program.c_str(), nullptr);
      ::_exit(127);
    }
    std::string shown(1 << 16, '\0');
    std::size_t count = 0;
    for (ssize_t got = 0; (got = ::read(terminal, &shown[count], shown.size() - count)) > 0;)
      count += static_cast<std::size_t>(got);
    ::waitpid(child, nullptr, 0);
    ::close(terminal);
    shown.resize(count);
    return shown;
  }
};

TEST_F(RunSummaries, AreAFewLinesWithoutStatistics) {
  write_loop(0.5, 0.5, "method = \"newton\"\n");
  run();
  EXPECT_EQ(std::count(answer_.out.begin(), answer_.out.end(), '\n'), 3) << answer_.out;
  EXPECT_THAT(answer_.out, HasSubstr("test (2 components), completed: t = 0 to 1 s, 10 steps of "
                                     "0.1 s in "));
  EXPECT_THAT(answer_.out, HasSubstr("\n  cycle {a, b}: newton, "));
  EXPECT_THAT(answer_.out, HasSubstr("\n  results in \"r.csv\", 11 rows\n"));
  EXPECT_EQ(answer_.err, "");
  for (const char* option : {"--statistics", "-v"}) {
    run({option});
    EXPECT_THAT(answer_.out, HasSubstr("\n  doStep calls")) << option;
    EXPECT_THAT(answer_.out, HasSubstr("rows\n  steps")) << option;  // without another headline
  }
}

TEST_F(RunSummaries, SayWhatAutoChoseAndWhy) {
  write_loop(0.5, 0.5, "method = \"auto\"\n");
  run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_THAT(answer_.out, HasSubstr("\n  cycle {a, b}: auto chose method = \""));
  EXPECT_THAT(answer_.out, HasSubstr("\n    because "));
  const auto all = statistics();
  EXPECT_EQ(all["couplings"][0]["components"], nlohmann::json({"a", "b"}));
  EXPECT_NE(all["couplings"][0]["reason"], "");
}

TEST_F(RunSummaries, NameTheComponentThatEndsTheRun) {
  for (const char* version : {"2.0", "3.0"}) {
    write({{"calm", "Gain", ""}, {"b", "faulty_asks_for_termination", ""}}, {},
          "[simulation]\nstop = 10.0\nstep = 0.5\n", version);
    run();
    EXPECT_EQ(answer_.status, 0) << answer_.err;
    EXPECT_THAT(answer_.out, HasSubstr("component \"b\" asked to end the run: t = 0 to "));
    EXPECT_THAT(answer_.out, HasSubstr(" s of 10 s, "));
  }
}

TEST_F(RunSummaries, NoteInputsWithoutASource) {
  write({{"a", "Gain", ""}, {"b", "Gain", "u = 2.0"}}, {}, "");
  const auto found = findings("open-inputs");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0]["severity"], "note");
  EXPECT_EQ(found[0]["text"], "not connected, so it keeps its start value: a.u");
  EXPECT_THAT(answer_.err, HasSubstr("tutti: note: not connected, so it keeps"));
}

TEST_F(RunSummaries, WarnOfResultsThatAreNotFinite) {
  write({{"a", "faulty_infinite_in_step", ""}}, {}, "[simulation]\nstop = 10.0\nstep = 0.5\n");
  const auto found = findings("not-finite");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0]["text"], HasSubstr("is infinite in "));
  EXPECT_THAT(answer_.err, HasSubstr("tutti: warning: \"a."));
}

// Without safety each step is as long as the last one allowed: where errors grow, it is rejected.
TEST_F(RunSummaries, WarnOfStepsThatAreRejectedOften) {
  write_oscillator(
      "step = 0.01\nmethod = \"jacobi\"\n"
      "control = { name = \"richardson\", safety = 1.0, grow = 10.0, max = 10.0, min = 1e-6 }\n");
  const auto found = findings("rejected-steps");
  ASSERT_EQ(found.size(), 1u) << answer_.out;
  EXPECT_EQ(found[0]["severity"], "warning");
}

// Sweeps contract by h^2 = 0.01: the second one still changes values by 1e-3.
TEST_F(RunSummaries, WarnOfIterationsAtTheLimit) {
  write_oscillator(
      "step = 0.1\nmethod = \"iterated\"\n"
      "tolerance = { iterations = 2, on-limit = \"continue\" }\n");
  const auto found = findings("iteration-limit");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0]["text"], HasSubstr("reached the limit of 2 iterations and were accepted"));
}

// Sweeps diverge by a factor of 2; Newton's method solves the loop.
TEST_F(RunSummaries, WarnOfFallbacksThatAreUsedOften) {
  write_loop(2, -1, "method = [\"iterated\", \"newton\"]\n");
  const auto found = findings("fallbacks", {"--set", "simulation.stop=20"});
  ASSERT_EQ(found.size(), 1u) << answer_.out;
  EXPECT_EQ(found[0]["hint"], "Try method = \"newton\" from the start.");
}

TEST_F(RunSummaries, WarnOfFmusThatWarnVeryOften) {
  write({{"a", "faulty_warning_in_step", ""}}, {}, "[simulation]\nstop = 20.0\nstep = 0.1\n");
  const auto found = findings("fmu-warnings");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0]["component"], "a");
}

TEST_F(RunSummaries, NameTheComponentThatTakesTheTime) {
  write({{"a", "Busy", "rounds = 200000"}, {"b", "Busy", "rounds = 10"}}, {},
        "[simulation]\nstop = 1000.0\nstep = 0.1\n");
  const auto found = findings("slow-component");
  ASSERT_EQ(found.size(), 1u) << answer_.out;
  EXPECT_EQ(found[0]["component"], "a");
}

TEST_F(RunSummaries, HaveColoursWhereTheyAreWanted) {
  write_loop(0.5, 0.5, "method = \"newton\"\nsweeps = \"jacobi\"\n");
  run({"--color", "always"});
  EXPECT_TRUE(answer_.out.starts_with("\x1b[1mtest (2 components), completed:\x1b[0m t = 0"))
      << answer_.out;
  run();
  EXPECT_THAT(answer_.out + answer_.err, Not(HasSubstr("\x1b")));
  const Answer failed = place_.tutti({"run", "none.toml", "--color", "always"});
  EXPECT_THAT(failed.err, HasSubstr("tutti: \x1b[1;31merror: \x1b[0m"));
}

TEST_F(RunSummaries, AreColouredAndWrappedOnATerminal) {
  write_loop(0.5, 0.5, "method = \"newton\"\n");
  const std::string run = places::tutti_program().string() + " run s.toml -o r.csv";
  EXPECT_THAT(on_terminal(run, 100), HasSubstr("\x1b[1mtest (2 components), completed:"));
  EXPECT_THAT(on_terminal("NO_COLOR=1 " + run, 100), Not(HasSubstr("\x1b")));
  EXPECT_THAT(on_terminal(run + " --color never", 100), Not(HasSubstr("\x1b")));
  const std::string narrow = on_terminal(run + " --color never", 40);
  for (std::size_t start = 0; start < narrow.size();) {
    const std::size_t end = std::min(narrow.find("\r\n", start), narrow.size());
    EXPECT_LE(end - start, 40u) << narrow.substr(start, end - start);
    start = end + 2;
  }
}

TEST_F(RunSummaries, FollowAProgressBarOnATerminal) {
  write({{"a", "Busy", "rounds = 400000"}}, {}, "[simulation]\nstop = 400.0\nstep = 0.1\n");
  const std::string run = places::tutti_program().string() + " run s.toml -o r.csv";
  const std::string shown = on_terminal(run, 100);
  EXPECT_THAT(shown, AllOf(HasSubstr("\r\x1b[K[="), HasSubstr(" %"), HasSubstr(" s left"),
                           HasSubstr("x real time")));
  EXPECT_THAT(on_terminal(run + " --quiet", 100), Not(HasSubstr("left")));
}

}  // namespace
}  // namespace tutti::testing
