// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/description/variable.hpp"

namespace tutti::fmi {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_nondigit(char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Each function consumes one production of the grammar from the front, or returns false.
struct Parser {
  std::string_view rest;

  bool take(char c) {
    if (rest.empty() || rest.front() != c) return false;
    rest.remove_prefix(1);
    return true;
  }

  bool unsigned_integer() {
    std::size_t n = 0;
    while (n < rest.size() && is_digit(rest[n])) ++n;
    rest.remove_prefix(n);
    return n > 0;
  }

  bool quoted_name() {  // after the opening apostrophe
    constexpr std::string_view others = "!#$%&()*+,-./:;<>=?@[]^{}|~ ";
    constexpr std::string_view escapes = "'\"?\\abfnrtv";
    std::size_t n = 0;
    for (; n < rest.size() && rest[n] != '\''; ++n) {
      const char c = rest[n];
      if (c == '\\') {
        if (++n == rest.size() || escapes.find(rest[n]) == escapes.npos) return false;
      } else if (!is_digit(c) && !is_nondigit(c) && others.find(c) == others.npos) {
        return false;
      }
    }
    rest.remove_prefix(n);
    return n > 0 && take('\'');
  }

  bool base_name() {
    if (take('\'')) return quoted_name();
    if (rest.empty() || !is_nondigit(rest.front())) return false;
    std::size_t n = 1;
    while (n < rest.size() && (is_digit(rest[n]) || is_nondigit(rest[n]))) ++n;
    rest.remove_prefix(n);
    return true;
  }

  bool identifier() {
    do {
      if (!base_name()) return false;
      if (take('[')) {
        do {
          if (!unsigned_integer()) return false;
        } while (take(','));
        if (!take(']')) return false;
      }
    } while (take('.'));
    return true;
  }
};

}  // namespace

bool is_structured_name(std::string_view name) {
  Parser parser{name};
  if (name.starts_with("der(")) {
    parser.rest.remove_prefix(4);
    if (!parser.identifier()) return false;
    if (parser.take(',') && !parser.unsigned_integer()) return false;
    if (!parser.take(')')) return false;
  } else if (!parser.identifier()) {
    return false;
  }
  return parser.rest.empty();
}

}  // namespace tutti::fmi
