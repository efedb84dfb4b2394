// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <tutti/error.hpp>
#include <tutti/result_table.hpp>

#include "support/command.hpp"

namespace tutti {
namespace {

class ResultFile : public ::testing::Test {
 protected:
  ResultTable read(const std::string& text) { return read_results(place_.write("r.csv", text)); }
  std::string refusal(const std::string& text) {
    try {
      read(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  testing::Workplace place_;
};

TEST_F(ResultFile, TakesUnitsOutOfTheHeader) {
  const ResultTable table =
      read("\"time [ms]\", v [m/s] ,\"y[1]\",A [2],\"n [-]\",none\n0,1,2,3,4,5\n");
  EXPECT_EQ(table.time_name, "time");
  EXPECT_EQ(table.time_unit, "ms");
  ASSERT_EQ(table.columns.size(), 5u);
  EXPECT_EQ(table.columns[0].name, "v");
  EXPECT_EQ(table.columns[0].unit, "m/s");
  EXPECT_EQ(table.columns[1].name, "y[1]");
  EXPECT_EQ(table.columns[2].name, "A [2]");
  EXPECT_EQ(table.columns[3].unit, "-");
  EXPECT_EQ(table.columns[4].unit, "");
}

TEST_F(ResultFile, TellsNumbersBooleansAndTexts) {
  const ResultTable table = read("t,x,b,s,gap\n0,1e3,true,on,1\n1,-inf,false,3,\n");
  EXPECT_EQ(table.columns[0].numbers, (std::vector<double>{1000, -HUGE_VAL}));
  EXPECT_EQ(table.columns[1].numbers, (std::vector<double>{1, 0}));
  EXPECT_EQ(table.columns[2].texts, (std::vector<std::string>{"on", "3"}));
  EXPECT_FALSE(table.columns[3].is_text);
  EXPECT_TRUE(std::isnan(table.columns[3].numbers[1]));
}

TEST_F(ResultFile, NamesTheLineInWhichTimeGoesBack) {
  EXPECT_NE(refusal("t,x\n0,1\n1,1\n0.5,1\n").find("r.csv:4: the time decreases from 1 to 0.5"),
            std::string::npos);
  EXPECT_NE(refusal("t,x\nnan,1\n").find("r.csv:2"), std::string::npos);
}

TEST_F(ResultFile, IgnoresASeparatorAtTheEndOfEachLine) {
  EXPECT_EQ(read("time,x,\n0,1,\n").columns.size(), 1u);
}

TEST_F(ResultFile, BelievesTheMetadataBesideIt) {
  place_.write("r.meta.json",
               R"({"columns": [{"name": "n", "unit": "kg", "discrete": true}, {"name": "z"}]})");
  const ResultTable table = read("time,n,x\n0,0,0\n1,0.5,0.5\n2,1,1\n");
  EXPECT_EQ(table.columns[0].unit, "kg");
  EXPECT_EQ(table.columns[0].motion, Motion::discrete);
  EXPECT_EQ(table.columns[1].motion, Motion::continuous);
  EXPECT_TRUE(table.notes.empty());
}

TEST_F(ResultFile, LeavesBrokenMetadataAsideAndSaysSo) {
  for (const char* text : {"{", R"({"columns": 3})", R"({"columns": [{"name": 1}]})"}) {
    place_.write("r.meta.json", text);
    const ResultTable table = read("time,n\n0,0\n");
    EXPECT_EQ(table.columns[0].name, "n");
    EXPECT_EQ(table.notes.size(), 1u) << text;
  }
}

TEST_F(ResultFile, ChoosesColumnsByPattern) {
  const ResultTable table = read("time,a.x,a.y,\"B[1, 2]\"\n0,0,0,0\n");
  EXPECT_EQ(table.select({"a.y", "a.*"}).size(), 2u);
  EXPECT_EQ(table.select({"a.y", "a.*"})[0]->name, "a.y");
  EXPECT_NE(table.find("B[1,2]"), nullptr);
  EXPECT_EQ(table.select({"B"}).size(), 1u) << "an array selects its elements";
  try {
    table.select({"a.z"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("Did you mean \"a.x\"?"), std::string::npos);
  }
}

Motion motion(const std::vector<double>& values) {
  std::vector<double> times(values.size());
  for (std::size_t i = 0; i < times.size(); ++i) times[i] = static_cast<double>(i);
  return motion_of(times, values);
}

TEST(MotionOf, TellsWhatJumpsFromWhatGlides) {
  EXPECT_EQ(motion({2, 2, 2}), Motion::constant);
  EXPECT_EQ(motion({0, 0, 1, 0, 0}), Motion::discrete);              // a pulse of one row
  EXPECT_EQ(motion({0, 1, 2, 2, 3}), Motion::discrete);              // a counter
  EXPECT_EQ(motion({0.5, 0.5, 1.5, 1.5, 0.2}), Motion::discrete);    // a sampled controller
  EXPECT_EQ(motion({0, 1, 2, 3}), Motion::continuous);               // a ramp
  EXPECT_EQ(motion({0.5, 0.5, 0.7, 0.9, 0.9}), Motion::continuous);  // one that saturates
}

TEST(MotionOf, LooksPastEvents) {
  // A sawtooth: it glides between events, and what happens at an event says nothing.
  EXPECT_EQ(motion_of({0, 1, 2, 2, 3, 4}, {0, 0.5, 1, 0, 0.5, 1}), Motion::continuous);
  EXPECT_EQ(motion_of({0, 1, 1, 2}, {0, 0, 1, 1}), Motion::discrete);
}

}  // namespace
}  // namespace tutti
