// SPDX-License-Identifier: BSD-2-Clause
// What a run reports in words, from reports that are made up.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <tutti/run_summary.hpp>

namespace {

using namespace tutti;
using ::testing::HasSubstr;
using ::testing::Not;
using Kind = RunFinding::Kind;

/// Two components in a cycle that iterates, 100 steps, 2 s of wall time.
RunReport plain_report() {
  RunReport report;
  report.end.time = 1;
  RunStatistics& s = report.statistics;
  s.model = "pair";
  s.component_count = 2;
  s.stop = 1;
  s.step = 0.01;
  s.steps = 100;
  s.rows = 101;
  s.step_seconds = 2;
  s.components.resize(2);
  s.components[0].name = "a";
  s.components[1].name = "b";
  s.components[0].seconds = s.components[1].seconds = 0.9;
  s.couplings = {{{"a", "b"}, "iterated, newton", ""}};
  s.cycles.resize(1);
  s.cycles[0].components = {"b", "a"};  // in calling sequence
  s.cycles[0].method = "iterated, newton";
  s.cycles[0].steps = 100;
  s.cycles[0].iterations = 350;
  s.cycles[0].limit = 20;
  return report;
}

std::vector<std::string> kinds_in(const RunReport& report) {
  std::vector<std::string> kinds;
  for (const RunFinding& finding : find_in(report)) kinds.emplace_back(to_string(finding.kind));
  return kinds;
}

/// What is found after a change of the plain report, in which nothing is.
template <class Change>
RunFinding found_after(const Change& change) {
  RunReport report = plain_report();
  EXPECT_TRUE(find_in(report).empty());
  change(report.statistics);
  const std::vector<RunFinding> found = find_in(report);
  EXPECT_EQ(found.size(), 1u) << ::testing::PrintToString(kinds_in(report));
  if (found.empty()) return {};
  EXPECT_NE(found.front().text, "");
  EXPECT_NE(found.front().hint, "");
  EXPECT_NE(found.front().text.back(), '.');
  EXPECT_EQ(found.front().hint.back(), '.');
  return found.front();
}

TEST(RunFindings, NameInputsWithoutASource) {
  const RunFinding one = found_after([](RunStatistics& s) { s.open_inputs = {"a.u"}; });
  EXPECT_EQ(one.kind, Kind::open_inputs);
  EXPECT_FALSE(one.is_warning);
  EXPECT_EQ(one.text, "not connected, so it keeps its start value: a.u");
  const RunFinding two = found_after([](RunStatistics& s) { s.open_inputs = {"a.u", "b.u"}; });
  EXPECT_EQ(two.text, "not connected, so they keep their start value: a.u, b.u");
}

TEST(RunFindings, NameLoopsThatOnePassDoesNotSolve) {
  const RunFinding one = found_after([](RunStatistics& s) {
    s.couplings = {{{"a", "b"}, "jacobi", "", {}}, {{"c", "d"}, "jacobi", "", {"c.y", "d.y"}}};
  });
  EXPECT_EQ(one.kind, Kind::unsolved_loop);
  EXPECT_FALSE(one.is_warning);
  EXPECT_EQ(one.text,
            "cycle {c, d}: jacobi does not solve the algebraic loop of c.y, d.y, so values in it "
            "are up to a step late");
}

TEST(RunFindings, TellWhereResultsAreNotFinite) {
  const RunFinding nan = found_after([](RunStatistics& s) {
    s.not_finite = {{"a.x", 0.5, false, 51}, {"b.y", 0.25, true, 3}};
  });
  EXPECT_EQ(nan.kind, Kind::not_finite);
  EXPECT_EQ(nan.text,
            "\"b.y\" is NaN in 3 of 101 rows of the results, first at t = 0.25 s; so is 1 other "
            "column");
  EXPECT_THAT(found_after([](RunStatistics& s) {
                s.not_finite = {{"a.x", 0.5, false, 51}};
              }).text,
              HasSubstr("\"a.x\" is infinite in 51 of 101 rows"));
}

// 30 of 130 are 23 %, 25 of 125 just 20 %.
TEST(RunFindings, TellOfStepsThatAreRejectedOften) {
  const RunFinding steps = found_after([](RunStatistics& s) { s.error_test_failures = 30; });
  EXPECT_EQ(steps.kind, Kind::rejected_steps);
  EXPECT_THAT(steps.text, HasSubstr("30 of 130 attempted steps were rejected (30 by the error"));
  EXPECT_THAT(found_after([](RunStatistics& s) { s.convergence_failures = 30; }).hint,
              HasSubstr("newton"));
  RunReport report = plain_report();
  report.statistics.error_test_failures = 25;
  EXPECT_TRUE(find_in(report).empty());

  const RunFinding solver = found_after([](RunStatistics& s) {
    s.components[1].solver.emplace();
    s.components[1].solver->name = "cvode";
    s.components[1].solver->steps = 70;
    s.components[1].solver->error_test_failures = 30;
  });
  EXPECT_EQ(solver.kind, Kind::rejected_steps);
  EXPECT_EQ(solver.component, "b");
  EXPECT_THAT(solver.text, HasSubstr("solver cvode of \"b\" rejected 30 of 100"));
}

// What was accepted all the same was not rejected.
TEST(RunFindings, TellOfTolerancesThatWereExceeded) {
  const auto exceed = [](double effect) {
    return found_after([&](RunStatistics& s) {
      s.error_test_failures = s.accepted_without_rollback = 50;
      s.worst_without_rollback = 7;
      s.effect_without_rollback = effect;
    });
  };
  EXPECT_EQ(exceed(5).kind, Kind::tolerance_exceeded);
  EXPECT_THAT(exceed(5).text, HasSubstr("50 of 100 steps exceeded the error tolerance (by up to a "
                                        "factor of 7)"));
  EXPECT_TRUE(exceed(5).is_warning);
  EXPECT_FALSE(exceed(1).is_warning);
  const auto at_min = [](std::uint64_t count) {
    return found_after(
        [&](RunStatistics& s) { s.error_test_failures = s.accepted_at_min = count; });
  };
  EXPECT_TRUE(at_min(20).is_warning);
  EXPECT_FALSE(at_min(2).is_warning);  // a jump
}

TEST(RunFindings, TellOfErrorsThatAccumulate) {
  const RunFinding errors = found_after([](RunStatistics& s) {
    s.automatic = "cycle";
    s.estimated_errors = {{"a.y", 1e-3, 2}, {"b.y", 1e-6, 12}, {"b.z", {}, 0}};
  });
  EXPECT_EQ(errors.kind, Kind::accumulated_errors);
  EXPECT_EQ(errors.component, "b");
  EXPECT_THAT(errors.text, HasSubstr("error of b.y over the run is 1e-06, 12 times its tolerance"));
  EXPECT_THAT(errors.hint, HasSubstr("simulation.tolerance"));
}

TEST(RunFindings, TellOfIterationsAtTheLimit) {
  const RunFinding at = found_after([](RunStatistics& s) { s.cycles[0].limit_hits = 1; });
  EXPECT_EQ(at.kind, Kind::iteration_limit);
  EXPECT_EQ(at.text,
            "cycle {b, a}: 1 of 100 steps reached the limit of 20 iterations and were accepted "
            "without convergence");
  const RunFinding near = found_after([](RunStatistics& s) { s.cycles[0].near_limit = 30; });
  EXPECT_THAT(near.text, HasSubstr("30 of 100 steps took at least 80 % of the 20 iterations"));
  RunReport failed = plain_report();
  failed.statistics.cycles[0].limit_hits = 1;  // which its error is about
  failed.end.kind = RunEnd::Kind::failed;
  EXPECT_TRUE(find_in(failed).empty());
}

TEST(RunFindings, TellOfFallbacksThatAreUsedOften) {
  const RunFinding found = found_after([](RunStatistics& s) { s.cycles[0].fallbacks = 4; });
  EXPECT_EQ(found.kind, Kind::fallbacks);
  EXPECT_THAT(found.text, HasSubstr("iterated did not converge 4 times in 100 steps"));
  EXPECT_EQ(found.hint, "Try method = \"newton\" from the start.");
}

TEST(RunFindings, TellWhatEatsTheTimeOfLongRuns) {
  const RunFinding slow = found_after([](RunStatistics& s) {
    s.components[0].seconds = 0.1;
    s.components[1].seconds = 1.8;
  });
  EXPECT_EQ(slow.kind, Kind::slow_component);
  EXPECT_EQ(slow.component, "b");
  EXPECT_EQ(slow.text, "component \"b\" takes 90 % of the time");
  EXPECT_FALSE(slow.is_warning);
  EXPECT_EQ(found_after([](RunStatistics& s) { s.output_seconds = 1.2; }).kind, Kind::slow_output);
  RunReport brief = plain_report();
  brief.statistics.step_seconds = 0.5;
  brief.statistics.components[1].seconds = 0.45;
  EXPECT_TRUE(find_in(brief).empty());
}

TEST(RunFindings, TellOfFmusThatWarnVeryOften) {
  const RunFinding found = found_after([](RunStatistics& s) { s.components[0].warnings = 100; });
  EXPECT_EQ(found.kind, Kind::fmu_warnings);
  EXPECT_EQ(found.component, "a");
  EXPECT_EQ(found.text, "the FMU of \"a\" warned 100 times");
}

TEST(RunSummary, OfAnEasyRunIsAFewLines) {
  RunReport report = plain_report();
  EXPECT_EQ(summary_text(report, "r.csv"),
            "pair (2 components), completed: t = 0 to 1 s, 100 steps of 0.01 s in 2 s of wall "
            "time\n"
            "  cycle {a, b}: iterated, newton, 3.5 iterations per step\n"
            "  results in \"r.csv\", 101 rows\n");
  EXPECT_THAT(summary_text(report), Not(HasSubstr("results")));
  EXPECT_THAT(summary_text(report, "r.csv", "p.csv"), HasSubstr(", of ports in \"p.csv\","));
}

TEST(RunSummary, TellsWhatWasChosenAndWhy) {
  RunReport report = plain_report();
  RunStatistics& s = report.statistics;
  s.controlled = true;
  s.control = "predictor";
  s.error_test_failures = 12;
  s.accepted_at_min = 2;
  s.automatic = "cycle {a, b}: method = \"newton\"";
  s.couplings = {{{"a", "b"}, "method = \"newton\"", "the loop is stiff"}};
  s.estimated_errors = {{"a.y", 1e-3, 2}, {"b.y", 1e-6, 12}};
  const std::string text = summary_text(report);
  EXPECT_THAT(text, HasSubstr("100 steps of 0.01 s on average"));
  EXPECT_THAT(text, HasSubstr("  cycle {a, b}: auto chose method = \"newton\", 3.5 iterations per "
                              "step\n    because the loop is stiff\n"));
  EXPECT_THAT(text, HasSubstr("  step control predictor: 10 steps rejected, 2 above the tolerance "
                              "accepted, estimated error of b.y at most 1e-06\n"));
}

TEST(RunSummary, TellsWhoEndedTheRunAndWhen) {
  RunReport report = plain_report();
  report.end = {RunEnd::Kind::terminated_by_fmu, 0.5, {}, true, "b"};
  EXPECT_THAT(summary_text(report), HasSubstr("pair (2 components), component \"b\" asked to end "
                                              "the run: t = 0 to 0.5 s of 1 s, "));
  report.end = {RunEnd::Kind::failed, 0.5, Error(ErrorCode::fmu, "it broke"), true, ""};
  EXPECT_THAT(summary_text(report), HasSubstr("failed: t = 0 to 0.5 s of 1 s"));
}

TEST(RunSummary, ShowsTheSolverOfALoneFmu) {
  RunReport report;
  RunStatistics& s = report.statistics;
  s.model = "Ball";
  s.version = FmiVersion::v2;
  s.stop = report.end.time = 3;
  s.steps = 300;
  s.step = 0.01;
  s.solver.emplace();
  s.solver->name = "auto";
  s.solver->steps = 40;
  s.solver->error_test_failures = 2;
  s.solver->state_events = 1;
  s.solver->note = "dopri5, because the problem is not stiff";
  EXPECT_THAT(summary_text(report),
              HasSubstr("  solver auto: 40 steps, 2 rejected, 1 event; dopri5, because the problem "
                        "is not stiff\n"));
}

}  // namespace
