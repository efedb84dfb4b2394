// SPDX-License-Identifier: BSD-2-Clause
// How components are stepped together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "master/fake_run.hpp"

namespace tutti::master {
namespace {

using models::StepOutcome;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Status = StepOutcome::Status;
using Values = FakeInstance::Values;

Values clock_of(double t, const Values&) { return {t}; }
Values echo_of(double, const Values& u) { return u; }

TEST(CoupledSteps, AreTakenOnceByEachComponent) {
  FakeSystem system;
  const FakeInstance& a = system.add("a", clock_of);
  const FakeInstance& b = system.add("b", clock_of);
  system.plan();
  FakeRun run(system, 1, 0.25);
  EXPECT_EQ(run.run().kind, RunEnd::Kind::completed);
  EXPECT_THAT(a.steps, ElementsAre(0, 0.25, 0.5, 0.75));
  EXPECT_EQ(b.steps, a.steps);
}

// What is fed steps later and has the outputs of the same step, whatever the order in the file is.
TEST(CoupledSteps, FollowTheConnections) {
  FakeSystem system;
  const FakeInstance& last = system.add("last", echo_of);
  const FakeInstance& middle = system.add("middle", echo_of);
  system.add("first", clock_of);
  system.connect("first.y", "middle.u", 2);
  system.connect("middle.y", "last.u", 1, 10);
  system.plan();
  FakeRun run(system, 1, 0.25);
  run.run();
  EXPECT_EQ(middle.output(), 2);
  EXPECT_EQ(last.output(), 12);
}

TEST(CoupledSteps, AreRepeatedAsFarAsAComponentCame) {
  FakeSystem system;
  FakeInstance& a = system.add("a", clock_of);
  FakeInstance& b = system.add("b", clock_of);
  system.plan();
  system.parts.saves_states = true;
  a.goes_back = b.goes_back = true;
  b.answer = [&](double t, double h) -> StepOutcome {
    if (t == 0 && h > 0.125) return {Status::early, 0.125};
    return {Status::done, t + h};
  };
  FakeRun run(system, 0.5, 0.25);
  EXPECT_EQ(run.run().kind, RunEnd::Kind::completed);
  EXPECT_THAT(a.steps, ElementsAre(0, 0, 0.125, 0.25));
  EXPECT_EQ(a.output(), 0.5);
}

TEST(CoupledSteps, ThatEndEarlyAreRefusedWhereOthersCannotRollBack) {
  FakeSystem system;
  system.add("a", clock_of);
  FakeInstance& b = system.add("b", clock_of);
  system.plan();
  b.answer = [](double t, double h) -> StepOutcome { return {Status::early, t + h / 2}; };
  FakeRun run(system, 1, 0.25);
  const RunEnd end = run.run();
  ASSERT_TRUE(end.error);
  EXPECT_EQ(end.error->details().component, "b");
  EXPECT_THAT(end.error->what(), HasSubstr("\"a\""));
  EXPECT_EQ(end.time, 0) << "the last point where all components were";
}

TEST(CoupledSteps, EndTheRunWhereAComponentAsksForThat) {
  FakeSystem system;
  FakeInstance& a = system.add("a", clock_of);
  system.plan();
  a.answer = [](double t, double h) -> StepOutcome {
    return {t >= 0.5 ? Status::terminated : Status::done, t + h};
  };
  FakeRun run(system, 1, 0.25);
  const RunEnd end = run.run();
  EXPECT_EQ(end.kind, RunEnd::Kind::terminated_by_fmu);
  EXPECT_EQ(end.time, 0.75);
}

}  // namespace
}  // namespace tutti::master
