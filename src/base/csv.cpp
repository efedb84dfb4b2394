// SPDX-License-Identifier: BSD-2-Clause
#include "base/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "base/file_error.hpp"
#include "base/text.hpp"

namespace tutti {
namespace {

char separator_of(std::string_view text) {
  const std::string_view first = text.substr(0, text.find('\n'));
  char best = ',';
  std::ptrdiff_t most = 0;
  for (const char candidate : {',', ';', '\t'}) {
    bool quoted = false;
    const auto count = std::ranges::count_if(first, [&](char c) {
      if (c == '"') quoted = !quoted;
      return c == candidate && !quoted;
    });
    if (count > most) {
      most = count;
      best = candidate;
    }
  }
  return best;
}

/// Where the comma of a number like -0,5e3 is; npos if the text is not such a number.
std::size_t decimal_comma(std::string_view text) {
  const std::size_t comma = text.find(',');
  double number = 0;
  if (comma == std::string_view::npos || text.find_first_not_of("+-0123456789eE,") < text.size() ||
      text.find(',', comma + 1) < text.size() || !parse_number(text.substr(0, comma), number))
    return std::string_view::npos;
  return comma;
}

}  // namespace

CsvTable CsvTable::read(const std::filesystem::path& file, const CsvLimits& limits) {
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file))
    throw file_error(file, ErrorCode::file, fmt::format("cannot read \"{}\"", file.string()));
  CsvTable table;
  table.name_ = file.string();
  constexpr std::size_t chunk = 1 << 20;  // a pipe or device has no known size
  std::vector<char>& text = table.text_;
  while (in) {
    const std::size_t size = text.size();
    text.resize(size + chunk);
    in.read(text.data() + size, chunk);
    text.resize(size + static_cast<std::size_t>(in.gcount()));
    if (std::memchr(text.data() + size, 0, text.size() - size) != nullptr) break;  // see split()
    if (text.size() > limits.bytes)
      throw file_error(file, ErrorCode::file,
                       fmt::format("\"{}\" has more than {} bytes, the limit for a table",
                                   file.string(), limits.bytes),
                       {.hint = "Leave out rows or columns."});
  }
  if (in.bad())
    throw file_error(file, ErrorCode::file,
                     fmt::format("error while reading \"{}\"", file.string()));
  table.split(limits);
  return table;
}

CsvTable CsvTable::parse(std::string_view text, std::string name, const CsvLimits& limits) {
  CsvTable table;
  table.name_ = std::move(name);
  table.text_.assign(text.begin(), text.end());
  table.split(limits);
  return table;
}

void CsvTable::refuse(std::uint32_t line, const std::string& text, ErrorDetails details) const {
  details.file = name_;
  details.line = line;
  throw Error(ErrorCode::file, text, std::move(details));
}

/// Numbers and names contain no NUL: a file with one is in UTF-16 or binary.
void CsvTable::check_text() const {
  const auto nul = std::ranges::find(text_, '\0');
  if (nul == text_.end()) return;
  const bool is_wide =
      text_.size() >= 2 && (text_[1] == '\0' || text_[0] == '\xFF' || text_[0] == '\xFE');
  refuse(static_cast<std::uint32_t>(1 + std::count(text_.begin(), nul, '\n')),
         "the file is not a text file: it has a NUL byte",
         {.hint = is_wide ? "It looks like UTF-16; save it as UTF-8." : "Is it a binary file?"});
}

void CsvTable::split(const CsvLimits& limits) {
  check_text();
  std::string_view rest(text_.data(), text_.size());
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  const char separator = separator_ = separator_of(rest);
  std::uint32_t line = 1;
  std::vector<std::string_view> row;

  const auto take_quoted = [&]() -> std::string_view {
    const std::uint32_t opened = line;
    rest.remove_prefix(1);
    std::size_t from = 0;
    bool doubled = false;
    for (;;) {
      const std::size_t quote = rest.find('"', from);
      if (quote == std::string_view::npos) refuse(opened, "a quote is opened and never closed");
      line += static_cast<std::uint32_t>(
          std::count(rest.begin() + static_cast<std::ptrdiff_t>(from),
                     rest.begin() + static_cast<std::ptrdiff_t>(quote), '\n'));
      if (quote + 1 < rest.size() && rest[quote + 1] == '"') {
        doubled = true;
        from = quote + 2;
        continue;
      }
      std::string_view cell = rest.substr(0, quote);
      rest.remove_prefix(quote + 1);
      if (!doubled) return cell;
      std::string& plain = unescaped_.emplace_back();
      for (std::size_t i = 0; i < cell.size(); ++i) {
        plain += cell[i];
        if (cell[i] == '"') ++i;
      }
      return plain;
    }
  };

  const auto finish_row = [&](std::uint32_t row_line) {
    // Some tools end each line with a separator.
    const std::size_t wanted = header_.empty() ? 1 : header_.size();
    while (row.size() > wanted && row.back().empty()) row.pop_back();
    const bool blank = row.size() == 1 && row.front().empty();
    if (blank) return;
    if (header_.empty()) {
      header_ = row;
      return;
    }
    if (row.size() != header_.size())
      refuse(row_line, fmt::format("{} cells, but the header has {}{}", row.size(), header_.size(),
                                   separator == ',' && row.size() == 2 * header_.size()
                                       ? "; if the numbers have decimal commas, separate the "
                                         "cells by semicolons"
                                       : ""));
    cells_.insert(cells_.end(), row.begin(), row.end());
    lines_.push_back(row_line);
  };

  while (!rest.empty()) {
    row.clear();
    const std::uint32_t row_line = line;
    for (;;) {
      std::string_view cell;
      std::string_view lead = rest.substr(0, rest.find_first_not_of(' '));
      if (rest.size() > lead.size() && rest[lead.size()] == '"') {
        rest.remove_prefix(lead.size());
        cell = take_quoted();
        rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(" \r")));
      } else {
        std::size_t end = 0;
        while (end < rest.size() && rest[end] != separator && rest[end] != '\n') ++end;
        cell = trim(rest.substr(0, end));
        rest.remove_prefix(end);
      }
      row.push_back(cell);
      if (cells_.size() + row.size() > limits.cells)
        refuse(line, fmt::format("the table has more than {} cells, the limit", limits.cells),
               {.hint = "Leave out rows or columns."});
      if (rest.empty()) break;
      const char next = rest.front();
      if (next != separator && next != '\n') refuse(line, "text after a closing quote");
      rest.remove_prefix(1);
      if (next == '\n') {
        ++line;
        break;
      }
    }
    finish_row(row_line);
  }
  if (header_.empty()) refuse(0, "the file has no header row");
}

std::string_view CsvTable::number_text(std::size_t row, std::size_t column,
                                       std::string& buffer) const {
  const std::string_view text = cell(row, column);
  const std::size_t comma = separator_ == ',' ? text.npos : decimal_comma(text);
  if (comma == text.npos) return text;
  buffer = text;
  buffer[comma] = '.';
  return buffer;
}

double CsvTable::number(std::size_t row, std::size_t column) const {
  double value = 0;
  std::string buffer;
  if (!parse_number(number_text(row, column, buffer), value))
    refuse(line(row),
           fmt::format("\"{:.100}\" in column \"{:.100}\" is not a valid number{}",
                       cell(row, column), header_[column], number_advice(cell(row, column))));
  return value;
}

void append_csv_text(std::string& out, std::string_view text) {
  if (text.find_first_of(",;\t\"\r\n ") == std::string_view::npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    out += c;
    if (c == '"') out += '"';
  }
  out += '"';
}

}  // namespace tutti
