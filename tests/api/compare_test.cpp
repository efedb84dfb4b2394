// SPDX-License-Identifier: BSD-2-Clause
// <tutti/compare.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <tutti/compare.hpp>

#include "api/systems.hpp"
#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Comparisons : public ::testing::Test {
 protected:
  ResultTable table(const std::string& text) { return read_results(place_.write("r.csv", text)); }
  Workplace place_;
};

// x differs by 0.5 t of a reference that goes from 0 to 1: rms = 0.5 / sqrt(3).
TEST_F(Comparisons, MeasureTheDifferenceOverTime) {
  const ResultTable reference = table("time,x,y\n0,0,1\n1,1,2\n");
  const ResultTable result = table("time,x,z\n0,0,0\n1,1.5,0\n");
  const Comparison found = compare(result, reference, {});
  ASSERT_EQ(found.variables.size(), 1u);
  EXPECT_EQ(found.variables[0].name, "x");
  EXPECT_NEAR(found.variables[0].rms, 0.5 / std::sqrt(3), 1e-12);  // exact but for rounding
  EXPECT_NEAR(found.variables[0].largest, 0.5, 1e-12);
  EXPECT_EQ(found.variables[0].time, 1);
  EXPECT_TRUE(found.variables[0].beyond);
  EXPECT_THAT(found.missing, ElementsAre("y"));
  EXPECT_THAT(found.extra, ElementsAre("z"));
  EXPECT_FALSE(found.agrees);
}

TEST_F(Comparisons, AgreeWithinTheTolerance) {
  const ResultTable reference = table("time,x,y\n0,0,1\n1,1,2\n");
  const ResultTable result = table("time,x\n0,0\n1,1.01\n");
  CompareOptions options;
  options.common = true;
  EXPECT_TRUE(compare(result, reference, options).agrees);
  options.tolerance = 1e-3;
  EXPECT_FALSE(compare(result, reference, options).agrees);
  options.absolute = 0.02;
  EXPECT_TRUE(compare(result, reference, options).agrees);
  options = {.variables = {"x"}, .tolerance = 0.008, .measure = CompareOptions::Measure::largest};
  EXPECT_FALSE(compare(result, reference, options).agrees);
}

TEST_F(Comparisons, PairColumnsOfOtherNames) {
  const ResultTable reference = table("time,x,b.y,z\n0,0,1,0\n1,1,2,1\n");
  const ResultTable result = table("time,x,a.x\n0,0,1\n1,1,2\n");
  const Comparison found = compare(result, reference, {.map = {{"a.x", "b.y"}}});
  ASSERT_EQ(found.variables.size(), 2u);
  EXPECT_EQ(found.variables[1].name, "b.y");
  EXPECT_EQ(found.variables[1].result_name, "a.x");
  EXPECT_EQ(found.variables[1].largest, 0);
  EXPECT_EQ(found.variables[0].result_name, "");
  EXPECT_THAT(found.missing, ElementsAre("z"));
  EXPECT_THAT(found.extra, ElementsAre());
  // What the patterns choose does not take a mapped column away.
  EXPECT_TRUE(compare(result, reference, {.variables = {"x"}, .map = {{"a.x", "b.y"}}}).agrees);
  // One column may stand for several.
  EXPECT_EQ(compare(result, reference, {.map = {{"a.x", "b.y"}, {"a.x", "z"}}}).beyond, 1u);
}

TEST_F(Comparisons, RefuseMapsThatMakeNoSense) {
  const ResultTable reference = table("time,speed,y\n0,0,1\n1,1,2\n");
  const ResultTable result = table("time,v,w\n0,0,1\n1,1,2\n");
  const auto refusal = [&](const std::vector<ColumnPair>& map) {
    return std::string(error_of([&] { compare(result, reference, {.map = map}); }).what());
  };
  EXPECT_THAT(refusal({{"v", "sped"}}), HasSubstr("Did you mean \"speed\"?"));
  EXPECT_THAT(refusal({{"u", "speed"}}), HasSubstr("has no column \"u\""));
  EXPECT_THAT(refusal({{"v", "y"}, {"w", "y"}}), HasSubstr("mapped twice: to \"v\" and \"w\""));
}

TEST_F(Comparisons, NeedSomethingInCommon) {
  const ResultTable reference = table("time,x\n0,0\n1,1\n");
  EXPECT_EQ(error_of([&] { compare(table("time,x\n2,0\n3,1\n"), reference, {}); }).code(),
            ErrorCode::usage);
  EXPECT_EQ(error_of([&] { compare(table("time,y\n0,0\n1,1\n"), reference, {}); }).code(),
            ErrorCode::usage);
}

}  // namespace
}  // namespace tutti::testing
