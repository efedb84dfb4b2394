// SPDX-License-Identifier: BSD-2-Clause
// The time that is left of a run, and the line that shows it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/progress.hpp"

namespace tutti::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A run of 100 s of simulated time that goes at `first` s per second up to half of it, then at
/// `second`; where it is after so much wall time, looked at ten times a second.
RunSpeed run_for(double wall, double first, double second) {
  RunSpeed run;
  const double half = 50 / first;
  for (int k = 0; k <= static_cast<int>(10 * wall); ++k) {
    const double t = 0.1 * k, time = t < half ? first * t : 50 + second * (t - half);
    run.add({t, time, time / 100});
  }
  return run;
}

TEST(RunSpeed, IsKnownAfterHalfASecond) {
  EXPECT_FALSE(run_for(0.3, 1, 1).remaining());
  EXPECT_FALSE(run_for(0.3, 1, 1).speed());
  EXPECT_NEAR(run_for(10, 1, 1).remaining().value(), 90, 1e-9);  // rounding
  EXPECT_NEAR(run_for(10, 2, 1).speed().value(), 2, 1e-9);
}

// After 50 s, steps become ten times shorter: 500 s are left, of which the mean over the run knows
// nothing. Ten seconds later only the new speed counts: a quarter of 60 s is the window.
TEST(RunSpeed, FollowsStepsThatBecomeShorter) {
  EXPECT_NEAR(run_for(50, 1, 0.1).remaining().value(), 50, 1e-6);
  EXPECT_GT(run_for(60, 1, 0.1).remaining().value(), 100);
  EXPECT_NEAR(run_for(70, 1, 0.1).remaining().value(), 480, 10);  // the window has 64 points
}

TEST(RunSpeed, StartsAnewWithARunThatIsRepeated) {
  RunSpeed run = run_for(10, 1, 1);
  run.add({10.1, 0, 0});
  EXPECT_FALSE(run.remaining());
  run.add({12.1, 20, 0.2});
  EXPECT_NEAR(run.remaining().value(), 8, 1e-9);  // rounding
}

TEST(RunSpeed, OfARunThatStandsStillIsNone) {
  RunSpeed run;
  for (int k = 0; k < 200; ++k) run.add({0.1 * k, 3, 0.03});
  EXPECT_FALSE(run.remaining());
  EXPECT_EQ(run.speed(), 0);
}

TEST(ProgressLine, HasWhatFits) {
  const RunSpeed run = run_for(42, 1, 1);
  EXPECT_EQ(progress_line(run, 100),
            "[================                        ]  42 %  58 s left  t = 42 s  1 x real time");
  for (std::size_t width = 0; width < 120; ++width)
    EXPECT_LE(progress_line(run, width).size(), width);
  EXPECT_EQ(progress_line(run, 20), " 42 %  58 s left");
  EXPECT_EQ(progress_line(run, 8), " 42 %");
  EXPECT_THAT(progress_line(run, 50), HasSubstr("t = 42 s"));
  EXPECT_THAT(progress_line(run, 40), Not(HasSubstr("real time")));
}

TEST(DurationText, HasTwoUnitsAtMost) {
  EXPECT_EQ(duration_text(7.6), "8 s");
  EXPECT_EQ(duration_text(125), "2 min 5 s");
  EXPECT_EQ(duration_text(12000), "3 h 20 min");
  EXPECT_EQ(duration_text(300'000), "3 d 11 h");
  EXPECT_EQ(duration_text(1e300), "over 1000 d");
}

}  // namespace
}  // namespace tutti::cli
