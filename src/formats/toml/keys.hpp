// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tutti/system.hpp>
#include <type_traits>
#include <vector>

#include "formats/value.hpp"
#include "system/names.hpp"

namespace tutti::formats {

/// Names that other layers register, known here only to check and to suggest.
struct Words {
  std::vector<std::string_view> methods = {}, solvers = {}, controls = {}, built_ins = {};
  std::vector<std::string_view> solver_options = {};  ///< of all solvers
};

/// The system, and the part of it that keys are of at present.
template <bool constant>
struct PartsOf {
  template <typename Part>
  using Pointer = std::conditional_t<constant, const Part*, Part*>;
  Pointer<System> system = nullptr;
  Pointer<Component> component = nullptr;
  Pointer<Connection> connection = nullptr;
  Pointer<CycleSettings> cycle = nullptr;
  Pointer<ClusterSettings> cluster = nullptr;  ///< while keys of clusters are read or written
  Pointer<InputFile> table = nullptr;
  Pointer<Port> port = nullptr;
  Pointer<TlmLine> line = nullptr;
  Pointer<DelayedSignal> delay = nullptr;
  Pointer<TimedAction> action = nullptr;
};
/// Where the values of keys come from.
using Source = PartsOf<true>;
/// Where the value of a key goes.
struct Target : PartsOf<false> {
  const Words& words;
  const system::ComponentNames* names = nullptr;
  std::string path = {};  ///< of the present key, for messages
};

/// What the values of a key are, and the way from a value to the system and back.
struct Field {
  std::string_view type;  ///< empty: one of the words
  std::span<const std::string_view> words;
  /// @throws Error(usage). Null: what the key is for does not exist yet.
  void (*read)(Target& target, const Value& value);
  /// Nothing: it has its default, and need not be written. Null: other keys say the same.
  std::optional<Value> (*write)(const Source& source, bool always);
  std::vector<std::string_view> Words::*names = nullptr;  ///< one of these, instead of the words
  std::vector<std::string_view> Words::*parts = nullptr;  ///< its texts are among these
};

/// A key of a system file. Whatever reads, writes or explains keys goes by the table.
struct Key {
  /// Names joined by dots; `*` stands for the name of a component or of a port, `[]` for each of a
  /// list.
  std::string_view path;
  Field field;
  std::string_view fallback;  ///< the default as it would be written, or in words
  std::string_view unit;
  std::string_view text;  ///< one line
  /// A value as it is written in a file; empty: example_value() finds one.
  std::string_view example = {};
};
inline constexpr std::string_view required = "required";

std::span<const Key> keys();
const Key* find_key(std::string_view path);
std::string type_text(const Key& key, const Words& names);
/// The texts that the value may be, or contain; empty: any, or none.
std::vector<std::string_view> allowed_words(const Key& key, const Words& names);

/// What follows the path of a part in the path of one of its own keys, with the dot; nothing: the
/// key is of another part, perhaps of one inside this part.
std::string_view rest_of_part(std::string_view key, std::string_view part);

/// The keys of the part at `path` that do not have their default, under what follows the path:
/// `control.name` of `simulation`.
Value written_keys(std::string_view path, const Source& source);

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
std::string keys_text(const Words& names);
std::string keys_markdown(const Words& names);
/// The lines of a file that set the key, with the table in which it stands; empty: it is not
/// supported yet.
std::string example_lines(const Key& key, const Words& names);

}  // namespace tutti::formats
