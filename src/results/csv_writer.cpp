// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <tutti/error.hpp>
#include <tutti/results.hpp>

#include "base/csv.hpp"
#include "base/text.hpp"

namespace tutti {
namespace {

void append_integer(std::string& out, auto value) {
  char buffer[24];
  out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

class CsvWriter final : public RecordSink {
 public:
  /// Opens the file only when results come, so that a run that is refused leaves earlier results
  /// alone; but a place that cannot be written is refused at once.
  explicit CsvWriter(std::filesystem::path file) : path_(std::move(file)) {
    const std::filesystem::path folder = path_.has_parent_path() ? path_.parent_path() : ".";
    const bool exists = ::access(path_.c_str(), F_OK) == 0;
    if (std::filesystem::is_directory(path_)) {
      errno = EISDIR;
      fail("write");
    }
    if (::access(exists ? path_.c_str() : folder.c_str(), W_OK) != 0) fail("write");
  }
  ~CsvWriter() override {
    if (file_ != nullptr) std::fclose(file_);
  }
  CsvWriter(const CsvWriter&) = delete;
  CsvWriter& operator=(const CsvWriter&) = delete;

  void begin(std::span<const Column> columns) override {
    file_ = std::fopen(path_.c_str(), "wb");
    if (file_ == nullptr) fail("open");
    columns_.assign(columns.begin(), columns.end());
    buffer_ = "time";
    for (const Column& column : columns_) {
      buffer_ += ',';
      append_csv_text(buffer_, column.name);
    }
    buffer_ += '\n';
    write_buffer();  // a run that ends before its first row leaves a header
  }

  void row(const Row& row) override {
    append_number(buffer_, row.time);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      buffer_ += ',';
      append_cell(columns_[i].type, row.cells[i], row.texts);
    }
    buffer_ += '\n';
    if (buffer_.size() >= flush_at) write_buffer();
  }

  void flush() override {
    if (file_ != nullptr && !buffer_.empty()) write_buffer();
  }

  void finish() override {
    if (file_ == nullptr) return;
    write_buffer();
    std::FILE* file = file_;
    file_ = nullptr;
    if (std::fclose(file) != 0) fail("write");
  }

 private:
  static constexpr std::size_t flush_at = 1 << 18;

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
    const std::size_t size = buffer_.size();
    if (std::fwrite(buffer_.data(), 1, size, file_) != size || std::fflush(file_) != 0)
      fail("write");
    buffer_.clear();
  }

  [[noreturn]] void fail(const char* what) const {
    throw Error(ErrorCode::file,
                fmt::format("cannot {} \"{}\": {}", what, path_.string(), std::strerror(errno)));
  }

  std::filesystem::path path_;
  std::FILE* file_ = nullptr;
  std::vector<Column> columns_;
  std::string buffer_;
};

}  // namespace

std::unique_ptr<RecordSink> make_csv_writer(const std::filesystem::path& file) {
  return std::make_unique<CsvWriter>(file);
}

}  // namespace tutti
