// SPDX-License-Identifier: BSD-2-Clause
// `tutti simulate --type me` as a user calls it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

using Row = std::vector<double>;

class ModelExchange : public ::testing::TestWithParam<const char*> {
 protected:
  /// Runs a model and gives the rows of its results.
  std::vector<Row> run(const std::string& model, std::vector<std::string> arguments = {}) {
    arguments.insert(arguments.begin(), {"simulate", fmu(version_, model), "--type", "me"});
    arguments.insert(arguments.end(), {"-o", "x.csv"});
    answer_ = place_.tutti(arguments);
    std::vector<Row> rows;
    for (const auto& cells : csv_rows(place_.read("x.csv"))) {
      if (cells[0] == "time") continue;
      Row& row = rows.emplace_back();
      for (const std::string& cell : cells) row.push_back(std::stod(cell));
    }
    return rows;
  }
  nlohmann::json solver() const {
    return nlohmann::json::parse(place_.read("x.meta.json"))["statistics"]["solver"];
  }
  Workplace place_;
  Answer answer_;
  std::string version_ = "2.0";
};

class EveryMeVersion : public ModelExchange {
 protected:
  EveryMeVersion() { version_ = GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(Cli, EveryMeVersion, ::testing::Values("1.0-me", "2.0", "3.0"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::erase_if(name, [](char c) { return !std::isalnum(c); });
                           return "Fmi" + name;
                         });

// h = 1 - g/2 t^2: the first bounce is at sqrt(2/g), each later one after e times the time between
// the last two (the first counts from t = -t1, where a full parabola would have begun).
TEST_P(EveryMeVersion, FindsTheBouncesToAMicrosecond) {
  const auto rows = run("BouncingBall");
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  std::vector<double> bounces;
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (rows[i][0] == rows[i - 1][0] && rows[i][2] != rows[i - 1][2]) bounces.push_back(rows[i][0]);
  ASSERT_GE(bounces.size(), 10u);
  double expected = std::sqrt(2 / 9.81), flight = 2 * expected;
  for (const double bounce : bounces) {
    EXPECT_NEAR(bounce, expected, 1e-6);
    flight *= 0.7;
    expected += flight;
  }
}

TEST_P(EveryMeVersion, ShowsBothSidesOfAnEvent) {
  const auto rows = run("BouncingBall");
  const auto bounce = std::adjacent_find(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return a[0] == b[0] && a[2] < 0 && b[2] > 0;
  });
  ASSERT_NE(bounce, rows.end());
  EXPECT_EQ((bounce + 1)->at(2), -0.7 * bounce->at(2));
}

TEST_P(EveryMeVersion, FollowsTheExactSolutionWithEverySolver) {
  // x = exp(-t) at t = 1. CVODE: 100 times its tolerance; Euler: e^-1 h/2; rk4: e^-1 h^4/120.
  const std::pair<const char*, double> bounds[] = {
      {"cvode", 1e-4}, {"cvode-adams", 1e-4}, {"euler", 0.0019}, {"rk4", 4e-11}};
  for (const auto& [name, bound] : bounds) {
    const auto rows = run("Dahlquist", {"--solver", name, "--stop", "1", "--step", "0.01"});
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    EXPECT_EQ(rows.size(), 101u);
    EXPECT_NEAR(rows.back()[1], std::exp(-1.0), bound) << name;
  }
}

TEST_P(EveryMeVersion, HitsTimeEventsExactlyInAModelWithoutStates) {
  const auto rows = run("Stair", {"--step", "0.3"});
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  std::vector<double> events;
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (rows[i][0] == rows[i - 1][0]) events.push_back(rows[i][0]);
  EXPECT_EQ(events, (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

// Each jump takes 1 off x' = 1, so x + jumps = t however often it jumps.
TEST_P(EveryMeVersion, TakesStepEvents) {
  const auto rows = run("Saw");
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  for (const Row& row : rows) EXPECT_NEAR(row[1] + row[2], row[0], 1e-9);  // CVODE is exact here
  EXPECT_GT(rows.back()[2], 0);
  EXPECT_GT(solver()["stepEvents"], 0);
}

// x' = u with u = t, so x = t^2/2 and y = 2 x + 3 u = t^2 + 3 t: the input is followed inside the
// steps, not held over them.
TEST_P(EveryMeVersion, FollowsAnInputInsideTheSteps) {
  place_.write("in.csv", "time,u\n0,0\n2,2\n");
  const auto rows = run("Integrator", {"--input", "in.csv", "--stop", "2", "--step", "1"});
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NEAR(rows.back()[1], 10, 1e-4);  // ten times the tolerance 1e-6
}

// u = 0 until t = 0.5, then 4: x(1) = 2 and y = 16, if no step crosses the jump unseen.
TEST_P(EveryMeVersion, StopsWhereAnInputJumps) {
  place_.write("in.csv", "time,u\n0,0\n0.5,0\n0.5,4\n1,4\n");
  const auto rows = run("Integrator", {"--input", "in.csv", "--step", "0.2"});
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NEAR(rows.back()[1], 16, 1e-9);  // CVODE is exact for constants
  EXPECT_EQ(std::count_if(rows.begin(), rows.end(), [](const Row& r) { return r[0] == 0.5; }), 2);
}

TEST_P(EveryMeVersion, NeverLooksBeyondTheStopTime) {
  for (const char* name : {"cvode", "cvode-adams", "euler", "rk4"}) {
    const auto rows = run("Punctual", {"--solver", name});
    EXPECT_EQ(answer_.status, 0) << name << ": " << answer_.err;
    EXPECT_NEAR(rows.back()[1], 1, 1e-9);  // x' = 1
  }
}

TEST_P(EveryMeVersion, TheLastStageOfAStepIsNotARoundingErrorBehindTheStopTime) {
  // -0.999 + (1 - (-0.999)) is 1 only up to rounding for these numbers of steps.
  for (const char* step : {"0.143", "0.37", "0.7"}) {
    run("Punctual", {"--start", "-0.999", "--step", step, "--solver", "rk4"});
    EXPECT_EQ(answer_.status, 0) << answer_.err;
  }
}

TEST_P(EveryMeVersion, EndsAModelThatAsksForEventsWithoutEnd) {
  run("Restless");
  EXPECT_EQ(answer_.status, 1);
  EXPECT_NE(answer_.err.find("a time event"), std::string::npos) << answer_.err;
}

TEST_P(EveryMeVersion, SurvivesChattering) {
  const auto rows = run("Slider");
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_EQ(rows.back()[0], 3);
  EXPECT_NEAR(rows.back()[1], 0, 1e-3);  // it slides along x = 0
  EXPECT_NE(answer_.err.find("chattering"), std::string::npos) << answer_.err;
}

TEST_P(EveryMeVersion, TriesAShorterStepWhereTheModelRefuses) {
  const auto rows = run("Tank");
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NEAR(rows.back()[1], 0.0025, 1e-5);  // (1 - 1.9/2)^2
}

TEST_P(EveryMeVersion, SaysWhereTheSolverCannotGoOn) {
  const auto rows = run("Tank", {"--stop", "3"});
  EXPECT_EQ(answer_.status, 1);
  for (const char* word : {"Tank", "cvode", "t = "})
    EXPECT_NE(answer_.err.find(word), std::string::npos) << answer_.err;
  ASSERT_FALSE(rows.empty());
  EXPECT_NEAR(rows.back()[0], 1.9, 0.11);  // it is empty at t = 2
}

// The values at t = 40 that every stiff solver is shown with: (0.7158, 9.185e-6, 0.2842).
TEST_P(EveryMeVersion, SolvesAVeryStiffProblemOverFifteenDecades) {
  const auto rows = run("Roberts", {"--first", "1e-5", "--per-decade", "5"});
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_EQ(rows.back()[0], 4e10);
  for (const Row& row : rows) EXPECT_NEAR(row[1] + row[2] + row[3], 1, 1e-9);  // linear invariant
  const auto at_40 = run("Roberts", {"--stop", "40"}).back();
  EXPECT_NEAR(at_40[1], 0.7158, 1e-4);
  EXPECT_NEAR(at_40[2], 9.185e-6, 2e-9);
}

TEST_P(EveryMeVersion, SolvesAHundredCoupledStates) {
  const auto rows = run("Heat", {"--variables", "x50"});
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  const double rate = (2 - 2 * std::cos(M_PI / 101)) * 101 * 101;
  EXPECT_NEAR(rows.back()[1], std::sin(M_PI * 50 / 101) * std::exp(-0.1 * rate), 1e-4);
  // Only from 2.0 on the FMU tells its dependencies and derivatives; then no difference is taken.
  const auto expected = version_ == "1.0-me" ? 100 * solver()["jacobians"].get<int>() : 0;
  EXPECT_EQ(solver()["rightHandSidesForJacobians"], expected);
}

TEST_F(ModelExchange, TakesNoMoreStepsForAFinerGrid) {
  run("VanDerPol", {"--step", "1"});
  const auto coarse = solver()["steps"];
  const auto rows = run("VanDerPol", {"--step", "0.001"});
  EXPECT_EQ(rows.size(), 20001u);
  EXPECT_EQ(solver()["steps"], coarse);
}

TEST_F(ModelExchange, ATighterToleranceGivesABetterAnswer) {
  const auto error = [&](const char* rtol) {
    return std::abs(run("Dahlquist", {"--stop", "1", "--rtol", rtol}).back()[1] - std::exp(-1.0));
  };
  EXPECT_LT(error("1e-9"), error("1e-4") / 100);
}

TEST_F(ModelExchange, CountsWhatTheSolverDid) {
  run("BouncingBall", {"--statistics"});
  EXPECT_EQ(solver()["name"], "cvode");
  EXPECT_EQ(solver()["stateEvents"], 11);
  EXPECT_GT(solver()["rightHandSides"], solver()["steps"]);
  EXPECT_NE(answer_.out.find("error-test failures"), std::string::npos) << answer_.out;
}

// The state of one derivative is left out of the description: a breach that does no harm.
TEST_F(ModelExchange, RunsAModelThatDoesNotSayWhichStatesItHas) {
  const std::string folder = (place_.path() / "Incomplete").string();
  ASSERT_EQ(std::system(("unzip -q " + fmu("2.0", "VanDerPol") + " -d " + folder).c_str()), 0);
  std::string xml = place_.read("Incomplete/modelDescription.xml");
  const std::size_t last = xml.rfind(" derivative=\"");
  ASSERT_NE(last, std::string::npos);
  xml.erase(last, xml.find('"', last + 13) + 1 - last);
  place_.write("Incomplete/modelDescription.xml", xml);
  const Answer answer = place_.tutti({"simulate", folder, "--type", "me", "-o", "x.csv"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_GT(solver()["rightHandSidesForJacobians"], 0);
}

TEST_F(ModelExchange, RefusesWhatCannotBe) {
  const auto refusal = [&](std::vector<std::string> arguments) {
    run("Roberts", std::move(arguments));
    EXPECT_EQ(answer_.status, 2);
    return answer_.err;
  };
  EXPECT_NE(refusal({"--solver", "cvod"}).find("Did you mean \"cvode\""), std::string::npos);
  EXPECT_NE(refusal({"--atol", "-1"}).find("positive"), std::string::npos);
  EXPECT_NE(refusal({"--per-decade", "5"}).find("--first"), std::string::npos);
  EXPECT_NE(refusal({"--first", "1"}).find("--per-decade"), std::string::npos);
  EXPECT_NE(refusal({"--per-decade", "5", "--first", "1", "--step", "1"}).find("--step"),
            std::string::npos);
}

}  // namespace
}  // namespace tutti::testing
