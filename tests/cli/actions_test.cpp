// SPDX-License-Identifier: BSD-2-Clause
// Timed actions on the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// y' = gain, beside a gain whose input nothing drives.
std::string actions_text() {
  return "[components.g]\nfmu = \"" + fmu("2.0", "TunableGain") + "\"\n[components.k]\nfmu = \"" +
         fmu("2.0", "Gain") +
         "\"\n[[actions]]\nat = 0.5\nset = { g.gain = 3.0, k.u = 2.0 }\n"
         "[simulation]\nstop = 1.0\nstep = 0.25\n[results]\nvariables = [\"g.y\"]\n";
}

TEST(Actions, AreReportedAndCounted) {
  const Workplace work;
  work.write("s.toml", actions_text());
  const Answer run = work.tutti({"run", "s.toml", "-o", "r.csv", "--verbose"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("t = 0.5 s: actions.1 sets g.gain = 3, k.u = 2"));
  EXPECT_THAT(run.out + run.err, HasSubstr("timed actions"));
  EXPECT_EQ(csv_rows(work.read("r.csv")).back(), (std::vector<std::string>{"1", "2"}));
  EXPECT_THAT(work.read("r.meta.json"), HasSubstr("\"g.gain\": 3"));
  const Answer quiet = work.tutti({"run", "s.toml", "-o", "r.csv"});
  EXPECT_THAT(quiet.err, Not(HasSubstr("actions.1")));
  EXPECT_THAT(quiet.err, Not(HasSubstr("k.u"))) << "it keeps its start value for half of the time";
}

TEST(Actions, AreMovedByAnAssignment) {
  const Workplace work;
  work.write("s.toml", actions_text());
  const Answer run = work.tutti({"run", "s.toml", "-o", "r.csv", "--set", "actions.1.at=0.75",
                                 "--set", "actions.1.set.g.gain=5"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(csv_rows(work.read("r.csv")).back(), (std::vector<std::string>{"1", "2"}));
  const Answer wrong = work.tutti({"run", "s.toml", "--set", "actions.2.at=0.75"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("actions has no entry \"2\""));
}

TEST(Actions, AreShownWithTheSystem) {
  const Workplace work;
  work.write("s.toml", actions_text());
  EXPECT_THAT(work.tutti({"graph", "s.toml"}).out, HasSubstr("t = 0.5 s  g.gain = 3"));
  EXPECT_THAT(work.tutti({"graph", "s.toml", "--format", "json"}).out, HasSubstr("\"actions\""));
  EXPECT_THAT(work.tutti({"check", "s.toml"}).out, HasSubstr("1 timed action"));
}

TEST(Actions, SurviveEveryFormat) {
  const Workplace work;
  work.write("s.toml", actions_text());
  ASSERT_EQ(work.tutti({"run", "s.toml", "-o", "r.csv"}).status, 0);
  for (const std::string file : {"c.toml", "c.ssp", "c.ssd"}) {
    const Answer converted = work.tutti({"convert", "s.toml", file});
    ASSERT_EQ(converted.status, 0) << converted.err;
    const Answer run = work.tutti({"run", file, "-o", "c.csv"});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(work.read("c.csv"), work.read("r.csv")) << file;
  }
}

// Rows with half the steps are the same, so what is verified converges.
TEST(Actions, AreVerified) {
  const Workplace work;
  work.write("s.toml", actions_text());
  const Answer run = work.tutti({"run", "s.toml", "-o", "r.csv", "--verify", "1e-3"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out + run.err, HasSubstr("simulation.step = 0.125"));
}

}  // namespace
}  // namespace tutti::testing
