// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>

namespace tutti::fmi {

struct Utf8Text {
  std::string text;
  bool guessed = false;  ///< the bytes do not match the declared encoding; read as Windows-1252
};

/// The text of an XML file in UTF-8. Knows UTF-8, UTF-16, ISO-8859-1 and Windows-1252, by byte
/// order mark or XML declaration; UTF-8, the usual case, is passed through without a copy.
Utf8Text to_utf8(std::string bytes);

bool is_valid_utf8(std::string_view text);

}  // namespace tutti::fmi
