// SPDX-License-Identifier: BSD-2-Clause
#include "results/row_spool.hpp"

#include <gtest/gtest.h>

#include <array>
#include <tutti/error.hpp>

#include "support/command.hpp"

namespace tutti::results {
namespace {

TEST(RowSpool, GivesBackEveryValueAsItWas) {
  const testing::Workplace place;
  // A text that looks like a number, and a name that looks like one with a unit.
  const std::vector<Column> columns = {{"c.force [N]", Type::float64, "N", false},
                                       {"c.text", Type::string, "", true},
                                       {"c.count", Type::int32, "", true}};
  {
    RowSpool spool(place.path() / "rows");
    spool.begin(columns);
    for (const double t : {-1.0, 0.0, 0.1}) {
      if (t == 0) {
        EXPECT_TRUE(spool.rewind(0));  // what was before is void
      }
      std::array<Cell, 3> cells{};
      cells[0].real = t / 3;
      cells[1].natural = 0;
      cells[2].integer = -7;
      const std::array<std::string_view, 1> texts = {"12"};
      spool.row({t, cells, texts});
    }
    spool.finish();
  }
  std::vector<Column> more = columns;
  more.push_back({"step", Type::float64, "", true});
  const ResultTable table = read_spool(place.path() / "rows", more);
  ASSERT_EQ(table.columns.size(), 3u);
  EXPECT_EQ(table.times, (std::vector<double>{0, 0.1}));
  EXPECT_EQ(table.columns[0].name, "c.force [N]");
  EXPECT_EQ(table.columns[0].numbers, (std::vector<double>{0, 0.1 / 3}));
  EXPECT_EQ(table.columns[1].texts, (std::vector<std::string>{"12", "12"}));
  EXPECT_EQ(table.columns[2].numbers, (std::vector<double>{-7, -7}));
  EXPECT_THROW(read_spool(place.path() / "none", columns), Error);
}

}  // namespace
}  // namespace tutti::results
