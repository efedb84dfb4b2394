// SPDX-License-Identifier: BSD-2-Clause
// States of sessions and runs in files.
#include <tutti/checkpoint.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tutti/session.hpp>
#include <tutti/system_run.hpp>

#include "api/systems.hpp"
#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

/// Its name makes it run in both places.
class SessionFile : public ::testing::Test {
 protected:
  std::filesystem::path file() const { return place_.path() / "here.tutti"; }
  Workplace place_;
};

TEST_F(SessionFile, IsWhereAnotherSessionGoesOn) {
  for (const char* method : {"gauss-seidel", "newton", "broyden"})
    for (const char* version : {"2.0", "3.0"}) {
      System system = oscillator(version);
      system.simulation.methods = {method};
      double end = 0;
      {
        Session session(system, placed());
        const Handle x = session.find("position.y");
        session.initialize();
        session.advance_to(0.3);
        session.write_state(file());
        session.advance_to(1);
        end = session.get(x);
      }
      Session resumed = Session::resume(file(), placed());
      const auto rows = std::make_shared<Rows>();
      const Handle x = resumed.find("position.y");
      resumed.observe(rows, {&x, 1});
      resumed.initialize();
      EXPECT_EQ(resumed.time(), 0.3);
      resumed.advance_to(1);
      EXPECT_EQ(resumed.get(x), end) << method << version;
      EXPECT_EQ(rows->times.size(), 70u);  // those that follow
      EXPECT_EQ(rows->times.front(), 0.31);
      EXPECT_EQ(resumed.finish().statistics.steps, 100u);
    }
}

TEST_F(SessionFile, IsRefusedWhereItCannotBeWritten) {
  {
    Session session(oscillator("1.0-cs"), placed());
    EXPECT_THAT(refusal_of([&] { session.write_state(file()); }), HasSubstr("before initialize()"));
    session.initialize();
    const Error error = error_of([&] { session.write_state(file()); });
    EXPECT_EQ(error.code(), ErrorCode::capability);
    EXPECT_THAT(error.what(), HasSubstr("position, speed cannot save and serialize"));
  }
  Session session(system_of(fmu_of("2.0", "TunableGain")), placed());
  session.initialize();
  session.set(session.find("gain"), 2.0);
  EXPECT_THAT(refusal_of([&] { session.write_state(file()); }),
              HasSubstr("have not yet taken effect"));
  session.step();
  EXPECT_THAT(refusal_of([&] { session.write_state(place_.path() / "no/such/folder"); }),
              HasSubstr("cannot write the checkpoint"));
  session.write_state(file());
  EXPECT_EQ(read_checkpoint(file()).time, session.time());
  EXPECT_THAT(refusal_of([&] { read_checkpoint(place_.path() / "none"); }),
              HasSubstr("cannot read"));
}

TEST_F(SessionFile, OfARunIsResumedByARun) {
  SystemRunOptions options;
  options.own_process = in_worker();
  options.checkpoint = CheckpointOptions{file(), 0.25, {}};
  Rows whole;
  ASSERT_EQ(run(oscillator(), options, &whole, {}).end.kind, RunEnd::Kind::completed);
  const Checkpoint checkpoint = read_checkpoint(file());
  EXPECT_EQ(checkpoint.time, 1);  // at the end, too
  options.checkpoint->every = 0.4;
  run(oscillator(), options, nullptr, {});
  SystemRunOptions resumed;
  resumed.own_process = in_worker();
  resumed.resume = read_checkpoint(file());
  EXPECT_EQ(resumed.resume->time, 0.8);
  EXPECT_EQ(resumed.resume->rows, 0u);
  Rows rest;
  ASSERT_EQ(run(resumed.resume->system, resumed, &rest, {}).end.kind, RunEnd::Kind::completed);
  ASSERT_EQ(rest.times.size(), 20u);
  EXPECT_EQ(rest.values.back(), whole.values.back());
}

}  // namespace
}  // namespace tutti::testing
