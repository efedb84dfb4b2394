// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::cli {

/// Columns of a UTF-8 text on a terminal, one per character.
std::size_t display_width(std::string_view text);
/// Truncated to a width, with an ellipsis; control characters become blanks.
std::string shortened(std::string_view text, std::size_t width);

/// Broken at blanks into lines of that width, all but the first indented.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t line_length = 100);

std::string with_commas(std::size_t number);  ///< 1,234,567
/// "no errors", "1 error", "1,234 errors"
std::string counted(std::size_t count, std::string_view what);

/// Aligned columns within a line length. The first column is never truncated: a longer entry gets
/// its own line.
class TextTable {
 public:
  struct Column {
    std::string title;
    std::size_t widest;  ///< longer entries are truncated
  };
  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  /// Columns without entries are omitted.
  std::string text(std::size_t indent = 2, std::size_t line = 100) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace tutti::cli
