// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <tutti/error.hpp>
#include <type_traits>
#include <utility>

#include "base/csv.hpp"
#include "base/number_type.hpp"
#include "base/text.hpp"
#include "results/result_file.hpp"
#include "results/result_format.hpp"

namespace tutti {
namespace {

void append_integer(std::string& out, auto value) {
  char buffer[24];
  out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

class CsvWriter final : public Observer {
 public:
  explicit CsvWriter(const std::filesystem::path& file) : file_(file) {}

  void begin(std::span<const Column> columns) override {
    file_.begin();
    columns_.assign(columns.begin(), columns.end());
    write_header();
  }

  bool resume(std::span<const Column> columns, std::uint64_t rows, const Row& last) override {
    columns_.assign(columns.begin(), columns.end());
    if (!last.cells.empty()) append_row(last);
    const std::string last_line = std::exchange(buffer_, {});
    return file_.begin_behind(header(), rows + 1, last_line);
  }

  bool rewind(std::uint64_t rows) override {
    if (rows > 0) {
      flush();
      last_time_.reset();
      return file_.keep_lines(rows + 1);
    }
    const bool is_empty = file_.restart();
    if (!is_empty && last_time_) return false;  // rows are in a pipe already
    buffer_.clear();
    ends_.clear();
    last_time_.reset();
    if (is_empty) write_header();
    return true;
  }

  void row(const Row& row) override {
    append_row(row);
    ends_.push_back({buffer_.size(), row.time});
    if (buffer_.size() >= flush_at) write_buffer();
  }

  void flush() override {
    if (file_.is_begun() && !buffer_.empty()) write_buffer();
  }

  void finish() override {
    if (!file_.is_begun()) return;
    write_buffer();
    file_.close();
  }

 private:
  static constexpr std::size_t flush_at = 1 << 18;

  void append_row(const Row& row) {
    append_number(buffer_, row.time);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      buffer_ += ',';
      append_cell(columns_[i].type, row.cells[i], row.texts);
    }
    buffer_ += '\n';
  }

  std::string header() const {
    std::string line = "time";
    for (const Column& column : columns_) {
      line += ',';
      append_csv_text(line, column.name);
    }
    return line + '\n';
  }

  void write_header() {
    buffer_ = header();
    write_buffer();  // a run that ends before its first row leaves a header
  }

  void append_cell(Type type, Cell cell, std::span<const std::string_view> texts) {
    if (is_text(type))
      append_csv_text(buffer_, texts[cell.natural]);
    else if (type == Type::float64)
      append_number(buffer_, cell.real);
    else if (type == Type::float32)
      append_number(buffer_, static_cast<float>(cell.real));
    else if (is_signed_integer(type))
      append_integer(buffer_, cell.integer);
    else
      append_integer(buffer_, cell.natural);
  }

  void write_buffer() {
    const std::size_t written = file_.write(buffer_);
    if (written == buffer_.size()) {
      if (!ends_.empty()) last_time_ = ends_.back().time;
      ends_.clear();
      buffer_.clear();
      return;
    }
    std::size_t whole = 0;  // rows
    for (const RowEnd& end : ends_) {
      if (end.at > written) break;
      whole = end.at;
      last_time_ = end.time;
    }
    file_.remove_last(written - whole);
    file_.fail("write", last_time_ ? fmt::format("; it contains the results up to t = {} s",
                                                 number_text(*last_time_))
                                   : "; it contains no results");
  }

  /// The end of a row in the buffer.
  struct RowEnd {
    std::size_t at;
    double time;
  };
  results::ResultFile file_;
  std::vector<Column> columns_;
  std::string buffer_;
  std::vector<RowEnd> ends_;
  std::optional<double> last_time_;  ///< written to the file
};

/// Splits `name [unit]`. The bracket of an array element (`y[1]`, `A [1,2]`) is not a unit.
void split_header(std::string_view header, std::string& name, std::string& unit) {
  header = trim(header);
  name = header;
  const std::size_t open = header.rfind('[');
  if (open == std::string_view::npos || open == 0 || header.back() != ']') return;
  if (header[open - 1] != ' ' && header[open - 1] != '\t') return;
  const std::string_view inside = trim(header.substr(open + 1, header.size() - open - 2));
  if (inside.find_first_not_of("0123456789,:; ") == std::string_view::npos && !inside.empty())
    return;
  name = trim(header.substr(0, open));
  unit = inside;
}

bool read_cell(std::string_view cell, double& value) {
  if (parse_number(cell, value)) return true;
  if (cell.empty()) {
    value = std::numeric_limits<double>::quiet_NaN();
    return true;
  }
  const bool yes = cell == "true" || cell == "True" || cell == "TRUE";
  value = yes ? 1 : 0;
  return yes || cell == "false" || cell == "False" || cell == "FALSE";
}

void read_times(const CsvTable& csv, std::vector<double>& times) {
  times.reserve(csv.row_count());
  for (std::size_t row = 0; row < csv.row_count(); ++row) {
    const double t = csv.number(row, 0);
    if (!std::isfinite(t))
      csv.refuse(csv.line(row), fmt::format("the time \"{}\" is not finite", csv.cell(row, 0)));
    if (!times.empty() && t < times.back())
      csv.refuse(csv.line(row), fmt::format("the time decreases from {} to {}", times.back(), t),
                 {.hint = "The first column must be the time, in ascending order."});
    times.push_back(t);
  }
}

void read_column(const CsvTable& csv, std::size_t index, ResultColumn& column) {
  const std::size_t rows = csv.row_count();
  column.numbers.resize(rows);
  bool any = rows == 0;
  std::string buffer;
  for (std::size_t row = 0; row < rows && !column.is_text; ++row) {
    const std::string_view cell = csv.number_text(row, index, buffer);
    any = any || !cell.empty();
    column.is_text = !read_cell(cell, column.numbers[row]);
  }
  column.is_text = column.is_text || !any;
  if (!column.is_text) return;
  column.numbers = {};
  column.texts.reserve(rows);
  for (std::size_t row = 0; row < rows; ++row) column.texts.emplace_back(csv.cell(row, index));
}

}  // namespace

std::unique_ptr<Observer> make_csv_writer(const std::filesystem::path& file) {
  return std::make_unique<CsvWriter>(file);
}

std::vector<std::string> results::csv_result_columns(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  const CsvTable csv = CsvTable::parse(line + '\n', file.string());
  std::vector<std::string> names;
  std::string unit;
  for (std::size_t i = 1; i < csv.header().size(); ++i)
    if (!csv.header()[i].empty()) split_header(csv.header()[i], names.emplace_back(), unit);
  return names;
}

ResultTable results::read_csv_results(const std::filesystem::path& file) {
  const CsvTable csv = CsvTable::read(file);
  ResultTable table;
  split_header(csv.header()[0], table.time_name, table.time_unit);
  read_times(csv, table.times);
  for (std::size_t i = 1; i < csv.header().size(); ++i) {
    if (i + 1 == csv.header().size() && csv.header()[i].empty()) break;  // lines end in a separator
    ResultColumn& column = table.columns.emplace_back();
    split_header(csv.header()[i], column.name, column.unit);
    read_column(csv, i, column);
  }
  return table;
}

}  // namespace tutti
