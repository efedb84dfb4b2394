// SPDX-License-Identifier: BSD-2-Clause
#include "base/whole_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <tutti/error.hpp>

namespace tutti {
namespace {

class WholeFile : public ::testing::Test {
 protected:
  WholeFile() {
    std::string name =
        (std::filesystem::temp_directory_path() / "tutti-whole-file-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~WholeFile() override {
    std::error_code none;
    std::filesystem::remove_all(folder_, none);
  }
  static std::string content(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::ptrdiff_t entry_count() const {
    return std::distance(std::filesystem::directory_iterator(folder_), {});
  }
  std::filesystem::path folder_;
};

TEST_F(WholeFile, ReplacesAFile) {
  for (const char* const text : {"one", "two"}) {
    write_whole_file(folder_ / "file", text);
    EXPECT_EQ(content(folder_ / "file"), text);
  }
  EXPECT_EQ(entry_count(), 1);
}

// Also through a second link, and before the file exists.
TEST_F(WholeFile, KeepsSymbolicLinks) {
  std::filesystem::create_directory(folder_ / "inner");
  std::filesystem::create_symlink("inner/real", folder_ / "first");
  std::filesystem::create_symlink(folder_ / "first", folder_ / "second");
  for (const char* const text : {"one", "two"}) {
    write_whole_file(folder_ / "second", text);
    EXPECT_EQ(content(folder_ / "inner" / "real"), text);
    EXPECT_TRUE(std::filesystem::is_regular_file(folder_ / "inner" / "real"));
    EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "first"));
    EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "second"));
  }
  EXPECT_EQ(entry_count(), 3);
}

TEST_F(WholeFile, WritesToAPipe) {
  const std::filesystem::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int end = ::open(pipe.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  ASSERT_GE(end, 0);
  write_whole_file(pipe, "text");
  char text[8] = {};
  EXPECT_EQ(::read(end, text, sizeof text), 4);
  EXPECT_STREQ(text, "text");
  ::close(end);
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  EXPECT_EQ(entry_count(), 1);
}

TEST_F(WholeFile, RefusesAFolder) {
  EXPECT_THROW(write_whole_file(folder_, "text"), Error);
  EXPECT_THROW(write_whole_file(folder_ / "none" / "file", "text"), Error);
  EXPECT_EQ(entry_count(), 0);
}

}  // namespace
}  // namespace tutti
