// SPDX-License-Identifier: BSD-2-Clause
#include "session/cases/case_runner.hpp"

#include <gtest/gtest.h>

#include <string>

#include "support/places.hpp"

namespace tutti::session {
namespace {

Component feedback(const std::string& version, const std::string& name) {
  Component made;
  made.name = name;
  made.fmu = places::fmu_folder() / version / "Feedback.fmu";
  return made;
}

/// x' = v, v' = -x.
System spring(const std::string& version, FmuKind kind, bool is_cluster) {
  System system;
  for (const char* name : {"x", "v"}) {
    system.components.push_back(feedback(version, name));
    system.components.back().as = kind;
    system.components.back().set = {{"a", "0"}};
  }
  system.connections = {{.from = {"v", "y"}, .to = {"x", "u"}},
                        {.from = {"x", "y"}, .to = {"v", "u"}, .factor = -1}};
  if (is_cluster) system.clusters.emplace_back().of = {"x", "v"};
  system.simulation.step = 0.1;
  system.simulation.stop = 1;
  return system;
}

std::size_t reused_in(const CaseSystem& system, std::size_t runs, bool reuse = true) {
  execution::Monitor monitor;
  CaseRunner::Options options;
  options.reuse = reuse;
  CaseRunner runner({system}, options, monitor, {});
  for (std::size_t i = 0; i < runs; ++i) {
    const CaseResult result = runner.run({i, 0, {std::to_string(i)}}, nullptr);
    EXPECT_EQ(result.end.kind, RunEnd::Kind::completed);
    runner.settle();
    EXPECT_EQ(monitor.phase, execution::Monitor::Phase::opening);
  }
  return runner.reuse_count();
}

TEST(CaseRunner, ReusesInstancesAfterChecks) {
  for (const char* version : {"2.0", "3.0"})
    for (const FmuKind kind : {FmuKind::co_simulation, FmuKind::model_exchange})
      for (const bool is_cluster : {false, true}) {
        if (is_cluster && kind == FmuKind::co_simulation) continue;
        const CaseSystem system{spring(version, kind, is_cluster), {"x.x"}, {{"x.y"}}};
        // Each run but the first uses both instances once, in the run or in its repetition.
        for (const std::size_t runs : {1u, 2u, 3u, 9u})
          EXPECT_EQ(reused_in(system, runs), 2 * (runs - 1))
              << version << (is_cluster ? " cluster" : "") << to_string(kind);
      }
}

TEST(CaseRunner, ReusesInstancesAfterAnotherPreparation) {
  const CaseSystem system{spring("2.0", FmuKind::co_simulation, false), {"simulation.start"}, {}};
  execution::Monitor monitor;
  CaseRunner runner({system}, {}, monitor, {});
  for (const char* start : {"0", "0.1", "0.2", "0.2"}) {
    EXPECT_EQ(runner.run({0, 0, {start}}, nullptr).end.kind, RunEnd::Kind::completed);
    runner.settle();
  }
  EXPECT_EQ(runner.reuse_count(), 6u);
}

TEST(CaseRunner, ReusesNothingInFmi1AndWhereItMustNot) {
  const CaseSystem old{spring("1.0-cs", FmuKind::co_simulation, false), {"x.x"}, {}};
  EXPECT_EQ(reused_in(old, 4), 0u);
  const CaseSystem system{spring("2.0", FmuKind::co_simulation, false), {"x.x"}, {}};
  EXPECT_EQ(reused_in(system, 4, false), 0u);
  execution::Monitor monitor;
  CaseRunner::Options options;
  options.without_reuse = {{0, "v"}};
  CaseRunner runner({system}, options, monitor, {});
  for (int i = 0; i < 4; ++i) {
    runner.run({0, 0, {"1"}}, nullptr);
    runner.settle();
  }
  EXPECT_EQ(runner.reuse_count(), 3u);
}

// A run that failed leaves its instances behind.
TEST(CaseRunner, ReusesNoInstanceOfAFailedRun) {
  System failing = spring("2.0", FmuKind::co_simulation, false);
  failing.components.push_back(feedback("2.0", "bad"));
  failing.components.back().fmu = places::fmu_folder() / "2.0" / "faulty_error_in_step.fmu";
  execution::Monitor monitor;
  CaseRunner runner({{failing, {"simulation.stop"}, {}}}, {}, monitor, {});
  for (const char* stop : {"0.2", "0.2", "1", "0.2"}) {
    const bool fails = std::string(stop) == "1";
    const CaseResult result = runner.run({0, 0, {stop}}, nullptr);
    EXPECT_EQ(result.end.kind, fails ? RunEnd::Kind::failed : RunEnd::Kind::completed);
    runner.settle();
  }
  // 3 in the check, 3 in the run that fails, none behind it.
  EXPECT_EQ(runner.reuse_count(), 6u);
}

}  // namespace
}  // namespace tutti::session
