// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace tutti::results {

/// The file that a run writes its results to. An existing file is unchanged until begin(), so that
/// a rejected run keeps earlier results; but it is locked from the start, and a file that cannot be
/// written is rejected immediately. Pipes and devices are opened at begin() and not locked.
class ResultFile {
 public:
  /// @throws Error: file if it cannot be written, usage if another run writes it
  explicit ResultFile(std::filesystem::path path);
  /// Removes the file if it was created here and is empty.
  ~ResultFile();
  ResultFile(const ResultFile&) = delete;
  ResultFile& operator=(const ResultFile&) = delete;

  /// Deletes the previous content.
  void begin();
  /// Keeps this number of lines of an earlier run. False: the lines differ, or there are fewer.
  bool begin_behind(std::string_view first_line, std::uint64_t lines, std::string_view last_line);
  bool is_begun() const { return is_begun_; }
  /// Continues a file of an earlier run: the position is unchanged until keep_bytes().
  void begin_existing() { is_begun_ = true; }
  /// Returns the number of bytes written: less than all after a failure, whose cause is in errno.
  std::size_t write(std::string_view text);
  /// Removes the last bytes again; errno is unchanged.
  void remove_last(std::size_t bytes);
  /// Removes everything. False: it is a pipe or a device.
  bool restart();
  /// Removes everything after this number of lines of a CSV file. False: it is a pipe or a device,
  /// or there are fewer.
  bool keep_lines(std::uint64_t lines);
  /// Removes everything after this number of bytes. False: it is a pipe or a device.
  bool keep_bytes(std::uint64_t bytes);
  /// Replaces bytes inside; the position is unchanged. False: errno has the cause.
  bool overwrite(std::uint64_t at, std::string_view bytes);
  /// Takes space on the disk for this number of further bytes. False: errno has the cause.
  bool reserve(std::uint64_t bytes);
  /// Returns the space that was not needed.
  void trim();
  /// Bytes of the file; empty: there are fewer.
  std::string read(std::uint64_t at, std::size_t size) const;
  /// It can only be written from its start to its end.
  bool is_stream() const { return handle_ < 0; }
  /// @throws Error(file)
  void close();
  const std::filesystem::path& path() const { return path_; }
  [[noreturn]] void fail(std::string_view what, std::string_view more = "") const;

 private:
  bool open_and_lock();
  /// The offset after this number of lines of a CSV file; negative: there are fewer.
  off_t end_of_lines(std::uint64_t lines) const;

  std::filesystem::path path_;
  int handle_ = -1;
  bool is_new_ = false, is_begun_ = false;
};

}  // namespace tutti::results
