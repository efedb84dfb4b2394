// SPDX-License-Identifier: BSD-2-Clause
// `tutti examples` as a user calls it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

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
  EXPECT_TRUE(contains(refused.err, "cannot become an FMU")) << refused.err;
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

// With d1 d2 = -1.1 the held coupling diverges by 1.05 a step of 1 ms; corrected it is right to
// 1e-4.
TEST_F(Examples, MayCompareCasesThatShareSettings) {
  fs::create_directories(place_.path() / "library");
  ASSERT_EQ(examples({"copy", "linear_feed_through", "library/linear"}).status, 0);
  place_.write(
      "library/linear/expected.toml",
      "[reference]\nvariables = [\"first.x\", \"second.x\"]\n"
      "[[settings]]\nname = \"case\"\nset = [\"first.d=1\", \"second.d=-1.1\"]\n"
      "reference = [\"d1=1\", \"d2=-1.1\"]\n"
      "[[settings]]\nname = \"fine\"\nset = [\"simulation.step=1e-3\"]\n"
      "[[runs]]\nname = \"held\"\nlike = [\"case\", \"fine\"]\ndiverges = 1e3\nlast-error = 1\n"
      "largest = { \"first.y\" = \"> 1e20\", \"second.y\" = \"< 1\" }\nevaluations = 0\n"
      "[[runs]]\nname = \"corrected\"\nlike = \"held\"\nset = "
      "[\"simulation.inputs.correct=linear\"]\n"
      "last-error = \"< 1e-4\"\nfirst = { \"first.x\" = 1 }\ndiverges = 1e3\n"
      "[[runs]]\nname = \"blind\"\nset = [\"simulation.step=2\", \"simulation.stop=1\"]\n"
      "fails = \"what it does not say\"\n");
  const OtherExamples other(place_.path() / "library");
  const Answer answer = examples({"check"});
  EXPECT_EQ(answer.status, 1);
  for (const char* const part :
       {"9 figures, 4 wrong", "! held: error at the end: expected 1, found",
        "! held: largest second.y: expected < 1, found",
        "! corrected: largest magnitude: expected > 1000, found", "! blind: "})
    EXPECT_TRUE(contains(answer.out, part)) << part << "\nin\n" << answer.out;
}

// The file has a point in ten of the first run, which it comes from; twice the step gives another
// solution, and points between those of the file are not compared.
TEST_F(Examples, MayHaveAFileAsReferenceAndSeveralSystems) {
  fs::create_directories(place_.path() / "library");
  ASSERT_EQ(examples({"copy", "quarter_car", "library/car"}).status, 0);
  const std::string system = place_.read("library/car/system.toml");
  place_.write("library/car/other.toml", system);
  ASSERT_EQ(place_
                .tutti({"run", "library/car/system.toml", "-q", "-o", "library/car/r.csv", "--set",
                        "simulation.step=1e-3", "--set", "results.interval=1e-2"})
                .status,
            0);
  place_.write("library/car/expected.toml",
               "[reference]\nfile = \"r.csv\"\nvariables = [\"chassis.x\"]\n"
               "[[settings]]\nname = \"other\"\nsystem = \"other.toml\"\n"
               "[[runs]]\nname = \"same\"\nsystem = \"system.toml\"\n"
               "set = [\"simulation.step=1e-3\"]\nerror = \"< 1e-15\"\n"
               "[[runs]]\nname = \"coarse\"\nlike = \"other\"\n"
               "set = [\"simulation.step=2e-3\"]\nerror = \"> 1e-5\"\n"
               "[[runs]]\nname = \"missing\"\nsystem = \"none.toml\"\nsteps = 1\n"
               "[[plots]]\nname = \"car\"\nruns = [\"coarse\"]\nvariables = [\"chassis.x\"]\n"
               "reference = true\n");
  const OtherExamples other(place_.path() / "library");
  const Answer answer = examples({"check"});
  EXPECT_TRUE(contains(answer.out, "3 figures, 1 wrong")) << answer.out << answer.err;
  EXPECT_TRUE(contains(answer.out, "none.toml")) << answer.out;
  EXPECT_EQ(examples({"plots", "figures"}).status, 0);
  EXPECT_TRUE(contains(place_.read("figures/car.svg"), "<svg"));

  place_.write("library/car/r.csv", "time,chassis.x\n77,0\n");
  EXPECT_TRUE(contains(examples({"check"}).out, "has no value at any time of the run"));
}

