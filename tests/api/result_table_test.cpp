// SPDX-License-Identifier: BSD-2-Clause
// <tutti/result_table.hpp>: results at hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <tutti/result_table.hpp>

#include "api/systems.hpp"
#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ReadResults, GivesColumnsWithUnitsAndTexts) {
  const Workplace place;
  const ResultTable table = read_results(
      place.write("r.csv", "time,x [m],on,word\n0,1,true,a\n1,,false,b\n1,3,true,c\n"));
  EXPECT_THAT(table.times, ElementsAre(0, 1, 1));
  ASSERT_EQ(table.columns.size(), 3u);
  EXPECT_EQ(table.columns[0].name, "x");
  EXPECT_EQ(table.columns[0].unit, "m");
  EXPECT_TRUE(std::isnan(table.columns[0].numbers[1]));
  EXPECT_THAT(table.columns[1].numbers, ElementsAre(1, 0, 1));
  EXPECT_TRUE(table.columns[2].is_text);
  EXPECT_THAT(table.columns[2].texts, ElementsAre("a", "b", "c"));
}

TEST(ReadResults, RefusesTimesThatGoBack) {
  const Workplace place;
  const Error error = error_of([&] { read_results(place.write("r.csv", "time,x\n1,0\n0,0\n")); });
  EXPECT_EQ(error.code(), ErrorCode::file);
  EXPECT_EQ(error_of([] { read_results("there/is/none.csv"); }).code(), ErrorCode::file);
}

TEST(ResultTables, FindColumnsByNameAndPattern) {
  const Workplace place;
  const ResultTable table =
      read_results(place.write("r.csv", "time,a.x,a.y,b.x\n0,1,2,3\n1,1,2,3\n"));
  EXPECT_EQ(table.find("a.y"), &table.columns[1]);
  EXPECT_EQ(table.find("c"), nullptr);
  EXPECT_THAT(table.select({"b.*", "?.x"}), ElementsAre(&table.columns[2], &table.columns[0]));
  EXPECT_THAT(refusal_of([&] { table.select({"a.z"}); }), HasSubstr("a.z"));
}

TEST(Motions, AreToldFromTheValues) {
  const std::vector<double> times = {0, 1, 2, 3};
  EXPECT_EQ(motion_of(times, {1, 1, 1, 1}), Motion::constant);
  EXPECT_EQ(motion_of(times, {0, 0, 1, 1}), Motion::discrete);
  EXPECT_EQ(motion_of(times, {0, 0.3, 0.9, 1.2}), Motion::continuous);
}

TEST(Metadata, StandsBesideTheResults) {
  EXPECT_EQ(metadata_path("out/r.csv"), std::filesystem::path("out/r.meta.json"));
}

}  // namespace
}  // namespace tutti::testing
