// SPDX-License-Identifier: BSD-2-Clause
// Tables as slaves of MASTERSIM projects: which of their values a step sees.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// tests/linux64/FileReaderSlave/FileReaderSeveralVars of MASTERSIM 0.9.8: the table and the project
// but for the FMU, which the kit makes.
constexpr const char* reader_table =
    R"(Time [h]	Var3 [-]	Var2 [-]	Var4 [-]	Var1 [-]
0	1	8	6	2
1	2	2	3	4
2	2	3	3	9
3	9	2	4	4
4	3	4	5	5
5	0	6	4	6
6	7	3	7	7
)";

constexpr const char* reader_project = R"(tEnd 6 h
hMax 10 min
hStart 10 min
hOutputMin 1 h
hFallBackLimit 0.001 s
adjustStepSize no
absTol 1e-06
relTol 1e-05
MasterMode GAUSS_SEIDEL
ErrorControlMode NONE
maxIterations 1
graph Table.Var1 Fmu.V1
graph Table.Var2 Fmu.V2
graph Table.Var3 Fmu.V3
graph Table.Var4 Fmu.V4
)";

std::string table_slave(int cycle) {
  return fmt::format("simulator 0 {} Table #4682b4 \"values.tsv\"\n", cycle);
}
std::string fmu_slave(int cycle) {
  return fmt::format("simulator 1 {} Fmu #6a5acd \"{}\"\n", cycle, fmu("2.0", "FourInputs"));
}

std::string with_change(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

class MsimTables : public ::testing::Test {
 protected:
  MsimTables() { work_.write("values.tsv", reader_table); }

  /// What the file records of a variable.
  std::vector<std::string> column(const std::string& name) const {
    const auto rows = csv_rows(work_.read("r.csv"));
    const auto at = std::find(rows[0].begin(), rows[0].end(), name) - rows[0].begin();
    std::vector<std::string> cells;
    for (std::size_t row = 1; row < rows.size(); ++row)
      cells.push_back(rows[row].at(static_cast<std::size_t>(at)));
    return cells;
  }
  /// Result at the hours 0 to 6. Simulators come before graph lines.
  std::vector<std::string> results(const std::string& slaves,
                                   const std::string& text = reader_project) {
    const std::size_t graph = text.find("graph");
    work_.write("s.msim", text.substr(0, graph) + slaves + text.substr(graph));
    const Answer answer = work_.tutti({"run", "s.msim", "-o", "r.csv"});
    EXPECT_EQ(answer.status, 0) << answer.err;
    return column("Fmu.Result");
  }
  Workplace work_;
};

// The column RealInputVars.Result of its published results.
TEST_F(MsimTables, ATableThatIsCalledFirstGivesTheValueAtTheEndOfTheStep) {
  EXPECT_THAT(results(table_slave(0) + fmu_slave(0)),
              ElementsAre("0", "8", "12", "38", "16", "0", "53"));
  EXPECT_THAT(results(fmu_slave(1) + table_slave(0)),
              ElementsAre("0", "8", "12", "38", "16", "0", "53"));
}

// Its value at 5 h 50 min: 6 5/6 - 3.5 + 5 5/6 * 6.5.
TEST_F(MsimTables, ATableThatIsCalledLaterGivesTheValueAtTheStartOfTheStep) {
  EXPECT_NEAR(std::stod(results(fmu_slave(0) + table_slave(0)).back()), 41.25, 1e-12);  // rounding
  EXPECT_NEAR(std::stod(results(table_slave(1) + fmu_slave(0)).back()), 41.25, 1e-12);
}

TEST_F(MsimTables, GaussJacobiTakesTheValueAtTheStart) {
  const std::string jacobi = with_change(reader_project, "GAUSS_SEIDEL", "GAUSS_JACOBI");
  EXPECT_NEAR(std::stod(results(table_slave(0) + fmu_slave(0), jacobi).back()), 41.25, 1e-12);
}

TEST_F(MsimTables, AnIterationFindsTheValueAtTheEndWhateverTheOrder) {
  const std::string iterated = with_change(reader_project, "maxIterations 1", "maxIterations 3");
  EXPECT_EQ(results(fmu_slave(0) + table_slave(0), iterated).back(), "53");
  EXPECT_NEAR(std::stod(results(table_slave(1) + fmu_slave(0), iterated).back()), 41.25, 1e-12);
}

TEST_F(MsimTables, ATableMayFeedSlavesBeforeAndBehindIt) {
  const std::string other = fmt::format("simulator 2 0 Early #6a5acd \"{}\"\n", fmu("2.0", "Gain"));
  const std::string text = std::string(reader_project) + "graph Table.Var1 Early.u\n";
  EXPECT_EQ(results(other + table_slave(0) + fmu_slave(0), text).back(), "53");
  EXPECT_NEAR(std::stod(column("Early.y").back()), 6 + 5. / 6, 1e-12);
}

TEST_F(MsimTables, AConvertedProjectRunsAlike) {
  results(table_slave(0) + fmu_slave(0));
  const std::string before = work_.read("r.csv");
  for (const char* const file : {"t.toml", "t.ssp"}) {
    ASSERT_EQ(work_.tutti({"convert", "s.msim", file}).status, 0);
    ASSERT_EQ(work_.tutti({"run", file, "-o", "t.csv"}).status, 0);
    EXPECT_EQ(work_.read("t.csv"), before) << file;
  }
  EXPECT_THAT(work_.read("t.toml"), HasSubstr("sample = \"end\""));
}

// Steps are as long as hMax: every second of them ends at a multiple of hOutputMin, and the last
// one at the stop time.
TEST_F(MsimTables, OutputsAreNotCloserThanHOutputMinWhereStepsAreControlled) {
  std::string text = with_change(reader_project, "adjustStepSize no", "adjustStepSize yes");
  text = with_change(text, "maxIterations 1", "maxIterations 2");
  text = with_change(text, "tEnd 6 h", "tEnd 1270 s");
  text = with_change(text, "hMax 10 min", "hMax 160 s");
  text = with_change(text, "hStart 10 min", "hStart 400 s");  // more than hMax, and than hOutputMin
  results(table_slave(0) + fmu_slave(0), with_change(text, "hOutputMin 1 h", "hOutputMin 320 s"));
  EXPECT_THAT(column("time"), ElementsAre("0", "320", "640", "960", "1270"));
}

}  // namespace
}  // namespace tutti::testing
