// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "formats/toml/keys.hpp"

namespace tutti::formats {
namespace {

std::string default_of(const Key& key) {
  std::string text(key.fallback);
  if (!key.unit.empty()) text += fmt::format("{}[{}]", text.empty() ? "" : " ", key.unit);
  return text;
}

std::string text_of(const Key& key) {
  return fmt::format("{}{}", key.text, key.field.read == nullptr ? " (not supported yet)" : "");
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '*' || c == '<') out += '\\';
    out += c;
  }
  return out;
}

bool is_number(std::string_view text) {
  double number = 0;
  return parse_number(text, number);
}

/// As in a file: the example of the row, or a value other than the default.
std::string example_value(const Key& key, const Words& names) {
  if (!key.example.empty()) return std::string(key.example);
  for (const std::string_view word : allowed_words(key, names))
    if (word != key.fallback)
      return key.field.type == "boolean" ? std::string(word) : fmt::format("\"{}\"", word);
  return is_number(key.fallback) ? std::string(key.fallback) : "";
}

/// `[components.motor.ports.flange]` of components.*.ports.*, `[[connections]]` of
/// connections.list[].
std::string header_of(std::string_view path) {
  std::string name;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '*')
      name += name.find(".ports") == name.npos ? "motor" : "flange";
    else
      name += path[i];
  }
  constexpr std::string_view element = "[]", list = ".list";
  const bool is_list = name.ends_with(element);
  if (is_list) name.resize(name.size() - element.size());
  if (is_list && name.ends_with(list)) name.resize(name.size() - list.size());
  return fmt::format("{}{}{}", is_list ? "[[" : "[", name, is_list ? "]]" : "]");
}

}  // namespace

std::string example_lines(const Key& key, const Words& names) {
  if (key.field.read == nullptr) return {};
  std::string_view path = key.path;
  if (path.ends_with("[]")) path.remove_suffix(2);
  const std::size_t dot = path.rfind('.');
  std::string header = header_of(path.substr(0, dot));
  // A list of tables below a table, `tlm[].initial.effort`, is written in its element.
  std::string name(path.substr(dot + 1));
  if (const std::size_t element = header.find("[]"); element != header.npos) {
    const std::string inner = header.substr(element + 3, header.size() - element - 4);
    name = fmt::format("{}.{}", inner, name);
    header = fmt::format("[{}]]", header.substr(0, element));
  }
  return fmt::format("{}\n{} = {}\n", header, name, example_value(key, names));
}

std::string keys_text(const Words& names) {
  std::size_t widest = 0;
  for (const Key& key : keys()) widest = std::max(widest, key.path.size());
  std::string text;
  for (const Key& key : keys()) {
    const std::string fallback = default_of(key);
    text += fmt::format("{:<{}}  {}{}\n{:{}}  {}\n", key.path, widest, type_text(key, names),
                        fallback.empty() ? "" : fmt::format(", {}", fallback), "", widest,
                        text_of(key));
  }
  return text;
}

std::string keys_markdown(const Words& names) {
  std::string text = "| key | type | default | meaning |\n| --- | --- | --- | --- |\n";
  for (const Key& key : keys())
    text += fmt::format("| `{}` | {} | {} | {} |\n", key.path, escaped(type_text(key, names)),
                        escaped(default_of(key)), escaped(text_of(key)));
  return text;
}

}  // namespace tutti::formats
