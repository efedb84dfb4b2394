// SPDX-License-Identifier: BSD-2-Clause
// Start times at which doubles are coarse: at 1e9 s they are 1.2e-7 s apart.
#include <gmock/gmock.h>

#include <cmath>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

class LateStart : public SystemRun {
 protected:
  /// x'' = -x in two components, from x = 1 on, for a second.
  void write_oscillator(const std::string& simulation) {
    write({{"a", "Feedback", "a = 0.0, b = 1.0, x = 1.0"},
           {"b", "Feedback", "a = 0.0, b = -1.0, x = 0.0"}},
          {"\"a.y -> b.u\"", "\"b.y -> a.u\""},
          "[simulation]\nstart = 1e9\nstop = 1000000001.0\n" + simulation +
              "\n[results]\nvariables = [\"*.x\"]\n");
  }
  /// No two rows have the same time, none goes back.
  void expect_time_moves_on() const {
    const auto rows = csv_rows(place_.read("r.csv"));
    for (std::size_t i = 2; i < rows.size(); ++i)
      ASSERT_GT(std::stod(rows[i][0]), std::stod(rows[i - 1][0])) << i;
  }
};

TEST_F(LateStart, IsNoObstacleForStepControl) {
  for (const char* control :
       {"method = \"auto\"\ntolerance = 1e-5",
        "inputs.order = 1\ncontrol = { name = \"predictor\", atol = 1e-5, rtol = 1e-5 }",
        "inputs.order = 1\ncontrol = { name = \"richardson\", atol = 1e-5, rtol = 1e-5 }"}) {
    write_oscillator(control);
    // The FMUs themselves know the time no better than to 1e-7 s a step.
    EXPECT_NEAR(run().at("a.x"), std::cos(1), 1e-3) << control;
    ASSERT_EQ(answer_.status, 0) << control << answer_.err;
    expect_time_moves_on();
  }
}

TEST_F(LateStart, RefusesStepsThatTimeCannotMoveOnWith) {
  for (const char* settings :
       {"step = 1e-7", "step = 1e-3\ncontrol = { name = \"predictor\", min = 1e-7 }"}) {
    write_oscillator(settings);
    run();
    EXPECT_EQ(answer_.status, 2) << settings;
    EXPECT_THAT(answer_.err, HasSubstr("too short for time to advance"));
  }
}

// Integrators step over a few rounding errors of the time, too: x' = 1 for 10 ms. The end of each
// step is rounded to the next double, half of 1.2e-7 s away at most.
TEST_F(LateStart, LetsIntegratorsTakeShortSteps) {
  for (const double step : {4e-6, 1e-5, 1e-4}) {
    write({{"one", "Feedback", "a = 0.0, b = 0.0, x = 1.0"}, {"x", "Feedback", "a = 0.0, x = 0.0"}},
          {"\"one.y -> x.u\""},
          fmt::format("[simulation]\nstart = 1e9\nstop = 1000000000.01\nstep = {}\n[results]\n"
                      "variables = [\"x.x\"]\n",
                      step));
    const auto last = run({"--set", "components.one.as=me", "--set", "components.x.as=me"});
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    EXPECT_NEAR(last.at("x.x"), 0.01, 0.01 * 0.6e-7 / step + 1e-7) << step;
  }
}

// The time of the jump and that of a communication point differ by rounding only, which is more
// than a billionth of a step here.
TEST_F(LateStart, MeetsJumpsOfTables) {
  place_.write("u.csv", "time,u\n1e9,0\n1000000000.3,0\n1000000000.3,1\n1000000001,1\n");
  for (const char* type : {"cs", "me"})
    for (const char* step : {"0.1", "0.01", "0.001"}) {
      answer_ = place_.tutti({"simulate",    fmu("2.0", "Feedback"),
                              "--type",      type,
                              "--start",     "1e9",
                              "--stop",      "1000000001",
                              "--step",      step,
                              "--set",       "a=0",
                              "--set",       "x=0",
                              "--input",     "u.csv",
                              "--variables", "x",
                              "-o",          "r.csv"});
      EXPECT_EQ(answer_.status, 0) << type << step << answer_.err;
      const auto rows = csv_rows(place_.read("r.csv"));
      // Each step of the FMU may be wrong by the resolution of the time.
      EXPECT_NEAR(std::stod(rows.back()[1]), 0.7, 2e-4) << type << step;
      // The start, the steps, and one row more at the jump where there is an event mode.
      EXPECT_LE(rows.size(), 1 + 1 + 1 + std::round(1 / std::stod(step))) << type << step;
    }
}

}  // namespace
}  // namespace tutti::testing
