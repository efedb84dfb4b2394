// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tutti/system.hpp>
#include <vector>

namespace tutti::formats {

/// What a configuration file holds, whatever its syntax, and where it stands there.
struct Value {
  enum class Kind : std::uint8_t { text, integer, number, boolean, list, table, other };
  struct Entry;

  Kind kind = Kind::other;
  /// other: as it would be written, a date, or an integer of more digits than fit
  std::string text;
  std::int64_t integer = 0;
  double number = 0;  ///< also of an integer
  bool boolean = false;
  std::vector<Value> items;
  std::vector<Entry> entries;  ///< in the order of the file
  Place place;

  bool is(Kind k) const { return kind == k; }
  bool is_number() const { return kind == Kind::number || kind == Kind::integer; }
};

struct Value::Entry {
  std::string key;
  Place place;  ///< of the key
  Value value;
};

/// Digits, perhaps with a sign: an integer of any size.
bool is_integer(std::string_view text);

/// A scalar as a user would write it in a value: text without quotes, numbers so that they read
/// back exactly. Lists and tables give an empty text.
std::string written(const Value& value);

/// What it is, for messages: `text "fast"`, `the number 3`, `a list`.
std::string described(const Value& value);

}  // namespace tutti::formats
