// SPDX-License-Identifier: BSD-2-Clause
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <tutti/error.hpp>

#include "results/mat4.hpp"
#include "results/result_format.hpp"
#include "support/command.hpp"

namespace tutti::results {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

/// The parts of a trajectory, as other tools write them.
struct Parts {
  std::vector<std::string> kind = {"Atrajectory", "1.1", "", "binTrans"};
  std::vector<std::string> names = {"Time", "a", "minus a", "p", "flag"};
  std::vector<std::string> descriptions = {"Time in [s]", "Angle [rad|deg]", "", "A parameter [kg]",
                                           "On:#(type=Boolean)"};
  // Data set and variable in it, which is negative for an alias with the opposite sign.
  std::vector<std::int32_t> places = {0, 1, 2, 2, 2, -2, 1, 2, 2, 3};
  std::vector<double> constants = {0, 7.5, 2, 7.5};  // time and p, at the start and the end
  std::vector<double> points = {0, 1, 0, 1, 3, 0, 1, 4, 1, 2, 5, 1};  // time, a, flag
};

std::vector<double> turned(const std::vector<double>& values, std::size_t width) {
  std::vector<double> result;
  for (std::size_t i = 0; i < width; ++i)
    for (std::size_t k = i; k < values.size(); k += width) result.push_back(values[k]);
  return result;
}

std::string trajectory(const Parts& parts, bool by_point) {
  std::string bytes;
  Parts p = parts;
  p.kind[3] = by_point ? "binTrans" : "binNormal";
  const std::size_t count = p.names.size(), points = p.points.size() / 3;
  std::vector<double> info;
  for (std::size_t i = 0; i < count; ++i)
    info.insert(info.end(), {double(p.places[2 * i]), double(p.places[2 * i + 1]), 0.0, -1.0});
  if (!by_point) info = turned(info, 4);
  const std::vector<std::int32_t> integers(info.begin(), info.end());
  append_mat_text(bytes, "Aclass", p.kind);
  append_mat_text(bytes, "name", p.names, by_point);
  append_mat_text(bytes, "description", p.descriptions, by_point);
  append_mat_integers(bytes, "dataInfo", by_point ? 4 : count, by_point ? count : 4, integers);
  if (by_point) {
    append_mat_numbers(bytes, "data_1", 2, 2, p.constants);
    append_mat_numbers(bytes, "data_2", 3, points, p.points);
  } else {
    append_mat_numbers(bytes, "data_1", 2, 2, turned(p.constants, 2));
    append_mat_numbers(bytes, "data_2", points, 3, turned(p.points, 3));
  }
  return bytes;
}

class MatTrajectory : public ::testing::Test {
 protected:
  ResultTable read(const std::string& bytes) { return read_results(place_.write("r.mat", bytes)); }
  std::string refusal(const std::string& bytes) {
    try {
      read(bytes);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::file);
      return error.what();
    }
    return "accepted";
  }
  testing::Workplace place_;
};

TEST_F(MatTrajectory, OfOtherToolsHasAliasesConstantsAndUnits) {
  for (const bool by_point : {true, false}) {
    const ResultTable table = read(trajectory({}, by_point));
    EXPECT_EQ(table.time_name, "Time");
    EXPECT_EQ(table.time_unit, "s");
    EXPECT_THAT(table.times, ElementsAre(0, 1, 1, 2));
    ASSERT_THAT(table.columns, SizeIs(4));
    EXPECT_THAT(table.columns[0].numbers, ElementsAre(1, 3, 4, 5));
    EXPECT_EQ(table.columns[0].unit, "rad");
    EXPECT_EQ(table.columns[0].description, "Angle");
    EXPECT_THAT(table.columns[1].numbers, ElementsAre(-1, -3, -4, -5));
    EXPECT_THAT(table.columns[2].numbers, ElementsAre(7.5, 7.5, 7.5, 7.5));
    EXPECT_EQ(table.columns[2].motion, Motion::constant);
    EXPECT_EQ(table.columns[2].unit, "kg");
    EXPECT_THAT(table.columns[3].numbers, ElementsAre(0, 0, 1, 1));
    EXPECT_EQ(table.columns[3].description, "On");
    EXPECT_THAT(result_columns(place_.path() / "r.mat"), ElementsAre("a", "minus a", "p", "flag"));
  }
}

TEST_F(MatTrajectory, OmitsVariablesAtOtherTimesWithANote) {
  Parts parts;
  parts.places[8] = 3;
  std::string bytes = trajectory(parts, true);
  const double other[] = {0, 1, 0.5, 2};
  append_mat_numbers(bytes, "data_3", 2, 2, other);
  const ResultTable table = read(bytes);
  EXPECT_THAT(table.columns, SizeIs(3));
  ASSERT_THAT(table.notes, SizeIs(1));
  EXPECT_THAT(table.notes[0], HasSubstr("flag is omitted"));
}

