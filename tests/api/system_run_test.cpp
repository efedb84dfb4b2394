// SPDX-License-Identifier: BSD-2-Clause
// <tutti/system_run.hpp>, <tutti/verification.hpp>: a coupled system.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <tutti/session.hpp>
#include <tutti/system_run.hpp>

#include "api/systems.hpp"
#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

TEST(SystemRuns, GiveTheSameInThisProcessAndInTheirOwn) {
  Rows own, here;
  System system = oscillator();
  system.results.variables = {"position.y"};
  const RunReport report = run(system, {}, &own, {});
  EXPECT_EQ(report.end.kind, RunEnd::Kind::completed);
  EXPECT_EQ(report.statistics.components.size(), 2u);
  EXPECT_EQ(report.statistics.components[0].do_step, 100u);
  SystemRunOptions options;
  options.own_process = false;
  EXPECT_EQ(run(system, options, &here, {}).end.kind, RunEnd::Kind::completed);
  EXPECT_EQ(own.times, here.times);
  EXPECT_EQ(own.values, here.values);
  EXPECT_NEAR(own.values.back(), std::cos(1), 0.01);  // 0.01: first order, steps of 0.01 s
}

TEST(SystemRuns, RefuseBeforeAnFmuIsLoaded) {
  System system = oscillator();
  system.simulation.step = -1;
  EXPECT_EQ(error_of([&] { run(system, {}, nullptr, {}); }).code(), ErrorCode::usage);
  system = oscillator();
  system.simulation.methods = {"gauss-siedel"};
  EXPECT_THAT(refusal_of([&] { run(system, {}, nullptr, {}); }), HasSubstr("gauss-seidel"));
}

// Whoever makes a system in a program has no reader of files that would look at each value.
TEST(SystemRuns, RefuseSettingsWithoutSense) {
  const std::vector<std::pair<std::string, std::function<void(System&)>>> changes = {
      {"simulation.method", [](System& s) { s.simulation.methods = {}; }},
      {"simulation.method", [](System& s) { s.simulation.methods = {"gauss-siedel"}; }},
      {"simulation.threads", [](System& s) { s.simulation.threads = 0; }},
      {"simulation.inputs.order", [](System& s) { s.simulation.inputs.order = 7; }},
      {"simulation.tolerance.rel", [](System& s) { s.simulation.tolerance.rel = -1; }},
      {"simulation.tolerance.iterations", [](System& s) { s.simulation.tolerance.iterations = 0; }},
      {"simulation.relaxation", [](System& s) { s.simulation.relaxation = -3; }},
      {"simulation.control.rtol", [](System& s) { s.simulation.control.rtol = -1; }},
      {"simulation.control.name", [](System& s) { s.simulation.control.name = "richardsen"; }},
      {"components.position.step", [](System& s) { s.components[0].step = 0; }},
      {"components.position.timeout", [](System& s) { s.components[0].timeout = -1; }},
      {"components.position.tolerance", [](System& s) { s.components[0].tolerance = -1; }},
      {"speed.y -> position.u", [](System& s) { s.connections[0].inputs.order = 7; }},
      {"cycles.method",
       [](System& s) {
         CycleSettings& cycle = s.cycles.emplace_back();
         cycle.of = {"position", "speed"};
         cycle.methods = {"x"};
       }},
  };
  for (const auto& [key, change] : changes) {
    System system = oscillator();
    change(system);
    const Error error = error_of([&] { run(system, {}, nullptr, {}); });
    EXPECT_EQ(error.code(), ErrorCode::usage) << key;
    EXPECT_THAT(error.details().key, HasSubstr(key)) << error.what();
    EXPECT_EQ(refusal_of([&] { Session session(system); }), error.what());
  }
}

TEST(SystemRuns, ReportWhatHappensLater) {
  System system = oscillator();
  system.components.push_back(component("bad", fmu_of("2.0", "faulty_error_in_step")));
  Rows rows;
  const RunReport report = run(system, {}, &rows, {});
  EXPECT_EQ(report.end.kind, RunEnd::Kind::failed);
  EXPECT_TRUE(report.end.started);
  ASSERT_TRUE(report.end.error);
  EXPECT_EQ(report.end.error->details().component, "bad");
  EXPECT_TRUE(rows.is_finished);
  EXPECT_FALSE(rows.times.empty());
}

TEST(SystemRuns, HandMessagesToTheLog) {
  System system;
  system.components.push_back(component("w", fmu_of("2.0", "faulty_warning_in_step")));
  system.simulation.stop = 1;
  std::string messages;
  const Log log([&](const LogRecord& record) { messages += std::string(record.component) + "\n"; });
  run(system, {}, nullptr, log);
  EXPECT_THAT(messages, HasSubstr("w\n"));
}

TEST(SystemRuns, AreVerifiedByASecondOne) {
  SystemRunOptions options;
  options.verify = VerifyOptions{.tolerance = 1e-3};
  const RunReport fine = run(oscillator("2.0", 1e-4), options, nullptr, {});
  ASSERT_TRUE(fine.verification);
  EXPECT_EQ(fine.verification->outcome, Verification::Outcome::agrees);
  EXPECT_FALSE(fine.verification->variables.empty());
  EXPECT_FALSE(fine.verification->change.empty());
  options.verify->tolerance = 1e-6;
  const RunReport coarse = run(oscillator("2.0", 0.1), options, nullptr, {});
  ASSERT_TRUE(coarse.verification);
  EXPECT_EQ(coarse.verification->outcome, Verification::Outcome::deviates);
  EXPECT_FALSE(coarse.verification->message.empty());
  EXPECT_GE(coarse.verification->variables.front().tolerances, Verification::limit);
}

TEST(SystemReports, HaveTheStatisticsAsTextJsonAndMetadata) {
  const Workplace place;
  const System system = oscillator();
  const RunReport report = run(system, {}, nullptr, {});
  EXPECT_THAT(statistics_text(report), HasSubstr("position"));
  const auto json = nlohmann::json::parse(statistics_json(system, report));
  EXPECT_EQ(json["statistics"]["components"]["position"]["doStep"], 100);
  write_metadata(place.path() / "r.csv", system, report);
  EXPECT_EQ(nlohmann::json::parse(place.read("r.meta.json"))["statistics"]["steps"], 100);
}

}  // namespace
}  // namespace tutti::testing
