// SPDX-License-Identifier: BSD-2-Clause
#include "formats/toml/parse.hpp"

#include <fmt/format.h>

// Nested lists and tables; with most_parts below, what a stack holds.
#define TOML_MAX_NESTED_VALUES 32
#include <toml++/toml.h>
#include <algorithm>
#include <sstream>
#include <tuple>
#include <tutti/error.hpp>

#include "system/place.hpp"

namespace tutti::formats {
namespace {

Place place_of(const toml::source_region& region, const std::string& file) {
  if (file.empty()) return {};
  return {file, region.begin.line, region.begin.column};
}

constexpr std::size_t most_parts = 64;

/// Every part of `a.b.c` is a table in a table to toml++, which walks them recursively.
class DepthCheck {
 public:
  DepthCheck(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  void run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'')
        skip_string(c);
      else if (c == '#')
        at_ = std::min(text_.size(), text_.find('\n', at_));
      else
        look(c);
    }
  }

 private:
  void look(char c) {
    ++at_;
    if (c == '.') {
      if (++parts_ > most_parts)
        throw Error(ErrorCode::usage,
                    fmt::format("{}:{}: a name of more than {} parts", file_, line(), most_parts));
    } else if (std::string_view("=,[]{}\n").find(c) != std::string_view::npos) {
      parts_ = 0;
    }
  }
  /// Behind the end of the string that begins here.
  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool is_long = text_.substr(at_, 3) == three;
    at_ += is_long ? 3 : 1;
    while (at_ < text_.size()) {
      if (quote == '"' && text_[at_] == '\\') {
        at_ += 2;
      } else if (is_long ? text_.substr(at_, 3) == three : text_[at_] == quote) {
        at_ += is_long ? 3 : 1;
        return;
      } else if (!is_long && text_[at_] == '\n') {
        return;
      } else {
        ++at_;
      }
    }
  }
  std::size_t line() const {
    return 1 + static_cast<std::size_t>(std::count(
                   text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n'));
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0, parts_ = 0;
};

Value convert(const toml::node& node, const std::string& file);

void convert_table(const toml::table& table, const std::string& file, Value& to) {
  to.kind = Value::Kind::table;
  for (const auto& [key, node] : table)
    to.entries.push_back(
        {std::string(key.str()), place_of(key.source(), file), convert(node, file)});
  // toml++ keeps tables sorted by name.
  std::stable_sort(to.entries.begin(), to.entries.end(), [](const auto& a, const auto& b) {
    return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
  });
}

Value convert(const toml::node& node, const std::string& file) {
  Value value;
  value.place = place_of(node.source(), file);
  if (const toml::table* table = node.as_table()) {
    convert_table(*table, file, value);
  } else if (const toml::array* array = node.as_array()) {
    value.kind = Value::Kind::list;
    for (const toml::node& item : *array) value.items.push_back(convert(item, file));
  } else if (const auto* text = node.as_string()) {
    value.kind = Value::Kind::text;
    value.text = text->get();
  } else if (const auto* integer = node.as_integer()) {
    value.kind = Value::Kind::integer;
    value.integer = integer->get();
    value.number = static_cast<double>(value.integer);
  } else if (const auto* number = node.as_floating_point()) {
    value.kind = Value::Kind::number;
    value.number = number->get();
  } else if (const auto* boolean = node.as_boolean()) {
    value.kind = Value::Kind::boolean;
    value.boolean = boolean->get();
  } else {
    std::ostringstream date;
    node.visit([&](const auto& any) { date << any; });
    value.text = date.str();
  }
  return value;
}

}  // namespace

Value parse_toml(std::string_view text, const std::string& file) {
  DepthCheck(text, file).run();
  try {
    return convert(toml::parse(text, std::string_view(file)), file);
  } catch (const toml::parse_error& error) {
    throw Error(ErrorCode::usage,
                system::at(place_of(error.source(), file)) + std::string(error.description()));
  }
}

std::optional<Value> parse_toml_value(std::string_view text) {
  if (text.find_first_of("\r\n") != std::string_view::npos) return std::nullopt;
  try {
    const toml::table table = toml::parse(fmt::format("value = {}", text));
    if (table.size() != 1) return std::nullopt;
    Value value = convert(*table.get("value"), "");
    return value;
  } catch (const toml::parse_error&) {
    return std::nullopt;
  }
}

}  // namespace tutti::formats
