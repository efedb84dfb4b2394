// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <tutti/system.hpp>
#include <vector>

#include "formats/value.hpp"
#include "system/names.hpp"

namespace tutti::formats {

/// Names that other layers register, known here only to check and to suggest.
struct Words {
  std::vector<std::string_view> methods, solvers;
};

/// Where the value of a key goes.
struct Target {
  System& system;
  const Words& words;
  const system::ComponentNames* names = nullptr;
  Component* component = nullptr;
  Connection* connection = nullptr;
  CycleSettings* cycle = nullptr;
  InputFile* table = nullptr;
  std::string path = {};  ///< of the present key, for messages
};

/// A key of a system file. Reader, command line, --keys and docs/system-file.md all go by the
/// table.
struct Key {
  /// Names joined by dots; `*` stands for the name of a component, `[]` for each of a list.
  std::string_view path;
  std::string_view type;
  std::string_view fallback;  ///< the default as it would be written, or in words
  std::string_view unit;
  std::string_view text;  ///< one line
  /// @throws Error(usage). Null: what the key is for is not there yet, so only the default is
  /// taken.
  void (*apply)(Target& target, const Value& value);
};
inline constexpr std::string_view required = "required";

std::span<const Key> keys();
const Key* find_key(std::string_view path);

/// A value in the place of a table stands for these keys of it: `control = "fixed"` is
/// `control.name = "fixed"`.
struct Shorthand {
  std::string_view table;
  std::vector<std::string_view> keys;
};
std::span<const Shorthand> shorthands();

/// The names that may follow a path.
std::vector<std::string_view> names_below(std::string_view path);

/// The table of keys for a terminal, and for a page.
std::string keys_text();
std::string keys_markdown();

}  // namespace tutti::formats
