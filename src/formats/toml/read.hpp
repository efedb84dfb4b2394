// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>
#include <tutti/system.hpp>

#include "formats/toml/keys.hpp"

namespace tutti::formats {

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

}  // namespace tutti::formats
