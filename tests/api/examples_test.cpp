// SPDX-License-Identifier: BSD-2-Clause
// <tutti/examples.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <tutti/examples.hpp>

#include "api/systems.hpp"
#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

class ExampleFolder : public ::testing::Test {
 protected:
  const Example& example(const std::string& name) const {
    return *std::find_if(all_.begin(), all_.end(),
                         [&](const Example& one) { return one.name == name; });
  }
  std::vector<Example> all_ = read_examples(places::build_folder() / "examples");
};

TEST_F(ExampleFolder, IsReadByName) {
  ASSERT_GT(all_.size(), 20u);
  EXPECT_TRUE(std::is_sorted(all_.begin(), all_.end(),
                             [](const Example& a, const Example& b) { return a.name < b.name; }));
  const Example& oscillator = example("eas_08_oscillator");
  EXPECT_TRUE(oscillator.has_system());
  EXPECT_TRUE(std::filesystem::exists(oscillator.system()));
  EXPECT_FALSE(oscillator.runs.empty());
  EXPECT_EQ(error_of([] { read_examples("there/is/none"); }).code(), ErrorCode::file);
}

TEST_F(ExampleFolder, HasRunsThatGiveTheFiguresExpected) {
  const Example& oscillator = example("eas_08_oscillator");
  const ExampleOutcome outcome = run_example(oscillator, oscillator.runs[0], {});
  EXPECT_TRUE(outcome.failure.empty()) << outcome.failure;
  ASSERT_FALSE(outcome.figures.empty());
  for (const FoundFigure& figure : outcome.figures) EXPECT_TRUE(figure.fine) << figure.what;
  EXPECT_GT(outcome.statistics.steps, 0u);
  EXPECT_THAT(verdict_rule(), HasSubstr(std::string(1, outcome.verdict)));
  ExampleRun broken = oscillator.runs[0];
  broken.set = {"simulation.stpe=1"};
  EXPECT_EQ(error_of([&] { run_example(oscillator, broken, {}); }).code(), ErrorCode::usage);
}

TEST_F(ExampleFolder, HasPicturesOfItsRuns) {
  for (const Example& one : all_)
    if (!one.plots.empty()) {
      EXPECT_THAT(draw_example(one, one.plots[0], {}), HasSubstr("<svg"));
      return;
    }
  FAIL() << "no example has a picture";
}

TEST_F(ExampleFolder, HasModelsThatTheKitRefuses) {
  const Example& wrong = example("eas_21_wrong_direction");
  EXPECT_FALSE(wrong.has_system());
  EXPECT_TRUE(check_refusal(wrong).fine);
}

TEST(ExpectedFigures, KnowWhichAreCounts) {
  ExpectedFigure figure;
  EXPECT_FALSE(figure.is_count());
  figure.kind = ExpectedFigure::Kind::calls;
  EXPECT_TRUE(figure.is_count());
}

}  // namespace
}  // namespace tutti::testing
