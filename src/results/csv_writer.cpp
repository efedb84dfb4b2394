// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <optional>
#include <tutti/results.hpp>

#include "base/csv.hpp"
#include "base/text.hpp"
#include "results/metadata.hpp"
#include "results/result_file.hpp"

namespace tutti {
namespace {

void append_integer(std::string& out, auto value) {
  char buffer[24];
  out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

class CsvWriter final : public RecordSink {
 public:
  explicit CsvWriter(const std::filesystem::path& file) : file_(file) {}

  void begin(std::span<const Column> columns) override {
    file_.begin();
    results::remove_metadata(file_.path());  // it describes what was there before
    columns_.assign(columns.begin(), columns.end());
    write_header();
  }

  bool rewind(std::uint64_t rows) override {
    if (rows > 0) {
      flush();
      last_time_.reset();
      return file_.keep_lines(rows + 1);
    }
    const bool is_empty = file_.restart();
    if (!is_empty && last_time_) return false;  // rows are in a pipe
    buffer_.clear();
    ends_.clear();
    last_time_.reset();
    if (is_empty) write_header();
    return true;
  }

  void row(const Row& row) override {
    append_number(buffer_, row.time);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      buffer_ += ',';
      append_cell(columns_[i].type, row.cells[i], row.texts);
    }
    buffer_ += '\n';
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

  void write_header() {
    buffer_ = "time";
    for (const Column& column : columns_) {
      buffer_ += ',';
      append_csv_text(buffer_, column.name);
    }
    buffer_ += '\n';
    write_buffer();  // a run that ends before its first row leaves a header
  }

  void append_cell(Type type, Cell cell, std::span<const std::string_view> texts) {
    switch (type) {
      case Type::float64:
        append_number(buffer_, cell.real);
        break;
      case Type::float32:
        append_number(buffer_, static_cast<float>(cell.real));
        break;
      case Type::string:
      case Type::binary:
        append_csv_text(buffer_, texts[cell.natural]);
        break;
      case Type::int8:
      case Type::int16:
      case Type::int32:
      case Type::int64:
      case Type::enumeration:
        append_integer(buffer_, cell.integer);
        break;
      default:
        append_integer(buffer_, cell.natural);
    }
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
    file_.take_back(written - whole);
    file_.fail("write", last_time_ ? fmt::format("; it holds the results up to t = {} s",
                                                 number_text(*last_time_))
                                   : "; it holds no results");
  }

  /// Of a row in the buffer.
  struct RowEnd {
    std::size_t at;
    double time;
  };
  results::ResultFile file_;
  std::vector<Column> columns_;
  std::string buffer_;
  std::vector<RowEnd> ends_;
  std::optional<double> last_time_;  ///< that is in the file
};

}  // namespace

std::unique_ptr<RecordSink> make_csv_writer(const std::filesystem::path& file) {
  return std::make_unique<CsvWriter>(file);
}

}  // namespace tutti
