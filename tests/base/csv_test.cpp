// SPDX-License-Identifier: BSD-2-Clause
#include "base/csv.hpp"

#include <gtest/gtest.h>

#include <tutti/error.hpp>

namespace tutti {
namespace {

std::string message_of(const std::string& text) {
  try {
    CsvTable::parse(text, "in.csv").number(0, 0);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(CsvTable, ReadsQuotesBlankLinesWindowsLineEndsAndAByteOrderMark) {
  const CsvTable table = CsvTable::parse(
      "\xEF\xBB\xBF\"time\",\"A[1,2]\",\"say \"\"hi\"\"\"\r\n0, 1.5 ,\"a\nb\"\r\n\r\n1,2,\r\n",
      "in.csv");
  ASSERT_EQ(table.header().size(), 3u);
  EXPECT_EQ(table.header()[1], "A[1,2]");
  EXPECT_EQ(table.header()[2], "say \"hi\"");
  ASSERT_EQ(table.row_count(), 2u);
  EXPECT_EQ(table.number(0, 1), 1.5);
  EXPECT_EQ(table.cell(0, 2), "a\nb");
  EXPECT_EQ(table.cell(1, 2), "");
  EXPECT_EQ(table.line(1), 5u);
}

TEST(CsvTable, FindsTheSeparatorInTheHeader) {
  EXPECT_EQ(CsvTable::parse("time;u\n0;1\n", "").number(0, 1), 1);
  EXPECT_EQ(CsvTable::parse("time\tu\n0\t1\n", "").number(0, 1), 1);
  EXPECT_EQ(CsvTable::parse("time\n0\n", "").number(0, 0), 0);
}

TEST(CsvTable, TakesNoNoticeOfASeparatorAtTheEndOfALine) {
  for (const char* const text : {"time,u,\n0,1,\n", "time,u\n0,1,\n", "time,u,,\n0,1\n"}) {
    const CsvTable table = CsvTable::parse(text, "");
    EXPECT_EQ(table.header().size(), 2u) << text;
    EXPECT_EQ(table.number(0, 1), 1) << text;
  }
}

TEST(CsvTable, ReadsDecimalCommasWhereTheyDoNotSeparate) {
  const CsvTable table = CsvTable::parse("time;u;s\n0,5;-1,25e-1;\"1,5\"\n1;2,;1,2,3\n", "");
  EXPECT_EQ(table.number(0, 0), 0.5);
  EXPECT_EQ(table.number(0, 1), -0.125);
  EXPECT_EQ(table.cell(0, 2), "1,5");  // in quotes it is a text
  EXPECT_EQ(table.number(1, 1), 2);
  EXPECT_EQ(table.cell(1, 2), "1,2,3");
}

TEST(CsvTable, KeepsItsCellsWhenItIsMoved) {
  CsvTable table = CsvTable::parse("t,\"a \"\"b\"\"\"\n1,2\n", "");
  const CsvTable moved = std::move(table);
  EXPECT_EQ(moved.header()[1], "a \"b\"");
  EXPECT_EQ(moved.cell(0, 1), "2");
}

TEST(CsvTable, NamesFileAndLineOfWhatIsWrong) {
  EXPECT_EQ(message_of("time,u\n0,1\n1\n"), "in.csv:3: 1 cells, but the header has 2");
  EXPECT_EQ(message_of("time\n\"0\n"), "in.csv:2: a quote is opened and never closed");
  EXPECT_EQ(message_of("time\n\"0\" 1\n"), "in.csv:2: text after a closing quote");
  EXPECT_EQ(message_of("time\nzero\n"), "in.csv:2: \"zero\" in column \"time\" is not a number");
  EXPECT_EQ(message_of(""), "in.csv: the file has no header row");
}

TEST(AppendCsvText, QuotesOnlyWhereNeeded) {
  std::string out;
  append_csv_text(out, "der(x)");
  append_csv_text(out, "A[1,2]");
  append_csv_text(out, "a\"b");
  EXPECT_EQ(out, "der(x)\"A[1,2]\"\"a\"\"b\"");
}

}  // namespace
}  // namespace tutti
