// SPDX-License-Identifier: BSD-2-Clause
// <tutti/simulation.hpp>: one FMU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <thread>
#include <tutti/simulation.hpp>

#include "api/systems.hpp"
#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Dahlquist: x' = -x, x(0) = 1, with steps of its own of 1 ms.
SimulateOptions dahlquist(bool own_process = true) {
  SimulateOptions options;
  options.fmu = fmu_of("2.0", "Dahlquist");
  options.stop = 1;
  options.step = 0.1;
  options.own_process = own_process;
  return options;
}

TEST(Simulate, GivesTheSameInThisProcessAndInItsOwn) {
  Rows own, here;
  const RunReport report = simulate(dahlquist(), &own, {});
  EXPECT_EQ(report.end.kind, RunEnd::Kind::completed);
  EXPECT_EQ(report.end.time, 1);
  EXPECT_EQ(report.statistics.steps, 10u);
  EXPECT_EQ(report.statistics.rows, 11u);
  EXPECT_TRUE(own.is_finished);
  simulate(dahlquist(false), &here, {});
  EXPECT_EQ(own.times, here.times);
  EXPECT_EQ(own.values, here.values);
  EXPECT_NEAR(own.values.back(), std::exp(-1), 1e-3);  // 1e-3: Euler's steps of 1 ms
  EXPECT_EQ(simulate(dahlquist(), nullptr, {}).end.kind, RunEnd::Kind::completed);
}

TEST(Simulate, TakesWhatIsLeftOutFromTheFmu) {
  const System system = system_of(fmu_of("2.0", "Stair"));
  EXPECT_TRUE(system.is_single_fmu);
  EXPECT_EQ(system.components.size(), 1u);
  EXPECT_FALSE(system.simulation.step);
  SimulateOptions options;
  options.fmu = fmu_of("2.0", "Stair");
  const RunReport report = simulate(options, nullptr, {});
  EXPECT_EQ(report.statistics.step, 0.2);
  EXPECT_EQ(report.end.kind, RunEnd::Kind::terminated_by_fmu);
  EXPECT_NEAR(report.end.time, 9, 0.2);  // it asks for that at 9 s, and is heard at the next point
}

TEST(Simulate, TakesPointsInputsStartValuesAndVariables) {
  const Workplace place;
  SimulateOptions options;
  options.fmu = fmu_of("2.0", "Gain");
  options.points = {0, 1, 3, 4};
  options.input = place.write("in.csv", "time,u\n0,0\n4,8\n");
  options.set = {{"k", "3"}};
  options.variables = {"y"};
  const System system = system_of(options);
  EXPECT_EQ(system.simulation.points.size(), 4u);
  Rows rows;
  const RunReport report = simulate(options, &rows, {});
  EXPECT_EQ(report.end.kind, RunEnd::Kind::completed);
  EXPECT_THAT(rows.times, ElementsAre(0, 1, 3, 4));
  ASSERT_EQ(report.columns.size(), 1u);
  EXPECT_EQ(report.columns[0].name, "y");
}

TEST(Simulate, RefusesBeforeTheFmuIsLoaded) {
  SimulateOptions options = dahlquist();
  options.stop = -1;
  EXPECT_EQ(error_of([&] { simulate(options, nullptr, {}); }).code(), ErrorCode::usage);
  options = dahlquist();
  options.variables = {"nothing*"};
  EXPECT_THAT(refusal_of([&] { simulate(options, nullptr, {}); }), HasSubstr("nothing*"));
  options = dahlquist();
  options.fmu = "there/is/none.fmu";
  EXPECT_THAT(refusal_of([&] { simulate(options, nullptr, {}); }), HasSubstr("none.fmu"));
}

TEST(Simulate, ReportsWhatHappensLater) {
  SimulateOptions options;
  options.fmu = fmu_of("2.0", "faulty_crash_in_step");
  const RunReport report = simulate(options, nullptr, {});
  EXPECT_EQ(report.end.kind, RunEnd::Kind::failed);
  ASSERT_TRUE(report.end.error);
  EXPECT_EQ(report.end.error->code(), ErrorCode::crash);
  options.fmu = fmu_of("2.0", "faulty_hang_in_step");
  options.step_timeout = 0.3;
  const RunReport hung = simulate(options, nullptr, {});
  ASSERT_TRUE(hung.end.error);
  EXPECT_EQ(hung.end.error->code(), ErrorCode::timeout);
}

TEST(Simulate, EndsWhenItIsAskedToAndReportsProgress) {
  for (const bool own_process : {true, false}) {
    SimulateOptions options;
    options.fmu = fmu_of("2.0", "Trivial");
    options.stop = 1e6;
    options.step = 1e-3;
    options.own_process = own_process;
    std::atomic<bool> stop = false;
    options.stop_request = &stop;
    double shown = -1;
    options.progress = [&](double time, double fraction) {
      shown = time;
      EXPECT_LE(fraction, 1);
      stop = true;
    };
    const RunReport report = simulate(options, nullptr, {});
    EXPECT_EQ(report.end.kind, RunEnd::Kind::interrupted) << own_process;
    EXPECT_GE(shown, 0);
    EXPECT_LT(report.end.time, 1e6);
  }
}

TEST(Simulate, EndsAtOnceWhereAnFmuHangs) {
  SimulateOptions options;
  options.fmu = fmu_of("2.0", "faulty_hang_in_step");
  std::atomic<bool> kill = false;
  options.kill_request = &kill;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    kill = true;
  });
  const RunReport report = simulate(options, nullptr, {});
  other.join();
  EXPECT_NE(report.end.kind, RunEnd::Kind::completed);
}

TEST(SimulationReports, HaveTheStatisticsAsTextJsonAndMetadata) {
  const Workplace place;
  const SimulateOptions options = dahlquist();
  const RunReport report = simulate(options, nullptr, {});
  EXPECT_THAT(statistics_text(report), HasSubstr("doStep"));
  const auto json = nlohmann::json::parse(statistics_json(options, report));
  EXPECT_EQ(json["statistics"]["steps"], 10);
  write_metadata(place.path() / "r.csv", options, report);
  const auto metadata = nlohmann::json::parse(place.read("r.meta.json"));
  EXPECT_EQ(metadata["statistics"]["steps"], 10);
  EXPECT_EQ(error_of([&] { write_metadata("no/such/r.csv", options, report); }).code(),
            ErrorCode::file);
}

TEST(ErrorJson, HasTheFieldsThatAreKnown) {
  const Error error(ErrorCode::fmu, "it failed", {.component = "a", .time = 1.5, .line = 3});
  EXPECT_EQ(nlohmann::json::parse(error_json(error)),
            nlohmann::json({{"code", "fmu"}, {"component", "a"}, {"time", 1.5}, {"line", 3}}));
}

}  // namespace
}  // namespace tutti::testing
