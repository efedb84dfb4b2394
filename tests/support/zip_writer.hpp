// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::test {

/// An entry of a zip file; every field of the headers can be forged.
struct ZipItem {
  std::string name;
  std::string data;
  bool deflate = false;          ///< as deflate blocks without compression
  std::uint32_t mode = 0100644;  ///< Unix file mode with type
  std::uint8_t system = 3;       ///< 3: Unix, 0: DOS
  std::uint16_t flags = 0x0800;  ///< 0x0800: the name is UTF-8, 1: encrypted
  std::optional<std::uint16_t> method = std::nullopt;
  std::optional<std::uint32_t> size = std::nullopt;
  std::optional<std::uint32_t> packed = std::nullopt;
  std::optional<std::uint32_t> crc = std::nullopt;
};

std::string make_zip(const std::vector<ZipItem>& items);

/// A folder for one test, removed at its end.
class TestFolder {
 public:
  TestFolder();
  ~TestFolder();
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(std::string_view name, std::string_view content) const;

 private:
  std::filesystem::path path_;
};

std::string read_file(const std::filesystem::path& path);

/// The smallest description that is an FMU.
std::string minimal_description();

}  // namespace tutti::test
