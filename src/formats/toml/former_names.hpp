// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

namespace tutti::formats {

/// Names that keys and words of system files had in earlier versions. They are read with a note,
/// and never written.
struct FormerName {
  std::string_view key;   ///< path in the table of keys
  std::string_view word;  ///< a value of this key; empty: the last name of the path itself
  std::string_view now;
};

inline constexpr FormerName former_names[] = {
    {"components.*.data-type", "text", "string"},
    {"components.*.interpolation", "hold", "constant"},
    {"connections.list[].inside", "hold", "constant"},
    {"inputs.tables[].hold", "", "sample"},
    {"simulation.inputs.inside", "hold", "constant"},
};

/// Null: the key, or the word as a value of the key, is no former name.
inline const FormerName* find_former_name(std::string_view key, std::string_view word = {}) {
  const auto* const found = std::ranges::find_if(former_names, [&](const FormerName& former) {
    return former.key == key && former.word == word;
  });
  return found == std::end(former_names) ? nullptr : found;
}

}  // namespace tutti::formats
