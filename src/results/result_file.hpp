// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace tutti::results {

/// The file that a run writes its results to. An existing one is left alone until begin(), so that
/// a run that is refused keeps earlier results; but it is locked from the start, and a place that
/// cannot be written is refused at once. Pipes and devices are opened at begin() and not locked.
class ResultFile {
 public:
  /// @throws Error: file if it cannot be written, usage if another run writes it
  explicit ResultFile(std::filesystem::path path);
  /// Removes a file that it made and that nothing was written to.
  ~ResultFile();
  ResultFile(const ResultFile&) = delete;
  ResultFile& operator=(const ResultFile&) = delete;

  /// What was in it is gone from here on.
  void begin();
  /// What an earlier run wrote is kept, so many lines. False: they are others, or not so many.
  bool begin_behind(std::string_view first_line, std::uint64_t lines, std::string_view last_line);
  bool is_begun() const { return is_begun_; }
  /// How many bytes were written: less than all after a failure, whose cause is in errno.
  std::size_t write(std::string_view text);
  /// Removes the last bytes again; errno stays.
  void take_back(std::size_t bytes);
  /// Removes everything. False: it is a pipe or a device.
  bool restart();
  /// Removes everything behind the first so many lines of a CSV file. False: it is a pipe or a
  /// device, or there are not so many.
  bool keep_lines(std::uint64_t lines);
  /// @throws Error(file)
  void close();
  const std::filesystem::path& path() const { return path_; }
  [[noreturn]] void fail(std::string_view what, std::string_view more = "") const;

 private:
  bool open_and_lock();
  /// Behind the first so many lines of a CSV file; negative: there are not so many.
  off_t end_of_lines(std::uint64_t lines) const;

  std::filesystem::path path_;
  int handle_ = -1;
  bool is_new_ = false, is_begun_ = false;
};

}  // namespace tutti::results
