// SPDX-License-Identifier: BSD-2-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <tutti/error.hpp>

#include "results/result_format.hpp"
#include "support/command.hpp"

namespace tutti::results {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class Hdf5 : public ::testing::Test {
 protected:
  std::filesystem::path file() const { return place_.path() / "r.h5"; }
  testing::Workplace place_;
};

const std::vector<Column> mixed_columns = {{"x", Type::float64, "m", false, "Position"},
                                           {"i", Type::int64, "", true, ""},
                                           {"u", Type::uint64, "", true, ""},
                                           {"f", Type::float32, "N", false, ""},
                                           {"text", Type::string, "", true, "Words"},
                                           {"time", Type::float64, "s", false, "Of the model"},
                                           {"a/b", Type::boolean, "", true, ""}};

void write_mixed(Observer& to) {
  to.begin(mixed_columns);
  for (int k = 0; k < 3; ++k) {
    const Cell cells[] = {{.real = 0.1 * k},
                          {.integer = std::numeric_limits<std::int64_t>::min() + k},
                          {.natural = std::numeric_limits<std::uint64_t>::max() - 1U},
                          {.real = static_cast<double>(0.5F * static_cast<float>(k))},
                          {.natural = 0},
                          {.real = 10.0 + k},
                          {.natural = k == 1 ? 1U : 0U}};
    const std::string_view texts[] = {k == 1 ? "" : "schön"};
    to.row({0.5 * k, cells, texts});
  }
  to.finish();
}

TEST_F(Hdf5, HasTextsAndColumnsWithUnusualNames) {
  write_mixed(*make_result_writer(file()));
  const ResultTable table = read_results(file());
  ASSERT_THAT(table.columns, SizeIs(mixed_columns.size()));
  for (std::size_t i = 0; i < mixed_columns.size(); ++i) {
    EXPECT_EQ(table.columns[i].name, mixed_columns[i].name);
    EXPECT_EQ(table.columns[i].unit, mixed_columns[i].unit);
    EXPECT_EQ(table.columns[i].description, mixed_columns[i].description);
    EXPECT_TRUE(table.columns[i].is_stated);
  }
  EXPECT_THAT(table.columns[4].texts, ElementsAre("schön", "", "schön"));
  EXPECT_THAT(table.columns[5].numbers, ElementsAre(10, 11, 12));
  EXPECT_THAT(table.times, ElementsAre(0, 0.5, 1));
  EXPECT_THAT(table.notes, ElementsAre(HasSubstr("integers beyond 2^53 of i, u may be rounded")));
  EXPECT_EQ(table.columns[1].motion, Motion::discrete);
}

TEST_F(Hdf5, ContinuesWithTexts) {
  write_mixed(*make_result_writer(file()));
  const auto to = make_result_writer(file());
  const Cell cells[] = {{.real = 0.1},
                        {.integer = std::numeric_limits<std::int64_t>::min() + 1},
                        {.natural = std::numeric_limits<std::uint64_t>::max() - 1U},
                        {.real = 0.5},
                        {.natural = 0},
                        {.real = 11},
                        {.natural = 1}};
  const std::string_view wrong[] = {"other"}, right[] = {""};
  EXPECT_FALSE(to->resume(mixed_columns, 2, {0.5, cells, wrong}));
  const auto again = make_result_writer(place_.path() / "none.h5");
  EXPECT_FALSE(again->resume(mixed_columns, 2, {0.5, cells, right}));
  ASSERT_TRUE(to->resume(mixed_columns, 2, {0.5, cells, right}));
  to->row({7, cells, wrong});
  to->finish();
  EXPECT_THAT(read_results(file()).columns[4].texts, ElementsAre("schön", "", "other"));
}

TEST_F(Hdf5, IsSmallerIfItIsCompressed) {
  const auto write = [&](const std::string& name, bool compress) {
    const auto to = make_result_writer(place_.path() / name, {.compress = compress});
    to->begin(std::span(mixed_columns).first(1));
    for (int k = 0; k < 20'000; ++k) {
      const Cell cells[] = {{.real = k / 16.0}};
      to->row({1.0 * k, cells, {}});
    }
    to->finish();
    return std::filesystem::file_size(place_.path() / name);
  };
  const auto plain = write("plain.h5", false);
  EXPECT_GT(plain, 2 * 20'000 * 8);
  EXPECT_LT(write("small.h5", true), plain / 4);
  EXPECT_EQ(read_results(place_.path() / "small.h5").columns[0].numbers,
            read_results(place_.path() / "plain.h5").columns[0].numbers);
}

TEST_F(Hdf5, IsTheOnlyFormatThatCanBeCompressed) {
  for (const char* const name : {"r.csv", "r.mat", "r.txt"}) {
    try {
      make_result_writer(place_.path() / name, {.compress = true});
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      EXPECT_EQ(error.details().key, "results.compress");
    }
    EXPECT_FALSE(std::filesystem::exists(place_.path() / name));
  }
}

TEST_F(Hdf5, IsRefusedIfItIsDamagedOrHasNoTime) {
  write_mixed(*make_result_writer(file()));
  const std::string whole = place_.read("r.h5");
  for (const std::size_t size : {std::size_t{0}, std::size_t{100}, whole.size() / 2}) {
    place_.write("cut.h5", whole.substr(0, size));
    EXPECT_THROW(read_results(place_.path() / "cut.h5"), Error) << size;
  }
  place_.write("text.h5", "time,x\n0,1\n");
  EXPECT_THROW(read_results(place_.path() / "text.h5"), Error);
}

TEST_F(Hdf5, NeedsAProcessWithoutFmus) {
  EXPECT_THAT(std::string(make_result_writer(file())->needs_own_process()), HasSubstr("HDF5"));
  EXPECT_EQ(make_result_writer(place_.path() / "r.mat")->needs_own_process(), "");
}

constexpr const char* read_by_h5py = R"py(
import sys
try:
    import h5py, numpy
except ImportError:
    sys.exit(77)
f = h5py.File("r.h5")
assert f["time"][:].tolist() == [0, 0.5, 1]
assert f["x"][:].tolist() == [0, 0.1, 0.2] and f["x"].attrs["unit"] == "m"
assert f["x"].attrs["description"] == "Position" and f["x"].attrs["interpolation"] == "linear"
assert f["i"][:].tolist() == [-2**63 + k for k in range(3)] and f["i"].dtype == numpy.int64
assert f["u"][:].tolist() == [2**64 - 2] * 3 and f["f"].dtype == numpy.float32
assert [t.decode() for t in f["text"][:]] == ["sch\u00f6n", "", "sch\u00f6n"]
assert f["a|b"].attrs["name"] == "a/b" and f["a|b"][:].tolist() == [0, 1, 0]
g = h5py.File("foreign.h5", "w")
g["t"] = [0.0, 1.0]
g["speed"] = numpy.array([1, 2], dtype="int16")
g["speed"].attrs["units"] = "m/s"
g["names"] = numpy.array([b"on", b"off"])
g["matrix"] = [[1, 2], [3, 4]]
)py";

TEST_F(Hdf5, IsReadAndWrittenByH5py) {
  write_mixed(*make_result_writer(file()));
  place_.write("read.py", read_by_h5py);
  const testing::Answer answer = place_.shell("python3 read.py");
  if (answer.status == 77) GTEST_SKIP() << "this Python has no h5py";
  ASSERT_EQ(answer.status, 0) << answer.err;
  const ResultTable table = read_results(place_.path() / "foreign.h5");
  ASSERT_THAT(table.columns, SizeIs(2));
  EXPECT_EQ(table.time_name, "t");
  EXPECT_THAT(table.columns[0].texts, ElementsAre("on", "off"));
  EXPECT_THAT(table.columns[1].numbers, ElementsAre(1, 2));
  EXPECT_EQ(table.columns[1].unit, "m/s");
  EXPECT_THAT(table.notes, ElementsAre(HasSubstr("matrix is omitted")));
}

}  // namespace
}  // namespace tutti::results
