// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <tutti/error.hpp>
#include <utility>

#include "base/file_error.hpp"
#include "base/number_type.hpp"
#include "base/text.hpp"
#include "results/mat4.hpp"
#include "results/result_file.hpp"
#include "results/result_format.hpp"

namespace tutti::results {
namespace {

template <class Number>
std::string_view bytes_of_numbers(std::span<const Number> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

/// A trajectory as Dymola and OpenModelica write it ("Atrajectory", version 1.1, transposed): the
/// names, descriptions with units and places of the variables, then the matrix data_2 with a row
/// for each variable, so that each point of time is a column at the end of the file. Its number of
/// columns and the time range (data_1) follow every write, so that the file is always complete.
class MatWriter final : public Observer {
 public:
  explicit MatWriter(const std::filesystem::path& file) : file_(file) {
    if (file_.is_stream())
      throw file_error(file, ErrorCode::usage,
                       fmt::format("\"{}\" is a pipe or device, to which a MAT-file cannot be "
                                   "written, because its header changes during the run",
                                   file.string()),
                       {.key = "output", .hint = "Write CSV, or a file (%key%)."});
  }

  void begin(std::span<const Column> columns) override {
    file_.begin();
    choose(columns);
    const std::string start = head();
    const std::size_t written = file_.write(start);
    if (written < start.size()) {
      file_.remove_last(written);
      file_.fail("write", "; it contains no results");
    }
  }

  bool resume(std::span<const Column> columns, std::uint64_t rows, const Row& last) override {
    choose(columns);
    std::string start = head();
    std::string found = file_.read(0, start.size());
    if (found.size() < start.size() || rows == 0) return false;
    start_time_.emplace();
    std::memcpy(&*start_time_, found.data() + range_at_, sizeof(double));
    for (std::string* const text : {&start, &found}) {  // what varies
      text->replace(range_at_, 2 * sizeof(double), 2 * sizeof(double), '\0');
      text->replace(count_at_, sizeof(std::int32_t), sizeof(std::int32_t), '\0');
    }
    if (found != start) return false;
    const std::string present =
        file_.read(end_of(rows) - row_bytes(), static_cast<std::size_t>(row_bytes()));
    if (present.empty()) return false;
    if (!last.cells.empty()) {
      append(last);
      const std::vector<double> expected = std::exchange(buffer_, {});
      if (present != bytes_of_numbers<double>(expected)) return false;
    }
    if (!file_.keep_bytes(end_of(rows))) return false;
    file_.begin_existing();
    stored_ = rows;
    std::memcpy(&end_time_, present.data(), sizeof end_time_);
    return update_head();
  }

  void row(const Row& row) override {
    if (stored_ + buffer_.size() / width() == most_mat_columns) {
      flush();
      throw file_error(
          file_.path(), ErrorCode::file,
          fmt::format("\"{}\" is full: a MAT-file of version 4 has at most {} points; it "
                      "contains the results up to t = {} s",
                      file_.path().string(), most_mat_columns, number_text(end_time_)),
          {.hint = "Write HDF5 (.h5) or CSV, or record fewer points (results.interval)."});
    }
    append(row);
    if (buffer_.size() * sizeof(double) >= flush_at) write_buffer();
  }

  void flush() override {
    if (file_.is_begun() && !buffer_.empty()) write_buffer();
  }

  bool rewind(std::uint64_t rows) override {
    if (!file_.is_begun()) return rows == 0;
    flush();
    if (rows > stored_) return false;
    stored_ = rows;
    if (rows == 0) start_time_.reset();
    end_time_ = 0;
    if (rows > 0) {
      const std::string time = file_.read(end_of(rows) - row_bytes(), sizeof end_time_);
      if (time.empty()) return false;
      std::memcpy(&end_time_, time.data(), sizeof end_time_);
    }
    return update_head() && file_.keep_bytes(end_of(rows));
  }

  void finish() override {
    if (!file_.is_begun()) return;
    flush();
    file_.close();
  }

  std::vector<std::string> notes() const override {
    if (omitted_.empty()) return {};
    return {fmt::format("\"{}\" does not contain {}: a MAT-file of version 4 has numbers only",
                        file_.path().string(), list_some(omitted_))};
  }

 private:
  static constexpr std::size_t flush_at = 1 << 18;
  struct Source {
    std::size_t cell;
    Type type;
  };

  void choose(std::span<const Column> columns) {
    sources_.clear();
    columns_.clear();
    omitted_.clear();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (is_text(columns[i].type)) {
        omitted_.push_back(columns[i].name);
        continue;
      }
      sources_.push_back({i, columns[i].type});
      columns_.push_back(columns[i]);
    }
  }

  /// Everything before the first point, with no points and no time.
  std::string head() {
    std::vector<std::string> names = {"time"}, descriptions = {"Time [s]"};
    std::vector<std::int32_t> places = {0, 1, 0, -1};
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      names.push_back(columns_[i].name);
      const std::string& text = columns_[i].description;
      const std::string& unit = columns_[i].unit;
      descriptions.push_back(text);
      if (!unit.empty() || text.ends_with(']'))  // else that would be read as a unit
        descriptions.back() += fmt::format("{}[{}]", text.empty() ? "" : " ", unit);
      // Row of data_2, linear interpolation, no values outside of the time range.
      const std::int32_t place[] = {2, static_cast<std::int32_t>(i) + 2, 0, -1};
      places.insert(places.end(), std::begin(place), std::end(place));
    }
    const std::string kind[] = {"Atrajectory", "1.1", "", "binTrans"};
    const double no_time[] = {0, 0};
    std::string bytes;
    append_mat_text(bytes, "Aclass", kind);
    append_mat_text(bytes, "name", names, true);
    append_mat_text(bytes, "description", descriptions, true);
    append_mat_integers(bytes, "dataInfo", 4, names.size(), places);
    append_mat_numbers(bytes, "data_1", 1, 2, no_time);
    range_at_ = bytes.size() - sizeof no_time;
    count_at_ = bytes.size() + mat_columns_at;
    append_mat_header(bytes, {.name = "data_2", .rows = width()});
    head_size_ = bytes.size();
    return bytes;
  }

