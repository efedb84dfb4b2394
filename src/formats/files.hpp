// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <tutti/system.hpp>

namespace tutti::formats {

/// The bytes of a file; `what` it is, for messages. @throws Error(file)
std::string file_content(const std::filesystem::path& file, std::string_view what = "system file");
/// The same as UTF-8; other text is read as Windows-1252. @throws Error(file)
std::string text_content(const std::filesystem::path& file);
/// @throws Error(file)
void write_file(const std::filesystem::path& file, std::string_view content);

/// The path of a file of the system for a file in `folder`: relative, unless it is absolute in the
/// system.
std::filesystem::path path_seen_from(const System& system, const std::filesystem::path& path,
                                     const std::filesystem::path& folder);

/// The system with paths relative to `folder`. Files of a package are copied there, into the
/// folders that they had in the package. @throws Error(file)
System moved_to(const System& system, const std::filesystem::path& folder);

}  // namespace tutti::formats
