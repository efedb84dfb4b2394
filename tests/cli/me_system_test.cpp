// SPDX-License-Identifier: BSD-2-Clause
// Model-exchange FMUs as components of coupled systems.
#include <cmath>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

class MeSystem : public Run {};
INSTANTIATE_TEST_SUITE_P(Cli, MeSystem, ::testing::Values("1.0-me", "2.0", "3.0"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::erase_if(name, [](char c) { return !std::isalnum(c); });
                           return "Fmi" + name;
                         });

// x' = u, y = 2 x + 3 u, u = -y/4: with held inputs, Newton is implicit Euler, x divided by
// 1 + 2 h/7 in each step; with linear ones the trapezoidal rule.
TEST_P(MeSystem, IsCoupledLikeCoSimulation) {
  if (std::string(GetParam()) == "1.0-me") GTEST_SKIP() << "FMI 1.0 cannot go back";
  for (const bool linear : {false, true}) {
    write({{"plant", "Integrator", "x = 1.0"}, {"back", "Gain", "k = -0.25"}},
          {"\"plant.y -> back.u\"", "\"back.y -> plant.u\""},
          fmt::format("[simulation]\nstop = 1.0\nstep = 0.1\nmethod = \"{}\"\n"
                      "tolerance = {{ abs = 1e-10, rel = 1e-10 }}\ninputs.inside = \"{}\"\n"
                      "[results]\nvariables = [\"plant.x\"]\n",
                      "newton", linear ? "linear" : "constant"),
          GetParam());
    const auto last = run({"--set", "components.plant.as=me", "--set", "components.back.as=me",
                           "--set", "components.plant.solver.rtol=1e-11"});
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    const double expected =
        linear ? std::pow((1 - 0.1 / 7) / (1 + 0.1 / 7), 10) : std::pow(1 + 0.2 / 7, -10);
    EXPECT_NEAR(last.at("plant.x"), expected, 1e-9) << linear;
  }
}

// Events inside a step are the component's own: the ball is where it is when it runs alone.
TEST_P(MeSystem, HandlesItsEventsInsideAStep) {
  write({{"ball", "BouncingBall", ""}, {"room", "Thermostat", ""}, {"steps", "Stair", ""}}, {},
        "[simulation]\nstop = 2.0\nstep = 0.25\n[results]\nvariables = [\"*.h\", \"*.counter\"]\n",
        GetParam());
  const auto last = run({"--set", "components.ball.as=me", "--set", "components.room.as=me",
                         "--set", "components.steps.as=me"});
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  const Answer alone = place_.tutti({"simulate", fmu(GetParam(), "BouncingBall"), "--type", "me",
                                     "--stop", "2", "--step", "0.25", "-o", "alone.csv"});
  ASSERT_EQ(alone.status, 0) << alone.err;
  const auto rows = csv_rows(place_.read("alone.csv"));
  EXPECT_NEAR(last.at("ball.h"), std::stod(rows.back()[1]), 1e-6);  // both to rtol 1e-6
  EXPECT_EQ(last.at("steps.counter"), 3);
}

TEST_F(Run, MixesModelExchangeAndCoSimulation) {
  write({{"me", "Integrator", "x = 1.0"}, {"cs", "Gain", "k = -0.25"}},
        {"\"me.y -> cs.u\"", "\"cs.y -> me.u\""},
        "[simulation]\nstop = 1.0\nstep = 0.001\ncontrol = \"richardson\"\n"
        "[results]\nvariables = [\"me.x\"]\n");
  const auto last = run({"--set", "components.me.as=me"});
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NEAR(last.at("me.x"), std::exp(-2.0 / 7), 1e-3);  // errors of 1e-4 a step, and few steps
}

}  // namespace
}  // namespace tutti::testing
