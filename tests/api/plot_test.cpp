// SPDX-License-Identifier: BSD-2-Clause
// <tutti/plot.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tutti/plot.hpp>

#include "api/systems.hpp"
#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

class Figures : public ::testing::Test {
 protected:
  Workplace place_;
  ResultTable table_ =
      read_results(place_.write("r.csv", "time,x [m],v [m/s],n\n0,0,1,1\n1,1,1,1\n2,3,2,2\n"));
};

TEST_F(Figures, HaveAPanelForEveryUnit) {
  const Figure figure = make_figure(table_, nullptr, {.title = "motion"});
  EXPECT_EQ(figure.title, "motion");
  EXPECT_EQ(figure.panels.size(), 3u);
  EXPECT_EQ(figure.from, 0);
  EXPECT_EQ(figure.to, 2);
}

TEST_F(Figures, ShowWhatIsChosenBesideAnotherResult) {
  FigureOptions options;
  options.variables = {"x"};
  options.from = 1;
  const Figure figure = make_figure(table_, &table_, options);
  ASSERT_EQ(figure.panels.size(), 1u);
  EXPECT_EQ(figure.panels[0].unit, "m");
  ASSERT_EQ(figure.panels[0].curves.size(), 2u);
  EXPECT_TRUE(figure.panels[0].curves[1].second);
  EXPECT_EQ(figure.from, 1);
}

TEST_F(Figures, WithNothingToDrawAreRefused) {
  FigureOptions options;
  options.variables = {"nothing"};
  EXPECT_EQ(error_of([&] { make_figure(table_, nullptr, options); }).code(), ErrorCode::usage);
  options = {};
  options.from = 7;
  EXPECT_EQ(error_of([&] { make_figure(table_, nullptr, options); }).code(), ErrorCode::usage);
}

TEST_F(Figures, AreDrawnInEveryForm) {
  const Figure figure = make_figure(table_, nullptr, {.apart = true});
  const std::string svg = draw_svg(figure, {.width = 500, .height = 300});
  EXPECT_THAT(svg, HasSubstr("<svg"));
  EXPECT_THAT(svg, HasSubstr("500"));
  EXPECT_THAT(draw_text(figure, {.width = 60, .height = 12}), HasSubstr("[m/s]"));
  write_png(figure, {.width = 800}, place_.path() / "f.png");
  EXPECT_EQ(place_.read("f.png").substr(1, 3), "PNG");
  EXPECT_EQ(error_of([&] { write_png(figure, {}, place_.path() / "no/such/f.png"); }).code(),
            ErrorCode::file);
}

}  // namespace
}  // namespace tutti::testing
