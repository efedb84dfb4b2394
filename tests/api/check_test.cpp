// SPDX-License-Identifier: BSD-2-Clause
// <tutti/check.hpp>: what is wrong with an FMU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <tutti/check.hpp>

#include "api/systems.hpp"
#include "support/command.hpp"

namespace tutti::testing {
namespace {

CheckReport report_of(const std::filesystem::path& fmu, bool run = false,
                      std::size_t max_per_rule = 20) {
  CheckOptions options;
  options.fmu = fmu;
  options.run = run;
  options.max_per_rule = max_per_rule;
  return check(options);
}

TEST(FmuChecks, FindNothingInAGoodFmuThatRuns) {
  for (const char* const version : {"2.0", "3.0"}) {
    const CheckReport report = report_of(fmu_of(version, "BouncingBall"), true);
    EXPECT_EQ(report.errors, 0u) << version;
    EXPECT_EQ(report.model, "BouncingBall");
    EXPECT_EQ(to_string(report.version), version);
    EXPECT_GT(report.rules, 50u);
    EXPECT_GT(report.variables, 3u);
  }
}

TEST(FmuChecks, NameRuleLineAndVariable) {
  const Workplace place;
  std::filesystem::create_directory(place.path() / "m");
  place.write("m/modelDescription.xml",
              R"(<?xml version="1.0"?>
<fmiModelDescription fmiVersion="2.0" modelName="m" guid="g">
<CoSimulation modelIdentifier="m"/>
<ModelVariables>
<ScalarVariable name="a" valueReference="1" causality="input"><Real/></ScalarVariable>
<ScalarVariable name="b" valueReference="2" causality="input"><Real/></ScalarVariable>
</ModelVariables>
<ModelStructure/>
</fmiModelDescription>)");
  const CheckReport report = report_of(place.path() / "m", false, 1);
  const auto finding =
      std::find_if(report.findings.begin(), report.findings.end(),
                   [](const Finding& found) { return found.rule == "start-required"; });
  ASSERT_NE(finding, report.findings.end());
  EXPECT_EQ(finding->line, 5u);
  EXPECT_EQ(finding->variable, "a");
  EXPECT_EQ(finding->severity, Finding::Severity::error);
  EXPECT_GE(report.errors, 2u);
  ASSERT_FALSE(report.left_out.empty()) << "the second one is counted only";
  EXPECT_EQ(report.left_out[0].count, 1u);
}

TEST(FmuChecks, FindCrashesWhenTheyRun) {
  EXPECT_GT(report_of(fmu_of("2.0", "faulty_crash_in_step"), true).errors, 0u);
  EXPECT_EQ(report_of(fmu_of("2.0", "faulty_crash_in_step"), false).errors, 0u);
}

TEST(FmuChecks, NeedAnFmu) {
  EXPECT_EQ(error_of([] { report_of("there/is/none.fmu"); }).code(), ErrorCode::file);
}

TEST(FmuChecks, ListTheirRulesByName) {
  const std::vector<RuleInfo> rules = check_rules();
  const auto by_id = [](const RuleInfo& a, const RuleInfo& b) { return a.id < b.id; };
  EXPECT_TRUE(std::is_sorted(rules.begin(), rules.end(), by_id));
  for (const RuleInfo& rule : rules) {
    EXPECT_FALSE(rule.text.empty()) << rule.id;
    const auto is_empty = [](std::string_view section) { return section.empty(); };
    EXPECT_FALSE(std::all_of(rule.sections.begin(), rule.sections.end(), is_empty)) << rule.id;
  }
}

}  // namespace
}  // namespace tutti::testing
