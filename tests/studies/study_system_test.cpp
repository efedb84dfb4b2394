// SPDX-License-Identifier: BSD-2-Clause
#include "studies/study_system.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tutti/error.hpp>

#include "support/command.hpp"
#include "support/places.hpp"

namespace tutti::studies {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

StudySystem system_of_fmu(const std::filesystem::path& file) {
  Study study;
  study.system = file;
  return {study, {}, {}, {}};
}

std::string refusal_of_measure(const StudySystem& system, const Measure& measure) {
  try {
    system.check_formula(measure, {});
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "";
}

TEST(StudySystem, KnowsTheUnitOfAFormulaOfOneVariable) {
  const StudySystem system =
      system_of_fmu(places::build_folder() / "examples/tlm_double_pendulum/fmus/upper_table.fmu");
  for (const char* const formula : {"cx[1]", " max(abs(cx[2])) ", "at(cx[1], 0.5)", "cx[11]"})
    EXPECT_EQ(system.unit_of(formula), "N") << formula;
  for (const char* const formula : {"cx[1]*cx[2]", "max(cx[1])*max(cx[2])", "cx[1]/cx[2] > 1",
                                    "max(cx[1], cx[2])", "-cx[1]", "2", "none[1]"})
    EXPECT_EQ(system.unit_of(formula), "") << formula;
}

// In FMI 2, elements of an array are variables of their own.
TEST(StudySystem, FindsElementsByTheirWholeNameFirst) {
  ModelDescription description;
  for (const char* const name : {"x", "y[1]"}) {
    description.variables.emplace_back();
    description.variables.back().name = name;
  }
  description.build_index();
  EXPECT_EQ(variable_of(description, "y[1]"), &description.variables[1]);
  EXPECT_EQ(variable_of(description, "x[2]"), &description.variables[0]);
  EXPECT_EQ(variable_of(description, "y[2]"), nullptr);
}

// The ball has a parameter e.
TEST(StudySystem, RefusesAConstantThatIsAVariableOfTheFmu) {
  const StudySystem ball = system_of_fmu(testing::fmu("2.0", "BouncingBall"));
  for (const char* const formula : {"2*e", "max(h - e)", "at(h*e, 0.5)", "max(h)^e"})
    EXPECT_THAT(refusal_of_measure(ball, {formula}),
                AllOf(HasSubstr("\"e\" is a constant in formulas"), HasSubstr("exp(1)")));
  EXPECT_THAT(refusal_of_measure(ball, {"h*e", {0.5}}), HasSubstr("\"e\" is a constant"));
  EXPECT_EQ(refusal_of_measure(ball, {"max(h)*2e1 + pi"}), "");
  EXPECT_EQ(refusal_of_measure(system_of_fmu(testing::fmu("2.0", "Dahlquist")), {"x*e"}), "");
}

TEST(StudySystem, RefusesTwoNamesOfOneValue) {
  const testing::Workplace work;
  Study study;
  study.system =
      work.write("s.toml", "[components.ball]\nfmu = \"" + testing::fmu("2.0", "BouncingBall") +
                               "\"\n[simulation]\nstop = 1\n");
  for (const char* const name : {"ball.g", "ball.e", "components.ball.set.e"}) {
    study.parameters.emplace_back();
    study.parameters.back().name = name;
    study.parameters.back().values = {"0.5"};
  }
  const auto names = [&]() -> std::string {
    try {
      StudySystem(study, {}, {}, {}).find_all(study);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(names(), HasSubstr("\"ball.e\" and \"components.ball.set.e\" are two names of one "
                                 "value"));
  study.parameters.erase(study.parameters.begin() + 1);
  EXPECT_EQ(names(), "");
}

}  // namespace
}  // namespace tutti::studies
