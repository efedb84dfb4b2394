// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <tutti/error.hpp>
#include <tutti/results.hpp>

#include "base/csv.hpp"
#include "support/command.hpp"

namespace tutti {
namespace {

TEST(CsvWriter, WritesWhatReadsBackExactly) {
  const testing::Workplace place;
  const std::vector<Column> columns = {{"x", Type::float64, "", false},
                                       {"f", Type::float32, "", false},
                                       {"A[1,2]", Type::uint64, "", true},
                                       {"text", Type::string, "", true}};
  const auto writer = make_csv_writer(place.path() / "r.csv");
  writer->begin(columns);
  const std::string_view texts[] = {"a \"b\",\nc"};
  const Cell cells[] = {{.real = 0.1 + 0.2},
                        {.real = static_cast<double>(0.1f)},
                        {.natural = 18446744073709551615u},
                        {.natural = 0}};
  writer->row({1.0 / 3.0, cells, texts});
  writer->finish();

  const CsvTable table = CsvTable::read(place.path() / "r.csv");
  EXPECT_EQ(table.header()[2], "f");
  EXPECT_EQ(table.header()[3], "A[1,2]");
  EXPECT_EQ(table.number(0, 0), 1.0 / 3.0);
  EXPECT_EQ(table.number(0, 1), 0.1 + 0.2);
  EXPECT_EQ(table.cell(0, 2), "0.1");  // the shortest text of the float, not of its double
  EXPECT_EQ(table.cell(0, 3), "18446744073709551615");
  EXPECT_EQ(table.cell(0, 4), texts[0]);
}

TEST(CsvWriter, LeavesAnExistingFileAloneUntilResultsCome) {
  const testing::Workplace place;
  place.write("r.csv", "earlier\n");
  const auto writer = make_csv_writer(place.path() / "r.csv");
  EXPECT_EQ(place.read("r.csv"), "earlier\n");
  writer->begin({});
  EXPECT_EQ(place.read("r.csv"), "time\n");
}

TEST(CsvWriter, RefusesAPlaceThatCannotBeWrittenAtOnce) {
  const testing::Workplace place;
  EXPECT_THROW(make_csv_writer(place.path() / "no" / "r.csv"), Error);
  EXPECT_THROW(make_csv_writer(place.path()), Error);
}

}  // namespace
}  // namespace tutti
