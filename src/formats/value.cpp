// SPDX-License-Identifier: BSD-2-Clause
#include "formats/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace tutti::formats {

Value text_value(std::string_view text) {
  Value value(Value::Kind::text);
  value.text = text;
  return value;
}

Value number_value(double number) {
  Value value(Value::Kind::number);
  value.number = number;
  value.integer = static_cast<std::int64_t>(std::fabs(number) < 1e15 ? number : 0);
  if (std::to_string(value.integer) == number_text(number)) value.kind = Value::Kind::integer;
  return value;
}

Value integer_value(std::int64_t number) {
  Value value(Value::Kind::integer);
  value.integer = number;
  value.number = static_cast<double>(number);
  return value;
}

Value boolean_value(bool boolean) {
  Value value(Value::Kind::boolean);
  value.boolean = boolean;
  return value;
}

Value list_value(const std::vector<std::string>& texts) {
  Value value(Value::Kind::list);
  for (const std::string& text : texts) value.items.push_back(text_value(text));
  return value;
}

void Value::add(std::string key, Value value) {
  Entry& entry = entries.emplace_back();
  entry.key = std::move(key);
  entry.value = std::move(value);
}

Value variable_value(const std::string& text) {
  if (text == "true" || text == "false") return boolean_value(text == "true");
  if (const auto integer = to_integer<std::int64_t>(text);
      integer && std::to_string(*integer) == text)
    return integer_value(*integer);
  double number = 0;
  const bool is_number = parse_number(text, number) && number_text(number) == text &&
                         text.find_first_not_of("0123456789.-+e") == text.npos;
  return is_number ? number_value(number) : text_value(text);
}

void set_value(std::vector<std::pair<std::string, std::string>>& values, const std::string& name,
               std::string value) {
  const auto known =
      std::ranges::find_if(values, [&](const auto& pair) { return pair.first == name; });
  if (known == values.end())
    values.emplace_back(name, std::move(value));
  else
    known->second = std::move(value);
}

bool is_integer(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string written(const Value& value) {
  switch (value.kind) {
    case Value::Kind::text:
    case Value::Kind::other:
      return value.text;
    case Value::Kind::integer:
      return std::to_string(value.integer);
    case Value::Kind::number:
      return number_text(value.number);
    case Value::Kind::boolean:
      return value.boolean ? "true" : "false";
    case Value::Kind::list:
    case Value::Kind::table:
      break;
  }
  return {};
}

std::string described(const Value& value) {
  switch (value.kind) {
    case Value::Kind::text:
      return fmt::format("the string \"{}\"", printable(value.text));
    case Value::Kind::list:
      return "a list";
    case Value::Kind::table:
      return "a table";
    case Value::Kind::integer:
    case Value::Kind::number:
      return "the number " + written(value);
    case Value::Kind::boolean:
    case Value::Kind::other:
      break;
  }
  return printable(written(value));
}

}  // namespace tutti::formats
