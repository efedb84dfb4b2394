// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>

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

}  // namespace

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
