// SPDX-License-Identifier: BSD-2-Clause
#include "models/table_shape.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace tutti::models {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

struct Rows {
  std::vector<double> times, values;
  PiecewiseLine line() const { return {times, values}; }
};

Rows sampled(double stop, std::size_t count, double (*u)(double)) {
  Rows rows;
  for (std::size_t i = 0; i <= count; ++i) {
    rows.times.push_back(stop * static_cast<double>(i) / static_cast<double>(count));
    rows.values.push_back(u(rows.times.back()));
  }
  return rows;
}

/// The ends of the steps from 0 to 10, none longer than `max`.
std::vector<double> ends(const PiecewiseLine& line, double max, const InputTolerance& tolerance) {
  std::vector<double> result{0};
  while (result.back() < 10)
    result.push_back(
        straight_until(line, result.back(), std::min(10.0, result.back() + max), tolerance));
  return result;
}

const InputTolerance exact{1e-12, 0};
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(TableShape, LetsStepsEndAtTheRowsOfAPulse) {
  const Rows pulse{{0, 5, 5.001, 5.1, 5.101, 10}, {0, 0, 1, 1, 0, 0}};
  EXPECT_THAT(ends(pulse.line(), infinity, exact), ElementsAre(0, 5, 5.001, 5.1, 5.101, 10));
  // A step that ends inside a line of the table is exact.
  EXPECT_EQ(straight_until(pulse.line(), 5.02, 5.07, exact), 5.07);
}

TEST(TableShape, LetsStepsPassWhatIsBelowTheTolerance) {
  const Rows pulse{{0, 5, 5.05, 5.1, 10}, {1, 1, 1.001, 1, 1}};
  EXPECT_THAT(ends(pulse.line(), infinity, {0.0011, 0}), ElementsAre(0, 10));
  EXPECT_THAT(ends(pulse.line(), infinity, {0, 0.0011}), ElementsAre(0, 10));
  EXPECT_THAT(ends(pulse.line(), infinity, {0.0005, 0}), SizeIs(::testing::Gt(2u)));
}

TEST(TableShape, IsConstantBeforeTheFirstAndAfterTheLastRow) {
  const Rows rows{{2, 3}, {1, 4}};
  EXPECT_THAT(ends(rows.line(), infinity, exact), ElementsAre(0, 2, 3, 10));
  EXPECT_EQ(rows.line().from(0), 1);
  EXPECT_EQ(rows.line().until(10), 4);
}

TEST(TableShape, DoesNotLetStepsCrossJumps) {
  const Rows rows{{0, 5, 5, 10}, {0, 0, 1e-9, 0}};
  EXPECT_EQ(straight_until(rows.line(), 0, 10, {1, 1}), 5);
  EXPECT_EQ(rows.line().until(5), 0);
  EXPECT_EQ(rows.line().from(5), 1e-9);
}

// A time that differs from that of a row by rounding means it: no step of a few ulp.
TEST(TableShape, MakesNoStepsOfARoundingError) {
  const Rows rows{{0, 0.1 + 0.2, 10}, {0, 1, 0}};
  EXPECT_EQ(straight_until(rows.line(), 0.3, 10, exact), 10);
  EXPECT_EQ(straight_until(rows.line(), 0, std::nextafter(0.1 + 0.2, 1), exact),
            std::nextafter(0.1 + 0.2, 1));
}

// A line misses sin by at most h^2/8: steps of sqrt(8 tolerance), however many rows there are, and
// a bit shorter, for a line from the start that is near enough is not yet one between the ends.
TEST(TableShape, AsksForAsManyStepsAsTheSignalBends) {
  for (const double tolerance : {1e-3, 1e-5}) {
    const double needed = 10 / std::sqrt(8 * tolerance);
    for (const std::size_t count : {10'000u, 1'000'000u}) {
      const Rows sine = sampled(10, count, [](double t) { return std::sin(t); });
      const auto steps = static_cast<double>(ends(sine.line(), infinity, {tolerance, 0}).size());
      EXPECT_LT(steps, needed);  // it does not always bend as much as that
      EXPECT_GT(steps, 0.5 * needed);
    }
  }
}

// Steps that the error of something else makes short look at few rows: the work is that of the
// rows, not of rows times steps.
TEST(TableShape, NeverMissesTheSignalByMoreThanTheTolerance) {
  const Rows rows = sampled(10, 2000, [](double t) { return std::sin(t * t); });
  const InputTolerance tolerance{1e-3, 0};
  const auto steps = ends(rows.line(), 0.37, tolerance);
  for (std::size_t n = 1; n < steps.size(); ++n) {
    const double from = rows.line().from(steps[n - 1]), to = rows.line().until(steps[n]);
    for (std::size_t k = 0; k < rows.times.size(); ++k) {
      if (rows.times[k] < steps[n - 1] || rows.times[k] > steps[n]) continue;
      const double part = (rows.times[k] - steps[n - 1]) / (steps[n] - steps[n - 1]);
      EXPECT_NEAR(rows.values[k], from + part * (to - from), tolerance.atol * (1 + 1e-9));
    }
  }
}

std::vector<double> knots(const Rows& rows, double atol) {
  std::vector<double> result;
  find_knots(rows.line(), {atol, 0}, result);
  return result;
}

TEST(TableShape, HasKnotsWhereItBends) {
  const Rows pulse{{0, 5, 5.001, 5.1, 5.101, 10}, {0, 0, 1, 1, 0, 0}};
  for (const double row : pulse.times)
    EXPECT_THAT(knots(pulse, 1e-6), ::testing::Contains(row)) << row;
}

// Quartics through five points h apart miss sin by at most 3.63 h^5/5!, so a knot every
// (tolerance/0.0303)^(1/5); blocks of rows are halves and doubles of each other.
TEST(TableShape, HasFewKnotsWhereItIsSmooth) {
  const Rows sine = sampled(10, 1'000'000, [](double t) { return std::sin(t); });
  for (const double tolerance : {1e-5, 1e-8}) {
    const double needed = 10 / std::pow(tolerance / 0.0303, 0.2);
    EXPECT_LT(static_cast<double>(knots(sine, tolerance).size()), 3 * needed);
  }
}

// A narrow bell between long constant parts, all of it smooth: there are knots inside.
TEST(TableShape, HasKnotsInABellThatIsSmooth) {
  const Rows bell =
      sampled(10, 1'000'000, [](double t) { return std::exp(-std::pow((t - 5) / 0.01, 2)); });
  const auto found = knots(bell, 1e-6);
  EXPECT_LT(found.size(), 200u);
  EXPECT_GT(
      std::count_if(found.begin(), found.end(), [](double t) { return std::abs(t - 5) < 0.015; }),
      4);
}

}  // namespace
}  // namespace tutti::models
