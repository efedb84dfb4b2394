// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <tutti/error.hpp>
#include <tutti/fmu.hpp>
#include <type_traits>
#include <vector>

#include "base/text.hpp"

namespace tutti::fmi {

/// An XML file in memory with the positions of its parts in the text.
class XmlDocument {
 public:
  /// @throws Error (description) with file:line:column if it is not well-formed or beyond the
  /// limits
  XmlDocument(std::string text, std::string_view file, const ArchiveLimits& limits = {},
              std::string_view advice = " Export the FMU again.");
  XmlDocument(const XmlDocument&) = delete;  // the nodes point into the text
  XmlDocument& operator=(const XmlDocument&) = delete;

  pugi::xml_node root() const { return document_.document_element(); }
  bool encoding_guessed() const { return encoding_guessed_; }

  /// Lines and columns count from 1; `at` is the name of an element or attribute of this document.
  /// Fast for ascending positions.
  std::uint32_t line(const char* at) const;
  std::uint32_t column(const char* at) const;
  ErrorDetails place(const char* at) const;     ///< file, line and column
  std::string where(const char* at) const;      ///< "file:12:5"
  std::string where(std::uint32_t line) const;  ///< "file:12"

 private:
  std::string file_;
  std::string text_;
  std::vector<std::uint32_t> line_starts_;  ///< offsets, taken before the parser rewrites the text
  mutable std::size_t cursor_ = 0;          ///< line found last
  bool encoding_guessed_ = false;
  pugi::xml_document document_;
};

/// Rejects an XML text that would be too expensive to parse: too many elements, attributes or
/// lines, too deep, or with too long a value. Scans the text once without allocating memory; the
/// parser reports text that is not well-formed.
/// @throws Error (description) with file:line
void check_xml_cost(std::string_view text, std::string_view file, const ArchiveLimits& limits);

/// For `switch` over names of elements and attributes. The compiler rejects two cases with one key;
/// an unknown name with the same key does not occur by chance (64 bits of first, last and length).
constexpr std::uint64_t key(std::string_view name) {
  const auto word = [](const char* text, std::size_t count) {
    std::uint64_t bytes = 0;
    if (!std::is_constant_evaluated() && count == 8) {
      std::memcpy(&bytes, text, 8);
      return bytes;
    }
    for (std::size_t i = 0; i < count; ++i) {
      bytes |= std::uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
    }
    return bytes;
  };
  const std::size_t length = name.size();
  if (length < 8) return word(name.data(), length);
  const std::uint64_t first = word(name.data(), 8), last = word(name.data() + length - 8, 8);
  const std::uint64_t middle = word(name.data() + (length - 8) / 2, 8);
  return first ^ std::rotl(last * 0x9E3779B97F4A7C15u, 23) ^ (middle * 0xC2B2AE3D27D4EB4Fu) ^
         length;
}

/// xs:double in the C locale, with INF, -INF and NaN.
std::optional<double> parse_double(std::string_view text);
std::optional<bool> parse_boolean(std::string_view text);

template <class Integer>
std::optional<Integer> parse_integer(std::string_view text) {
  if (const auto plain = to_integer<Integer>(text)) return plain;  // mostly
  text = trim(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  return to_integer<Integer>(text);
}

/// Calls `use` with each item of a blank-separated list.
template <class Use>
void for_each_item(std::string_view list, Use&& use) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  for (auto at = list.begin(); (at = std::find_if_not(at, list.end(), is_blank)) != list.end();) {
    const auto end = std::find_if(at, list.end(), is_blank);
    use(std::string_view(at, end));
    at = end;
  }
}

/// The attributes or children of an element, for range-for. The library's own iterators cost three
/// calls a step instead of one.
template <class Item, Item (*next)(const Item&)>
struct Siblings {
  struct Iterator {
    Item item;
    const Item& operator*() const { return item; }
    void operator++() { item = next(item); }
    bool operator!=(const Iterator& other) const {
      return item.internal_object() != other.item.internal_object();
    }
  };
  Item first;
  Iterator begin() const { return {first}; }
  Iterator end() const { return {}; }
};
inline pugi::xml_attribute next_of(const pugi::xml_attribute& item) {
  return item.next_attribute();
}
inline pugi::xml_node next_of(const pugi::xml_node& item) { return item.next_sibling(); }
inline Siblings<pugi::xml_attribute, next_of> attributes_of(const pugi::xml_node& element) {
  return {element.first_attribute()};
}
inline Siblings<pugi::xml_node, next_of> children_of(const pugi::xml_node& element) {
  return {element.first_child()};
}

/// An element as written in the file, except for blanks and comments.
std::string raw_xml(pugi::xml_node node);

}  // namespace tutti::fmi
