// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <zip.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

/// Zip files, read and written through libzip. The library is opened at run time and privately, so
/// that an FMU with its own libzip or zlib never uses ours.

namespace tutti::fmi {

/// The path of a zip entry, made safe to join to a folder.
struct ArchivePath {
  std::string path;          ///< components joined by '/', none of them "." or ".."; may be empty
  bool folder = false;       ///< the name ended with a separator
  bool backslashes = false;  ///< separators were backslashes, against the zip format
  std::string_view refusal;  ///< why the name must not be used; empty: valid
};

ArchivePath archive_path(std::string_view name);

/// The probable kind of a file that is not a zip file, as a sentence with what to try; "" if
/// unknown.
std::string_view what_it_looks_like(const std::filesystem::path& file);

/// One entry of the central directory.
struct ZipEntry {
  std::string name;          ///< in UTF-8; libzip replaces a NUL character by a blank
  std::uint64_t size = 0;    ///< declared, not reliable
  std::uint64_t packed = 0;  ///< declared
  std::uint32_t mode = 0;    ///< Unix file mode with file type; 0: not stated
  bool from_unix = false;
  bool encrypted = false;
  bool packing_known = true;  ///< libzip can unpack its compression method
};

/// One open zip file. @throws Error (archive) that names the file.
class ZipFile {
 public:
  explicit ZipFile(const std::filesystem::path& file);

  std::uint64_t size() const;  ///< number of entries
  ZipEntry entry(std::uint64_t index) const;

  /// Reads one entry sequentially. At its end libzip has compared the checksum.
  class Stream {
   public:
    Stream(const ZipFile& zip, std::uint64_t index, std::string_view name);
    /// Bytes read into the buffer; 0 at the end.
    std::size_t read(char* buffer, std::size_t capacity);

   private:
    struct Close {
      void operator()(zip_file_t* handle) const;
    };
    std::unique_ptr<zip_file_t, Close> handle_;
    std::string where_;
  };

 private:
  struct Discard {
    void operator()(zip_t* handle) const;
  };
  std::filesystem::path file_;
  std::unique_ptr<zip_t, Discard> handle_;
};

/// Writes a new zip file and replaces an existing one. All entries have the same time, so that
/// equal contents give equal files. @throws Error (file, archive)
class ZipWriter {
 public:
  explicit ZipWriter(const std::filesystem::path& file);
  ~ZipWriter();
  ZipWriter(const ZipWriter&) = delete;
  ZipWriter& operator=(const ZipWriter&) = delete;

  /// Names have forward slashes.
  void add_text(const std::string& name, std::string content);
  /// The file is read when the archive is finished.
  /// @param compressed false: stored, for files that are archives themselves
  void add_file(const std::string& name, const std::filesystem::path& file, bool compressed);
  /// All files below a folder, with names that begin with `prefix`.
  void add_folder(const std::string& prefix, const std::filesystem::path& folder);
  /// Writes the file. Without this call no file remains.
  void finish();

 private:
  void add(const std::string& name, void* source, bool compressed);
  [[noreturn]] void fail(const std::string& what) const;

  std::filesystem::path file_;
  zip_t* handle_ = nullptr;
  std::deque<std::string> texts_;  // libzip reads them at the end
};

}  // namespace tutti::fmi
