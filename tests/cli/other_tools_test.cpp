// SPDX-License-Identifier: BSD-2-Clause
// What FMUs and input files of other tools are like, and what Tutti makes of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

class OtherTools : public ::testing::Test {
 protected:
  /// Runs with `--variables *`; fails the test unless the status is 0.
  std::string run(const std::string& version, const std::string& model,
                  std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"simulate", fmu(version, model), "-o", "y.csv"});
    arguments.insert(arguments.end(), {"--variables", "*"});
    const Answer answer = place_.tutti(arguments);
    EXPECT_EQ(answer.status, 0) << answer.err;
    return answer.err;
  }
  /// The cells of one column of the results.
  std::vector<std::string> column(const std::string& name) const {
    const auto rows = csv_rows(place_.read("y.csv"));
    std::vector<std::string> cells;
    const auto at = std::find(rows.at(0).begin(), rows.at(0).end(), name) - rows.at(0).begin();
    for (std::size_t i = 1; i < rows.size(); ++i)
      cells.push_back(rows[i].at(static_cast<std::size_t>(at)));
    return cells;
  }
  Workplace place_;
};

TEST_F(OtherTools, NegatedAliasesOfFmi1HaveTheOtherSignInBothDirections) {
  place_.write("in.csv", "time,minus_u\n0,-3\n1,-3\n");
  run("1.0-cs", "faulty_negated_alias", {"--input", "in.csv", "--step", "0.1"});
  EXPECT_EQ(column("u").back(), "3");
  EXPECT_NEAR(std::stod(column("y").back()), 3, 1e-14);  // ten roundings
  EXPECT_EQ(column("minus_y").back().substr(0, 1), "-");
  EXPECT_EQ(column("minus_y").back().substr(1), column("y").back());
}

TEST_F(OtherTools, TextsStayWhereAnFmuKeepsOnlyTheirAddress) {
  const std::string text = "a-text-that-does-not-fit-into-a-small-string-and-so-lives-elsewhere";
  for (const char* const version : {"1.0-cs", "2.0"}) {
    run(version, "faulty_keeps_pointers", {"--set", "text=" + text});
    EXPECT_EQ(column("text").back(), text);
  }
}

TEST_F(OtherTools, TextsInOneBufferAreReadOneByOne) {
  for (const char* const version : {"1.0-cs", "2.0"}) {
    run(version, "faulty_one_buffer", {});
    EXPECT_EQ(column("a").back().substr(0, 5), "text-");
    EXPECT_NE(column("a").back(), column("b").back());
  }
}

TEST_F(OtherTools, AnOldFortranLibraryIsReplaced) {
  for (const char* const version : {"1.0-cs", "2.0"}) {
    run(version, "faulty_old_fortran", {"--stop", "1", "--step", "0.1"});
    EXPECT_EQ(column("y").back(), "10");  // all three functions, at each step
  }
}

TEST_F(OtherTools, TunableParametersMayBeColumnsOfTheInputs) {
  place_.write("in.csv", "time,gain\n0,1\n0.5,2\n1,2\n");
  run("2.0", "TunableGain", {"--input", "in.csv", "--step", "0.25"});
  // 0.5 of gain 1, then 0.5 of gain 2.
  EXPECT_NEAR(std::stod(column("y").back()), 1.5, 1e-14);  // four roundings
  run("2.0", "TunableGain",
      {"--type", "me", "--solver", "euler", "--input", "in.csv", "--step", "0.25"});
  EXPECT_NEAR(std::stod(column("y").back()), 1.5, 1e-14);
}

TEST_F(OtherTools, FixedParametersAreNoColumnsOfTheInputs) {
  place_.write("in.csv", "time,offset\n0,1\n1,1\n");
  const Answer answer =
      place_.tutti({"simulate", fmu("2.0", "TunableGain"), "--input", "in.csv", "-o", "none"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_NE(answer.err.find("is not tunable"), std::string::npos) << answer.err;
  EXPECT_NE(answer.err.find("--set"), std::string::npos) << answer.err;
}

TEST_F(OtherTools, InputTimesAreThoseOfTheStepsUpToRounding) {
  // As a tool does that adds up its steps.
  std::string table = "time,gain\n";
  double t = 0;
  for (int n = 0; n <= 30; ++n, t += 0.1) {
    char row[64];
    std::snprintf(row, sizeof row, "%.17g,%d\n", t, n % 2);
    table += row;
  }
  place_.write("in.csv", table);
  run("2.0", "TunableGain", {"--input", "in.csv", "--step", "0.1", "--stop", "3"});
  // Half of the steps have gain 1; one that came a step late would be seen.
  EXPECT_NEAR(std::stod(column("y").back()), 1.5, 1e-13);  // thirty roundings
  EXPECT_EQ(column("y").size(), 31u);                      // no tiny steps between
}

TEST_F(OtherTools, InputFilesMayBeGerman) {
  place_.write("in.csv", "\"Time\";\"u\";\r\n0,0;1,5;\r\n1,0;1,5;\r\n1,0;1,5;\r\n");
  run("2.0", "Integrator", {"--input", "in.csv", "--step", "0.5"});
  EXPECT_EQ(column("x").back(), "1.5");
}

TEST_F(OtherTools, NamesInAVariablesFileMayBeInQuotes) {
  place_.write("names.txt", "\"x\"\r\n\n# not this\n");
  const Answer answer = place_.tutti(
      {"simulate", fmu("2.0", "Integrator"), "--variables-file", "names.txt", "-o", "y.csv"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_EQ(csv_rows(place_.read("y.csv"))[0], (std::vector<std::string>{"time", "x"}));
}

TEST_F(OtherTools, AMillionStepsAreNoTrouble) {
  const Answer answer = place_.tutti({"simulate", fmu("2.0", "Trivial"), "--stop", "1", "--step",
                                      "1e-6", "--interval", "0.1", "-o", "y.csv"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_NE(answer.out.find("1000000"), std::string::npos) << answer.out;
  EXPECT_EQ(csv_rows(place_.read("y.csv")).size(), 12u);  // header, eleven points
}

}  // namespace
}  // namespace tutti::testing
