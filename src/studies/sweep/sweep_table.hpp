// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tutti/error.hpp>
#include <vector>

#include "results/result_file.hpp"

/// The table of a sweep: CSV with the columns run, parameters, outputs, status, message. No cell
/// has a line break, so each line is a row.
namespace tutti::studies {

/// The cells of a line. Nothing in quotes is special but doubled quotes.
std::vector<std::string> split_row(std::string_view line);
std::string table_header(const std::vector<std::string>& columns);
/// The line of a run. @param run from 0; the table counts from 1
std::string table_row(std::uint64_t run, const std::vector<std::string>& values,
                      std::span<const double> outputs, std::string_view status,
                      std::string_view message);
/// That a table can be written there. @throws Error(usage)
void check_table(const std::filesystem::path& table);
inline constexpr std::string_view failed_status = "failed";

/// A row of an existing table.
struct StoredRow {
  std::uint64_t run = 0;  ///< from 0
  std::string_view line;  ///< with its end
  std::uint64_t offset = 0;

  bool has_failed() const;
};

/// Reads the rows of a table one after the other. A last line without an end is no row: it was cut
/// by an interruption.
class SweepReader {
 public:
  /// @throws Error(file) if it cannot be read, or has another header
  SweepReader(const std::filesystem::path& file, const std::string& header);
  /// False: there are no more. @throws Error(file) for a line that is no row
  bool next(StoredRow& row);
  std::uint64_t rows() const { return rows_; }
  /// Of the rows so far, with the header.
  std::uint64_t bytes() const { return offset_; }

 private:
  std::filesystem::path file_;
  std::ifstream in_;
  std::string line_;
  std::uint64_t offset_ = 0, rows_ = 0;
};

/// Writes a table. Rows are written soon after they arrive, in the order of runs where these end
/// in about that order; finish() sorts the rest.
class SweepWriter {
 public:
  /// Locks the file, which does not change. @throws Error
  explicit SweepWriter(std::filesystem::path file);

  void begin(const std::string& header);
  /// Appends to the rows of an earlier sweep. @param last_line the last row, or the header
  void begin_behind(const std::string& header, std::uint64_t rows, const std::string& last_line,
                    bool is_sorted);
  /// A run has been started: its row is due after those of runs started before.
  void expect(std::uint64_t run) { expected_.push_back(run); }
  void add(std::uint64_t run, std::string line);
  /// Passes rows to the operating system, but not too often.
  void flush();
  /// All rows are on the disk, in the order of runs; of two rows of a run the later one counts.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  void put(std::uint64_t run, std::string_view line);
  void put_held();
  void write_buffer();
  void sort();

  std::filesystem::path path_;
  std::unique_ptr<results::ResultFile> file_;
  std::string header_, buffer_;
  std::deque<std::uint64_t> expected_;
  std::map<std::uint64_t, std::string> held_;  ///< rows before which others are due
  Clock::time_point last_flush_ = Clock::now(), last_put_ = Clock::now();
  double free_writes_ = 1;  ///< that are allowed now
  std::uint64_t last_run_ = 0;
  bool any_ = false, is_sorted_ = true;
};

}  // namespace tutti::studies
