// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tutti/system.hpp>
#include <utility>
#include <vector>

namespace tutti::formats {

/// A value of a configuration file of any syntax, with its place.
struct Value {
  enum class Kind : std::uint8_t { text, integer, number, boolean, list, table, other };
  struct Entry;

  Value(Kind k = Kind::other) : kind(k) {}

  Kind kind;
  /// other: as written, a date, or an integer that is out of range
  std::string text;
  std::int64_t integer = 0;
  double number = 0;  ///< also of an integer
  bool boolean = false;
  std::vector<Value> items;
  std::vector<Entry> entries;  ///< in the order of the file
  Place place;

  void add(std::string key, Value value);  ///< to the entries
  bool is(Kind k) const { return kind == k; }
  bool is_number() const { return kind == Kind::number || kind == Kind::integer; }
};

struct Value::Entry {
  std::string key;
  Place place;  ///< of the key
  Value value;
};

Value text_value(std::string_view text);
Value number_value(double number);  ///< an integer if it is written as one
Value integer_value(std::int64_t number);
Value boolean_value(bool boolean);
Value list_value(const std::vector<std::string>& texts);
/// A value of a variable: a number or boolean if that has the same text.
Value variable_value(const std::string& text);

/// Adds a value to a list of values by name, or replaces the existing one.
void set_value(std::vector<std::pair<std::string, std::string>>& values, const std::string& name,
               std::string value);

/// Digits, perhaps with a sign: an integer of any size.
bool is_integer(std::string_view text);

/// A scalar as written in a value: strings without quotes, numbers with all significant digits.
/// Empty for lists and tables.
std::string written(const Value& value);

/// For messages: `the string "fast"`, `the number 3`, `a list`.
std::string described(const Value& value);

}  // namespace tutti::formats
