// SPDX-License-Identifier: BSD-2-Clause
#include "studies/sweep/sweep_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tutti/result_table.hpp>

#include "base/csv.hpp"
#include "base/file_error.hpp"
#include "base/text.hpp"

namespace tutti::studies {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_buffered = std::size_t{1} << 18;  // bytes
/// Rows of slow runs are written immediately, those of fast ones together.
constexpr double writes_per_second = 20;
/// Rows wait this long for those before them. It bounds what a killed process loses.
constexpr std::chrono::seconds longest_wait{2};
constexpr std::size_t most_held = 10'000;

std::string without_line_breaks(std::string_view text) {
  std::string out(text);
  std::ranges::replace(out, '\n', ' ');
  return printable(out);
}

}  // namespace

std::vector<std::string> split_row(std::string_view line) {
  std::vector<std::string> cells(1);
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '\n' && !is_quoted) break;
    if (c == '"' && is_quoted && i + 1 < line.size() && line[i + 1] == '"')
      cells.back() += line[i++];
    else if (c == '"')
      is_quoted = !is_quoted;
    else if (c == ',' && !is_quoted)
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return cells;
}

std::string table_header(const std::vector<std::string>& columns) {
  std::string line = "run";
  for (const std::string& column : columns) {
    line += ',';
    append_csv_text(line, without_line_breaks(column));
  }
  return line + ",status,message\n";
}

std::string table_row(std::uint64_t run, const std::vector<std::string>& values,
                      std::span<const double> outputs, std::string_view status,
                      std::string_view message) {
  std::string line = fmt::format("{}", run + 1);
  for (const std::string& value : values) {
    line += ',';
    append_csv_text(line, without_line_breaks(value));
  }
  for (const double output : outputs) {
    line += ',';
    if (status != failed_status) append_number(line, output);
  }
  line += ',';
  append_csv_text(line, status);
  line += ',';
  append_csv_text(line, without_line_breaks(message));
  return line + '\n';
}

void check_table(const fs::path& table) {
  std::error_code none;
  if (is_result_file(table) && table.extension() != ".csv")
    throw file_error(table, ErrorCode::usage,
                     fmt::format("\"{}\": the table of a sweep is CSV", table.string()),
                     {.hint = "Choose a name with the extension .csv."});
  if (fs::exists(table, none) && !fs::is_regular_file(table, none))
    throw file_error(table, ErrorCode::usage,
                     fmt::format("\"{}\" is not a regular file, as the table of a sweep must be",
                                 table.string()));
}

bool StoredRow::has_failed() const {
  if (line.find(failed_status) == line.npos) return false;  // the usual case, and fast
  const std::vector<std::string> cells = split_row(line);
  return cells.size() > 2 && cells[cells.size() - 2] == failed_status;
}

SweepReader::SweepReader(const fs::path& file, const std::string& header)
    : file_(file), in_(file, std::ios::binary) {
  if (!in_)
    throw file_error(file, ErrorCode::file,
                     fmt::format("cannot read \"{}\": {}", file.string(), std::strerror(errno)));
  std::string first;
  if (!std::getline(in_, first) || first + '\n' != header)
    throw file_error(file, ErrorCode::file,
                     fmt::format("\"{}\" is not the table that \"{}\" describes: it has other "
                                 "columns",
                                 file.string(), metadata_path(file).string()));
  offset_ = header.size();
}

bool SweepReader::next(StoredRow& row) {
  if (!std::getline(in_, line_) || in_.eof()) return false;
  line_ += '\n';
  const std::string_view line = line_;
  const auto number = to_integer<std::uint64_t>(line.substr(0, line.find(',')));
  if (!number || *number == 0)
    throw file_error(
        file_, ErrorCode::file,
        fmt::format("\"{}\", line {}: this is not a row of a sweep", file_.string(), rows_ + 2));
  row = {*number - 1, line, offset_};
  offset_ += line.size();
  ++rows_;
  return true;
}

