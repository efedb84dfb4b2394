// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "results/plot/axis.hpp"

namespace tutti::results {
namespace {

std::vector<std::string> labels_of(const Axis& axis) {
  std::vector<std::string> labels;
  for (const Tick& tick : axis.ticks) labels.push_back(tick.label);
  return labels;
}
using Labels = std::vector<std::string>;

TEST(PlotAxis, PutsTicksAtRoundNumbersWithinTheRange) {
  EXPECT_EQ(labels_of(make_axis(0, 10, false, 6)), (Labels{"0", "2", "4", "6", "8", "10"}));
  EXPECT_EQ(labels_of(make_axis(-2.02, 2.02, false, 5)), (Labels{"-2", "-1", "0", "1", "2"}));
  EXPECT_EQ(labels_of(make_axis(0.13, 0.42, false, 4)), (Labels{"0.2", "0.3", "0.4"}));
  EXPECT_EQ(labels_of(make_axis(290, 291.1, false, 6)),
            (Labels{"290.0", "290.2", "290.4", "290.6", "290.8", "291.0"}));
}

TEST(PlotAxis, NeverSaysMinusZero) {
  EXPECT_EQ(labels_of(make_axis(-0.2, 4.2, false, 5)).front(), "0");
}

TEST(PlotAxis, HasTwoTicksAtLeast) {
  for (const double high : {2.2, 3.9, 4.9, 5.1, 9.7, 19.0, 33.0})
    EXPECT_GE(make_axis(2.1, high, false, 2).ticks.size(), 2u) << high;
}

TEST(PlotAxis, TakesAPowerOfTenOutOfVeryLargeAndVerySmallNumbers) {
  const Axis small = make_axis(0, 3.6e-5, false, 4);
  EXPECT_EQ(small.exponent, -6);
  EXPECT_EQ(labels_of(small), (Labels{"0", "10", "20", "30"}));
  const Axis large = make_axis(0, 2e7, false, 5);
  EXPECT_EQ(large.exponent, 6);
  EXPECT_EQ(labels_of(large), (Labels{"0", "5", "10", "15", "20"}));
  EXPECT_EQ(make_axis(0, 20000, false, 5).exponent, 0);
  EXPECT_EQ(power_of_ten(-12), "10⁻¹²");
}

TEST(PlotAxis, CountsDecadesWhereItIsLogarithmic) {
  EXPECT_EQ(labels_of(make_axis(1, 1000, true, 10)), (Labels{"1", "10", "100", "1000"}));
  const Axis roberts = make_axis(1e-5, 1e8, true, 8);
  EXPECT_EQ(labels_of(roberts), (Labels{"10⁻⁴", "10⁻²", "10⁰", "10²", "10⁴", "10⁶", "10⁸"}));
  EXPECT_DOUBLE_EQ(roberts.position(1e-5), 0);
  EXPECT_DOUBLE_EQ(roberts.position(1e8), 1);
  EXPECT_TRUE(std::isnan(roberts.position(0)));
  // Within one decade, straight ticks say more.
  EXPECT_EQ(labels_of(make_axis(2, 8, true, 4)), (Labels{"2", "4", "6", "8"}));
}

TEST(PlotAxis, NeverShowsASwitchHalfOn) {
  Axis axis = make_axis(1, 2, false, 6);
  keep_whole_numbers(axis);
  EXPECT_EQ(labels_of(axis), (Labels{"1", "2"}));
}

TEST(PlotAxis, WidensARangeOfNoWidth) {
  const Axis constant = make_axis(5, 5, false, 4);
  EXPECT_DOUBLE_EQ(constant.position(5), 0.5);
  EXPECT_DOUBLE_EQ(make_axis(0, 0, false, 4).position(0), 0.5);
  // Rounding is not a curve.
  EXPECT_NEAR(make_axis(300, 300 + 1e-13, false, 4).position(300), 0.5, 1e-9);
}

TEST(PlotAxis, StaysFiniteForTheLargestAndSmallestNumbers) {
  constexpr double most = std::numeric_limits<double>::max();
  for (const double end : {most, most / 4, std::numeric_limits<double>::min(), 5e-324}) {
    const Axis axis = make_axis(-end, end, false, 5, 0.05);
    EXPECT_LE(axis.ticks.size(), 100u) << end;
  }
}

}  // namespace
}  // namespace tutti::results