// A copy of the example can be run, too: the program is in it, beside its source.
TEST_F(Examples, MayBeProgramsThatWriteResults) {
  fs::create_directories(place_.path() / "library");
  ASSERT_EQ(examples({"copy", "bouncing_ball", "library/ball"}).status, 0);
  EXPECT_TRUE(fs::exists(place_.path() / "library/ball/bouncing_ball.cpp"));
  EXPECT_TRUE(fs::exists(place_.path() / "library/ball/write_csv.hpp"));
  place_.write("library/ball/expected.toml",
               "[[runs]]\nname = \"ball\"\nprogram = [\"bouncing_ball\", \"dopri5\", \"1e-8\"]\n"
               "changes = { events = [0.4515, 1.0836, 1.5261, 1.8358], within = 1e-4 }\n"
               "last = { events = 4, height = \"0.0424 +- 1e-4\" }\n"
               "[[runs]]\nname = \"wrong\"\nlike = \"ball\"\nchanges = { events = [0.45] }\n"
               "last = { height = \"0.0424 +- 1e-9\" }\n"
               "[[runs]]\nname = \"alone\"\nlike = \"ball\"\nerror = 1\n"
               "[[runs]]\nname = \"unknown\"\nprogram = [\"bouncing_ball\", \"dorpi5\", \"1e-8\"]\n"
               "last = { events = 4 }\n");
  const OtherExamples other(place_.path() / "library");
  const Answer answer = examples({"check"});
  EXPECT_EQ(answer.status, 1);
  for (const char* const part :
       {"! wrong: error of the times at which events changes: expected < 0.01, found inf",
        "! wrong: last height: expected 0.0424 +- 1e-09, found 0.04243",
        "! alone: run: expected no error, found there is no reference", "Did you mean \"dopri5\"?"})
    EXPECT_TRUE(contains(answer.out, part)) << part << "\nin\n" << answer.out;
  EXPECT_FALSE(contains(answer.out, "! ball")) << answer.out;

  fs::remove(place_.path() / "library/ball/bouncing_ball");
  EXPECT_EQ(examples({"check"}).status, 0) << "of an installed package";
  EXPECT_TRUE(contains(examples({"check"}).out, "skipped: 4 runs of a program not built here"));
}

