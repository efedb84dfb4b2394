// SPDX-License-Identifier: BSD-2-Clause
#include "formats/files.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <tutti/error.hpp>

#include "base/file_error.hpp"
#include "fmi/description/encoding.hpp"
#include "system/system_files.hpp"

namespace tutti::formats {
namespace fs = std::filesystem;
namespace {

bool is_in(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

bool same_content(const fs::path& a, const fs::path& b) {
  std::error_code failed;
  if (fs::is_directory(a, failed) || fs::file_size(a, failed) != fs::file_size(b, failed))
    return false;
  return file_content(a) == file_content(b);
}

/// From the package to the same place below another folder.
fs::path copy_out(const fs::path& path, const fs::path& package, const fs::path& folder) {
  fs::path relative = path.lexically_relative(package);
  const fs::path to = folder / relative;
  std::error_code failed;
  if (fs::exists(to, failed)) {
    if (same_content(path, to)) return relative;
    throw file_error(to, ErrorCode::file,
                     fmt::format("\"{}\" of the package would overwrite another \"{}\"",
                                 relative.string(), to.string()),
                     {.hint = "Write into an empty folder."});
  }
  fs::create_directories(to.parent_path(), failed);
  if (!failed) fs::copy(path, to, fs::copy_options::recursive, failed);
  if (failed) throw write_error(to, {}, failed.message());
  return relative;
}

}  // namespace

std::string file_content(const fs::path& file, std::string_view what) {
  const auto refuse = [&](std::string_view why) {
    throw file_error(file, ErrorCode::file,
                     fmt::format("cannot read the {} \"{}\": {}", what, file.string(), why));
  };
  if (fs::is_directory(file)) refuse("it is a folder");
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) refuse(errno != 0 ? std::strerror(errno) : "it cannot be opened");
  std::ostringstream text;
  text << stream.rdbuf();
  if (stream.bad()) refuse("reading failed");
  return std::move(text).str();
}

std::string text_content(const fs::path& file) { return fmi::to_utf8(file_content(file)).text; }

void write_file(const fs::path& file, std::string_view content) {
  errno = 0;
  std::ofstream stream(file, std::ios::binary);
  stream << content;
  stream.close();
  if (!stream) throw write_error(file, {}, errno != 0 ? std::strerror(errno) : "writing failed");
}

fs::path path_seen_from(const System& system, const fs::path& path, const fs::path& folder) {
  if (path.is_absolute()) return path;
  const fs::path here = fs::absolute(system.folder / path).lexically_normal();
  const fs::path there = fs::absolute(folder.empty() ? "." : folder).lexically_normal();
  return here.lexically_relative(there / "");
}

System moved_to(const System& system, const fs::path& folder) {
  System moved = system;
  const auto move = [&](fs::path& path) {
    const bool packed = system.package && is_in(path, *system.package);
    path = packed ? copy_out(path, *system.package, folder) : path_seen_from(system, path, folder);
  };
  system::for_each_file(moved, move);
  moved.folder = folder;
  moved.package.reset();
  moved.package_file.clear();
  return moved;
}

}  // namespace tutti::formats
