// SPDX-License-Identifier: BSD-2-Clause
#include "base/whole_file.hpp"

#include <cstdio>

#include "base/file_error.hpp"

namespace tutti {

void write_whole_file(const std::filesystem::path& file, std::string_view text) {
  const std::filesystem::path part = file.string() + ".part";
  int cause = 0;
  const auto note = [&cause](bool good) { cause = good || cause != 0 ? cause : errno; };
  std::FILE* const out = std::fopen(part.c_str(), "wb");
  note(out != nullptr);
  if (out != nullptr) {
    note(std::fwrite(text.data(), 1, text.size(), out) == text.size());
    note(std::fclose(out) == 0);
  }
  if (cause == 0) note(std::rename(part.c_str(), file.c_str()) == 0);
  if (cause == 0) return;
  std::remove(part.c_str());
  throw write_error(file, {}, std::strerror(cause));
}

}  // namespace tutti