SweepWriter::SweepWriter(fs::path file)
    : path_(std::move(file)), file_(std::make_unique<results::ResultFile>(path_)) {}

void SweepWriter::begin(const std::string& header) {
  header_ = header;
  file_->begin();
  buffer_ = header;
  write_buffer();
}

void SweepWriter::begin_behind(const std::string& header, std::uint64_t rows,
                               const std::string& last_line, bool is_sorted) {
  header_ = header;
  is_sorted_ = is_sorted;
  if (!file_->begin_behind(header, rows + 1, last_line))
    throw file_error(path_, ErrorCode::file,
                     fmt::format("\"{}\" has changed while it was read", path_.string()));
  any_ = rows > 0;
  if (any_) last_run_ = *to_integer<std::uint64_t>(last_line.substr(0, last_line.find(','))) - 1;
}

void SweepWriter::add(std::uint64_t run, std::string line) {
  held_.emplace(run, std::move(line));
  while (!expected_.empty()) {
    const auto found = held_.find(expected_.front());
    if (found == held_.end()) break;
    put(found->first, found->second);
    held_.erase(found);
    expected_.pop_front();
  }
  if (held_.size() > most_held) put_held();
}

void SweepWriter::put(std::uint64_t run, std::string_view line) {
  is_sorted_ &= !any_ || run > last_run_;
  any_ = true;
  last_run_ = run;
  buffer_ += line;
  last_put_ = Clock::now();
  if (buffer_.size() >= most_buffered) write_buffer();
}

/// Rows that have waited too long for others.
void SweepWriter::put_held() {
  std::erase_if(expected_, [&](std::uint64_t run) { return held_.contains(run); });
  for (const auto& [run, line] : held_) put(run, line);
  held_.clear();
}

void SweepWriter::flush() {
  const Clock::time_point now = Clock::now();
  if (!held_.empty() && now - last_put_ > longest_wait) put_held();
  const std::chrono::duration<double> passed = now - last_flush_;
  last_flush_ = now;
  free_writes_ = std::min(writes_per_second, free_writes_ + passed.count() * writes_per_second);
  if (buffer_.empty() || free_writes_ < 1) return;
  free_writes_ -= 1;
  write_buffer();
}

void SweepWriter::write_buffer() {
  const std::size_t written = file_->write(buffer_);
  if (written != buffer_.size()) {
    // The part of a row would be taken for an interruption, but also for a part of the next row.
    const std::size_t whole = buffer_.rfind('\n', written == 0 ? 0 : written - 1);
    if (written > 0) file_->remove_last(written - (whole == buffer_.npos ? 0 : whole + 1));
    file_->fail("write");
  }
  buffer_.clear();
}

void SweepWriter::finish() {
  put_held();
  write_buffer();
  file_->close();
  if (!is_sorted_) sort();
}

/// Writes the rows in their order to another file, which then replaces this one.
void SweepWriter::sort() {
  struct Entry {
    std::uint64_t run, offset;
  };
  std::vector<Entry> entries;
  SweepReader rows(path_, header_);
  for (StoredRow row; rows.next(row);) entries.push_back({row.run, row.offset});
  std::ranges::stable_sort(entries, {}, &Entry::run);
  const fs::path sorted = path_.string() + ".part";
  std::ifstream in(path_, std::ios::binary);
  std::ofstream out(sorted, std::ios::binary);
  out << header_;
  std::string line;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i + 1 < entries.size() && entries[i + 1].run == entries[i].run) continue;
    in.seekg(static_cast<std::streamoff>(entries[i].offset));
    std::getline(in, line);
    out << line << '\n';
  }
  out.flush();
  std::error_code failed;
  if (out) fs::rename(sorted, path_, failed);
  if (!out || failed) {
    fs::remove(sorted, failed);
    throw write_error(sorted);
  }
}

}  // namespace tutti::studies
