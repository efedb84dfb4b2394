// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <tutti/export.hpp>
#include <tutti/system.hpp>
#include <vector>

/// Systems in files.
namespace tutti {

/// Reads a system in any format; no FMU is opened.
/// @throws Error: file if it cannot be read; usage with all that is wrong in it, each with
/// file:line:column
TUTTI_API System read_system(const std::filesystem::path& file);

/// Changes one thing, as `--set` does: `component.variable=value` (a parameter or start value), or
/// else `section.key=value`. @throws Error(usage)
TUTTI_API void assign(System& system, std::string_view assignment);

struct SystemFormat {
  std::string extension;  ///< with the dot
  std::string summary;    ///< one line
};
TUTTI_API std::vector<SystemFormat> system_formats();
/// By its extension.
TUTTI_API bool is_system_file(const std::filesystem::path& file);

/// Every key of a system file with type, default and meaning.
TUTTI_API std::string system_keys_text();
TUTTI_API std::string system_keys_markdown();

}  // namespace tutti
