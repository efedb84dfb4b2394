// SPDX-License-Identifier: BSD-2-Clause
#include "formats/value.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace tutti::formats {

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
      return fmt::format("the text \"{}\"", printable(value.text));
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
