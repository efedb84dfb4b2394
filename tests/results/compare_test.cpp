// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <tutti/compare.hpp>
#include <tutti/error.hpp>

namespace tutti {
namespace {

using std::numbers::pi;

ResultTable table(std::vector<double> times, std::vector<double> values,
                  const std::string& name = "x") {
  ResultTable result;
  result.name = "r.csv";
  result.times = std::move(times);
  ResultColumn& column = result.columns.emplace_back();
  column.name = name;
  column.numbers = std::move(values);
  column.motion = motion_of(result.times, column.numbers);
  return result;
}

ResultTable sampled(const std::function<double(double)>& f, double stop, int steps) {
  std::vector<double> times, values;
  for (int i = 0; i <= steps; ++i) {
    times.push_back(stop * i / steps);
    values.push_back(f(times.back()));
  }
  return table(times, values);
}

VariableDifference difference(const ResultTable& a, const ResultTable& b) {
  return compare(a, b, {}).variables.at(0);
}

// sin(t + d) - sin(t) = 2 sin(d/2) cos(t + d/2): over whole periods its RMS is sqrt(2) sin(d/2),
// and the reference goes from -1 to 1.
TEST(Compare, GivesTheKnownRmsOfAShiftedSine) {
  const double shift = 0.1;
  const ResultTable a = sampled([&](double t) { return std::sin(t + shift); }, 2 * pi, 4000);
  const ResultTable b = sampled([](double t) { return std::sin(t); }, 2 * pi, 4000);
  const VariableDifference d = difference(a, b);
  EXPECT_NEAR(d.rms, std::sqrt(2.0) * std::sin(shift / 2) / 2,
              1e-7);                                  // chords: h^2/12 = 2e-7 of it
  EXPECT_NEAR(d.largest, std::sin(shift / 2), 1e-6);  // between two samples
  EXPECT_NEAR(d.scale, 2, 1e-6);
}

TEST(Compare, DoesNotDependOnTheGridsOfStraightLines) {
  const ResultTable a = table({0, 0.3, 1, 7, 10}, {0, 0.6, 2, 14, 20});
  const ResultTable b = table({0, 5, 10}, {1, 11, 21});
  const VariableDifference d = difference(a, b);
  EXPECT_NEAR(d.rms, 1.0 / 20, 1e-15);  // rounding: the difference is 1 everywhere, the range 20
  EXPECT_NEAR(d.largest, 1.0 / 20, 1e-15);
}

TEST(Compare, IntegratesTheSquareExactly) {
  // The difference is t on [0, 1]: its mean square is 1/3.
  EXPECT_NEAR(difference(table({0, 1}, {0, 2}), table({0, 1}, {0, 1})).rms, std::sqrt(1.0 / 3),
              1e-15);
}

TEST(Compare, TakesTheTwoSidesOfAnEventEachWithItsOwn) {
  const ResultTable a = table({0, 1, 1, 2}, {0, 0.5, 5, 5.5});
  EXPECT_EQ(difference(a, a).largest, 0);
  // The same event, found a little later by rounding: no difference even at one point.
  const ResultTable b = table({0, 1 + 1e-12, 1 + 1e-12, 2}, {0, 0.5, 5, 5.5});
  EXPECT_NEAR(difference(a, b).largest, 0, 1e-11);
  // A side that differs is found; what happens within the event is not looked at.
  const ResultTable c = table({0, 1, 1, 1, 2}, {0, 3.5, 9, 5, 5.5});
  EXPECT_NEAR(difference(c, a).largest, 3.0 / 5.5, 1e-15);
  EXPECT_EQ(difference(c, a).time, 1);
}

TEST(Compare, CountsALateEventForTheTimeBetweenOnly) {
  const double late = 1e-3;
  const ResultTable a = table({0, 1 + late, 1 + late, 2}, {0, 0, 1, 1});
  const ResultTable b = table({0, 1, 1, 2}, {0, 0, 1, 1});
  const VariableDifference d = difference(a, b);
  EXPECT_NEAR(d.rms, std::sqrt(late / 2), 1e-12);  // a difference of 1 for 1e-3 of 2 s
  EXPECT_EQ(d.largest, 1);
  CompareOptions options;
  EXPECT_FALSE(compare(a, b, {.tolerance = 0.03}).variables[0].beyond);
  options.measure = CompareOptions::Measure::largest;
  EXPECT_TRUE(compare(a, b, options).variables[0].beyond);
}

TEST(Compare, HoldsDiscreteValues) {
  // The same switch at t = 2, recorded at different times; lines would differ between 1 and 2.
  const ResultTable a = table({0, 1, 2, 3, 4}, {0, 0, 1, 1, 1});
  const ResultTable b = table({0, 0.5, 1, 1.5, 2, 4}, {0, 0, 0, 0, 1, 1});
  const VariableDifference d = difference(a, b);
  EXPECT_TRUE(d.discrete);
  EXPECT_EQ(d.rms, 0);
  // A switch one second late is a difference of 1 for 1 of 4 s.
  EXPECT_DOUBLE_EQ(difference(table({0, 1, 2, 3, 4}, {0, 0, 0, 1, 1}), b).rms, 0.5);
}

// What holds from the last row on would have no weight in an integral over time.
TEST(Compare, LetsTheLastRowOfADiscreteColumnStandForTheLastInterval) {
  const ResultTable b = table({0, 1, 2, 3, 4}, {0, 0, 1, 1, 1});
  const VariableDifference d = difference(table({0, 1, 2, 3, 4}, {0, 0, 1, 1, 0}), b);
  EXPECT_TRUE(d.discrete);
  EXPECT_DOUBLE_EQ(d.rms, 0.5);  // a difference of 1 for 1 of 4 s
  EXPECT_EQ(d.time, 4);
  // If the last interval differs anyway, the larger difference counts, once.
  EXPECT_DOUBLE_EQ(difference(table({0, 1, 2, 3, 4}, {0, 0, 1, 0, 0}), b).rms, 0.5);
}

TEST(Compare, ScalesAConstantByItsMagnitudeAndZeroByOne) {
  EXPECT_NEAR(difference(table({0, 1}, {101, 101}), table({0, 1}, {100, 100})).rms, 0.01, 1e-15);
  EXPECT_EQ(difference(table({0, 1}, {0.25, 0.25}), table({0, 1}, {0, 0})).rms, 0.25);
  // The range of the reference is rounding only.
  EXPECT_LT(difference(table({0, 1}, {300, 300}), table({0, 1}, {300, 300 + 1e-10})).rms, 1e-12);
}

TEST(Compare, FindsWhatIsNotANumberOnOneSideOnly) {
  const ResultTable good = table({0, 1, 2}, {0, 1, 2});
  const ResultTable bad = table({0, 1, 2}, {0, NAN, 2});
  const Comparison c = compare(bad, good, {});
  EXPECT_FALSE(c.agrees);
  EXPECT_EQ(c.variables[0].problem, "nan instead of 1 at t = 1");
  EXPECT_FALSE(compare(good, bad, {}).agrees);
  EXPECT_TRUE(compare(bad, bad, {}).agrees);
  // Beside a hole there is nothing to hold against the other's finer grid.
  EXPECT_TRUE(compare(table({0, 0.5, 1, 1.5, 2}, {0, 0.5, NAN, 1.5, 2}), bad, {}).agrees);
  const ResultTable infinite = table({0, 1, 2}, {0, HUGE_VAL, 2});
  EXPECT_TRUE(compare(infinite, infinite, {}).agrees);
  EXPECT_FALSE(compare(infinite, good, {}).agrees);
}

ResultTable texts(std::vector<double> times, std::vector<std::string> values) {
  ResultTable result = table(std::move(times), {});
  result.columns[0].texts = std::move(values);
  result.columns[0].is_text = true;
  return result;
}

TEST(Compare, WantsTextsToBeEqual) {
  const ResultTable b = texts({0, 1, 2, 3, 4}, {"off", "off", "on", "on", "on"});
  EXPECT_TRUE(compare(texts({0, 2, 4}, {"off", "on", "on"}), b, {}).agrees);
  const VariableDifference d = difference(texts({0, 3, 4}, {"off", "on", "on"}), b);
  EXPECT_DOUBLE_EQ(d.rms, 0.5);  // differs for 1 of 4 s
  EXPECT_EQ(d.result, "off");
  EXPECT_EQ(d.reference, "on");
  EXPECT_FALSE(compare(table({0, 4}, {0, 0}), b, {}).agrees);
  // However short the time, and whatever the tolerance: half a text is not nearly right.
  const ResultTable last = texts({0, 1, 2, 3, 4}, {"off", "off", "on", "on", "off"});
  EXPECT_FALSE(compare(last, b, {.tolerance = 2}).agrees);
}

TEST(Compare, NamesColumnsThatTheResultLacks) {
  ResultTable b = table({0, 1}, {0, 1});
  b.columns.push_back(b.columns[0]);
  b.columns[1].name = "y";
  const ResultTable a = table({0, 1}, {0, 1});
  const Comparison c = compare(a, b, {});
  EXPECT_EQ(c.missing, std::vector<std::string>{"y"});
  EXPECT_FALSE(c.agrees);
  EXPECT_TRUE(compare(a, b, {.common = true}).agrees);
  EXPECT_TRUE(compare(a, b, {.variables = {"x"}}).agrees);
  EXPECT_EQ(compare(b, a, {}).extra, std::vector<std::string>{"y"});
  EXPECT_TRUE(compare(b, a, {}).agrees);
  EXPECT_THROW(compare(a, table({0, 1}, {0, 1}, "z"), {.common = true}), Error);
}

TEST(Compare, SaysWhichTimesWereCompared) {
  const ResultTable b = table({0, 1, 2, 3, 4}, {0, 1, 2, 3, 4});
  const ResultTable half = table({0, 1, 2}, {0, 1, 2});
  const Comparison c = compare(half, b, {});
  EXPECT_EQ(c.to, 2);
  EXPECT_EQ(c.notes.size(), 1u);
  EXPECT_FALSE(c.agrees);
  EXPECT_TRUE(compare(half, b, {.common = true}).agrees);
  EXPECT_TRUE(compare(b, half, {}).agrees);
  EXPECT_THROW(compare(b, table({5, 6}, {0, 1}), {}), Error);
}

TEST(Compare, PutsTheWorstFirst) {
  ResultTable a = table({0, 1}, {0, 1});
  ResultTable b = a;
  for (const double error : {0.1, 0.3, 0.2}) {
    for (ResultTable* t : {&a, &b}) t->columns.push_back(t->columns[0]);
    a.columns.back().name = b.columns.back().name = std::to_string(error);
    for (double& value : a.columns.back().numbers) value += error;
  }
  const Comparison c = compare(a, b, {});
  ASSERT_EQ(c.variables.size(), 4u);
  EXPECT_NEAR(c.variables[0].rms, 0.3, 1e-15);
  EXPECT_NEAR(c.variables[1].rms, 0.2, 1e-15);
  EXPECT_EQ(c.variables[3].rms, 0);
  EXPECT_EQ(c.beyond, 3u);
  EXPECT_EQ(compare(a, b, {.absolute = 0.25}).beyond, 1u);
}

TEST(Compare, KeepsTheFirstMicrosecondsOfAVeryLongRunApart) {
  const ResultTable a = table({1e-5, 1e-3, 1e8}, {0, 1, 1});
  const ResultTable b = table({1e-5, 1e-3, 1e8}, {0, 0, 1});
  EXPECT_EQ(difference(a, b).largest, 1);
  EXPECT_EQ(difference(a, b).time, 1e-3);
}

}  // namespace
}  // namespace tutti