  void append(const Row& row) {
    buffer_.push_back(row.time);
    for (const Source& source : sources_)
      buffer_.push_back(as_real(source.type, row.cells[source.cell]));
  }

  void write_buffer() {
    const std::string_view bytes = bytes_of_numbers<double>(buffer_);
    const std::size_t written = file_.write(bytes);
    const std::uint64_t whole = written / row_bytes();
    if (written < bytes.size()) file_.remove_last(written % row_bytes());
    const int cause = errno;
    if (whole > 0) {
      if (!start_time_) start_time_ = buffer_.front();
      end_time_ = buffer_[(whole - 1) * width()];
      stored_ += whole;
      buffer_.erase(buffer_.begin(),
                    buffer_.begin() + static_cast<std::ptrdiff_t>(whole * width()));
    }
    const bool is_updated = update_head();
    if (written == bytes.size() && is_updated) return;
    if (written < bytes.size()) errno = cause;
    buffer_.clear();
    file_.fail("write", stored_ > 0 ? fmt::format("; it contains the results up to t = {} s",
                                                  number_text(end_time_))
                                    : "; it contains no results");
  }

  bool update_head() {
    const auto count = static_cast<std::int32_t>(stored_);
    const double range[] = {start_time_.value_or(0), end_time_};
    return file_.overwrite(range_at_, bytes_of_numbers<double>(range)) &&
           file_.overwrite(count_at_, bytes_of_numbers<std::int32_t>({&count, 1}));
  }

  std::uint64_t width() const { return sources_.size() + 1; }
  std::uint64_t row_bytes() const { return width() * sizeof(double); }
  std::uint64_t end_of(std::uint64_t rows) const { return head_size_ + rows * row_bytes(); }

  ResultFile file_;
  std::vector<Source> sources_;
  std::vector<Column> columns_;
  std::vector<std::string> omitted_;
  std::uint64_t range_at_ = 0, count_at_ = 0, head_size_ = 0;
  std::vector<double> buffer_;  ///< whole points
  std::uint64_t stored_ = 0;    ///< points in the file
  std::optional<double> start_time_;
  double end_time_ = 0;
};

}  // namespace

std::unique_ptr<Observer> make_mat_writer(const std::filesystem::path& file) {
  return std::make_unique<MatWriter>(file);
}

}  // namespace tutti::results
