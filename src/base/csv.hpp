// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <string>
#include <string_view>
#include <tutti/error.hpp>
#include <vector>

namespace tutti {

/// The maximum size of a table; a cell takes 16 bytes besides its text.
struct CsvLimits {
  std::uint64_t bytes = 2ull << 30;
  std::uint64_t cells = 100'000'000;
};

/// A table of text cells with a header row, read whole. Separator comma, semicolon or tab
/// (whichever the header has most of), quotes as in RFC 4180, LF or CRLF, an optional byte order
/// mark.
class CsvTable {
 public:
  /// @throws Error(file) with file:line for a row of the wrong width or an open quote, and for a
  /// file that is not text or too large
  static CsvTable read(const std::filesystem::path& file, const CsvLimits& limits = {});
  static CsvTable parse(std::string_view text, std::string name, const CsvLimits& limits = {});

  const std::vector<std::string_view>& header() const { return header_; }
  std::size_t row_count() const { return lines_.size(); }
  /// As written.
  std::string_view cell(std::size_t row, std::size_t column) const {
    return cells_[row * header_.size() + column];
  }
  /// The text of a numeric cell: with a point for a decimal comma, where commas do not separate
  /// cells. `buffer` stores a text that is not in the table.
  std::string_view number_text(std::size_t row, std::size_t column, std::string& buffer) const;
  std::uint32_t line(std::size_t row) const { return lines_[row]; }
  /// @throws Error(file) with the place; line 0: the whole file
  [[noreturn]] void refuse(std::uint32_t line, const std::string& text,
                           ErrorDetails details = {}) const;
  const std::string& name() const { return name_; }
  /// The cell as a number. @throws Error(file) that names line and column
  double number(std::size_t row, std::size_t column) const;

  CsvTable(CsvTable&&) = default;
  CsvTable& operator=(CsvTable&&) = default;

 private:
  CsvTable() = default;
  void split(const CsvLimits& limits);
  void check_text() const;
  std::string name_;
  std::vector<char> text_;             // the cells are views into this; a move keeps them valid
  std::deque<std::string> unescaped_;  // quoted cells with doubled quotes
  std::vector<std::string_view> header_, cells_;
  std::vector<std::uint32_t> lines_;
  char separator_ = ',';
};

/// A cell for a CSV file: in quotes where the text needs them.
void append_csv_text(std::string& out, std::string_view text);

}  // namespace tutti
