// SPDX-License-Identifier: BSD-2-Clause
#include "formats/toml/values.hpp"

#include <fmt/format.h>

#include <set>

#include "base/text.hpp"
#include "formats/toml/read.hpp"
#include "formats/toml/take.hpp"
#include "formats/toml/write.hpp"
#include "formats/value.hpp"
#include "system/names.hpp"

namespace tutti::formats {
namespace {

/// Adds what a table contains: `"a.b" = 1` and `a.b = 1`, which TOML reads as nested tables, are
/// the same.
class ValueReader {
 public:
  std::vector<NamedValue> read(const Value& root) {
    for (const Value::Entry& entry : root.entries) {
      if (entry.key != "set")
        problems_.add(
            entry.place, fmt::format("unknown key \"{}\".", printable(entry.key)),
            {.key = entry.key,
             .hint = did_you_mean(entry.key, {"set"}) + " A file of values has one table, [set]."});
      else if (!entry.value.is(Value::Kind::table))
        problems_.add(entry.value.place,
                      fmt::format("set must be a table, not {}", described(entry.value)));
      else
        add("", entry.value);
    }
    problems_.raise();
    return std::move(values_);
  }

 private:
  void add(const std::string& prefix, const Value& table) {
    for (const auto& [key, place, value] : table.entries) {
      const std::string name = prefix + key;
      if (value.is(Value::Kind::table))
        add(name + ".", value);
      else if (!is_plain(value))
        problems_.add(value.place,
                      fmt::format("the value of \"{}\" must be a number, a string, a boolean or a "
                                  "list of them, not {}",
                                  printable(name), described(value)));
      else if (!names_.insert(name).second)
        problems_.add(place, fmt::format("\"{}\" has two values", printable(name)));
      else
        add_value(name, value);
    }
  }
  void add_value(const std::string& name, const Value& value) {
    Value table(Value::Kind::table);
    table.add(name, value);
    for (auto& [one, text] : take_assignments({{}, words_}, table))
      values_.push_back({std::move(one), std::move(text), value.place});
  }
  static bool is_plain(const Value& value) {
    if (!value.is(Value::Kind::list))
      return !value.is(Value::Kind::table) && !value.is(Value::Kind::other);
    for (const Value& item : value.items)
      if (!is_plain(item)) return false;
    return !value.items.empty();
  }

  const Words words_;
  std::vector<NamedValue> values_;
  std::set<std::string> names_;
  system::Problems problems_;
};

/// A number, a boolean or a string, so that reading it gives the same text.
std::string toml_value(const std::string& text) {
  const Value value = variable_value(text);
  return value.is(Value::Kind::text) ? toml_quoted(text) : written(value);
}

}  // namespace

std::vector<NamedValue> parse_values(std::string_view text, const std::string& file) {
  return ValueReader().read(parse_toml(text, file));
}

std::string values_text(std::span<const NamedValue> values, std::string_view comment) {
  std::string out;
  while (!comment.empty()) {
    const std::size_t end = comment.find('\n');
    const std::string_view line = comment.substr(0, end);
    out += line.empty() ? "#\n" : fmt::format("# {}\n", printable(line));
    comment.remove_prefix(end == std::string_view::npos ? comment.size() : end + 1);
  }
  out += "[set]\n";
  for (const NamedValue& value : values)
    out += fmt::format("{} = {}\n", toml_quoted(value.name), toml_value(value.value));
  return out;
}

}  // namespace tutti::formats