TEST_F(Examples, ThatAreProgramsSayHowTheyAreRun) {
  const Answer answer = examples({"run", "robertson"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_TRUE(contains(answer.err, "is a C++ program")) << answer.err;
  EXPECT_TRUE(contains(answer.err, "robertson/robertson ode cvode 1e-7")) << answer.err;
}

// Counted with outputs that are asked for alone, and with Algorithm 2 of the thesis.
TEST_F(Examples, OfTheRaceCarComputesFiveTimesAtTheStartInsteadOf25) {
  ASSERT_EQ(examples({"copy", "race_car", "car"}).status, 0);
  const Answer graph = place_.tutti({"graph", "car/system.toml"});
  EXPECT_TRUE(contains(graph.out, "5 components, 172 connections")) << graph.out.substr(0, 200);
  EXPECT_TRUE(contains(graph.out, "5 evaluations, 25 if every output were evaluated separately"));
  const Answer json = place_.tutti({"graph", "car/system.toml", "--format", "json"});
  EXPECT_TRUE(contains(json.out, "\"evaluationsAlone\": 25"));
  const Answer run = place_.tutti(
      {"run", "car/system.toml", "-o", "r.csv", "--json", "--set", "simulation.stop=0.01"});
  EXPECT_TRUE(contains(run.out, "\"initialEvaluations\": 5")) << run.out;
}

TEST_F(Examples, OfTheRaceCarGivesTheSameBitsOnTwoThreads) {
  ASSERT_EQ(examples({"copy", "race_car", "car"}).status, 0);
  for (const char* const threads : {"1", "2"}) {
    std::vector<std::string> arguments = {"run", "car/system.toml", "-q", "-o",
                                          std::string(threads) + ".csv"};
    for (const char* const setting :
         {"chassis.work=31", "front_left.work=16", "front_right.work=16", "rear_left.work=16",
          "rear_right.work=16"})
      arguments.insert(arguments.end(), {"--set", setting});
    arguments.insert(arguments.end(), {"--set", std::string("simulation.threads=") + threads});
    const Answer answer = place_.tutti(arguments);
    ASSERT_EQ(answer.status, 0) << answer.err;
  }
  EXPECT_EQ(place_.read("1.csv"), place_.read("2.csv"));
}

// Smooth inputs disturb no integrator that goes on; one that starts anew gains nothing.
TEST_F(Examples, OfSmoothingTellTheWorkOfEachIntegrator) {
  ASSERT_EQ(examples({"copy", "smoothing", "smooth"}).status, 0);
  const auto steps = [&](const std::string& setting) {
    const Answer answer =
        place_.tutti({"run", "smooth/system.toml", "-o", "r.csv", "--json", "--set", setting});
    EXPECT_EQ(answer.status, 0) << answer.err;
    const auto statistics = nlohmann::json::parse(answer.out).at("statistics");
    return statistics.at("components").at("first").at("solver").at("steps").get<int>();
  };
  EXPECT_LT(1.5 * steps("simulation.threads=1"),
            steps("components.first.solver.at-points=restart"));
}

TEST_F(Examples, SayWhichRunTheyDoNotKnow) {
  fs::create_directories(place_.path() / "library/car");
  const OtherExamples other(place_.path() / "library");
  for (const auto& [text, message] :
       {std::pair{"[[runs]]\nname = \"a\"\nlike = \"b\"\n", "the name of a run before this one"},
        {"[[runs]]\nname = \"a\"\nshow = \"all\"\n", "\"printed\" or \"ours\""},
        {"[[runs]]\nname = \"a\"\nfailures = { error = 1 }\n", "unknown key \"error\""}}) {
    place_.write("library/car/expected.toml", text);
    const Answer answer = examples({"check"});
    EXPECT_EQ(answer.status, 2);
    EXPECT_TRUE(contains(answer.err, message)) << answer.err;
  }
  place_.write("library/car/expected.toml", "[[plots]]\nname = \"p\"\nruns = [\"none\"]\n");
  const Answer answer = examples({"plots"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_TRUE(contains(answer.err, "has no run \"none\" to draw")) << answer.err;
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

// The statistics of the paper are in this test, too, so that nobody adapts them to what is found.
TEST_F(Examples, ShowThePrintedCountsOfMath003BesideTheirs) {
  const Answer answer = examples({"check", "math003"});
  EXPECT_EQ(answer.status, 0) << answer.out << answer.err;
  std::vector<std::string> printed, here;
  std::istringstream lines(answer.out);
  for (std::string line; std::getline(lines, line);)
    for (auto& [word, rows] : {std::pair{" printed ", &printed}, {" here ", &here}})
      if (const std::size_t at = line.find(word); at != line.npos)
        rows->push_back(line.substr(at + std::string(word).size()));
  ASSERT_EQ(printed.size(), 6u) << answer.out;
  ASSERT_GE(here.size(), 6u) << answer.out;
  const auto words = [](const std::string& text, std::size_t count) {
    std::istringstream stream(text);
    std::vector<std::string> found(count);
    for (std::string& word : found) stream >> word;
    return found;
  };
  using Words = std::vector<std::string>;
  const Words last = {"326", "41/91", "1244/1128/517", "1511/1128/784", "1511/1128/784"};
  const Words fifth = {"101", "15/0", "116/101/15", "159/101/58", "159/101/58"};
  const Words third = {"101", "0/0", "101/101/0", "130/101/29", "130/101/29"};
  EXPECT_EQ(words(printed[5], 5), last);
  EXPECT_EQ(words(printed[4], 5), fifth);
  EXPECT_EQ(words(printed[2], 5), third);
  for (std::size_t i = 0; i < printed.size(); ++i)
    EXPECT_EQ(words(printed[i], 5), words(here[i], 5)) << "statistic " << i + 1;
}

TEST_F(Examples, DrawThePapersFigures) {
  const Answer answer = examples({"plots", "there", "--example", "math003", "--example",
                                  "quarter_car", "--example", "eas_23_stiff_partner"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  for (const char* const name : {"math003-03", "math003-08", "math003-19", "math003-20",
                                 "quarter-car-10", "eas-11", "eas-13"}) {
    const std::string picture = place_.read(std::string("there/") + name + ".svg");
    EXPECT_TRUE(contains(picture, "<svg")) << name;
    EXPECT_TRUE(contains(picture, "Figure ")) << name;
  }
  // The reference and both runs of a comparison are there, under their names.
  const std::string both = place_.read("there/math003-08.svg");
  for (const char* const label : {"x4 before x3", "x3 before x4", "reference"})
    EXPECT_TRUE(contains(both, label)) << label;
  EXPECT_FALSE(fs::exists(place_.path() / "there/eas-05.svg")) << "of another example";
}

TEST_F(Examples, AreNotDrawnWhereTheyCannotBeWritten) {
  place_.write("taken", "");
  const Answer answer = examples({"plots", "taken"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_TRUE(contains(answer.err, "taken")) << answer.err;
}

TEST_F(Examples, AreJudgedAsInThePaperOrTheDifferenceIsExplained) {
  const Answer answer = examples({"verdicts"});
  EXPECT_EQ(answer.status, 0) << answer.out << answer.err;
  EXPECT_TRUE(contains(answer.out, "verdicts: 21 agree, 3 explained, 0 unexplained")) << answer.out;
}

}  // namespace
}  // namespace tutti::testing
