// SPDX-License-Identifier: BSD-2-Clause
#include "formats/statements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tutti/error.hpp>

#include "base/text.hpp"
#include "system/names.hpp"

namespace tutti::formats {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

std::vector<Token> split_line(std::string_view line, const std::string& file, std::uint32_t number,
                              bool comment_anywhere) {
  std::vector<Token> tokens;
  for (std::size_t i = 0; i < line.size();) {
    if (is_blank(line[i])) {
      ++i;
      continue;
    }
    if (line[i] == '#' && (comment_anywhere || tokens.empty())) break;
    const Place place{file, number, static_cast<std::uint32_t>(i + 1)};
    const bool quoted = line[i] == '"';
    const std::size_t begin = quoted ? i + 1 : i;
    std::size_t end = begin;
    while (end < line.size() && (quoted ? line[end] != '"' : !is_blank(line[end]))) ++end;
    if (quoted && end == line.size()) refuse(place, "the quote that starts here is not closed");
    tokens.push_back({line.substr(begin, end - begin), place});
    i = end + (quoted ? 1 : 0);
  }
  return tokens;
}

}  // namespace

void refuse(const Place& place, const std::string& text) {
  throw Error(ErrorCode::usage, text, system::where(place));
}

std::string_view Statement::rest_after(std::size_t token) const {
  const std::string_view word = tokens[token].text;
  auto end = static_cast<std::size_t>(word.data() + word.size() - line.data());
  if (end < line.size() && line[end] == '"') ++end;
  return trim(line.substr(end));
}

std::vector<Statement> split_statements(std::string_view text, const std::string& file,
                                        bool comment_anywhere) {
  std::vector<Statement> statements;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (std::uint32_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    std::vector<Token> tokens = split_line(line, file, number, comment_anywhere);
    if (!tokens.empty()) statements.push_back({std::move(tokens), line});
  }
  return statements;
}

double take_number(const Token& token, std::string_view what) {
  double number = 0;
  if (!parse_number(token.text, number) || !std::isfinite(number))
    refuse(token.place,
           fmt::format("{} must be a number, not \"{}\"", what, printable(token.text)));
  return number;
}

std::int64_t take_integer(const Token& token, std::string_view what, std::int64_t least,
                          std::int64_t most) {
  const auto number = to_integer<std::int64_t>(token.text);
  if (!number || *number < least || *number > most)
    refuse(token.place, fmt::format("{} must be an integer from {} to {}, not \"{}\"", what, least,
                                    most, printable(token.text)));
  return *number;
}

std::optional<std::size_t> find_word(std::string_view word,
                                     const std::vector<std::string_view>& words) {
  const auto found = std::ranges::find(words, lower_case(word), lower_case);
  if (found == words.end()) return std::nullopt;
  return static_cast<std::size_t>(found - words.begin());
}

std::size_t take_word(const Token& token, std::string_view what,
                      const std::vector<std::string_view>& words) {
  if (const std::optional<std::size_t> found = find_word(token.text, words)) return *found;
  refuse(token.place,
         fmt::format("unknown {} \"{}\".{} Expected one of: {}.", what, printable(token.text),
                     did_you_mean(token.text, words), fmt::join(words, ", ")));
}

}  // namespace tutti::formats
