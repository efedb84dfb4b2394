// SPDX-License-Identifier: BSD-2-Clause
// <tutti/advice.hpp>: is a system stable, and with which method?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <tutti/advice.hpp>

#include "api/systems.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

TEST(Advise, KnowsTheLoopAndWhatFits) {
  const Advice advice = advise(oscillator(), {}, {});
  EXPECT_EQ(advice.step, 0.01);
  EXPECT_EQ(advice.steps.size(), AdviseOptions().step_count);
  ASSERT_EQ(advice.cycles.size(), 1u);
  const CycleAdvice& cycle = advice.cycles[0];
  EXPECT_EQ(cycle.components.size(), 2u);
  EXPECT_TRUE(cycle.linearized);
  EXPECT_EQ(cycle.loop_radius, 0) << "no output depends on its input at once";
  EXPECT_FALSE(cycle.schemes.empty());
  ASSERT_TRUE(cycle.present);
  EXPECT_FALSE(cycle.choices.empty());
}

TEST(Advise, RefusesASystemThatCannotRun) {
  System system = oscillator();
  system.connections[0].to.variable = "uu";
  EXPECT_THAT(refusal_of([&] { advise(system, {}, {}); }), HasSubstr("uu"));
}

TEST(AdviceForms, AreTextJsonAndAFigure) {
  const Advice advice = advise(oscillator(), {}, {});
  EXPECT_THAT(advice_text(advice), HasSubstr("position"));
  EXPECT_TRUE(nlohmann::json::parse(advice_json(advice)).is_object());
  EXPECT_FALSE(advice_figure(advice, false).panels.empty());
  EXPECT_GE(advice_figure(advice, true).panels.size(), advice_figure(advice, false).panels.size());
  System alone;
  alone.components.push_back(component("a", fmu_of("2.0", "Gain")));
  const Advice nothing = advise(alone, {}, {});
  EXPECT_TRUE(nothing.cycles.empty());
  EXPECT_EQ(error_of([&] { advice_figure(nothing, false); }).code(), ErrorCode::usage);
}

TEST(CouplingChoices, AreWrittenAsInASystemFile) {
  CouplingChoice choice;
  EXPECT_EQ(to_string(choice), "method = \"jacobi\"");
  choice.order = 1;
  EXPECT_EQ(to_string(choice), "method = \"jacobi\", inputs = { order = 1 }");
  EXPECT_FALSE(choice == CouplingChoice());
}

}  // namespace
}  // namespace tutti::testing
