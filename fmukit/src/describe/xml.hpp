// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/access.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fmukit {

/// Writes XML text: elements are opened, get attributes, then children, and are closed. Attributes
/// with an empty text or no value are omitted unless written with `always`.
class Xml {
 public:
  Xml() : text_("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") {}

  Xml& open(std::string_view element) {
    end_tag();
    text_.append(2 * open_.size(), ' ').append("<").append(element);
    open_.emplace_back(element);
    in_tag_ = true;
    return *this;
  }
  Xml& close() {
    const std::string element = open_.back();
    open_.pop_back();
    if (in_tag_)
      text_ += "/>\n";
    else
      text_.append(has_text_ ? 0 : 2 * open_.size(), ' ').append("</").append(element) += ">\n";
    in_tag_ = has_text_ = false;
    return *this;
  }
  Xml& always(std::string_view name, std::string_view value) {
    text_.append(" ").append(name).append("=\"");
    escape(value);
    text_ += '"';
    return *this;
  }
  Xml& attribute(std::string_view name, std::string_view value) {
    return value.empty() ? *this : always(name, value);
  }
  Xml& attribute(std::string_view name, const std::optional<double>& value) {
    return value ? always(name, number(*value)) : *this;
  }
  Xml& count(std::string_view name, std::size_t value) {
    return always(name, std::to_string(value));
  }
  /// A flag is written when it is true; false is always the default.
  Xml& flag(std::string_view name, bool value) { return value ? always(name, "true") : *this; }

  /// Text inside an element without children.
  Xml& content(std::string_view value) {
    text_ += '>';
    escape(value);
    has_text_ = true;
    in_tag_ = false;
    return *this;
  }

  const std::string& text() const { return text_; }

 private:
  void end_tag() {
    if (in_tag_) text_ += ">\n";
    in_tag_ = false;
  }
  void escape(std::string_view value) {
    for (const char c : value) {
      switch (c) {
        case '&':
          text_ += "&amp;";
          break;
        case '<':
          text_ += "&lt;";
          break;
        case '>':
          text_ += "&gt;";
          break;
        case '"':
          text_ += "&quot;";
          break;
        case '\n':
          text_ += "&#10;";
          break;
        case '\r':
          text_ += "&#13;";
          break;
        case '\t':
          text_ += "&#9;";
          break;
        default:
          text_ += c;
      }
    }
  }

  std::string text_;
  std::vector<std::string> open_;
  bool in_tag_ = false, has_text_ = false;
};

}  // namespace fmukit