TEST_F(MatTrajectory, HasTheWholePointsOfAFileThatIsCutOff) {
  const std::string bytes = trajectory({}, true);
  const ResultTable table = read(bytes.substr(0, bytes.size() - 30));
  EXPECT_THAT(table.times, ElementsAre(0, 1));
  EXPECT_THAT(table.columns[0].numbers, ElementsAre(1, 3));
  ASSERT_THAT(table.notes, SizeIs(1));
  EXPECT_THAT(table.notes[0], HasSubstr("2 of 4 points"));
}

TEST_F(MatTrajectory, IsRefusedWhereItIsDamaged) {
  Parts parts;
  parts.places[3] = 4;
  EXPECT_THAT(refusal(trajectory(parts, true)),
              HasSubstr("\"a\" is variable 4 of the matrix \"data_2\", which has 3"));
  parts.places[3] = 0;
  EXPECT_THAT(refusal(trajectory(parts, true)), HasSubstr("the place of \"a\" is invalid"));
  parts = {};
  parts.names.pop_back();
  parts.descriptions.pop_back();
  std::string bytes;
  append_mat_text(bytes, "Aclass", parts.kind);
  EXPECT_THAT(refusal(bytes), HasSubstr("the matrix \"name\" is missing"));
  append_mat_text(bytes, "name", parts.names, true);
  append_mat_integers(bytes, "dataInfo", 2, 1, std::vector<std::int32_t>{0, 1});
  EXPECT_THAT(refusal(bytes), HasSubstr("there are 4 names, but \"dataInfo\" is 2 x 1"));
  parts = {};
  parts.points[9] = 0.5;
  EXPECT_THAT(refusal(trajectory(parts, false)), HasSubstr("the time decreases from 1 to 0.5"));
  parts = {};
  parts.kind[0] = "AlinearSystem";
  EXPECT_THAT(refusal(trajectory(parts, true)), HasSubstr("it contains \"AlinearSystem\""));
  bytes.clear();
  append_mat_numbers(bytes, "A", 1, 1, std::vector<double>{1});
  EXPECT_THAT(refusal(bytes), HasSubstr("no matrix \"Aclass\""));
}

// The aliases of a small file must not fill the memory.
TEST_F(MatTrajectory, IsRefusedIfItsAliasesAreTooMany) {
  constexpr std::size_t count = 40'000, points = 20'000;
  std::string bytes;
  append_mat_text(bytes, "Aclass", Parts().kind);
  std::vector<std::string> names(count, "x");
  names[0] = "time";
  std::vector<std::int32_t> places = {0, 1};
  for (std::size_t i = 1; i < count; ++i) places.insert(places.end(), {2, 2});
  append_mat_text(bytes, "name", names, true);
  append_mat_integers(bytes, "dataInfo", 2, count, places);
  append_mat_numbers(bytes, "data_2", 2, points, std::vector<double>(2 * points));
  EXPECT_THAT(refusal(bytes), HasSubstr("39999 variables at 20000 points"));
}

// The bytes, without our reader: MATLAB, "Level 4 MAT-File Format", and the layout of Dymola.
TEST_F(MatTrajectory, IsWrittenInTheLayoutOfDymola) {
  const std::vector<Column> columns = {{"x", Type::float64, "m", false, "Position"},
                                       {"name", Type::string, "", true, ""},
                                       {"on", Type::boolean, "", true, ""}};
  const auto writer = make_result_writer(place_.path() / "w.mat");
  writer->begin(columns);
  for (int k = 0; k < 3; ++k) {
    const Cell cells[] = {{.real = 1.5 * k}, {.natural = 0}, {.natural = k == 1 ? 1u : 0u}};
    const std::string_view texts[] = {"text"};
    writer->row({0.5 * k, cells, texts});
  }
  writer->finish();
  EXPECT_THAT(writer->notes(), ElementsAre(HasSubstr("does not contain name")));
  const std::string bytes = place_.read("w.mat");
  std::size_t at = 0;
  const auto expect_matrix = [&](const std::string& name, int type, int rows, int columns_of_it) {
    std::int32_t header[5];
    std::memcpy(header, bytes.data() + at, sizeof header);
    EXPECT_THAT(header, ElementsAre(type, rows, columns_of_it, 0, int(name.size()) + 1)) << name;
    EXPECT_EQ(bytes.substr(at + 20, name.size() + 1), name + '\0');
    at += 20 + name.size() + 1;
  };
  const auto take = [&](std::size_t size) {
    at += size;
    return bytes.substr(at - size, size);
  };
  const auto numbers = [&](std::size_t count) {
    std::vector<double> values(count);
    std::memcpy(values.data(), bytes.data() + at, count * sizeof(double));
    at += count * sizeof(double);
    return values;
  };
  expect_matrix("Aclass", 51, 4, 11);
  // Four rows, column by column.
  EXPECT_EQ(take(44), "A1 bt. ir1 na  Tj  re  ac  nt  so   r   y   ");
  expect_matrix("name", 51, 4, 3);
  EXPECT_EQ(take(12), "timex   on  ");
  expect_matrix("description", 51, 12, 3);
  EXPECT_EQ(take(36), "Time [s]    Position [m]            ");
  expect_matrix("dataInfo", 20, 4, 3);
  std::int32_t places[12];
  std::memcpy(places, take(48).data(), 48);
  EXPECT_THAT(places, ElementsAre(0, 1, 0, -1, 2, 2, 0, -1, 2, 3, 0, -1));
  expect_matrix("data_1", 0, 1, 2);
  EXPECT_THAT(numbers(2), ElementsAre(0, 1));
  expect_matrix("data_2", 0, 3, 3);
  EXPECT_THAT(numbers(9), ElementsAre(0, 0, 0, 0.5, 1.5, 1, 1, 3, 0));
  EXPECT_EQ(at, bytes.size());
}

