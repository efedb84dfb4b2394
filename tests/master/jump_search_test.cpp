// SPDX-License-Identifier: BSD-2-Clause
#include "master/stepping/attempts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tutti::master {
namespace {

constexpr double shortest = 1e-5;

/// A controller that knows nothing but steps of 0.1, halved when they fail, over a signal with an
/// error of `jump` in each step that contains `where`.
struct Search {
  double where, jump;
  JumpSearch search{};
  double t = 0, next = 0.1;
  int tried = 0;

  /// One accepted step.
  void advance() {
    for (double h = search.limited(t, next, shortest);; h = std::max(shortest, h / 2)) {
      ++tried;
      const bool contains = t < where && t + h >= where;
      const bool forced = contains && h <= shortest;
      if (contains && !forced) {
        search.too_wrong(t, h, jump);
        continue;
      }
      next = std::min(0.1, 2 * h);
      if (const auto usual = search.accepted(t, h, contains ? jump : 0, forced)) next = *usual;
      t += h;
      return;
    }
  }
};

// 0.1 is halved 14 times to come below 1e-5; the step in which the jump is found, and those before
// it, come on top.
TEST(JumpSearch, HalvesTheWayToAJump) {
  for (const double where : {0.317, 0.3001, 0.39999, 0.3500001}) {
    Search search{where, 1e4};
    while (search.t < where) search.advance();
    EXPECT_LE(search.t - where, shortest) << where;
    EXPECT_LE(search.tried, 3 + 14 + 3) << where;
    EXPECT_EQ(search.next, 0.1) << "the step from before";
  }
}

TEST(JumpSearch, GoesOverAKinkWhoseErrorIsSmallEnough) {
  JumpSearch search;
  search.too_wrong(0, 0.1, 8);
  search.too_wrong(0, 0.05, 4);  // an error that shrinks with the step
  EXPECT_FALSE(search.accepted(0, 0.025, 0, false));
  ASSERT_TRUE(search.is_certain());
  EXPECT_DOUBLE_EQ(search.limited(0.025, 0.1, shortest), 0.0125);  // 2 is expected of the rest
  search.too_wrong(0.025, 0.0125, 1.1);
  EXPECT_FALSE(search.accepted(0.025, 0.00625, 0, false));
  EXPECT_NEAR(search.limited(0.03125, 0.1, shortest), 0.00625, 1e-15);  // 0.55 of the rest
  const auto usual = search.accepted(0.03125, 0.00625, 0.55, false);
  ASSERT_TRUE(usual);
  EXPECT_EQ(*usual, 0.1);
}

// The error of a smooth step is a quarter of that of the double one.
TEST(JumpSearch, DoesNotTakeLargeErrorsForJumps) {
  JumpSearch search;
  search.too_wrong(0, 0.1, 3.6);
  EXPECT_FALSE(search.accepted(0, 0.05, 0.9, false));
  EXPECT_FALSE(search.is_certain());
  EXPECT_EQ(search.limited(0.05, 0.1, shortest), 0.1);
}

// Iterations that contract in shorter steps only do so everywhere.
TEST(JumpSearch, IsOnlySuspectedWhereAStepDidNotConverge) {
  JumpSearch search;
  search.not_converged(0, 0.1);
  EXPECT_FALSE(search.accepted(0, 0.05, 0, false));
  EXPECT_FALSE(search.is_certain());
  EXPECT_DOUBLE_EQ(search.limited(0.05, 0.1, shortest), 0.05);
  EXPECT_FALSE(search.accepted(0.05, 0.05, 0, false)) << "no jump was found";
  EXPECT_EQ(search.limited(0.1, 0.1, shortest), 0.1);

  search.not_converged(0.1, 0.1);
  search.accepted(0.1, 0.05, 0, false);
  search.not_converged(0.15, 0.05);  // no longer than what has just converged
  EXPECT_TRUE(search.is_certain());
}

// Where the values jump again and again, long steps only fail.
TEST(JumpSearch, DoesNotGoOnWithLongStepsWhereAnotherJumpFollows) {
  JumpSearch search;
  search.too_wrong(0, 0.1, 1e4);
  EXPECT_TRUE(search.accepted(0, shortest, 1e4, true));
  search.too_wrong(shortest, 0.1, 1e4);
  EXPECT_FALSE(search.accepted(shortest, shortest, 1e4, true));
}

}  // namespace
}  // namespace tutti::master
