// SPDX-License-Identifier: BSD-2-Clause
#include "results/result_formula.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <tutti/cases.hpp>
#include <tutti/error.hpp>

namespace tutti::results {
namespace {

using ::testing::AllOf;
using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsNan;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Point {
  double time, value;
};

/// The formula of x over these rows.
double value_of(const std::string& formula, const std::vector<Point>& rows, bool discrete = false) {
  ResultFormula computed(formula);
  const std::vector<Column> columns = {{"other", Type::float64, "", false},
                                       {"x", Type::float64, "", discrete}};
  computed.bind(columns);
  computed.start();
  for (const Point& row : rows) computed.row(row.time, std::vector<double>{-7, row.value});
  return computed.value();
}

std::vector<Point> sine(int count) {
  std::vector<Point> rows;
  for (int i = 0; i <= count; ++i) {
    const double t = 2 * std::numbers::pi * i / count;
    rows.push_back({t, std::sin(t)});
  }
  return rows;
}

std::vector<double> samples_of(const std::string& formula, std::vector<double> times,
                               const std::vector<Point>& rows, bool discrete = false) {
  SampledFormula sampled(formula, std::move(times));
  const std::vector<Column> columns = {{"x", Type::float64, "", discrete}};
  sampled.bind(columns);
  sampled.start();
  for (const Point& row : rows) sampled.row(row.time, std::vector<double>{row.value});
  return sampled.values();
}

std::string refusal_of_formula(const std::string& formula) {
  try {
    const ResultFormula read(formula);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "";
}

const std::vector<Point> line = {{1, 2}, {2, 4}, {4, 8}};  // x = 2 t

TEST(ResultFormula, IntegratesStraightLinesExactly) {
  EXPECT_EQ(value_of("integral(x)", line), 15);                    // t^2 from 1 to 4
  EXPECT_EQ(value_of("mean(x)", line), 5);                         // over 3 s
  EXPECT_THAT(value_of("rms(x)", line), DoubleEq(std::sqrt(28)));  // 4 t^3/3 from 1 to 4, over 3 s
  EXPECT_EQ(value_of("integral(1)", line), 3);
  EXPECT_EQ(value_of("integral(x > 3)", {{0, 4}, {2, 4}}), 2);
}

// The error of the trapezoidal rule over a period of a smooth function vanishes; that of the square
// over straight lines is -h^2/6 of it: 1/2 (1 - (2 pi/n)^2/6 + ...).
TEST(ResultFormula, ApproximatesIntegralsOfASine) {
  EXPECT_NEAR(value_of("integral(x)", sine(100)), 0, 1e-14);
  EXPECT_NEAR(value_of("integral(abs(x))", sine(1000)), 4, 2e-5);  // h^2/12 * 8
  const double h = 2 * std::numbers::pi / 1000;
  EXPECT_NEAR(value_of("rms(x)^2", sine(1000)), 0.5 * (1 - h * h / 6), 1e-10);
}

TEST(ResultFormula, FindsExtremaAndTheirTimes) {
  const std::vector<Point> rows = {{0, 1}, {1, -3}, {2, 5}, {3, 5}, {4, -3}, {5, 0}};
  EXPECT_EQ(value_of("max(x)", rows), 5);
  EXPECT_EQ(value_of("min(x)", rows), -3);
  EXPECT_EQ(value_of("range(x)", rows), 8);
  EXPECT_EQ(value_of("time_of_max(x)", rows), 2);  // the first one
  EXPECT_EQ(value_of("time_of_min(x)", rows), 1);
  EXPECT_EQ(value_of("max(abs(x - 1))", rows), 4);
  EXPECT_EQ(value_of("when(x < 0)", rows), 1);
  EXPECT_THAT(value_of("when(x > 6)", rows), IsNan());
  EXPECT_EQ(value_of("start(x) + 10*end(x)", rows), 1);
}

TEST(ResultFormula, UsesTheLastValuesOutsideOfReductions) {
  EXPECT_EQ(value_of("x + time", line), 12);
  EXPECT_EQ(value_of("2*max(x) - x/end(x)", line), 15);
  EXPECT_EQ(value_of("max(x, 100) + min(x, 3)", line), 103);  // of two numbers
  EXPECT_EQ(value_of("max(max(x, 5))", line), 8);
  EXPECT_EQ(value_of("max(max(x), 100)", line), 100);
  EXPECT_EQ(value_of("max(time)*1e1", line), 40);
  EXPECT_EQ(value_of("max (x)", line), 8);
}

TEST(ResultFormula, InterpolatesAtATime) {
  EXPECT_EQ(value_of("at(x, 3)", line), 6);
  EXPECT_EQ(value_of("at(x, 1)", line), 2);
  EXPECT_EQ(value_of("at(x, 4)", line), 8);
  EXPECT_EQ(value_of("at(x, 2.5 + 0.5)", line), 6);
  EXPECT_THAT(value_of("at(x, 0.5)", line), IsNan());
  EXPECT_THAT(value_of("at(x, 4.1)", line), IsNan());
  EXPECT_EQ(value_of("at(x, 3)", line, true), 4);  // a discrete one keeps its value
}

TEST(ResultFormula, InterpolatesAtTheEndOfARunBeforeTimeZero) {
  const std::vector<Point> before_zero = {{-10, 1}, {-5, 2}};
  EXPECT_EQ(value_of("at(x, -5)", before_zero), 2);
  EXPECT_EQ(value_of("at(x, -7.5)", before_zero), 1.5);
  EXPECT_THAT(value_of("at(x, -4.9)", before_zero), IsNan());
  EXPECT_EQ(value_of("at(x, 0.1 + 0.2)", {{0, 1}, {0.3, 5}}), 5);  // 0.1 + 0.2 is not 0.3
}

// Two rows of one time are the two sides of an event.
TEST(ResultFormula, TakesBothSidesOfAnEvent) {
  const std::vector<Point> jump = {{0, 1}, {1, 1}, {1, 9}, {2, 9}};
  EXPECT_EQ(value_of("integral(x)", jump), 10);
  EXPECT_EQ(value_of("at(x, 1)", jump), 9);  // behind it
  EXPECT_EQ(value_of("mean(x)", jump), 5);
  EXPECT_THAT(samples_of("x", {0, 0.5, 1, 1.5, 2}, jump), ElementsAre(1, 1, 9, 9, 9));
  const std::vector<Point> discrete = {{0, 1}, {1, 9}, {2, 9}};
  EXPECT_EQ(value_of("integral(x)", discrete, true), 10);
  EXPECT_EQ(value_of("integral(x)", discrete), 14);
  EXPECT_DOUBLE_EQ(value_of("rms(x)^2*2", {{0, 1}, {1, 3}, {2, 3}}, true), 10);
}

TEST(ResultFormula, OfNoRowIsNanAndOfOneIsItsValue) {
  for (const char* formula : {"x", "max(x)", "integral(x)", "at(x, 0)", "time"})
    EXPECT_THAT(value_of(formula, {}), IsNan()) << formula;
  for (const char* formula : {"x", "max(x)", "min(x)", "mean(x)", "rms(x)", "start(x)", "at(x, 2)"})
    EXPECT_EQ(value_of(formula, {{2, 5}}), 5) << formula;
  EXPECT_EQ(value_of("integral(x) + range(x)", {{2, 5}}), 0);
}

TEST(ResultFormula, PropagatesNan) {
  for (const std::vector<Point>& rows : {std::vector<Point>{{0, nan}, {1, 2}, {2, 1}},
                                         {{0, 1}, {1, nan}, {2, 1}},
                                         {{0, 1}, {1, 2}, {2, nan}}})
    for (const char* formula : {"max(x)", "min(x)", "range(x)", "integral(x)", "rms(x)", "mean(x)"})
      EXPECT_THAT(value_of(formula, rows), IsNan()) << formula;
  EXPECT_EQ(value_of("x", {{0, nan}, {1, 2}}), 2);
  EXPECT_EQ(value_of("start(x)", {{0, 3}, {1, nan}}), 3);
}

TEST(ResultFormula, ForgetsTheRowsOfTheLastRun) {
  ResultFormula formula("max(x) + integral(x)");
  const std::vector<Column> columns = {{"x", Type::float64, "", false}};
  formula.bind(columns);
  for (int run = 0; run < 2; ++run) {
    formula.start();
    EXPECT_THAT(formula.value(), IsNan());
    formula.row(0, std::vector<double>{1});
    formula.row(2, std::vector<double>{3});
    EXPECT_EQ(formula.value(), 7);
  }
}

TEST(ResultFormula, NamesItsVariablesOnceWithoutTheTime) {
  const ResultFormula formula("max(a.x) + y[1]*a.x + time - when(b.A[1,2] > time)");
  EXPECT_THAT(formula.names(), ElementsAre("a.x", "b.A[1,2]", "y[1]"));
}

TEST(ResultFormula, KnowsItsConstantsAndTimes) {
  const ResultFormula formula("pi*at(x, 1 + 1) + max(e*x) + at(y, -3)");
  EXPECT_THAT(formula.constants(), ::testing::UnorderedElementsAre("pi", "e"));
  EXPECT_THAT(formula.times(), ElementsAre(2, -3));
}

TEST(ResultFormula, RefusesWrongFormulasWithThePosition) {
  EXPECT_THAT(refusal_of_formula("1 + max(2*min(x))"),
              AllOf(HasSubstr("1 + max(2*min(x))"), HasSubstr("position 11"), HasSubstr("min()")));
  EXPECT_THAT(refusal_of_formula("max(x"), HasSubstr("max(x"));
  EXPECT_THAT(refusal_of_formula("1 + rms(x"),
              HasSubstr("\"1 + rms(x\", position 10: it ends where ) is expected"));
  EXPECT_THAT(refusal_of_formula("max(x +)*2"), HasSubstr("position 8"));
  EXPECT_THAT(refusal_of_formula("max(x)*"), HasSubstr("position 8"));
  EXPECT_THAT(refusal_of_formula("at(x)"), HasSubstr("at(x, 2.5)"));
  EXPECT_THAT(refusal_of_formula("at(x, y)"), HasSubstr("must be a number"));
  EXPECT_THAT(refusal_of_formula("at(x, 1, 2)"), HasSubstr("at(x, 2.5)"));
  EXPECT_THAT(refusal_of_formula("integral()"), HasSubstr("integral()"));
  EXPECT_THAT(refusal_of_formula(""), HasSubstr("formula"));
}

TEST(SampledFormula, FollowsStraightLines) {
  EXPECT_THAT(samples_of("x", {1, 1.5, 2, 3, 4}, line), ElementsAre(2, 3, 4, 6, 8));
  EXPECT_THAT(samples_of("x + time", {2, 3}, line), ElementsAre(6, 9));
  EXPECT_THAT(samples_of("x", {1, 3, 4}, line, true), ElementsAre(2, 4, 8));
  EXPECT_THAT(samples_of("x", {3, 3, 3}, line), ElementsAre(6, 6, 6));
}

TEST(SampledFormula, IsNanWhereTheRunWasNot) {
  EXPECT_THAT(samples_of("x", {0, 1, 4, 4.5}, line), ElementsAre(IsNan(), 2, 8, IsNan()));
  EXPECT_THAT(samples_of("x", {1, 2}, {}), ElementsAre(IsNan(), IsNan()));
}

// 0.1 + 0.2 is not 0.3: the end of a run is meant.
TEST(SampledFormula, TakesATimeBesideTheEndByRoundingAsTheEnd) {
  EXPECT_THAT(samples_of("x", {0.1 + 0.2}, {{0, 1}, {0.3, 5}}), ElementsAre(5));
}

TEST(SampledFormula, RefusesTimesThatGoBackAndReductions) {
  EXPECT_THROW(SampledFormula("x", {1, 0}), Error);
  EXPECT_THROW(SampledFormula("x", {nan}), Error);
  try {
    const SampledFormula sampled("2*max(x)", {1});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("position 3: max() is a function of the whole run"),
                                    HasSubstr("at given times")));
  }
}

TEST(Reductions, AreSortedAndDescribed) {
  std::string before;
  for (const auto& [name, summary] : reductions()) {
    EXPECT_LT(before, name);
    EXPECT_NE(summary, "");
    before = name;
  }
  EXPECT_EQ(reduction_names().size(), reductions().size());
}

}  // namespace
}  // namespace tutti::results
