// SPDX-License-Identifier: BSD-2-Clause
#include "results/deviation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace tutti::results {
namespace {

using Function = std::function<double(double)>;

ResultTable sampled(const std::vector<double>& times, const Function& f,
                    Motion motion = Motion::continuous) {
  ResultTable table;
  table.times = times;
  ResultColumn& column = table.columns.emplace_back();
  column.name = "y";
  column.motion = motion;
  for (const double t : times) column.numbers.push_back(f(t));
  return table;
}

std::vector<double> grid(double stop, double step) {
  std::vector<double> times;
  for (int i = 0; i * step <= stop * (1 + 1e-12); ++i) times.push_back(i * step);
  return times;
}

double largest(const ResultTable& a, const ResultTable& b, const Allowance& allowance) {
  const auto found = deviations_of(a, b, allowance);
  return found.size() == 1 ? found[0].largest : -1;
}

Function step_at(double t0) {
  return [t0](double t) { return t < t0 ? 0.0 : 1.0; };
}

constexpr Allowance usual{1e-6, 1e-4, 0.01};

// A cubic has no fourth derivative, so the polynomial through four rows is exact.
TEST(Deviation, IsNoneBetweenRowsOfAReferenceThatIsACubic) {
  const auto cubic = [](double t) { return t * t * t - t; };
  EXPECT_LT(largest(sampled(grid(1, 0.03), cubic), sampled(grid(1, 0.1), cubic), usual), 1e-15);
}

TEST(Deviation, IsInTolerancesOfTheLargestMagnitude) {
  const auto times = grid(1, 0.1);
  const auto found = deviations_of(sampled(times, [](double t) { return 2 * t + 0.001; }),
                                   sampled(times, [](double t) { return 2 * t; }), usual);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].tolerances, 0.001 / (1e-6 + 2e-4), 1e-9);
}

TEST(Deviation, ForgivesJumpsAtOtherTimesWithinTheShift) {
  // Rows as a step control has them: close to each jump.
  std::vector<double> a = grid(1, 0.05), b = grid(1, 0.02);
  a.insert(a.begin() + 11, {0.504, 0.5041, 0.508});
  b.insert(b.begin() + 26, {0.511, 0.5111});
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  EXPECT_EQ(largest(sampled(a, step_at(0.5041)), sampled(b, step_at(0.5111)), usual), 0);
  EXPECT_EQ(largest(sampled(a, step_at(0.5041)), sampled(b, step_at(0.5111)), {1e-6, 1e-4, 0.001}),
            1);
}

// A counter that counts at the points of the grid: rounding errors decide which row has the change.
TEST(Deviation, ForgivesDiscreteValuesThatAreOneRowLate) {
  const auto times = grid(1, 0.1);
  const auto count = [](double late) {
    return [late](double t) { return std::floor(2 * t + 1e-9 - late); };
  };
  for (const auto& [first, second] : {std::pair(0.0, 0.05), {0.05, 0.0}})
    EXPECT_EQ(largest(sampled(times, count(first), Motion::discrete),
                      sampled(times, count(second), Motion::discrete), usual),
              0);
  // But not two rows.
  EXPECT_EQ(largest(sampled(times, count(0.0), Motion::discrete),
                    sampled(times, count(0.25), Motion::discrete), usual),
            1);
}

// A shift of 0.005 within the allowed one: of a smooth signal it is an error all the same.
TEST(Deviation, DoesNotForgiveAWrongPhase) {
  const auto times = grid(20, 0.05);
  const double found = largest(sampled(times, [](double t) { return std::sin(5 * (t - 0.005)); }),
                               sampled(times, [](double t) { return std::sin(5 * t); }), usual);
  EXPECT_NEAR(found, 0.025, 0.001);
}

TEST(Deviation, IsInfiniteWhereAValueIsNotFiniteOrATextDiffers) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto times = grid(1, 0.25);
  const auto plain = sampled(times, [](double t) { return t; });
  EXPECT_EQ(largest(sampled(times, [&](double t) { return t == 0.5 ? nan : t; }), plain, usual),
            std::numeric_limits<double>::infinity());
  ResultTable text = plain, other;
  text.columns[0].is_text = true;
  text.columns[0].texts = {"a", "a", "a", "a", "a"};
  other = text;
  EXPECT_EQ(largest(text, other, usual), 0);
  other.columns[0].texts = {"b", "b", "b", "b", "b"};
  const auto found = deviations_of(text, other, usual);
  EXPECT_EQ(found[0].largest, std::numeric_limits<double>::infinity());
  EXPECT_EQ(found[0].reference, "b");
}

TEST(Deviation, LeavesOutWhatOnlyOneRunHas) {
  const auto times = grid(1, 0.25);
  ResultTable a = sampled(times, [](double t) { return t; }), b = a;
  a.columns[0].name = "step";
  EXPECT_TRUE(deviations_of(a, b, usual).empty());
}

}  // namespace
}  // namespace tutti::results
