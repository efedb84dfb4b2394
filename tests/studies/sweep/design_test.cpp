// SPDX-License-Identifier: BSD-2-Clause
#include "studies/sweep/design.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <tutti/error.hpp>

#include "studies/sweep/keyed_random.hpp"

namespace tutti::studies {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Study study_of(Design design, std::vector<StudyParameter> parameters, std::uint64_t samples = 100) {
  Study study;
  study.parameters = std::move(parameters);
  study.sweep.emplace();
  study.sweep->design = design;
  study.sweep->samples = samples;
  return study;
}

StudyParameter range(double min, double max, std::uint32_t points = 0,
                     ParameterScale scale = ParameterScale::linear) {
  StudyParameter parameter;
  parameter.name = "c.k";
  parameter.min = min;
  parameter.max = max;
  parameter.points = points;
  parameter.scale = scale;
  return parameter;
}

StudyParameter list(std::vector<std::string> values) {
  StudyParameter parameter;
  parameter.values = std::move(values);
  return parameter;
}

SweepDesign design_of(const Study& study, bool are_integers = false) {
  ParameterInfo info;
  info.is_integer = are_integers;
  return {study, std::vector<ParameterInfo>(study.parameters.size(), info)};
}

std::vector<double> column_of(const SweepDesign& design, std::size_t parameter) {
  std::vector<double> values;
  for (std::uint64_t run = 0; run < design.runs(); ++run)
    values.push_back(std::stod(design.row(run)[parameter]));
  return values;
}

TEST(SweepDesign, OfAGridHasAllCombinationsAndTheEndsOfRanges) {
  const SweepDesign design =
      design_of(study_of(Design::grid, {list({"a", "b"}), range(0.1, 0.7, 3)}));
  ASSERT_EQ(design.runs(), 6);
  EXPECT_THAT(design.row(0), ElementsAre("a", "0.1"));
  EXPECT_THAT(design.row(1), ElementsAre("a", "0.4"));
  EXPECT_THAT(design.row(2), ElementsAre("a", "0.7"));
  EXPECT_THAT(design.row(3), ElementsAre("b", "0.1"));
}

TEST(SweepDesign, OfALogarithmicGridHasEqualRatios) {
  const SweepDesign design =
      design_of(study_of(Design::grid, {range(1, 1000, 4, ParameterScale::logarithmic)}));
  const std::vector<double> values = column_of(design, 0);
  EXPECT_EQ(values[0], 1);
  EXPECT_NEAR(values[1], 10, 1e-13);  // rounding of pow()
  EXPECT_NEAR(values[2], 100, 1e-12);
  EXPECT_EQ(values[3], 1000);
}

TEST(SweepDesign, OfAListTakesTheValuesRowByRow) {
  const SweepDesign design =
      design_of(study_of(Design::list, {list({"1", "2"}), list({"x", "y"})}));
  ASSERT_EQ(design.runs(), 2);
  EXPECT_THAT(design.row(1), ElementsAre("2", "y"));
}

// Each of the n intervals of equal probability has exactly one sample.
TEST(SweepDesign, OfAHypercubeHasOneSampleInEachIntervalOfEachParameter) {
  constexpr std::uint64_t n = 37;
  const SweepDesign design =
      design_of(study_of(Design::latin_hypercube, {range(0, n), range(0, n)}, n));
  std::vector<std::vector<double>> columns;
  for (const std::size_t parameter : {0u, 1u}) {
    columns.push_back(column_of(design, parameter));
    std::set<double> cells;
    for (const double value : columns.back()) cells.insert(std::floor(value));
    EXPECT_EQ(cells.size(), n);
  }
  EXPECT_NE(columns[0], columns[1]);
}

// The first 2^m points of a (0, m, 2)-net have one point in each box of 2^-a times 2^(a-m); the
// first two dimensions of Sobol's sequence are one, and a shift of digits keeps that.
TEST(SweepDesign, OfSobolIsANet) {
  constexpr int m = 6, n = 1 << m;
  const SweepDesign design = design_of(study_of(Design::sobol, {range(0, 1), range(0, 1)}, n));
  for (int a = 0; a <= m; ++a) {
    std::set<std::pair<int, int>> boxes;
    for (std::uint64_t run = 0; run < n; ++run) {
      const std::vector<std::string> row = design.row(run);
      boxes.emplace(static_cast<int>(std::ldexp(std::stod(row[0]), a)),
                    static_cast<int>(std::ldexp(std::stod(row[1]), m - a)));
    }
    EXPECT_EQ(boxes.size(), n) << a;
  }
}

class EverySampling : public ::testing::TestWithParam<Design> {};
INSTANTIATE_TEST_SUITE_P(Sweeps, EverySampling,
                         ::testing::Values(Design::random, Design::latin_hypercube, Design::sobol));

TEST_P(EverySampling, HasRowsThatFollowFromTheirNumberAlone) {
  const Study study = study_of(GetParam(), {range(0, 1), range(1, 100), list({"a", "b"})}, 50);
  const SweepDesign forward = design_of(study), backward = design_of(study);
  std::vector<std::vector<std::string>> rows;
  for (std::uint64_t run = 0; run < 50; ++run) rows.push_back(forward.row(run));
  for (std::uint64_t run = 50; run-- > 0;) EXPECT_EQ(backward.row(run), rows[run]);
}

TEST_P(EverySampling, DependsOnTheSeed) {
  Study study = study_of(GetParam(), {range(0, 1)}, 20);
  const std::vector<double> first = column_of(design_of(study), 0);
  study.sweep->seed = 2;
  EXPECT_NE(column_of(design_of(study), 0), first);
}

// The mean of n = 1000 uniform numbers has a standard deviation of 0.0091; 0.04: more than four.
TEST_P(EverySampling, IsUniformOnItsScale) {
  const SweepDesign design = design_of(
      study_of(GetParam(), {range(-1, 1), range(0.1, 10, 0, ParameterScale::logarithmic)}, 1000));
  double mean = 0, log_mean = 0, square = 0;
  for (const double value : column_of(design, 0)) {
    EXPECT_LE(std::abs(value), 1);
    mean += value / 1000;
    square += value * value / 1000;
  }
  for (const double value : column_of(design, 1)) {
    EXPECT_GE(value, 0.1);
    EXPECT_LE(value, 10);
    log_mean += std::log10(value) / 1000;
  }
  EXPECT_NEAR(mean, 0, 0.08);
  EXPECT_NEAR(log_mean, 0, 0.08);
  EXPECT_NEAR(square, 1.0 / 3, 0.04);  // standard deviation 0.0094
}

TEST_P(EverySampling, TakesAllIntegersOfARangeAlikeAndAllValuesOfAList) {
  Study study = study_of(GetParam(), {range(1, 4), list({"1", "2", "3", "4"})}, 400);
  const SweepDesign design = design_of(study, true);
  for (const std::size_t parameter : {0u, 1u}) {
    std::map<double, int> counts;
    for (const double value : column_of(design, parameter)) ++counts[value];
    ASSERT_EQ(counts.size(), 4);
    for (const auto& [value, count] : counts) EXPECT_NEAR(count, 100, 40);  // deviation at most 9
  }
}

TEST(SweepDesign, WithIndicesReplacesOneColumnOfAAfterTheOther) {
  for (const Design kind : {Design::random, Design::sobol}) {
    Study study = study_of(kind, {range(0, 1), range(0, 1), range(0, 1)}, 8);
    study.sweep->indices = true;
    const SweepDesign design = design_of(study);
    ASSERT_EQ(design.block(), 5);
    ASSERT_EQ(design.runs(), 40);
    for (std::uint64_t sample = 0; sample < 8; ++sample) {
      const auto a = design.row(5 * sample), b = design.row(5 * sample + 1);
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NE(a[i], b[i]);
        std::vector<std::string> mixed_row = a;
        mixed_row[i] = b[i];
        EXPECT_EQ(design.row(5 * sample + 2 + i), mixed_row);
      }
    }
  }
}

TEST(SweepDesign, RejectsAGridOfIntegersWithPointsBetweenThem) {
  EXPECT_THAT(design_of(study_of(Design::grid, {range(1, 5, 5)}), true).row(3), ElementsAre("4"));
  try {
    design_of(study_of(Design::grid, {range(1, 5, 4)}), true);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("point 2 of its grid is 2.33"));
  }
}

TEST(Permutation, ReachesEachNumberOnce) {
  for (const std::uint64_t count : {1u, 2u, 3u, 4u, 5u, 17u, 64u, 1000u}) {
    std::set<std::uint64_t> images;
    bool is_identity = count > 3;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t image = permuted(1, 2, i, count);
      EXPECT_LT(image, count);
      images.insert(image);
      is_identity &= image == i;
    }
    EXPECT_EQ(images.size(), count);
    EXPECT_FALSE(is_identity) << count;
  }
}

}  // namespace
}  // namespace tutti::studies
