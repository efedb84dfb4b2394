// SPDX-License-Identifier: BSD-2-Clause
// What becomes of a session where something fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <tutti/session.hpp>
#include <tutti/system_run.hpp>

#include "api/systems.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

TEST(FailingSession, ShowsTheLastPointAfterAStepThatFailed) {
  System system = oscillator();
  system.components.push_back(component("bad", fmu_of("2.0", "faulty_error_in_step")));
  Session session(system, placed());
  const Handle x = session.find("position.y");
  session.initialize();
  double before = session.get(x), at = session.time();
  std::string message;
  try {
    while (true) {
      session.step();
      before = session.get(x);
      at = session.time();
    }
  } catch (const Error& error) {
    message = error.what();
    EXPECT_EQ(error.details().component, "bad");
  }
  EXPECT_THAT(message, HasSubstr("\"bad\""));
  EXPECT_EQ(session.time(), at);
  EXPECT_EQ(session.get(x), before);
  EXPECT_THAT(refusal_of([&] { session.step(); }), HasSubstr("a step that failed"));
  EXPECT_EQ(session.finish().end.kind, RunEnd::Kind::failed);
}

// Also where an FMU reads an input from the place of the output that feeds it.
TEST(FailingSession, ShowsTheInputsOfTheLastPoint) {
  System system = oscillator();
  system.simulation.methods = {"gauss-seidel"};
  system.components.push_back(component("bad", fmu_of("2.0", "faulty_error_in_step")));
  Session session(system);
  const Handle speed = session.find("speed.y"), input = session.find("position.u");
  session.initialize();
  EXPECT_THAT(refusal_of([&] {
                while (true) session.step();
              }),
              HasSubstr("bad"));
  EXPECT_NE(session.get(speed), 0);
  EXPECT_EQ(session.get(input), session.get(speed));
}

TEST(FailingSession, SaysWhichSettingHelpsWhereARunWouldStartAnew) {
  System system = system_of(fmu_of("2.0", "faulty_discard_without_progress"));
  Session session(system, placed());
  session.initialize();
  const std::string message = refusal_of([&] {
    while (true) session.step();
  });
  EXPECT_THAT(message, HasSubstr("A session cannot restart"));
  EXPECT_THAT(message, HasSubstr("simulation.save-states = \"always\""));
  EXPECT_THAT(message, ::testing::Not(HasSubstr("is repeated")));
  system.simulation.save_states = SaveStates::always;
  Session saving(system, placed());
  saving.initialize();
  EXPECT_THAT(refusal_of([&] {
                while (true) saving.step();
              }),
              ::testing::Not(HasSubstr("restart the run")));
}

TEST(FailingSession, GoesOnFromASavedStateAfterAStepThatFailed) {
  System system = oscillator();
  system.components.push_back(component("bad", fmu_of("2.0", "faulty_nan_in_step")));
  Session session(system, placed());
  session.initialize();
  const SessionState start = session.save();
  const std::string first = refusal_of([&] { session.advance_to(1); });
  EXPECT_THAT(first, HasSubstr("is NaN"));
  session.restore(start);
  EXPECT_EQ(session.time(), 0);
  EXPECT_EQ(refusal_of([&] { session.advance_to(1); }), first);
}

TEST(FailingSession, RefusesATimeThatIsNone) {
  Session session(oscillator(), placed());
  session.initialize();
  EXPECT_THAT(refusal_of([&] { session.step(std::nan("")); }), HasSubstr("is not after"));
  EXPECT_THAT(refusal_of([&] { session.advance_to(std::nan("")); }), HasSubstr("is not after"));
}

TEST(FailingSession, EndsWithAnInitializationThatFails) {
  System system = oscillator();
  system.components.push_back(component("bad", fmu_of("2.0", "faulty_error_in_initialization")));
  const auto rows = std::make_shared<Rows>();
  Session session(system, placed());
  const Handle x = session.find("position.y");
  session.observe(rows, {&x, 1});
  EXPECT_THAT(refusal_of([&] { session.initialize(); }), HasSubstr("bad"));
  EXPECT_TRUE(rows->is_finished);
  for (const auto& call : {std::function<void()>([&] { session.initialize(); }),
                           std::function<void()>([&] { session.step(); }),
                           std::function<void()>([&] { session.get(x); })})
    EXPECT_THAT(refusal_of(call), HasSubstr("after an initialize() that failed"));
}

TEST(FailingSession, FailsWhereAnObserverThrows) {
  class Refusing final : public Observer {
   public:
    void begin(std::span<const Column>) override {}
    void row(const Row& row) override {
      if (row.time > 0.5) throw std::runtime_error("the disk is full");
    }
    void finish() override {}
  };
  Session session(oscillator(), placed());
  const Handle x = session.find("position.y");
  session.observe(std::make_shared<Refusing>(), {&x, 1});
  session.initialize();
  EXPECT_THROW(session.advance_to(1), std::runtime_error);
  EXPECT_THAT(refusal_of([&] { session.step(); }), HasSubstr("after a step that failed"));
}

}  // namespace
}  // namespace tutti::testing
