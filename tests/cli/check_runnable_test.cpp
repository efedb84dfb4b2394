// SPDX-License-Identifier: BSD-2-Clause
// `tutti check SYSTEM` finds what will not run on this machine, all of it; and what causes one
// error causes no second one.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string with_component(const std::string& name, const std::string& file,
                           const std::string& more = "") {
  return fmt::format("[components.{}]\nfmu = \"{}\"\n{}", name, file, more);
}

class CheckRunnable : public ::testing::Test {
 protected:
  CheckRunnable() { ::setenv("XDG_CACHE_HOME", (place.path() / "cache").c_str(), 1); }
  ~CheckRunnable() override { ::unsetenv("XDG_CACHE_HOME"); }
  Answer check(const std::string& text, const std::vector<std::string>& more = {}) const {
    place.write("s.toml", text + "[simulation]\nstop = 1\nstep = 0.1\n");
    std::vector<std::string> call = {"check", "s.toml"};
    call.insert(call.end(), more.begin(), more.end());
    return place.tutti(call);
  }
  Workplace place;
};

TEST_F(CheckRunnable, NamesEveryComponentWithoutABinaryForThisMachine) {
  const std::string two = fmu("sources", "SourceDecay2"), three = fmu("sources", "SourceDecay3");
  const Answer answer =
      check(with_component("first", two) + with_component("fine", fmu("2.0", "Gain")) +
            with_component("second", three) + with_component("third", two));
  EXPECT_EQ(answer.status, 1);
  EXPECT_THAT(answer.out, HasSubstr("component \"first\" (SourceDecay2.fmu, FMI 2.0): "));
  EXPECT_THAT(answer.out, HasSubstr("The same applies to third."));
  EXPECT_THAT(answer.out, HasSubstr("component \"second\" (SourceDecay3.fmu, FMI 3.0): "));
  EXPECT_THAT(answer.out, HasSubstr("add --compile"));
  EXPECT_THAT(answer.out, HasSubstr(": 2 errors"));
  EXPECT_EQ(place.leftover_count(), 0u);
}

TEST_F(CheckRunnable, FindsNothingWhereTheSourcesMayBeCompiled) {
  const Answer answer =
      check(with_component("only", fmu("sources", "SourceDecay2")), {"--compile"});
  EXPECT_EQ(answer.status, 0) << answer.out;
  EXPECT_THAT(answer.out, HasSubstr("no errors"));
}

TEST_F(CheckRunnable, NamesComponentsThatUseClocks) {
  const Answer answer = check(with_component("a", fmu("3.0", "faulty_clocked_output")) +
                              with_component("b", fmu("3.0", "Gain")));
  EXPECT_EQ(answer.status, 1);
  EXPECT_THAT(answer.out,
              HasSubstr("component \"a\" (faulty_clocked_output.fmu, FMI 3.0): the FMU uses clocks "
                        "(variable \"y\" needs one)"));
}

TEST_F(CheckRunnable, ARunNamesThemAllToo) {
  place.write("s.toml", with_component("a", fmu("3.0", "faulty_clocked_output")) +
                            with_component("b", fmu("sources", "SourceDecay2")) +
                            "[simulation]\nstop = 1\nstep = 0.1\n");
  const Answer answer = place.tutti({"run", "s.toml", "-o", "none"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("component \"a\""));
  EXPECT_THAT(answer.err, HasSubstr("component \"b\""));
}

// FMI 3.0, 2.2.8.3: a clock changes what belongs to it. To this one belongs nothing.
TEST_F(CheckRunnable, AClockThatNothingUsesDoesNotMatter) {
  const std::string file = fmu("3.0", "faulty_idle_clock");
  const Answer checked = check(with_component("a", file));
  EXPECT_EQ(checked.status, 0) << checked.out;
  EXPECT_EQ(place.tutti({"run", "s.toml", "-o", "r.csv"}).status, 0);
  for (const char* const type : {"cs", "me"}) {
    const Answer answer = place.tutti({"simulate", file, "--type", type, "-o", "x.csv"});
    EXPECT_EQ(answer.status, 0) << answer.err;
  }
  const Answer tried = place.tutti({"check", file, "--run"});
  EXPECT_THAT(tried.out, Not(HasSubstr("not run")));
}

// The array u of StateSpace has m elements.
TEST_F(CheckRunnable, AWrongArrayLengthCausesNoErrorAboutAConnection) {
  const std::string file = fmu("3.0", "StateSpace");
  const Answer answer =
      check(with_component("a", file,
                           "set = { m = 2, r = 2, n = 1, A = [[0.0]], B = [[0.0, 0.0]], "
                           "C = [[0.0], [0.0]], D = [[1.0, 0.0], [0.0, 1.0]], "
                           "u = [1.0, 2.0, 3.0] }\n") +
            with_component("b", file,
                           "set = { m = 2, r = 2, n = 1, A = [[0.0]], B = [[0.0, 0.0]], "
                           "C = [[0.0], [0.0]], D = [[1.0, 0.0], [0.0, 1.0]] }\n") +
            "[connections]\nlist = [\"b.y -> a.u\"]\n");
  EXPECT_EQ(answer.status, 1);
  EXPECT_THAT(answer.out, HasSubstr("component \"a\""));
  EXPECT_THAT(answer.out, Not(HasSubstr("connection \"b.y -> a.u\"")));
  EXPECT_THAT(answer.out, HasSubstr(": 1 error,"));
}

}  // namespace
}  // namespace tutti::testing
