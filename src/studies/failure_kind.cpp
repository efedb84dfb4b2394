// SPDX-License-Identifier: BSD-2-Clause
#include "studies/failure_kind.hpp"

#include <cctype>
#include <charconv>

namespace tutti::studies {

std::string failure_kind(std::string_view failure) {
  std::string kind;
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  while (!failure.empty()) {
    const char c = failure.front();
    const bool is_digit = c >= '0' && c <= '9';
    if (!is_digit || (!kind.empty() && is_word(kind.back()))) {
      kind += c;
      failure.remove_prefix(1);
      continue;
    }
    double number = 0;
    const char* const end = failure.data() + failure.size();
    const auto read = std::from_chars(failure.data(), end, number);
    if (kind.ends_with('-')) kind.pop_back();
    kind += '#';
    failure.remove_prefix(static_cast<std::size_t>(read.ptr - failure.data()));
  }
  return kind;
}

}  // namespace tutti::studies
