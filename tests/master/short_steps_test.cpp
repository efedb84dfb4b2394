// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include "master/inaccurate_steps.hpp"

namespace tutti::master {
namespace {

TEST(ShortSteps, AreTheShortestWhereWindowsOverlap) {
  const auto windows = merged({{0, 4, 1.0}, {1, 2, 0.1}, {2, 3, 0.1}, {6, 7, 0.5}, {5, 5, 0.2}});
  ASSERT_EQ(windows.size(), 4u);
  const double expected[][3] = {{0, 1, 1.0}, {1, 3, 0.1}, {3, 4, 1.0}, {6, 7, 0.5}};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(windows[k].from, expected[k][0]);
    EXPECT_EQ(windows[k].to, expected[k][1]);
    EXPECT_EQ(windows[k].max, expected[k][2]);
  }
}

// One after the other, inside of one that lasts for all of them: 2e5 windows would take minutes if
// each were compared with each.
TEST(ShortSteps, OfManyWindowsAreFoundInOneSweep) {
  constexpr int count = 200'000;
  InaccurateSteps::Windows windows = {{0, count, 10}};
  for (int k = 0; k < count; ++k) windows.push_back({k + 0.25, k + 0.75, 1});
  EXPECT_EQ(merged(windows).size(), 2u * count + 1);
}

}  // namespace
}  // namespace tutti::master
