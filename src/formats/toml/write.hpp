// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>
#include <tutti/system.hpp>

namespace tutti::formats {

/// A system as TOML text; paths stay as they are. Default settings are omitted.
std::string toml_text(const System& system);

/// Settings that SSP cannot represent: of components, of the simulation (but start
/// and stop), cycles, inputs and results, in the keys of system files.
std::string toml_settings(const System& system);
/// The keys of a built-in component but its file, which SSP names itself.
std::string toml_built_in(BuiltIn built_in);

/// A string, and one name of a key, in TOML syntax.
std::string toml_quoted(std::string_view text);
std::string toml_key(std::string_view name);

}  // namespace tutti::formats
