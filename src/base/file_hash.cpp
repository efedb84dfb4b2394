// SPDX-License-Identifier: BSD-2-Clause
#include "base/file_hash.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

#include "base/file_error.hpp"
#include "base/hash.hpp"

namespace tutti {

namespace fs = std::filesystem;

std::string file_bytes(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in)
    throw file_error(file, ErrorCode::file,
                     fmt::format("cannot read \"{}\": {}", file.string(), std::strerror(errno)));
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

std::uint64_t hash_of_path(const fs::path& path) {
  if (!fs::is_directory(path)) return hash_of(file_bytes(path));
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(path))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::ranges::sort(files);
  std::uint64_t hash = 0;
  for (const fs::path& file : files)
    hash = hash_of(file_bytes(file), hash_of(file.lexically_relative(path).string(), hash));
  return hash;
}

}  // namespace tutti
