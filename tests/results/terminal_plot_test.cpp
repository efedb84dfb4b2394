// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <tutti/results.hpp>

namespace tutti {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t from = 0;
  for (std::size_t end; (end = text.find('\n', from)) != std::string::npos; from = end + 1)
    lines.push_back(text.substr(from, end - from));
  return lines;
}

TerminalPlot plot_of(const std::vector<double>& values, bool discrete) {
  TerminalPlot plot({.width = 21, .height = 4, .color = false, .panels = 4});
  const Column column{"y", Type::float64, "m", discrete};
  plot.begin({&column, 1});
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Cell cell{.real = values[i]};
    plot.row({static_cast<double>(i), {&cell, 1}, {}});
  }
  return plot;
}

TEST(TerminalPlot, DrawsARampFromCornerToCorner) {
  const auto lines = lines_of(plot_of({0, 1, 2, 3}, false).draw());
  ASSERT_EQ(lines.size(), 6u);  // name, four rows, time axis
  EXPECT_NE(lines[0].find("y [m]"), std::string::npos);
  EXPECT_NE(lines[1].find("3 ┤"), std::string::npos);
  EXPECT_NE(lines[4].find("0 ┤"), std::string::npos);
  // The lowest row begins with dots right at the axis, the highest ends with them.
  EXPECT_EQ(lines[4].find("┤ "), std::string::npos);
  EXPECT_NE(lines[1].find("┤ "), std::string::npos);
  EXPECT_NE(lines[5].find("time [s]"), std::string::npos);
}

TEST(TerminalPlot, DrawsStepsForDiscreteValues) {
  // A jump after a constant: the middle rows hold the vertical line only, one character wide.
  const auto lines = lines_of(plot_of({0, 0, 5}, true).draw());
  const std::string middle = lines[2].substr(lines[2].find("│") + std::string("│").size());
  EXPECT_EQ(middle.find_first_not_of(' '), middle.size() - 3) << middle;  // 3 bytes: one character
}

TEST(TerminalPlot, SurvivesConstantsAndValuesThatAreNotNumbers) {
  EXPECT_NE(plot_of({2, 2, 2}, false).draw().find("┤"), std::string::npos);
  EXPECT_NE(plot_of({NAN, 1, HUGE_VAL}, false).draw().find("┤"), std::string::npos);
  EXPECT_EQ(plot_of({}, false).draw(), "(nothing to plot)\n");
}

TEST(TerminalPlot, SaysHowManyColumnsItLeavesOut) {
  TerminalPlot plot({.width = 40, .height = 4, .color = false, .panels = 1});
  const Column columns[] = {{"a", Type::float64, "", false}, {"b", Type::float64, "", false}};
  plot.begin(columns);
  const Cell cells[] = {{.real = 1}, {.real = 2}};
  plot.row({0, cells, {}});
  EXPECT_NE(plot.draw().find("(1 more columns"), std::string::npos);
}

}  // namespace
}  // namespace tutti
