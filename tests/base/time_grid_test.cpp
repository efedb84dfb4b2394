// SPDX-License-Identifier: BSD-2-Clause
#include "base/time_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tutti {
namespace {

TEST(TimeGrid, DoesNotDriftOverAMillionSteps) {
  const TimeGrid grid(0, 1000, 1e-3);
  ASSERT_EQ(grid.step_count(), 1'000'000u);
  EXPECT_TRUE(grid.is_even());
  EXPECT_EQ(grid.point(500'000), 500.0);
  EXPECT_EQ(grid.point(1'000'000), 1000.0);
  EXPECT_EQ(grid.step(0), 1e-3);
}

TEST(TimeGrid, CountsAStepThatDividesTheSpanOnlyUpToRounding) {
  // 0.3 / 0.1 is 2.9999999999999996 in doubles.
  const TimeGrid grid(0, 0.3, 0.1);
  EXPECT_EQ(grid.step_count(), 3u);
  EXPECT_TRUE(grid.is_even());
}

TEST(TimeGrid, EndsWithAShorterStepWhenTheStepDoesNotDivideTheSpan) {
  const TimeGrid grid(1, 2, 0.3);
  EXPECT_EQ(grid.step_count(), 4u);
  EXPECT_FALSE(grid.is_even());
  EXPECT_NEAR(grid.step(3), 0.1, 1e-15);  // 1e-15: the rounding of 1 + 3 * 0.3
  EXPECT_EQ(grid.point(4), 2.0);
}

TEST(TimeGrid, NeverStepsBeyondTheStopTime) {
  for (int n = 1; n < 2000; ++n) {
    const double step = 1.0 / n;
    const TimeGrid grid(0, 1, step);
    const std::uint64_t last = grid.step_count() - 1;
    EXPECT_LE(grid.point(last) + grid.step(last), 1.0) << "n = " << n;
  }
}

TEST(TimeGrid, TakesOneStepWhenTheStepIsLongerThanTheSpan) {
  const TimeGrid grid(0, 0.5, 2);
  EXPECT_EQ(grid.step_count(), 1u);
  EXPECT_EQ(grid.step(0), 0.5);
}

}  // namespace
TEST(TimeGrid, FindsTheFirstPointThatIsNotBeforeATime) {
  for (const TimeGrid& grid : {TimeGrid(-1, 2, 0.1), TimeGrid(0, 1, 0.3), TimeGrid(0, 1e6, 1e-3)}) {
    for (std::uint64_t n = 0; n <= grid.step_count(); n += 1 + n / 7) {
      const double t = grid.point(n);
      EXPECT_EQ(grid.first_point_from(t), n);
      EXPECT_EQ(grid.first_point_from(std::nextafter(t, -1e9)), n);
      EXPECT_EQ(grid.first_point_from(std::nextafter(t, 1e9)), std::min(n + 1, grid.step_count()));
    }
    EXPECT_EQ(grid.first_point_from(std::numeric_limits<double>::infinity()), grid.step_count());
  }
}

TEST(TimeGrid, GoesThroughGivenPoints) {
  const TimeGrid grid = TimeGrid::through({1, 1.5, 4, 4.125});
  ASSERT_EQ(grid.step_count(), 3u);
  EXPECT_EQ(grid.point(2), 4);
  EXPECT_EQ(grid.step(1), 2.5);
  EXPECT_EQ(grid.first_point_from(1.6), 2u);
  EXPECT_FALSE(grid.is_even());
}

}  // namespace tutti