// A file of 34 GB that takes no space on the disk.
TEST_F(MatTrajectory, IsFullAtTwoToThe31Points) {
  const std::vector<Column> columns = {{"x", Type::float64, "", false, ""}};
  const auto file = place_.path() / "full.mat";
  const auto row = [](double time) {
    static Cell cell;
    cell.real = time;
    return Row{time, {&cell, 1}, {}};
  };
  {
    const auto writer = make_result_writer(file);
    writer->begin(columns);
    writer->row(row(0));
    writer->finish();
  }
  const std::uint64_t head = std::filesystem::file_size(file) - 16;
  const std::uint64_t points = most_mat_columns - 1;
  std::error_code unsupported;
  std::filesystem::resize_file(file, head + 16 * points, unsupported);
  if (unsupported) GTEST_SKIP() << "no file of 34 GB: " << unsupported.message();
  {
    const int handle = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
    const double last[] = {1, 1};
    const auto at = static_cast<off_t>(head + 16 * (points - 1));
    ASSERT_EQ(::pwrite(handle, last, sizeof last, at), 16);
    ::close(handle);
  }
  const auto writer = make_result_writer(file);
  ASSERT_TRUE(writer->resume(columns, points, row(1)));
  writer->row(row(2));
  try {
    writer->row(row(3));
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("at most 2147483647 points"));
    EXPECT_THAT(error.what(), HasSubstr("up to t = 2 s"));
  }
  MatReader reader(file);
  EXPECT_EQ(reader.find("data_2")->columns, most_mat_columns);
  EXPECT_EQ(reader.rest(), 0);
  double last[2];
  reader.read(*reader.find("data_2"), 2 * (most_mat_columns - 1), last);
  EXPECT_THAT(last, ElementsAre(2, 2));
}

TEST_F(MatTrajectory, IsNotWrittenToAPipe) {
  ASSERT_EQ(place_.shell("mkfifo pipe.mat").status, 0);
  EXPECT_THROW(make_result_writer(place_.path() / "pipe.mat"), Error);
}

constexpr const char* read_by_scipy = R"py(
import sys
try:
    import scipy.io
except ImportError:
    sys.exit(77)
m = scipy.io.loadmat("w.mat", chars_as_strings=False)
names = ["".join(column).strip() for column in m["name"].T]
assert names == ["time", "x", "y[1]"], names
kind = ["".join(row).strip("\0 ") for row in m["Aclass"]]
assert kind == ["Atrajectory", "1.1", "", "binTrans"], kind
texts = ["".join(column).strip() for column in m["description"].T]
assert texts == ["Time [s]", "Position [m]", ""], texts
assert m["dataInfo"].T.tolist() == [[0, 1, 0, -1], [2, 2, 0, -1], [2, 3, 0, -1]]
data = dict(zip(names, m["data_2"]))
assert data["time"].tolist() == [k / 4 for k in range(1000)]
assert data["x"].tolist() == [k / 3 for k in range(1000)]
assert data["y[1]"].tolist() == [-k for k in range(1000)]
assert m["data_1"].tolist() == [[0, 999 / 4]]
)py";

TEST_F(MatTrajectory, IsReadByScipy) {
  const std::vector<Column> columns = {{"x", Type::float64, "m", false, "Position"},
                                       {"y[1]", Type::int32, "", true, ""}};
  const auto writer = make_result_writer(place_.path() / "w.mat");
  writer->begin(columns);
  for (int k = 0; k < 1000; ++k) {
    const Cell cells[] = {{.real = k / 3.0}, {.integer = -k}};
    writer->row({k / 4.0, cells, {}});
    if (k == 500) writer->flush();
  }
  writer->finish();
  place_.write("read.py", read_by_scipy);
  const testing::Answer answer = place_.shell("python3 read.py");
  if (answer.status == 77) GTEST_SKIP() << "this Python has no scipy";
  EXPECT_EQ(answer.status, 0) << answer.err;
}

}  // namespace
}  // namespace tutti::results
