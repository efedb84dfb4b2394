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

/// Names that other layers register, used here to check and to suggest.
struct Words {
  std::vector<std::string_view> methods = {}, solvers = {}, controls = {}, built_ins = {};
  std::vector<std::string_view> solver_options = {};  ///< of all solvers
};

/// The system, and the part to which the present keys belong.
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
/// The source of the values of keys.
using Source = PartsOf<true>;
/// The target of the value of a key.
struct Target : PartsOf<false> {
  const Words& words;
  const system::ComponentNames* names = nullptr;
  std::string path = {};  ///< of the current key, for messages
};

/// The type of a key, with functions that read and write its value.
struct Field {
  std::string_view type;  ///< empty: one of the words
  std::span<const std::string_view> words;
  /// @throws Error(usage). Null: the key is not supported yet.
  void (*read)(Target& target, const Value& value);
  /// Nothing: the key has its default value. Null: other keys represent it.
  std::optional<Value> (*write)(const Source& source, bool always);
  std::vector<std::string_view> Words::*names = nullptr;  ///< one of these, instead of the words
  std::vector<std::string_view> Words::*parts = nullptr;  ///< its strings are among these
};

/// A key of a system file. Reading, writing and describing keys use the table of keys.
struct Key {
  /// Names joined by dots; `*` stands for the name of a component or of a port, `[]` for each
  /// entry of a list.
  std::string_view path;
  Field field;
  std::string_view fallback;  ///< the default as in a file, or in words
  std::string_view unit;
  std::string_view text;  ///< one line
  /// A value as in a file; empty: example_value() chooses one.
  std::string_view example = {};
};
inline constexpr std::string_view required = "required";

std::span<const Key> keys();
const Key* find_key(std::string_view path);
std::string type_text(const Key& key, const Words& names);
/// The strings that the value may be or contain; empty: any, or none.
std::vector<std::string_view> allowed_words(const Key& key, const Words& names);

/// The rest of the path of a key after the path of its part, with the dot; empty: the key belongs
/// to another part, possibly one inside this part.
std::string_view rest_of_part(std::string_view key, std::string_view part);

/// The keys of the part at `path` that differ from their default, without the path:
/// `control.name` of `simulation`.
Value written_keys(std::string_view path, const Source& source);

/// A value in place of a table sets these keys of it: `control = "fixed"` is
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
/// The lines of a file that set the key, with their table; empty: it is not supported yet.
std::string example_lines(const Key& key, const Words& names);

}  // namespace tutti::formats
