// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <tutti/system.hpp>

#include "formats/toml/keys.hpp"

namespace tutti::formats {

/// A row of the table of system formats.
struct Format {
  std::string_view extension;  ///< with the dot
  std::string_view summary;    ///< one line
  /// @throws Error
  System (*read)(const std::filesystem::path& file, const Words& words);
};
std::span<const Format> formats();  ///< sorted by extension

/// The format that the extension of the file names; null if it is none of ours.
const Format* find_format(const std::filesystem::path& file);

/// A system from a file of any format. `folder` and, if the file gives none, `name` are the file's.
/// @throws Error: file if it cannot be read, usage for what is wrong in it
System read_system(const std::filesystem::path& file, const Words& words);

}  // namespace tutti::formats
