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
  EXPECT_EQ(table.cell(0, 0), "0,5");  // what is a text is not changed
  EXPECT_EQ(table.number(0, 2), 1.5);  // some tools put all cells in quotes
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
  EXPECT_EQ(message_of("time\nzero\n"),
            "in.csv:2: \"zero\" in column \"time\" is not a valid number");
  EXPECT_EQ(message_of(""), "in.csv: the file has no header row");
}

TEST(CsvTable, SaysWhatToTryAboutDecimalCommas) {
  EXPECT_EQ(message_of("time,u\n\"0,5\",1\n"),
            "in.csv:2: \"0,5\" in column \"time\" is not a valid number; it has a decimal comma: "
            "write 0.5");
  EXPECT_NE(message_of("time,u\n0,5,1,5\n").find("semicolons"), std::string::npos);
}

TEST(CsvTable, RefusesWhatIsNoText) {
  EXPECT_EQ(message_of(std::string("time\n0\0\n", 8)),
            "in.csv:2: the file is not a text file: it has a NUL byte. Is it a binary file?");
  EXPECT_NE(message_of(std::string("t\0i\0", 4)).find("UTF-16"), std::string::npos);
}

TEST(CsvTable, RefusesNumbersThatAreTooLarge) {
  EXPECT_NE(message_of("time\n1e400\n").find("too large"), std::string::npos);
  EXPECT_NE(message_of("time\n" + std::string(1'000'000, '9') + "\n").find("too large"),
            std::string::npos);
}

TEST(CsvTable, HasLimits) {
  CsvLimits limits;
  limits.cells = 4;
  EXPECT_EQ(CsvTable::parse("t,u\n1,2\n3,4\n", "", limits).row_count(), 2u);
  EXPECT_THROW(CsvTable::parse("t,u\n1,2\n3,4\n5,6\n", "", limits), Error);
  limits = {};
  limits.bytes = 100;
  const std::filesystem::path self = "/proc/self/maps";  // does not say how large it is
  EXPECT_THROW(CsvTable::read(self, limits), Error);
  EXPECT_THROW(CsvTable::read("/dev/zero"), Error);  // endless
}

TEST(CsvTable, TakesAMillionColumnsAndALineOfMegabytes) {
  std::string text = "t";
  for (int i = 0; i < 1'000'000; ++i) text += ",u" + std::to_string(i);
  text += "\n0";
  for (int i = 0; i < 1'000'000; ++i) text += ",1";
  const CsvTable table = CsvTable::parse(text, "");
  EXPECT_EQ(table.header().size(), 1'000'001u);
  EXPECT_EQ(table.number(0, 1'000'000), 1);
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
