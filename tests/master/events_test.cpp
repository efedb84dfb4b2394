// SPDX-License-Identifier: BSD-2-Clause
// Events of components that run together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "master/fake_run.hpp"

namespace tutti::master {
namespace {

using models::StepOutcome;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Status = StepOutcome::Status;
using Values = FakeInstance::Values;

Values present_time(double t, const Values&) { return {t}; }
Values input_of(double, const Values& u) { return u; }

TEST(CoupledEvents, AreHandledByAllThatHaveAnEventMode) {
  FakeSystem system;
  FakeInstance& a = system.add("a", present_time);
  FakeInstance& b = system.add("b", present_time);
  const FakeInstance& c = system.add("c", present_time);
  system.plan();
  a.event_mode = b.event_mode = true;
  a.answer = [](double t, double h) -> StepOutcome {
    return {t == 0.25 ? Status::event : Status::done, t + h};
  };
  FakeRun run(system, 1, 0.25);
  EXPECT_EQ(run.run().kind, RunEnd::Kind::completed);
  EXPECT_THAT(a.events, ElementsAre(0.5));
  EXPECT_THAT(b.events, ElementsAre(0.5));
  EXPECT_THAT(c.events, IsEmpty());
}

TEST(CoupledEvents, ThatAreKnownBeforehandAreCommunicationPointsOfAll) {
  FakeSystem system;
  const FakeInstance& a = system.add("a", present_time);
  FakeInstance& b = system.add("b", present_time);
  system.plan();
  b.event_mode = true;
  b.planned = 0.375;
  FakeRun run(system, 1, 0.25);
  EXPECT_EQ(run.run().kind, RunEnd::Kind::completed);
  EXPECT_THAT(a.steps, ElementsAre(0, 0.25, 0.375, 0.5, 0.75)) << "the grid stays where it is";
  EXPECT_THAT(b.events, ElementsAre(0.375));
}

TEST(CoupledEvents, FollowWhereADiscreteInputChanges) {
  FakeSystem system;
  system.add(
      "a", [](double t, const Values&) { return Values{t >= 0.5 ? 1.0 : 0.0}; }, Type::int32);
  FakeInstance& b = system.add("b", input_of, Type::int32);
  system.connect("a.y", "b.u");
  system.plan();
  b.event_mode = true;
  FakeRun run(system, 1, 0.25);
  EXPECT_EQ(run.run().kind, RunEnd::Kind::completed);
  EXPECT_THAT(b.events, ElementsAre(0.5));
  EXPECT_EQ(b.output(), 1);
}

/// a counts up to a limit around a loop of whole numbers; the limit changes at 0.5 s.
class EventLoops : public ::testing::Test {
 protected:
  void couple(std::function<double(double u)> after) {
    a_ = &system_.add(
        "a",
        [after](double t, const Values& u) {
          return Values{t < 0.5 ? std::min(u[0] + 1, 3.0) : after(u[0])};
        },
        Type::int32);
    b_ = &system_.add("b", input_of, Type::int32);
    system_.connect("a.y", "b.u");
    system_.connect("b.y", "a.u");
    system_.plan();
    a_->event_mode = b_->event_mode = true;
    a_->planned = 0.5;
  }
  FakeSystem system_;
  FakeInstance *a_ = nullptr, *b_ = nullptr;
};

TEST_F(EventLoops, GoOnUntilNothingChanges) {
  couple([](double u) { return std::min(u + 1, 6.0); });
  FakeRun run(system_, 1, 0.25);
  EXPECT_EQ(run.run().kind, RunEnd::Kind::completed);
  EXPECT_EQ(b_->output(), 6);
  EXPECT_THAT(a_->events, Each(0.5));
  EXPECT_THAT(a_->events, SizeIs(::testing::Ge(3u))) << "from 3 to 6 by one in each round";
}

TEST_F(EventLoops, ThatDoNotSettleAreRefused) {
  couple([](double u) { return 1 - u; });
  FakeRun run(system_, 1, 0.25);
  const RunEnd end = run.run();
  ASSERT_TRUE(end.error);
  EXPECT_THAT(end.error->what(), HasSubstr("do not settle"));
  EXPECT_EQ(end.error->details().time, 0.5);
}

TEST(CoupledEvents, EndTheRunWhereAComponentAsksForThat) {
  FakeSystem system;
  FakeInstance& a = system.add("a", present_time);
  system.plan();
  a.event_mode = true;
  a.planned = 0.5;
  a.goes_on = false;
  FakeRun run(system, 1, 0.25);
  const RunEnd end = run.run();
  EXPECT_EQ(end.kind, RunEnd::Kind::terminated_by_fmu);
  EXPECT_EQ(end.time, 0.5);
}

}  // namespace
}  // namespace tutti::master
