// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <pugixml.hpp>
#include <sstream>
#include <tutti/error.hpp>
#include <tutti/plot.hpp>

#include "support/command.hpp"

namespace tutti {
namespace {

ResultTable waves() {
  ResultTable table;
  table.name = "waves.csv";
  for (int i = 0; i <= 1000; ++i) table.times.push_back(i * 0.01);
  const auto add = [&](const std::string& name, const std::string& unit, auto f) {
    ResultColumn& column = table.columns.emplace_back();
    column.name = name;
    column.unit = unit;
    for (const double t : table.times) column.numbers.push_back(f(t));
    column.motion = motion_of(table.times, column.numbers);
  };
  add("x", "m", [](double t) { return std::sin(t); });
  add("y", "m", [](double t) { return std::cos(t); });
  add("tiny", "m", [](double t) { return 1e-3 * std::cos(t); });
  add("a<b & \"c\"", "N", [](double t) { return t * t; });
  add("on", "", [](double t) { return std::fmod(std::floor(t), 2); });
  return table;
}

struct Svg {
  explicit Svg(const std::string& text) {
    const pugi::xml_parse_result result = document.load_string(text.c_str());
    EXPECT_TRUE(result) << result.description() << text;
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const auto& found : document.select_nodes("//text"))
      all.push_back(found.node().child_value());
    return all;
  }
  bool has_text(const std::string& text) const {
    const std::vector<std::string> all = texts();
    return std::find(all.begin(), all.end(), text) != all.end();
  }
  /// Of the curve with this name.
  pugi::xml_node path(const std::string& name) const {
    for (const auto& found : document.select_nodes("/svg/g"))
      if (found.node().child_value("title") == name) return found.node().child("path");
    return {};
  }
  std::vector<std::pair<double, double>> points(const std::string& name) const {
    std::string d = path(name).attribute("d").value();
    if (!d.empty()) d.erase(0, 1);
    std::istringstream in(d);
    std::vector<std::pair<double, double>> result;
    char comma = 0;
    for (double x = 0, y = 0; in >> x >> comma >> y;) result.emplace_back(x, y);
    return result;
  }
  pugi::xml_document document;
};

TEST(Figure, HasOnePanelPerUnitAndMagnitude) {
  const Figure figure = make_figure(waves(), nullptr, {});
  ASSERT_EQ(figure.panels.size(), 4u);
  EXPECT_EQ(figure.panels[0].curves.size(), 2u);  // x and y
  EXPECT_EQ(figure.panels[1].curves[0].name, "tiny");
  EXPECT_EQ(figure.panels[2].unit, "N");
  EXPECT_TRUE(figure.panels[3].curves[0].discrete);
  EXPECT_EQ(make_figure(waves(), nullptr, {.apart = true}).panels.size(), 5u);
}

TEST(Figure, CutsExactlyAtTheWindow) {
  const Figure figure = make_figure(waves(), nullptr, {.variables = {"x"}, .from = 0.505, .to = 2});
  const FigureCurve& curve = figure.panels[0].curves[0];
  EXPECT_EQ(curve.times.front(), 0.505);
  EXPECT_NEAR(curve.values.front(), std::sin(0.505), 2e-5);  // chord of 0.01: h^2/8 = 1.25e-5
  EXPECT_NEAR(curve.times.back(), 2, 1e-12);
  EXPECT_THROW(make_figure(waves(), nullptr, {.from = 11}), Error);
}

TEST(Figure, NamesTheNearestColumn) {
  try {
    make_figure(waves(), nullptr, {.variables = {"tinny"}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("Did you mean \"tiny\"?"), std::string::npos);
  }
}

TEST(Figure, SaysWhatItLeavesOut) {
  EXPECT_EQ(make_figure(waves(), nullptr, {.max_curves = 2}).notes.size(), 1u);
  EXPECT_EQ(make_figure(waves(), nullptr, {.variables = {"x"}, .log_y = true}).notes.size(), 1u);
}

TEST(SvgPlot, IsWellFormedWithAxesUnitsAndLegend) {
  Figure figure = make_figure(waves(), nullptr, {.title = "Waves <1> \xff"});
  const Svg svg(draw_svg(figure, {900, 700}));
  const pugi::xml_node root = svg.document.child("svg");
  EXPECT_STREQ(root.attribute("viewBox").value(), "0 0 900 700");
  EXPECT_STREQ(root.child_value("title"), "Waves <1> \xEF\xBF\xBD");
  for (const char* text : {"x", "y", "tiny", "a<b & \"c\"", "on", "m", "N", "×10⁻³ m", "time [s]",
                           "0", "2", "10", "−1.0"})
    EXPECT_TRUE(svg.has_text(text)) << text;
}

TEST(SvgPlot, KeepsCurvesInsideAndDrawsStepsForDiscreteValues) {
  const Svg svg(draw_svg(make_figure(waves(), nullptr, {}), {900, 700}));
  for (const char* name : {"x", "y", "tiny", "on"})
    for (const auto& [x, y] : svg.points(name)) {
      EXPECT_GE(x, 0);
      EXPECT_LE(x, 900);
      EXPECT_GE(y, 0);
      EXPECT_LE(y, 700);
    }
  // 10 steps of 2 corners each, and the ends: the end falls on the last step.
  const auto steps = svg.points("on");
  EXPECT_EQ(steps.size(), 22u - 1);
  for (std::size_t i = 1; i < steps.size(); ++i)
    EXPECT_TRUE(steps[i].first == steps[i - 1].first || steps[i].second == steps[i - 1].second);
}

TEST(SvgPlot, DashesTheSecondResult) {
  ResultTable other = waves();
  other.name = "folder/other.csv";
  const Svg svg(draw_svg(make_figure(waves(), &other, {.variables = {"x"}}), {}));
  EXPECT_TRUE(svg.path("x (other.csv)").attribute("stroke-dasharray"));
  EXPECT_FALSE(svg.path("x").attribute("stroke-dasharray"));
  // Darker, so that it is seen where both agree.
  EXPECT_STREQ(svg.path("x").attribute("stroke").value(), "#0072b2");
  EXPECT_STREQ(svg.path("x (other.csv)").attribute("stroke").value(), "#003959");
  EXPECT_TRUE(svg.has_text("waves.csv"));
  EXPECT_TRUE(svg.has_text("other.csv"));
}

TEST(SvgPlot, InterruptsCurvesAtWhatIsNotANumber) {
  ResultTable table = waves();
  table.columns.resize(1);
  table.columns[0].numbers[500] = NAN;
  const Svg svg(draw_svg(make_figure(table, nullptr, {}), {}));
  EXPECT_EQ(svg.document.select_nodes("/svg/g/path").size(), 2u);
}

TEST(SvgPlot, DrawsLogarithmicTime) {
  ResultTable table;
  table.name = "log.csv";
  ResultColumn column;
  column.name = "y";
  for (int i = 0; i <= 130; ++i) {
    table.times.push_back(i == 0 ? 0 : std::pow(10, i * 0.1 - 5));
    column.numbers.push_back(i);
  }
  table.columns.push_back(column);
  const Svg svg(draw_svg(make_figure(table, nullptr, {.log_x = true}), {}));
  EXPECT_TRUE(svg.has_text("10⁻⁴"));
  EXPECT_TRUE(svg.has_text("10⁸"));
  // Straight over logarithmic time; the value at time 0 cannot be shown.
  EXPECT_EQ(svg.points("y").size(), 2u);
}

TEST(SvgPlot, RefusesASizeWithoutRoomForItsPanels) {
  const Figure figure = make_figure(waves(), nullptr, {});
  EXPECT_THROW(draw_svg(figure, {800, 150}), Error);
  EXPECT_THROW(draw_svg(figure, {100, 800}), Error);
}

std::uint32_t big_endian(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value = value << 8 | static_cast<unsigned char>(bytes.at(at + i));
  return value;
}

TEST(PngPlot, HasTheSizeThatWasAsked) {
  const testing::Workplace place;
  const Figure figure = make_figure(waves(), nullptr, {.variables = {"x"}});
  for (const auto& [asked, width, height] :
       {std::tuple{PictureSize{}, 1600u, 880u}, std::tuple{PictureSize{500, 401}, 500u, 401u},
        std::tuple{PictureSize{1234, 987}, 1234u, 987u}}) {
    write_png(figure, asked, place.path() / "x.png");
    const std::string bytes = place.read("x.png");
    EXPECT_EQ(bytes.substr(0, 8), "\x89PNG\r\n\x1a\n");
    EXPECT_EQ(bytes.substr(12, 4), "IHDR");
    EXPECT_EQ(big_endian(bytes, 16), width);
    EXPECT_EQ(big_endian(bytes, 20), height);
  }
}

TEST(PngPlot, SaysWhereItCannotBeWritten) {
  const Figure figure = make_figure(waves(), nullptr, {});
  EXPECT_THROW(write_png(figure, {}, "/nowhere/x.png"), Error);
}

}  // namespace
}  // namespace tutti
