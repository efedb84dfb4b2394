// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tutti/log.hpp>
#include <tutti/system.hpp>
#include <tutti/system_file.hpp>

#include "formats/toml/keys.hpp"
#include "formats/value.hpp"
#include "system/names.hpp"

namespace tutti::formats {

/// A TOML document as a table; `file` names it in messages.
/// @throws Error(usage) with file:line:column
Value parse_toml(std::string_view text, const std::string& file);

/// The value behind the `=` of one line; nothing if it is not TOML.
std::optional<Value> parse_toml_value(std::string_view text);

/// A system from TOML text; `file` names it in messages. Former names of keys are noted in the log.
/// @throws Error(usage) with all errors, each with file:line:column
System read_toml(std::string_view text, const std::string& file, const Words& words,
                 const Log& log = {});

/// Settings for a system whose components are known, as toml_settings() writes them.
/// @throws Error(usage)
void read_toml_settings(System& system, std::string_view text, const std::string& file,
                        const Words& words, const Log& log = {});

/// Makes one assignment, as the command line does: `component.variable=value` (a parameter or start
/// value), else `section.key=value` with a value in TOML or a plain text.
/// @throws Error(usage)
void assign(System& system, std::string_view assignment, const Words& words, const Log& log = {});

/// Makes all of them, which may have places in a file. @throws Error(usage) with all errors
void assign(System& system, std::span<const NamedValue> values, const Words& words,
            const Log& log = {});

/// Checks the settings of a system that a program made by the rules of the corresponding keys:
/// known words, ranges of numbers. What the planning of a run checks is left out.
void check_settings(const System& system, const Words& words, system::Problems& problems);

}  // namespace tutti::formats
