// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

/// The words for the values of enumerations, defined once, beside the enumeration and in the order
/// of its values: list_words(Enum). Files, the command line, messages and JSON use them.
namespace tutti {

template <std::size_t count>
using WordList = std::array<std::string_view, count>;

template <typename Enum>
inline constexpr auto words_of = list_words(Enum{});

template <typename Enum>
  requires requires { list_words(Enum{}); }
constexpr std::string_view to_string(Enum value) {
  const auto index = static_cast<std::size_t>(value);
  return index < words_of<Enum>.size() ? words_of<Enum>[index] : "?";
}

/// The value with that word, or nothing.
template <typename Enum>
constexpr std::optional<Enum> from_word(std::string_view word) {
  const auto found = std::find(words_of<Enum>.begin(), words_of<Enum>.end(), word);
  if (found == words_of<Enum>.end()) return std::nullopt;
  return static_cast<Enum>(found - words_of<Enum>.begin());
}

}  // namespace tutti
