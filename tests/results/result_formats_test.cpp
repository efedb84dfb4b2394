// SPDX-License-Identifier: BSD-2-Clause
// What every result format does: rows are read back as they were written, and can be removed,
// flushed and continued. A new row of the table is tested here without further lines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <tutti/error.hpp>

#include "results/result_format.hpp"
#include "support/command.hpp"

namespace tutti::results {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

struct Tested {
  std::string extension;
  bool compress = false;
};

std::vector<Tested> all_formats() {
  std::vector<Tested> all;
  for (const ResultFormat& format : result_formats()) {
    all.push_back({format.extension});
    if (format.write_compressed != nullptr) all.push_back({format.extension, true});
  }
  return all;
}

const std::vector<Column> sample_columns = {{"body.x", Type::float64, "m", false, "Position"},
                                            {"A[1,2]", Type::float32, "", false, "An [element]"},
                                            {"n", Type::int64, "", true, ""},
                                            {"big", Type::uint64, "", true, "Counter"},
                                            {"größe/höhe", Type::boolean, "", true, "Ä"}};

/// A row whose values depend on its number.
struct SampleRow {
  explicit SampleRow(int k) : time(0.25 * k) {
    const double reals[] = {0.1, -0.0, 1e308, std::numeric_limits<double>::denorm_min(),
                            std::numeric_limits<double>::infinity()};
    cells[0].real = reals[k % 5];
    cells[1].real = 0.25 * k;
    cells[2].integer = -(std::int64_t{1} << 40) - k;
    cells[3].natural = (std::uint64_t{1} << 52) + static_cast<std::uint64_t>(k);
    cells[4].natural = k % 2 == 0 ? 1 : 0;
  }
  Row row() const { return {time, cells, {}}; }
  double time;
  std::array<Cell, 5> cells{};
};

class EveryFormat : public ::testing::TestWithParam<Tested> {
 protected:
  std::filesystem::path file() const { return place_.path() / ("r" + GetParam().extension); }
  std::unique_ptr<Observer> writer() const {
    return make_result_writer(file(), {.compress = GetParam().compress});
  }
  static void put(Observer& to, int first, int last) {
    for (int k = first; k < last; ++k) to.row(SampleRow(k).row());
  }
  void write(int rows) const {
    const auto to = writer();
    to->begin(sample_columns);
    put(*to, 0, rows);
    to->finish();
  }
  /// The rows with these numbers, bit by bit.
  void expect_rows(const std::vector<int>& numbers) const {
    const ResultTable table = read_results(file());
    ASSERT_THAT(table.times, SizeIs(numbers.size()));
    ASSERT_THAT(table.columns, SizeIs(sample_columns.size()));
    for (std::size_t i = 0; i < sample_columns.size(); ++i) {
      EXPECT_EQ(table.columns[i].name, sample_columns[i].name);
      for (std::size_t row = 0; row < numbers.size(); ++row) {
        const SampleRow expected(numbers[row]);
        EXPECT_EQ(table.times[row], expected.time);
        EXPECT_EQ(std::bit_cast<std::uint64_t>(table.columns[i].numbers[row]),
                  std::bit_cast<std::uint64_t>(as_real(sample_columns[i].type, expected.cells[i])))
            << sample_columns[i].name << " in row " << row;
      }
    }
  }
  testing::Workplace place_;
};
INSTANTIATE_TEST_SUITE_P(Results, EveryFormat, ::testing::ValuesIn(all_formats()),
                         [](const auto& tested) {
                           return tested.param.extension.substr(1) +
                                  (tested.param.compress ? "Compressed" : "");
                         });

TEST_P(EveryFormat, ReadsBackWhatItWrote) {
  write(7);
  expect_rows({0, 1, 2, 3, 4, 5, 6});
  EXPECT_THAT(result_columns(file()), ElementsAre("body.x", "A[1,2]", "n", "big", "größe/höhe"));
}

TEST_P(EveryFormat, HasUnitsAndDescriptionsOrMetadataWithThem) {
  write(2);
  const ResultTable table = read_results(file());
  if (GetParam().extension == ".csv") {
    EXPECT_EQ(table.columns[0].unit, "");
  } else {
    for (std::size_t i = 0; i < sample_columns.size(); ++i) {
      EXPECT_EQ(table.columns[i].unit, sample_columns[i].unit);
      EXPECT_EQ(table.columns[i].description, sample_columns[i].description);
    }
  }
  place_.write("r.meta.json", R"({"columns": [{"name": "n", "unit": "kg", "discrete": false}]})");
  EXPECT_EQ(read_results(file()).find("n")->unit, "kg");
  EXPECT_EQ(read_results(file()).find("n")->motion, Motion::continuous);
}

TEST_P(EveryFormat, HasARunWithoutRows) {
  write(0);
  expect_rows({});
}

TEST_P(EveryFormat, KeepsNaN) {
  const auto to = writer();
  to->begin(std::span(sample_columns).first(1));
  const Cell cells[] = {{.real = std::nan("")}};
  to->row({1, cells, {}});
  to->finish();
  EXPECT_TRUE(std::isnan(read_results(file()).columns[0].numbers[0]));
}

TEST_P(EveryFormat, RemovesRowsAfterARollback) {
  const auto to = writer();
  to->begin(sample_columns);
  put(*to, 0, 9);
  EXPECT_TRUE(to->rewind(4));
  put(*to, 11, 13);
  to->flush();
  EXPECT_TRUE(to->rewind(5));
  put(*to, 20, 21);
  to->finish();
  expect_rows({0, 1, 2, 3, 11, 20});
}

TEST_P(EveryFormat, StartsAgainWhenARunIsRepeated) {
  const auto to = writer();
  to->begin(sample_columns);
  put(*to, 5, 9);
  EXPECT_TRUE(to->rewind(0));
  put(*to, 1, 3);
  to->finish();
  expect_rows({1, 2});
}

TEST_P(EveryFormat, ContinuesAnEarlierRun) {
  write(6);
  const auto to = writer();
  ASSERT_TRUE(to->resume(sample_columns, 4, SampleRow(3).row()));
  put(*to, 9, 12);
  EXPECT_TRUE(to->rewind(6));
  to->finish();
  expect_rows({0, 1, 2, 3, 9, 10});
}

TEST_P(EveryFormat, DoesNotContinueOtherResults) {
  write(6);
  EXPECT_FALSE(writer()->resume(sample_columns, 4, SampleRow(2).row()));  // another row
  EXPECT_FALSE(writer()->resume(sample_columns, 7, SampleRow(6).row()));  // too few rows
  const auto fewer = std::span(sample_columns).first(4);
  const SampleRow third(2);
  EXPECT_FALSE(writer()->resume(fewer, 3, {0.5, std::span(third.cells).first(4), {}}));
  expect_rows({0, 1, 2, 3, 4, 5});
  place_.write("r" + GetParam().extension, "something else\n");
  EXPECT_FALSE(writer()->resume(sample_columns, 1, SampleRow(0).row()));
}

// As if the process was killed after a flush.
TEST_P(EveryFormat, HasAllFlushedRowsIfTheProcessEnds) {
  const pid_t child = ::fork();
  if (child == 0) {
    const auto to = writer();
    to->begin(sample_columns);
    put(*to, 0, 3);
    to->flush();
    put(*to, 3, 5);
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  expect_rows({0, 1, 2});
}

TEST_P(EveryFormat, KeepsEarlierResultsUntilTheFirstRow) {
  write(2);
  writer();
  expect_rows({0, 1});
}

TEST_P(EveryFormat, KeepsManyBlocksOfRows) {
  constexpr int rows = 40'000;  // more than any buffer holds
  write(rows);
  const ResultTable table = read_results(file());
  ASSERT_THAT(table.times, SizeIs(rows));
  for (const int k : {0, 16383, 16384, 32768, rows - 1}) {
    const auto row = static_cast<std::size_t>(k);
    EXPECT_EQ(table.times[row], 0.25 * k);
    EXPECT_EQ(table.columns[3].numbers[row], as_real(Type::uint64, SampleRow(k).cells[3]));
  }
}

TEST_P(EveryFormat, RefusesAFolderThatDoesNotExist) {
  try {
    make_result_writer(place_.path() / "none" / ("r" + GetParam().extension),
                       {.compress = GetParam().compress});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::file);
  }
  EXPECT_THROW(read_results(place_.path() / ("none" + GetParam().extension)), Error);
}

TEST_P(EveryFormat, ConvertsToEveryOther) {
  write(5);
  for (const ResultFormat& format : result_formats()) {
    const auto copy = place_.path() / (std::string("copy") + format.extension);
    EXPECT_THAT(write_results(read_results(file()), copy, {}), SizeIs(0));
    const ResultTable table = read_results(copy), original = read_results(file());
    EXPECT_EQ(table.times, original.times);
    for (std::size_t i = 0; i < sample_columns.size(); ++i) {
      EXPECT_EQ(table.columns[i].name, original.columns[i].name);
      EXPECT_EQ(table.columns[i].numbers, original.columns[i].numbers);
      EXPECT_EQ(table.columns[i].unit, original.columns[i].unit);
    }
  }
}

// r.mat, r.h5 and r.csv share r.meta.json: that of other results must not change the units.
TEST(Metadata, AddWhatTheFileItselfLacks) {
  const testing::Workplace place;
  const auto write = [&](const std::string& name, const std::string& unit) {
    ResultTable table;
    table.times = {0, 1};
    ResultColumn& column = table.columns.emplace_back();
    column.name = "x";
    column.unit = unit;
    column.numbers = {1, 2};
    write_results(table, place.path() / name, {});
  };
  write("r.mat", "mm");
  write("r.h5", "m");
  write("r.csv", "kN");
  EXPECT_EQ(read_results(place.path() / "r.mat").columns[0].unit, "mm");
  EXPECT_EQ(read_results(place.path() / "r.h5").columns[0].unit, "m");
  EXPECT_EQ(read_results(place.path() / "r.csv").columns[0].unit, "kN");
}

}  // namespace
}  // namespace tutti::results
