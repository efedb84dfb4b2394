// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>

#include "formats/value.hpp"

namespace tutti::formats {

/// A TOML document as a table; `file` names it in messages.
/// @throws Error(usage) with file:line:column
Value parse_toml(std::string_view text, const std::string& file);

/// What stands behind the `=` of one line; nothing if that is no TOML.
std::optional<Value> parse_toml_value(std::string_view text);

}  // namespace tutti::formats
