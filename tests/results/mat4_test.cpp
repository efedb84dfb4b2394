// SPDX-License-Identifier: BSD-2-Clause
#include "results/mat4.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <tutti/error.hpp>

#include "support/command.hpp"

namespace tutti::results {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Mat4 : public ::testing::Test {
 protected:
  MatReader reader(const std::string& bytes) { return MatReader(place_.write("m.mat", bytes)); }
  std::string message(const std::string& bytes) {
    try {
      reader(bytes);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::file);
      return error.what();
    }
    return "accepted";
  }
  tutti::testing::Workplace place_;
};

/// A header whose numbers are stored most significant byte first.
std::string big_endian(std::initializer_list<std::uint32_t> numbers) {
  std::string bytes;
  for (const std::uint32_t number : numbers)
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift);
  return bytes;
}

TEST_F(Mat4, MatricesReadBackAsTheyWereWritten) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  const double numbers[] = {0.1 + 0.2, -0.0, tiny, 1e308, 5, 6};
  const std::int32_t integers[] = {-2147483647, 7};
  const std::string names[] = {"x", "longer", ""};
  std::string bytes;
  append_mat_numbers(bytes, "A", 2, 3, numbers);
  append_mat_integers(bytes, "n", 1, 2, integers);
  append_mat_text(bytes, "names", names);
  append_mat_text(bytes, "turned", names, true);
  MatReader file = reader(bytes);
  ASSERT_EQ(file.matrices().size(), 4);
  const std::vector<double> read = file.numbers(*file.find("A"));
  EXPECT_EQ(std::memcmp(read.data(), numbers, sizeof numbers), 0);
  EXPECT_EQ(file.find("A")->rows, 2);
  EXPECT_EQ(file.find("A")->columns, 3);
  EXPECT_THAT(file.numbers(*file.find("n")), ElementsAre(-2147483647, 7));
  EXPECT_EQ(file.find("names")->rows, 3);
  EXPECT_EQ(file.find("turned")->columns, 3);
  EXPECT_THAT(file.lines(*file.find("names")), ElementsAre("x", "longer", ""));
  EXPECT_THAT(file.lines(*file.find("turned"), true), ElementsAre("x", "longer", ""));
  EXPECT_EQ(file.rest(), 0);
}

TEST_F(Mat4, ASparseMatrixEndsWithItsSize) {
  const MatElement elements[] = {{0, 2, 1.5}, {3, 0, -2}};
  std::string bytes;
  append_mat_sparse(bytes, "S", 4, 5, elements);
  MatReader file = reader(bytes);
  EXPECT_TRUE(file.find("S")->is_sparse);
  EXPECT_THAT(file.numbers(*file.find("S")), ElementsAre(1, 4, 4, 3, 1, 5, 1.5, -2, 0));
}

TEST_F(Mat4, OtherMachinesWriteTheOtherByteOrderAndSmallerNumbers) {
  std::string bytes =
      big_endian({1030, 1, 2, 0, 2}) + std::string("s\0", 2) + std::string("\x01\x02\xff\xfe", 4);
  bytes += big_endian({1010, 1, 1, 0, 2}) + std::string("f\0", 2) + big_endian({0x3fc00000});
  bytes += big_endian({1000, 1, 1, 0, 2}) + std::string("d\0", 2) + big_endian({0xc0040000, 0});
  MatReader file = reader(bytes);
  EXPECT_THAT(file.numbers(*file.find("s")), ElementsAre(0x102, -2));
  EXPECT_THAT(file.numbers(*file.find("f")), ElementsAre(1.5));
  EXPECT_THAT(file.numbers(*file.find("d")), ElementsAre(-2.5));
}

TEST_F(Mat4, OtherVersionsAreRefusedWithTheWayToConvertThem) {
  const std::string five = "MATLAB 5.0 MAT-file, Platform: GLNXA64" + std::string(100, ' ');
  EXPECT_THAT(message(five), HasSubstr("version 5, and only version 4 can be read"));
  EXPECT_THAT(message(five), HasSubstr("save -v4"));
  const std::string seven = "MATLAB 7.3 MAT-file, Platform: GLNXA64" + std::string(600, ' ');
  EXPECT_THAT(message(seven), HasSubstr("version 7.3 (HDF5)"));
  EXPECT_THAT(message("#1\nchar Aclass(3,11)\n"), HasSubstr("Dymola's text format"));
  EXPECT_THAT(message("time,x\n0,1\n1,2\n2,3\n"), HasSubstr("it is not a MAT-file"));
  EXPECT_THAT(message(""), HasSubstr("it is empty"));
}

TEST_F(Mat4, AHugeSizeInTheHeaderAllocatesNothing) {
  std::string bytes;
  append_mat_header(bytes, {.name = "data_2", .rows = 2147483647, .columns = 2147483647});
  bytes += std::string(80, '\0');
  MatReader file = reader(bytes);
  EXPECT_EQ(file.find("data_2")->available, 10);
  EXPECT_THROW(file.numbers(*file.find("data_2")), Error);
  bytes.clear();
  append_mat_header(bytes, {.name = "name", .is_text = true, .rows = 2147483647, .columns = 0});
  MatReader empty = reader(bytes);
  EXPECT_THROW(empty.lines(*empty.find("name")), Error);
  EXPECT_THROW(append_mat_header(bytes, {.name = "x", .rows = 1ULL << 31, .columns = 1}), Error);
}

TEST_F(Mat4, BytesAfterTheLastMatrixAreReported) {
  const double one[] = {1};
  std::string bytes;
  append_mat_numbers(bytes, "A", 1, 1, one);
  const std::size_t end = bytes.size();
  bytes += std::string(24, '\xff');
  MatReader file = reader(bytes);
  EXPECT_EQ(file.rest(), 24);
  EXPECT_EQ(file.rest_at(), end);
}

}  // namespace
}  // namespace tutti::results
