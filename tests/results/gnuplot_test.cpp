// SPDX-License-Identifier: BSD-2-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tutti/results.hpp>

namespace tutti {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Gnuplot, DrawsAPlotForEveryUnit) {
  const std::vector<Column> columns = {{"car.v", Type::float64, "m/s"},
                                       {"car.x", Type::float64, "m"},
                                       {"road.x", Type::float64, "m"}};
  const std::string text = gnuplot_text("there/run.csv", columns);
  EXPECT_THAT(text, HasSubstr("set multiplot layout 2,1\n"));
  EXPECT_THAT(text, HasSubstr("set ylabel 'm/s' noenhanced\n"
                              "plot 'run.csv' skip 1 using 1:2 with lines title 'car.v'\n"));
  EXPECT_THAT(text, HasSubstr("plot 'run.csv' skip 1 using 1:3 with lines title 'car.x', \\\n"
                              "     'run.csv' skip 1 using 1:4 with lines title 'road.x'\n"));
}

TEST(Gnuplot, DrawsStepsOfDiscreteValuesAndLeavesTextsOut) {
  const std::vector<Column> columns = {{"message", Type::string, ""},
                                       {"it's on", Type::boolean, "", true}};
  const std::string text = gnuplot_text("run.csv", columns);
  EXPECT_THAT(text, HasSubstr("plot 'run.csv' skip 1 using 1:3 with steps title 'it''s on'\n"));
  EXPECT_THAT(text, Not(HasSubstr("message")));
  EXPECT_THAT(text, Not(HasSubstr("multiplot")));
}

TEST(Gnuplot, ScriptStandsBesideTheResults) { EXPECT_EQ(gnuplot_path("a/b.csv"), "a/b.gnuplot"); }

}  // namespace
}  // namespace tutti
