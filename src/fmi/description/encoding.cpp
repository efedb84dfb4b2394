// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/description/encoding.hpp"

#include <array>
#include <pugixml.hpp>
#include <utility>

#include "base/text.hpp"

namespace tutti::fmi {
namespace {

unsigned char byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

// Windows-1252 is ISO-8859-1 except for these 32.
constexpr std::array<char16_t, 32> windows_1252_80_to_9f = {
    0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

// pugixml interprets wide characters as UTF-32 where they are large enough.
static_assert(sizeof(wchar_t) == sizeof(char32_t));

std::string from_windows_1252(std::string_view text) {
  std::wstring points;
  points.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned char c = byte_at(text, i);
    points += static_cast<wchar_t>(c >= 0x80 && c < 0xA0 ? windows_1252_80_to_9f[c - 0x80u] : c);
  }
  return pugi::as_utf8(points);
}

std::string from_utf16(std::string_view text, bool big_endian) {
  std::wstring points;
  points.reserve(text.size() / 2);
  const auto unit = [&](std::size_t i) {
    const char32_t first = byte_at(text, i), second = byte_at(text, i + 1);
    return big_endian ? (first << 8 | second) : (second << 8 | first);
  };
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    char32_t c = unit(i);
    if (c >= 0xD800 && c < 0xDC00 && i + 3 < text.size()) {
      const char32_t low = unit(i + 2);
      if (low >= 0xDC00 && low < 0xE000) {
        c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
        i += 2;
      }
    }
    if (c >= 0xD800 && c < 0xE000) c = 0xFFFD;
    points += static_cast<wchar_t>(c);
  }
  return pugi::as_utf8(points);
}

/// The encoding that the XML declaration names, in lower case; "" if it names none.
std::string declared_encoding(std::string_view text) {
  const std::string_view head = text.substr(0, 200);
  if (!head.starts_with("<?xml")) return "";
  const std::string_view declaration = head.substr(0, head.find("?>"));
  const std::size_t at = declaration.find("encoding");
  if (at == declaration.npos) return "";
  const std::size_t open = declaration.find_first_of("\"'", at);
  if (open == declaration.npos) return "";
  const std::size_t close = declaration.find(declaration[open], open + 1);
  if (close == declaration.npos) return "";
  return lower_case(declaration.substr(open + 1, close - open - 1));
}

bool is_ascii(std::string_view text) {
  constexpr std::size_t block = 512;  // no branch inside, so that the compiler makes it wide
  while (!text.empty()) {
    const std::string_view part = text.substr(0, block);
    unsigned char seen = 0;
    for (const char c : part)
      seen = static_cast<unsigned char>(seen | static_cast<unsigned char>(c));
    if (seen >= 0x80) return false;
    text.remove_prefix(part.size());
  }
  return true;
}

}  // namespace

bool is_valid_utf8(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    const unsigned char lead = byte_at(text, i);
    if (lead < 0x80) {
      ++i;
      continue;
    }
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || i + length > text.size()) return false;
    for (std::size_t k = 1; k < length; ++k) {
      if ((byte_at(text, i + k) & 0xC0) != 0x80) return false;
    }
    i += length;
  }
  return true;
}

Utf8Text to_utf8(std::string bytes) {
  using namespace std::string_view_literals;
  const std::string_view text = bytes;
  if (text.starts_with("\xFF\xFE"sv)) return {from_utf16(text.substr(2), false)};
  if (text.starts_with("\xFE\xFF"sv)) return {from_utf16(text.substr(2), true)};
  if (text.starts_with("<\0"sv)) return {from_utf16(text, false)};
  if (text.starts_with("\0<"sv)) return {from_utf16(text, true)};
  if (is_ascii(text)) return {std::move(bytes)};
  const std::string encoding = declared_encoding(text);
  if (encoding == "iso-8859-1" || encoding == "latin1" || encoding == "windows-1252") {
    return {from_windows_1252(text)};
  }
  if (is_valid_utf8(text)) return {std::move(bytes)};
  return {from_windows_1252(text), true};
}

}  // namespace tutti::fmi
