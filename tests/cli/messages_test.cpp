// SPDX-License-Identifier: BSD-2-Clause
// What is printed, and how often: warnings once per FMU, files of packages as in the package, times
// without rounding noise.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; at += part.size()) ++found;
  return found;
}

std::string two_of(const std::string& file, const std::string& more = "") {
  return fmt::format(
      "[components.a]\nfmu = \"{0}\"\n[components.b]\nfmu = \"{0}\"\n[simulation]\nstop = "
      "1\nstep = 0.1\n{1}",
      file, more);
}

TEST(Messages, WhatOneInstanceOfAnFmuDoesIsReportedForTheFmu) {
  const Workplace place;
  place.write("s.toml", two_of(fmu("2.0", "faulty_change_locale")));
  const Answer answer = place.tutti({"run", "s.toml", "-o", "none"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_EQ(occurrences(answer.err, "changed the C locale"), 1u) << answer.err;
}

TEST(Messages, ADefectOfADescriptionIsReportedOnceInARun) {
  const Workplace place;
  for (const char* const method : {"gauss-seidel", "auto"}) {
    place.write("s.toml", two_of(fmu("3.0", "faulty_clock_without_interval"),
                                 fmt::format("method = \"{}\"\n", method)));
    const Answer answer = place.tutti({"run", "s.toml", "-o", "none"});
    EXPECT_EQ(answer.status, 0) << answer.err;
    EXPECT_EQ(occurrences(answer.err, "without intervalVariability"), 1u) << answer.err;
  }
}

// FMI 2.0, 2.1.5: a co-simulation slave that runs asynchronously uses it, others need none.
TEST(Messages, AnFmuThatRunsNothingInTheBackgroundGetsNoStepFinished) {
  const Workplace place;
  for (const char* const version : {"1.0-cs", "2.0"}) {
    const Answer answer =
        place.tutti({"simulate", fmu(version, "faulty_warns_of_step_finished"), "-o", "none"});
    EXPECT_EQ(answer.status, 0) << answer.err;
    EXPECT_THAT(answer.err, Not(HasSubstr("stepFinished"))) << version;
  }
}

TEST(Messages, NameTheFilesOfAPackageAsThePackageDoes) {
  const Workplace place;
  place.write("road.csv", "time,a.u\n1,0\n0,0\n");  // the time decreases
  place.write("s.toml", two_of(fmu("2.0", "Gain"), "[inputs]\nfile = \"road.csv\"\n"));
  const Answer packed = place.tutti({"convert", "s.toml", "car.ssp"});
  ASSERT_EQ(packed.status, 0) << packed.err;
  for (const char* const command : {"run", "check", "advise", "graph"}) {
    const Answer answer = place.tutti({command, "car.ssp"});
    EXPECT_NE(answer.status, 0);
    EXPECT_THAT(answer.out + answer.err, HasSubstr("car.ssp/")) << command;
    EXPECT_THAT(answer.out + answer.err, HasSubstr("road.csv:3: the time decreases")) << command;
    EXPECT_THAT(answer.out + answer.err, Not(HasSubstr("/tmp/"))) << command;
  }
}

// 0.3 is 0.30000000000000004 as 3 * 0.1.
TEST(Messages, TimesArePrintedWithoutRoundingNoise) {
  const Workplace place;
  place.write(
      "s.toml",
      fmt::format("[components.a]\nfmu = \"{}\"\n[components.b]\nfmu = \"{}\"\n[connections]"
                  "\nlist = [\"a.counter -> b.option_in\"]\n[simulation]\nstop = 1\nstep "
                  "= 0.1\n",
                  fmu("2.0", "Stair"), fmu("2.0", "Feedthrough")));
  const Answer answer = place.tutti({"run", "s.toml", "-o", "r.csv", "--set", "a.period=0.1"});
  EXPECT_EQ(answer.status, 1);
  EXPECT_THAT(answer.err, HasSubstr("the value 4 is no item"));
  EXPECT_THAT(answer.err, Not(HasSubstr("00000000"))) << answer.err;
  EXPECT_THAT(answer.err, Not(HasSubstr("99999999"))) << answer.err;
}

}  // namespace
}  // namespace tutti::testing
