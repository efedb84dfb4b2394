// SPDX-License-Identifier: BSD-2-Clause
#include "base/whole_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/file_error.hpp"

namespace tutti {
namespace {

/// The file that a chain of symbolic links leads to; it need not exist.
std::filesystem::path followed(std::filesystem::path file) {
  constexpr int most_links = 40;  // as Linux
  std::error_code none;
  for (int k = 0; k < most_links && std::filesystem::is_symlink(file, none); ++k)
    file = file.parent_path() / std::filesystem::read_symlink(file, none);
  return file;
}

}  // namespace

void write_whole_file(const std::filesystem::path& file, std::string_view text) {
  std::error_code none;
  const std::filesystem::file_status status = std::filesystem::status(file, none);
  // A pipe or a device is written to, not replaced.
  const bool is_direct =
      std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  const std::filesystem::path target = is_direct ? file : followed(file);
  const std::filesystem::path part = is_direct ? target.string() : target.string() + ".part";
  int cause = 0;
  const auto note = [&cause](bool good) { cause = good || cause != 0 ? cause : errno; };
  std::FILE* const out = std::fopen(part.c_str(), "wb");
  note(out != nullptr);
  if (out != nullptr) {
    note(std::fwrite(text.data(), 1, text.size(), out) == text.size());
    note(std::fclose(out) == 0);
  }
  if (cause == 0 && !is_direct) note(std::rename(part.c_str(), target.c_str()) == 0);
  if (cause == 0) return;
  if (!is_direct) std::remove(part.c_str());
  throw write_error(file, {}, std::strerror(cause));
}

}  // namespace tutti
