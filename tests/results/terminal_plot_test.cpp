// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <algorithm>
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
  TerminalPlot plot({.width = 21, .height = 4, .color = false, .curves = 4});
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
  ASSERT_EQ(lines.size(), 8u);  // name, four rows, axis, numbers, name of the time
  EXPECT_NE(lines[0].find("y [m]"), std::string::npos);
  EXPECT_EQ(lines[2].find("2 ┤"), 0u);
  EXPECT_EQ(lines[4].find("0 ┤"), 0u);
  // The lowest row begins with dots right at the axis, the highest ends with them.
  EXPECT_EQ(lines[4].find("┤ "), std::string::npos);
  EXPECT_NE(lines[1].find("│ "), std::string::npos);
  EXPECT_EQ(lines[5].find("  └┬"), 0u);
  EXPECT_EQ(lines[6].find("   0"), 0u);
  EXPECT_NE(lines[7].find("time [s]"), std::string::npos);
}

TEST(TerminalPlot, IsAsWideAsAsked) {
  for (const std::size_t width : {30u, 78u, 120u}) {
    TerminalPlot plot({.width = width, .height = 8, .color = false, .curves = 4});
    const Column column{"y", Type::float64, "m", false};
    plot.begin({&column, 1});
    for (int i = 0; i < 100; ++i) {
      const Cell cell{.real = std::sin(i * 0.1)};
      plot.row({i * 0.1, {&cell, 1}, {}});
    }
    std::size_t longest = 0;
    for (const std::string& line : lines_of(plot.draw()))
      longest = std::max<std::size_t>(
          longest, static_cast<std::size_t>(std::count_if(
                       line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; })));
    EXPECT_EQ(longest, width);
  }
}

TEST(TerminalPlot, PutsCurvesOfOneUnitIntoOnePanelIfItHasColours) {
  const Column columns[] = {{"a", Type::float64, "m", false}, {"b", Type::float64, "m", false}};
  const auto drawn = [&](bool color) {
    TerminalPlot plot({.width = 40, .height = 12, .color = color, .curves = 4});
    plot.begin(columns);
    for (const double t : {0.0, 1.0}) {
      const Cell cells[] = {{.real = t}, {.real = 1 - t}};
      plot.row({t, cells, {}});
    }
    return plot.draw();
  };
  EXPECT_EQ(lines_of(drawn(true)).size(), 1 + 12 + 3u);
  EXPECT_NE(drawn(true).find("\x1b[36ma\x1b[0m  \x1b[33mb\x1b[0m [m]"), std::string::npos);
  EXPECT_EQ(lines_of(drawn(false)).size(), 2 * (1 + 6) + 3u);
  EXPECT_EQ(drawn(false).find('\x1b'), std::string::npos);
}

TEST(TerminalPlot, DrawsStepsForDiscreteValues) {
  // A jump after a constant: the middle rows hold the vertical line only, one character wide.
  const auto lines = lines_of(plot_of({0, 0, 5}, true).draw());
  const std::string middle = lines[3].substr(lines[3].find("│") + std::string("│").size());
  EXPECT_EQ(middle.find_first_not_of(' '), middle.size() - 3) << middle;  // 3 bytes: one character
}

TEST(TerminalPlot, SurvivesConstantsAndValuesThatAreNotNumbers) {
  EXPECT_NE(plot_of({2, 2, 2}, false).draw().find("┤"), std::string::npos);
  EXPECT_NE(plot_of({NAN, 1, HUGE_VAL}, false).draw().find("┤"), std::string::npos);
  EXPECT_EQ(plot_of({}, false).draw(), "(nothing to plot)\n");
}

TEST(TerminalPlot, SaysHowManyColumnsItLeavesOut) {
  TerminalPlot plot({.width = 40, .height = 4, .color = false, .curves = 1});
  const Column columns[] = {{"a", Type::float64, "", false}, {"b", Type::float64, "", false}};
  plot.begin(columns);
  const Cell cells[] = {{.real = 1}, {.real = 2}};
  plot.row({0, cells, {}});
  EXPECT_NE(plot.draw().find("(1 more columns"), std::string::npos);
}

}  // namespace
}  // namespace tutti
