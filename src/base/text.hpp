// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tutti {

/// ` Did you mean "gauss-seidel"?` with a leading blank, or nothing if no candidate is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates);
/// The names of things, for did_you_mean().
template <class Things>
std::vector<std::string_view> names_of(const Things& things) {
  std::vector<std::string_view> names;
  for (const auto& thing : things) names.push_back(thing.name);
  return names;
}

/// Shell-like pattern over the whole text: `*` any characters, `?` any one. Brackets match
/// literally because array elements are written `y[1]`.
bool glob_match(std::string_view pattern, std::string_view text);

/// The text as UTF-8 without control characters: bytes that are not UTF-8 become U+FFFD.
std::string printable(std::string_view text);

std::string_view trim(std::string_view text);
std::string lower_case(std::string_view text);  ///< ASCII letters

/// The shortest decimal text that reads back as the same value, also "nan", "inf" and "-inf".
void append_number(std::string& out, double value);
void append_number(std::string& out, float value);
std::string number_text(double value);

/// Reads a whole text as a number, in the C locale; blanks around it are allowed. Numbers that
/// underflow are 0; numbers that overflow are rejected ("inf" is accepted).
bool parse_number(std::string_view text, double& value);
/// Reads a whole text as an integer, in digits and perhaps a minus sign; nothing if it is not an
/// integer or does not fit.
template <class Integer>
std::optional<Integer> to_integer(std::string_view text, int base = 10) {
  Integer value{};
  const char* const end = text.data() + text.size();
  const auto [stopped, failed] = std::from_chars(text.data(), end, value, base);
  return failed == std::errc() && stopped == end ? std::optional(value) : std::nullopt;
}
/// For a text that std::from_chars reports as out of range: 0 or infinity, with its sign.
double limit_of_number(std::string_view text);
/// Why a text is not a valid number, and what to try: the end of a sentence. Empty: no advice.
std::string number_advice(std::string_view text);

/// `a, b, c`; long lists are cut: `a, b, c, ... (1000 in all)`.
std::string list_some(std::span<const std::string> names, std::string_view separator = ", ");

/// `1 step`, `2 steps`.
std::string counted(std::uint64_t count, std::string_view what);

}  // namespace tutti
