// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tutti/system.hpp>
#include <vector>

/// Files with one statement per line: words separated by blanks.
namespace tutti::formats {

struct Token {
  std::string_view text;  ///< without its quotes
  Place place;
};

struct Statement {
  std::vector<Token> tokens;  ///< at least one
  std::string_view line;      ///< as in the file
  const Token& keyword() const { return tokens.front(); }
  /// The text after a token on its line, without surrounding blanks.
  std::string_view rest_after(std::size_t token) const;
};

/// Splits a text into statements. A word that starts with `#` starts a comment; without
/// `comment_anywhere`, only the first word of a line does. Double quotes enclose blanks.
/// The views point into the text.
std::vector<Statement> split_statements(std::string_view text, const std::string& file,
                                        bool comment_anywhere);

/// @throws Error(usage) with the place of the token
double take_number(const Token& token, std::string_view what);
std::int64_t take_integer(const Token& token, std::string_view what, std::int64_t least,
                          std::int64_t most);
/// Index of the word among the known ones, in any case of letters. @throws Error(usage)
std::size_t take_word(const Token& token, std::string_view what,
                      const std::vector<std::string_view>& words);
/// Index of the word, or nothing.
std::optional<std::size_t> find_word(std::string_view word,
                                     const std::vector<std::string_view>& words);

[[noreturn]] void refuse(const Place& place, const std::string& text);

}  // namespace tutti::formats
