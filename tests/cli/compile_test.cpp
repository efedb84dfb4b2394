// SPDX-License-Identifier: BSD-2-Clause
// FMUs that are sources only, through the command line.
#include <gtest/gtest.h>
#include <stdlib.h>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

class SourceFmu : public ::testing::TestWithParam<std::string> {
 protected:
  SourceFmu() {
    ::setenv("XDG_CACHE_HOME", (place.path() / "cache").c_str(), 1);
    ::unsetenv("CC");
  }
  ~SourceFmu() override { ::unsetenv("XDG_CACHE_HOME"); }
  Answer simulate(const std::vector<std::string>& options) const {
    std::vector<std::string> words = {"simulate", fmu("sources", "SourceDecay" + GetParam())};
    words.insert(words.end(), options.begin(), options.end());
    return place.tutti(words);
  }
  Workplace place;
};
INSTANTIATE_TEST_SUITE_P(Cli, SourceFmu, ::testing::Values("2", "3"));

TEST_P(SourceFmu, IsCompiledWhenAskedTo) {
  const Answer refused = simulate({"-o", "x.csv"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("add --compile"), std::string::npos) << refused.err;

  const Answer first = simulate({"--compile", "-o", "x.csv"});
  EXPECT_EQ(first.status, 0) << first.err;
  EXPECT_NE(first.err.find("compiling "), std::string::npos) << first.err;
  EXPECT_EQ(csv_rows(place.read("x.csv")).size(), 12u);  // header, 0 to 1 in steps of 0.1

  const Answer second = simulate({"--compile", "-o", "y.csv"});
  EXPECT_EQ(second.status, 0) << second.err;
  EXPECT_NE(second.err.find("compiled earlier"), std::string::npos) << second.err;
  EXPECT_EQ(place.read("x.csv"), place.read("y.csv"));
  EXPECT_EQ(place.leftover_count(), 0u);
}

TEST_P(SourceFmu, IsCheckedByRunningWhenItMayBeCompiled) {
  const std::string file = fmu("sources", "SourceDecay" + GetParam());
  const Answer not_run = place.tutti({"check", file, "--run"});
  EXPECT_EQ(not_run.status, 0);
  EXPECT_NE(not_run.out.find("not run: "), std::string::npos) << not_run.out;
  EXPECT_NE(not_run.out.find("add --compile"), std::string::npos) << not_run.out;
  const Answer run = place.tutti({"check", file, "--run", "--compile"});
  EXPECT_EQ(run.status, 0);
  EXPECT_NE(run.out.find("no errors, no warnings\n"), std::string::npos) << run.out;
}

TEST_P(SourceFmu, WithoutACompilerIsRefused) {
  ::setenv("CC", "/no/compiler", 1);
  const Answer answer = simulate({"--compile", "-o", "none"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_NE(answer.err.find("/no/compiler"), std::string::npos) << answer.err;
  EXPECT_EQ(place.leftover_count(), 0u);
}

}  // namespace
}  // namespace tutti::testing
