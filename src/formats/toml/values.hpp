// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <tutti/system_file.hpp>
#include <vector>

/// Files of values by name: TOML with one table, `[set]`.
namespace tutti::formats {

/// @throws Error(usage) with all errors, each with file:line:column
std::vector<NamedValue> parse_values(std::string_view text, const std::string& file);

/// The text of such a file; each line of `comment` becomes a comment.
std::string values_text(std::span<const NamedValue> values, std::string_view comment);

}  // namespace tutti::formats
