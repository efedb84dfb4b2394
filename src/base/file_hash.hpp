// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace tutti {

/// @throws Error(file)
std::string file_bytes(const std::filesystem::path& file);

/// hash_of() a file, or all files of a folder with their names. @throws Error(file)
std::uint64_t hash_of_path(const std::filesystem::path& path);

}  // namespace tutti
