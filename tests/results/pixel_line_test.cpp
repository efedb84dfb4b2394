// SPDX-License-Identifier: BSD-2-Clause
#include "results/plot/pixel_line.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tutti::results {
namespace {

TEST(PixelLine, KeepsThePeaksOfAMillionPoints) {
  PixelLine line(1);
  constexpr int count = 1'000'000;
  for (int i = 0; i <= count; ++i) {
    const double x = 700.0 * i / count;
    const double spike = i == 123'456 ? 90 : i == 654'321 ? -70 : 0;
    line.add({x, 10 * std::sin(x * 50) + spike});
  }
  const std::vector<Polyline> lines = line.take();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_LE(lines[0].size(), 701u * 4);
  const auto [low, high] = std::minmax_element(
      lines[0].begin(), lines[0].end(), [](const Point& a, const Point& b) { return a.y < b.y; });
  // The exact points: reduction moves none.
  EXPECT_EQ(high->x, 700.0 * 123'456 / count);
  EXPECT_EQ(low->x, 700.0 * 654'321 / count);
}

TEST(PixelLine, KeepsTheOrderOfTimeWithinAColumn) {
  PixelLine line(1);
  for (const double y : {0.0, 5.0, -5.0, 1.0}) line.add({0.5, y});
  EXPECT_EQ(line.take()[0], (Polyline{{0.5, 0}, {0.5, 5}, {0.5, -5}, {0.5, 1}}));
}

TEST(PixelLine, JoinsNothingAcrossAGap) {
  PixelLine line(1);
  line.add({0, 0});
  line.add({1, 1});
  line.interrupt();
  line.interrupt();
  line.add({5, 0});
  const std::vector<Polyline> lines = line.take();
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1], (Polyline{{5, 0}}));
}

TEST(PixelLine, NeedsTwoPointsForAStraightLine) {
  PixelLine line(1);
  for (int i = 0; i <= 100; ++i) line.add({i * 1.0, i * 0.3});
  EXPECT_EQ(line.take()[0].size(), 2u);
}

TEST(Simplified, StaysWithinItsTolerance) {
  Polyline circle;
  for (int i = 0; i <= 1000; ++i)
    circle.push_back({100 * std::sin(i * 3e-3), 100 * std::cos(i * 3e-3)});
  const Polyline few = simplified(circle, 0.05);
  // An arc over an angle a leaves its chord by 100 (1 - cos(a/2)): 0.05 at a = 0.063, so 3 rad need
  // 47 pieces; halving by the farthest point takes the next power of two.
  EXPECT_LE(few.size(), 65u);
  EXPECT_GE(few.size(), 48u);
}

}  // namespace
}  // namespace tutti::results
