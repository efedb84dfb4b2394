// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tutti/system.hpp>

#include "formats/toml/keys.hpp"
#include "formats/value.hpp"
#include "system/names.hpp"

namespace tutti::formats {

/// A TOML document as a table; `file` names it in messages.
/// @throws Error(usage) with file:line:column
Value parse_toml(std::string_view text, const std::string& file);

/// What stands behind the `=` of one line; nothing if that is no TOML.
std::optional<Value> parse_toml_value(std::string_view text);

/// A system from TOML text; `file` names it in messages.
/// @throws Error(usage) with all that is wrong, each with file:line:column
System read_toml(std::string_view text, const std::string& file, const Words& words);

/// Settings for a system whose components are known, as toml_settings() writes them.
/// @throws Error(usage)
void read_toml_settings(System& system, std::string_view text, const std::string& file,
                        const Words& words);

/// Changes one thing, as the command line does: `component.variable=value` (a parameter or start
/// value), else `section.key=value` with a value in TOML or a plain text.
/// @throws Error(usage)
void assign(System& system, std::string_view assignment, const Words& words);

/// Settings of a system that was made by a program, against the rules of the keys that have them in
/// a file: known words, ranges of numbers. What the planning of a run checks anyway is left out.
void check_settings(const System& system, const Words& words, system::Problems& problems);

}  // namespace tutti::formats
