// SPDX-License-Identifier: BSD-2-Clause
#include "studies/sweep/sweep_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tutti/error.hpp>

#include "support/command.hpp"

namespace tutti::studies {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string header = "run,x,status,message\n";
std::string line_of(std::uint64_t run, const std::string& x = "0") {
  return table_row(run, {x}, {}, "completed", "");
}

std::vector<std::uint64_t> runs_in(const std::filesystem::path& file) {
  SweepReader reader(file, header);
  std::vector<std::uint64_t> runs;
  for (StoredRow row; reader.next(row);) runs.push_back(row.run);
  return runs;
}

TEST(SweepTable, HasQuotesWhereCellsNeedThemAndNoLineBreaks) {
  const std::vector<double> outputs = {0.1, 2};
  const std::string line = table_row(4, {"a,b", "1"}, outputs, "completed", "say \"no\"\nto it");
  EXPECT_EQ(line, "5,\"a,b\",1,0.1,2,completed,\"say \"\"no\"\" to it\"\n");
  EXPECT_THAT(split_row(line),
              ElementsAre("5", "a,b", "1", "0.1", "2", "completed", "say \"no\" to it"));
}

TEST(SweepTable, HasNoNumbersOfFailedRuns) {
  const std::vector<double> outputs = {0.1};
  EXPECT_EQ(table_row(0, {"1"}, outputs, failed_status, "bad"), "1,1,,failed,bad\n");
}

TEST(SweepTable, IsInOrderOfRunsInWhateverOrderTheyEnd) {
  const testing::Workplace work;
  const auto file = work.path() / "t.csv";
  SweepWriter writer(file);
  writer.begin(header);
  for (std::uint64_t run = 0; run < 5; ++run) writer.expect(run);
  for (const std::uint64_t run : {3u, 1u, 0u, 4u, 2u}) writer.add(run, line_of(run));
  writer.finish();
  EXPECT_THAT(runs_in(file), ElementsAre(0, 1, 2, 3, 4));
}

TEST(SweepTable, KeepsTheLaterOfTwoRowsOfARun) {
  const testing::Workplace work;
  const auto file =
      work.write("t.csv", header + line_of(0, "a") + line_of(1, "b") + line_of(2, "c") + "4,torn");
  SweepWriter writer(file);
  writer.begin_behind(header, 3, line_of(2, "c"), true);
  writer.expect(1);
  writer.add(1, line_of(1, "new"));
  writer.finish();
  EXPECT_EQ(work.read("t.csv"), header + line_of(0, "a") + line_of(1, "new") + line_of(2, "c"));
}

TEST(SweepTable, IsNotReadWithOtherColumnsOrOtherLines) {
  const testing::Workplace work;
  const auto file = work.write("t.csv", "run,y,status,message\n");
  EXPECT_THROW(SweepReader(file, header), Error);
  const auto bad = work.write("b.csv", header + line_of(0) + "none\n");
  try {
    runs_in(bad);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("line 3"));
  }
}

}  // namespace
}  // namespace tutti::studies
