// SPDX-License-Identifier: BSD-2-Clause
#include "studies/fit/confidence.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace tutti::studies {
namespace {

using testing::ElementsAre;

TEST(Confidence, EqualsTheCertifiedStandardErrorsOfMisra1a) {
  // NIST, Statistical Reference Datasets, Misra1a: y = b1 (1 - exp(-b2 x)), at its minimum.
  constexpr double x[] = {77.6,  114.9, 141.1, 190.8, 239.9, 289.0, 332.8,
                          378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0};
  constexpr double b1 = 2.3894212918e+02, b2 = 5.5015643181e-04;
  std::vector<std::vector<double>> columns(2);
  for (const double at : x) {
    columns[0].push_back(1 - std::exp(-b2 * at));
    columns[1].push_back(b1 * at * std::exp(-b2 * at));
  }
  const Confidence found = confidence_of(columns, std::size(x), 1.2455138894e-01, {true, true});
  EXPECT_EQ(found.degrees_of_freedom, 12u);
  EXPECT_NEAR(found.deviation, 1.0187876330e-01, 1e-10);
  EXPECT_NEAR(found.standard_errors[0], 2.7070075241e+00, 1e-9 * 2.7);  // 11 certified digits
  EXPECT_NEAR(found.standard_errors[1], 7.2668688436e-06, 1e-9 * 7.3e-6);
  // t(0.975, 12) = 2.178812829667 (tables)
  EXPECT_NEAR(found.half_widths[0], 2.178812829667 * 2.7070075241, 1e-8);
  EXPECT_LT(found.correlations[0][1], -0.99);
  EXPECT_EQ(found.correlations[0][1], found.correlations[1][0]);
  EXPECT_TRUE(found.unidentifiable.empty());
}

TEST(Confidence, OfAMeanIsTheFormulaOfTextbooks) {
  // y = b: standard error s / sqrt(m).
  const Confidence found = confidence_of({{1, 1, 1, 1}}, 4, 12, {true});
  EXPECT_DOUBLE_EQ(found.deviation, 2);
  EXPECT_DOUBLE_EQ(found.standard_errors[0], 1);
}

TEST(Confidence, NamesParametersThatActOnlyTogether) {
  // The first two act through their sum, the third alone, the fourth not at all.
  const Confidence found =
      confidence_of({{1, 2, 3, 4, 6}, {2, 4, 6, 8, 12}, {1, 0, 1, 0, 1}, {0, 0, 0, 0, 0}}, 5, 1,
                    {true, true, true, true});
  EXPECT_THAT(found.unidentifiable, ElementsAre(ElementsAre(3), ElementsAre(0, 1)));
  EXPECT_TRUE(std::isnan(found.standard_errors[0]));
  EXPECT_TRUE(std::isnan(found.standard_errors[3]));
  EXPECT_TRUE(std::isfinite(found.standard_errors[2]));
}

TEST(Confidence, CountsParametersAtBoundsAsKnown) {
  const Confidence found = confidence_of({{1, 1, 1, 1}, {0, 1, 2, 3}}, 4, 12, {true, false});
  EXPECT_EQ(found.degrees_of_freedom, 3u);
  EXPECT_DOUBLE_EQ(found.standard_errors[0], 1);
  EXPECT_TRUE(std::isnan(found.standard_errors[1]));
}

TEST(Confidence, StatesNothingWithoutDegreesOfFreedom) {
  const Confidence found = confidence_of({{1, 0}, {0, 1}}, 2, 0, {true, true});
  EXPECT_EQ(found.degrees_of_freedom, 0u);
  EXPECT_TRUE(std::isnan(found.half_widths[0]));
}

}  // namespace
}  // namespace tutti::studies
