// SPDX-License-Identifier: BSD-2-Clause
#include "formats/toml/parse.hpp"

#include <fmt/format.h>

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
