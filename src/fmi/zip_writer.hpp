// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <deque>
#include <filesystem>
#include <string>

struct zip;

namespace tutti::fmi {

/// Writes a zip file: a new one, in the place of one that may be there. All entries bear the same
/// time, so that equal contents give equal files. @throws Error (file, archive)
class ZipWriter {
 public:
  explicit ZipWriter(const std::filesystem::path& file);
  ~ZipWriter();
  ZipWriter(const ZipWriter&) = delete;
  ZipWriter& operator=(const ZipWriter&) = delete;

  /// Names have forward slashes.
  void add_text(const std::string& name, std::string content);
  /// The file is read when the archive is finished.
  /// @param compressed false: stored as it is, for files that are archives themselves
  void add_file(const std::string& name, const std::filesystem::path& file, bool compressed);
  /// Everything below a folder, with names that begin with `prefix`.
  void add_folder(const std::string& prefix, const std::filesystem::path& folder);
  /// Writes. Without this call nothing is left behind.
  void finish();

 private:
  void add(const std::string& name, void* source, bool compressed);
  [[noreturn]] void fail(const std::string& what) const;

  std::filesystem::path file_;
  ::zip* handle_ = nullptr;
  std::deque<std::string> texts_;  // libzip reads them at the end
};

}  // namespace tutti::fmi
