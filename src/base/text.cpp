// SPDX-License-Identifier: BSD-2-Clause
#include "base/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tutti {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Edit distance with transpositions (optimal string alignment), case-insensitive.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  std::iota(previous.begin(), previous.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      current[j] =
          std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
          lower(a[i - 2]) == lower(b[j - 1]))
        current[j] = std::min(current[j], before[j - 2] + 1);
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

template <typename T>
void append_shortest(std::string& out, T value) {
  char buffer[32];
  if (std::isnan(value)) value = std::abs(value);  // never "-nan"
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  out.append(buffer, end);
}

/// Bytes of the UTF-8 character at the front; 0 if there is none (RFC 3629: no overlong forms, no
/// surrogates, nothing above U+10FFFF).
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xC2 ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                                           : 4;
  if (length == 0 || length > text.size() || lead > 0xF4) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  const bool misfit = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) >= 0xA0) ||
                      (lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) >= 0x90);
  return misfit ? 0 : length;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const auto lead = static_cast<unsigned char>(text.front());
    if (length == 0)
      result += "\xEF\xBF\xBD";
    else if (lead < 0x20 || lead == 0x7F || (length == 2 && lead == 0xC2 && text[1] < '\xA0'))
      result += ' ';  // the last range are the controls of Latin-1
    else
      result += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return result;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates) {
  // Within a third of the word's letters: "gauss-siedel" is near, "newton" is not. Long lists (an
  // FMU with 100,000 variables) are cut by length first, so this stays cheap.
  constexpr std::size_t longest = 200;  // the work grows with the square
  if (word.size() > longest) return "";
  const std::size_t limit = std::max<std::size_t>(1, word.size() / 3);
  std::size_t best = limit + 1;
  std::string_view nearest;
  for (const std::string_view candidate : candidates) {
    const std::size_t longer = std::max(candidate.size(), word.size());
    if (longer - std::min(candidate.size(), word.size()) >= best) continue;
    if (const std::size_t d = distance(word, candidate); d < best) {
      best = d;
      nearest = candidate;
    }
  }
  return nearest.empty() ? std::string() : fmt::format(" Did you mean \"{}\"?", nearest);
}

bool glob_match(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), lower);
  return result;
}

void append_number(std::string& out, double value) { append_shortest(out, value); }
void append_number(std::string& out, float value) { append_shortest(out, value); }

std::string number_text(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

double limit_of_number(std::string_view text) {
  const bool negative = text.starts_with('-');
  const std::size_t exponent_at = std::min(text.size(), text.find_first_of("eE"));
  const std::string_view digits = text.substr(0, exponent_at);
  const std::size_t point = std::min(digits.size(), digits.find('.'));
  const std::size_t first = std::min(digits.size(), digits.find_first_of("123456789"));
  // The power of ten of the first significant digit; saturated, because texts may be of any length.
  double power = static_cast<double>(point) - static_cast<double>(first);
  if (exponent_at < text.size()) {
    std::string_view exponent = text.substr(exponent_at + 1);
    const bool small = exponent.starts_with('-');
    if (small || exponent.starts_with('+')) exponent.remove_prefix(1);
    constexpr long huge = 1'000'000'000'000;
    long value = 0;
    const auto [end, error] =
        std::from_chars(exponent.data(), exponent.data() + exponent.size(), value);
    if (error == std::errc::result_out_of_range) value = huge;
    power += static_cast<double>(small ? -value : value);
  }
  return std::copysign(power < 0 ? 0.0 : HUGE_VAL, negative ? -1.0 : 1.0);
}

bool parse_number(std::string_view text, double& value) {
  text = trim(text);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return false;
  if (error != std::errc::result_out_of_range) return error == std::errc();
  value = limit_of_number(text);
  return std::isfinite(value);
}

std::string number_advice(std::string_view text) {
  text = trim(text);
  double value = 0;
  const std::size_t comma = text.find(',');
  if (comma != std::string_view::npos && text.size() < 400) {
    std::string pointed(text);
    pointed[comma] = '.';
    if (parse_number(pointed, value))
      return fmt::format("; it has a decimal comma: write {}", pointed);
  }
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range && end == text.data() + text.size())
    return "; it is too large: the largest number is 1.8e308";
  return "";
}

std::string list_some(std::span<const std::string> names, std::string_view separator) {
  constexpr std::size_t most = 20;
  if (names.size() <= most) return fmt::format("{}", fmt::join(names, separator));
  return fmt::format("{}{}... ({} in all)", fmt::join(names.first(most / 2), separator), separator,
                     names.size());
}

std::string counted(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace tutti
