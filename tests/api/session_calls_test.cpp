// SPDX-License-Identifier: BSD-2-Clause
// <tutti/session.hpp>: calls at the wrong time, and what goes with a session besides steps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <tutti/session.hpp>

#include "api/systems.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

TEST(SessionCalls, ComeInTheirOrder) {
  Session session(oscillator(), placed());
  const Handle x = session.find("position.y");
  for (const auto& early : std::vector<std::function<void()>>{
           [&] { session.step(); }, [&] { session.advance_to(1); }, [&] { session.get(x); },
           [&] { session.value(x); }, [&] { session.save(); }, [&] { session.finish(); }})
    EXPECT_THAT(refusal_of(early), HasSubstr("before initialize()"));
  session.initialize();
  for (const auto& late : std::vector<std::function<void()>>{
           [&] { session.initialize(); }, [&] { session.observe(std::make_shared<Rows>(), {}); }})
    EXPECT_THAT(refusal_of(late), HasSubstr("after initialize()"));
  session.finish();
  for (const auto& over :
       std::vector<std::function<void()>>{[&] { session.step(); }, [&] { session.finish(); }})
    EXPECT_THAT(refusal_of(over), HasSubstr("after finish()"));
  EXPECT_EQ(error_of([&] { session.step(); }).code(), ErrorCode::usage);
}

TEST(SessionCalls, RefuseNamesAndHandlesThatAreNotTheirs) {
  Session session(oscillator(), placed());
  EXPECT_THAT(refusal_of([&] { session.find("position.z"); }), HasSubstr("\"z\""));
  EXPECT_THAT(refusal_of([&] { session.find("positoin.y"); }), HasSubstr("position"));
  EXPECT_THAT(refusal_of([&] { session.get({17}); }), HasSubstr("does not belong to this session"));
  EXPECT_THAT(refusal_of([&] { session.info({17}); }),
              HasSubstr("does not belong to this session"));
  const Handle none[] = {{17}};
  EXPECT_THAT(refusal_of([&] { session.observe(std::make_shared<Rows>(), none); }),
              HasSubstr("does not belong to this session"));
}

TEST(SessionCalls, DescribeVariables) {
  Session session(oscillator(), placed());
  const VariableInfo& info = session.info(session.find("position.u"));
  EXPECT_EQ(info.name, "position.u");
  EXPECT_EQ(info.type, Type::float64);
  EXPECT_EQ(info.causality, Causality::input);
  EXPECT_EQ(info.variability, Variability::continuous);
  EXPECT_TRUE(info.shape.empty());
}

TEST(SessionCalls, FindAVariableOnce) {
  Session session(oscillator(), placed());
  EXPECT_EQ(session.find("position.y").index, session.find("position.y").index);
  EXPECT_NE(session.find("position.y").index, session.find("speed.y").index);
}

TEST(SessionCalls, GetSeveralValuesAtOnce) {
  Session session(oscillator(), placed());
  const std::array handles = {session.find("position.y"), session.find("speed.y")};
  session.initialize();
  session.step();
  std::array<double, 2> values{};
  session.get(handles, values);
  EXPECT_EQ(values[0], session.get(handles[0]));
  EXPECT_EQ(values[1], session.get(handles[1]));
  EXPECT_EQ(error_of([&] { session.get(handles, std::span(values).first(1)); }).code(),
            ErrorCode::usage);
}

// u of the next step is y of this one: an input is shown as what it is at the time of the session.
TEST(SessionCalls, ShowInputsOfTheLastCommunicationPoint) {
  Session session(oscillator(), placed());
  const Handle u = session.find("speed.u"), y = session.find("position.y");
  session.initialize();
  session.step();
  EXPECT_EQ(session.get(u), -session.get(y));
}

TEST(SessionCalls, CountWhatWasDone) {
  Session session(oscillator(), placed({.profile = true}));
  EXPECT_EQ(session.statistics().steps, 0u);
  session.initialize();
  session.advance_to(0.1);
  const RunStatistics statistics = session.statistics();
  EXPECT_EQ(statistics.steps, 10u);
  ASSERT_EQ(statistics.components.size(), 2u);
  EXPECT_EQ(statistics.components[0].name, "position");
  EXPECT_EQ(statistics.components[0].do_step, 10u);
  const RunReport report = session.finish();
  EXPECT_EQ(report.end.kind, RunEnd::Kind::completed);
  EXPECT_NEAR(report.end.time, 0.1, 1e-15);
  EXPECT_EQ(report.statistics.do_step, 20u);
}

TEST(SessionCalls, GoOnAfterASessionWasMoved) {
  Session first(oscillator(), placed());
  const Handle x = first.find("position.y");
  first.initialize();
  first.step();
  const SessionState here = first.save();
  Session second = std::move(first);
  EXPECT_EQ(here.time(), second.time());
  second.step();
  second.restore(here);
  EXPECT_EQ(second.time(), here.time());
  EXPECT_LE(second.get(x), 1);
  Session third(oscillator(), placed());
  third = std::move(second);
  EXPECT_EQ(third.time(), here.time());
}

TEST(SessionCalls, HandMessagesToTheLog) {
  System system;
  system.components.push_back(component("w", fmu_of("2.0", "faulty_warning_in_step")));
  system.simulation.stop = 1;
  std::string components;
  SessionOptions options;
  options.log = Log([&](const LogRecord& record) { components += record.component; });
  Session session(system, placed(options));
  session.initialize();
  session.advance_to(1);
  EXPECT_THAT(components, HasSubstr("w"));
}

TEST(SessionCalls, RefuseASystemThatCannotRun) {
  System system = oscillator();
  system.connections[0].to.variable = "uu";
  EXPECT_THAT(refusal_of([&] { Session session(system, placed()); }), HasSubstr("\"uu\""));
  EXPECT_THAT(refusal_of([&] { Session session(system_of("there/is/none.fmu"), placed()); }),
              HasSubstr("none.fmu"));
}

}  // namespace
}  // namespace tutti::testing
