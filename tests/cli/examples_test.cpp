// SPDX-License-Identifier: BSD-2-Clause
// `tutti examples` as a user calls it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

namespace fs = std::filesystem;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Names a folder of examples for one test.
class OtherExamples {
 public:
  explicit OtherExamples(const fs::path& folder) { ::setenv("TUTTI_EXAMPLES", folder.c_str(), 1); }
  ~OtherExamples() { ::unsetenv("TUTTI_EXAMPLES"); }
  OtherExamples(const OtherExamples&) = delete;
  OtherExamples& operator=(const OtherExamples&) = delete;
};

class Examples : public ::testing::Test {
 protected:
  Answer examples(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "examples");
    return place_.tutti(arguments);
  }
  Workplace place_;
};

TEST_F(Examples, AreListedWithWhatTheyShow) {
  const Answer answer = examples({"list"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  for (const char* const word : {"quarter_car", "eas_01_chain", "eas_23_stiff_partner", "math003",
                                 "Wheel and chassis of a quarter car"})
    EXPECT_TRUE(contains(answer.out, word)) << word;
}

TEST_F(Examples, RunWhereTheUserIs) {
  const Answer answer = examples({"run", "quarter_car", "--set", "simulation.stop=0.1", "-q"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  const auto rows = csv_rows(place_.read("quarter_car.csv"));
  ASSERT_EQ(rows.size(), 102u);
  // The whole model has 0.032757 m there; 1e-3: one pass a step at 1 ms has an error of 2.7e-4 m.
  EXPECT_NEAR(std::stod(rows.back().at(1)), 0.032757, 1e-3);
}

TEST_F(Examples, AreCopiedToBeChanged) {
  EXPECT_EQ(examples({"copy", "quarter_car", "mine"}).status, 0);
  EXPECT_EQ(place_.tutti({"run", "mine/system.toml", "-o", "mine.csv"}).status, 0);
  const Answer again = examples({"copy", "quarter_car", "mine"});
  EXPECT_EQ(again.status, 2);
  EXPECT_TRUE(contains(again.err, "exists already")) << again.err;
}

TEST_F(Examples, ThatDoNotExistAreRefused) {
  for (const char* const action : {"copy", "run", "check"}) {
    const Answer answer = examples({action, "quarter_cart"});
    EXPECT_EQ(answer.status, 2);
    EXPECT_TRUE(contains(answer.err, "no example \"quarter_cart\"")) << answer.err;
  }
  const Answer refused = examples({"run", "eas_21_wrong_direction"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(contains(refused.err, "cannot be made an FMU")) << refused.err;
}

TEST_F(Examples, AnswerOneWhenAFigureIsWrong) {
  fs::create_directories(place_.path() / "library");
  ASSERT_EQ(examples({"copy", "quarter_car", "library/car"}).status, 0);
  place_.write("library/car/expected.toml",
               "title = \"car\"\nsource = \"us\"\n"
               "[[runs]]\nname = \"right\"\nsteps = 4000\ncalls = { wheel = { do-step = 4000 } }\n"
               "errors = { \"chassis.x\" = 2.725e-4 }\n"
               "[[runs]]\nname = \"wrong\"\nsteps = 4001\nerror = \"< 1e-9\"\n"
               "[[runs]]\nname = \"impossible\"\nset = [\"simulation.method=newtn\"]\nsteps = 1\n");
  const OtherExamples other(place_.path() / "library");
  const Answer answer = examples({"check"});
  EXPECT_EQ(answer.status, 1);
  for (const char* const part : {"6 figures, 3 wrong", "! wrong: steps: expected 4001, found 4000",
                                 "! wrong: error: expected < 1e-09", "! impossible: run",
                                 "Did you mean \"newton\"?", "examples: 0 passed, 1 failed"})
    EXPECT_TRUE(contains(answer.out, part)) << part << "\nin\n" << answer.out;
}

TEST_F(Examples, SayWhereTheirFileIsWrong) {
  fs::create_directories(place_.path() / "library/car");
  place_.write("library/car/expected.toml", "titel = \"car\"\n");
  const OtherExamples other(place_.path() / "library");
  const Answer answer = examples({"check"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_TRUE(
      contains(answer.err, "expected.toml:1:1: unknown key \"titel\". Did you mean \"title\"?"))
      << answer.err;
}

TEST_F(Examples, GiveTheirExpectedFigures) {
  const Answer answer = examples({"check"});
  EXPECT_EQ(answer.status, 0) << answer.out << answer.err;
  EXPECT_TRUE(contains(answer.out, " passed, 0 failed")) << answer.out;
}

TEST_F(Examples, AreJudgedAsInThePaperOrTheDifferenceIsExplained) {
  const Answer answer = examples({"verdicts"});
  EXPECT_EQ(answer.status, 0) << answer.out << answer.err;
  EXPECT_TRUE(contains(answer.out, "verdicts: 21 agree, 3 explained, 0 unexplained")) << answer.out;
}

}  // namespace
}  // namespace tutti::testing
