// SPDX-License-Identifier: BSD-2-Clause
#include "formats/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <tutti/error.hpp>

#include "formats/toml/read.hpp"

namespace tutti::formats {
namespace {

std::string content(const std::filesystem::path& file) {
  const auto refuse = [&](std::string_view why) {
    throw Error(ErrorCode::file,
                fmt::format("cannot read the system file \"{}\": {}", file.string(), why));
  };
  if (std::filesystem::is_directory(file)) refuse("it is a folder");
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) refuse(errno != 0 ? std::strerror(errno) : "it cannot be opened");
  std::ostringstream text;
  text << stream.rdbuf();
  if (stream.bad()) refuse("reading failed");
  return std::move(text).str();
}

System read_toml_file(const std::filesystem::path& file, const Words& words) {
  return read_toml(content(file), file.string(), words);
}

constexpr Format table[] = {
    {".toml", "Tutti's own: docs/system-file.md", read_toml_file},
};

}  // namespace

std::span<const Format> formats() { return table; }

const Format* find_format(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  const auto* const found = std::find_if(std::begin(table), std::end(table),
                                         [&](const Format& f) { return f.extension == extension; });
  return found == std::end(table) ? nullptr : found;
}

System read_system(const std::filesystem::path& file, const Words& words) {
  const Format* format = find_format(file);
  if (format == nullptr) {
    std::string known;
    for (const Format& f : table)
      known += fmt::format("{}{}", known.empty() ? "" : ", ", f.extension);
    throw Error(ErrorCode::file, fmt::format("\"{}\" is no system file that can be read: known are "
                                             "files that end with {}",
                                             file.string(), known));
  }
  System system = format->read(file, words);
  system.folder = file.parent_path();
  if (system.name.empty()) system.name = file.stem().string();
  return system;
}

}  // namespace tutti::formats
