// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string_view>

namespace tutti {

/// Writes a file atomically: under another name first, then renamed. Symbolic links stay, and lead
/// to the new content; a pipe or a device is written to directly.
/// @throws Error(file)
void write_whole_file(const std::filesystem::path& file, std::string_view text);

}  // namespace tutti
