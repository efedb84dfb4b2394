// SPDX-License-Identifier: BSD-2-Clause
// Events at communication points: the times are those of the grid.
#include <gmock/gmock.h>
#include <cmath>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

class EventTimes : public SystemRun {
 protected:
  /// Whether the times of the file are n h, all of them, to the last digit as they are written.
  void expect_grid(const std::string& file, double step, double stop) {
    const auto rows = csv_rows(place_.read(file));
    ASSERT_GT(rows.size(), 2u);
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const double t = std::stod(rows[i][0]);
      const double n = std::round(t / step), count = std::round(stop / step);
      EXPECT_EQ(t, stop * n / count) << rows[i][0];  // the grid of docs: t0 + (T - t0) n / N
    }
    EXPECT_EQ(std::stod(rows.back()[0]), stop);
  }
};

// Euler notices at 0.8 s that the ball is below the ground.
TEST_F(EventTimes, OfStateEventsAtTheEndOfAStepAreOnTheGrid) {
  for (const char* version : {"1.0-me", "2.0", "3.0"}) {
    const Answer answer =
        place_.tutti({"simulate", fmu(version, "BouncingBall"), "--type", "me", "--solver", "euler",
                      "--set", "h=2.5", "--step", "0.1", "--stop", "1", "-o", "r.csv"});
    ASSERT_EQ(answer.status, 0) << answer.err;
    expect_grid("r.csv", 0.1, 1);
    EXPECT_EQ(csv_rows(place_.read("r.csv")).size(), 13u);  // header, 11 points, one event
  }
}

// The ball's course does not depend on what the time is called.
TEST_F(EventTimes, MayLieBeforeZero) {
  std::vector<double> heights;
  for (const char* start : {"0", "-1"}) {
    const Answer answer =
        place_.tutti({"simulate", fmu("2.0", "BouncingBall"), "--type", "me", "--start", start,
                      "--stop", start[0] == '0' ? "2" : "1", "--step", "0.1", "-o", "r.csv"});
    ASSERT_EQ(answer.status, 0) << answer.err;
    heights.push_back(std::stod(csv_rows(place_.read("r.csv")).back().at(1)));
  }
  EXPECT_NEAR(heights[0], heights[1], 1e-5);  // both to rtol 1e-6, after four bounces
}

// The stair's time events are at multiples of 0.1 s, as computed by the model.
TEST_F(EventTimes, OfTimeEventsAtPointsAreOnTheGrid) {
  const Answer answer =
      place_.tutti({"simulate", fmu("2.0", "Stair"), "--type", "me", "--set", "period=0.1", "--set",
                    "last=100", "--step", "0.1", "--stop", "1.7", "-o", "r.csv"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  expect_grid("r.csv", 0.1, 1.7);
}

// Pulse returns early with an event at 0.5, 1.5, 2.5: 0.4 + 0.1 is one rounding error beside.
TEST_F(EventTimes, OfEarlyReturnsAtPointsAreOnTheGrid) {
  for (const char* step : {"0.1", "0.05", "0.125"}) {
    const Answer answer =
        place_.tutti({"simulate", fmu("3.0", "Pulse"), "--event-mode", "on", "--early-return",
                      "--step", step, "--stop", "3", "-o", "r.csv"});
    ASSERT_EQ(answer.status, 0) << answer.err;
    expect_grid("r.csv", std::stod(step), 3);
  }
}

// A discrete value changes at points; a component beside takes steps of 0.1 s only.
TEST_F(EventTimes, LeaveFixedStepsAsTheyAre) {
  write({{"fixed", "FixedStep", ""},
         {"stair", "Stair", "period = 0.1, last = 100"},
         {"gate", "Feedthrough", ""}},
        {"\"stair.counter -> gate.int32_in\""},
        "[simulation]\nstop = 2.3\nstep = 0.1\n[results]\nvariables = [\"fixed.steps\"]\n");
  const auto last = run({"--set", "components.stair.as=me", "--set", "components.gate.as=me"});
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  expect_grid("r.csv", 0.1, 2.3);
  EXPECT_EQ(last.at("fixed.steps"), 23);
}

}  // namespace
}  // namespace tutti::testing
