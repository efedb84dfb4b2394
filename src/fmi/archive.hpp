// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tutti/fmu.hpp>
#include <tutti/log.hpp>
#include <vector>

#include "fmi/temporary_folder.hpp"
#include "fmi/zip.hpp"

namespace tutti::fmi {

/// One file or folder of an FMU, by its path from the FMU's root: forward slashes, no "." or "..".
struct ArchiveEntry {
  std::string path;
  std::uint64_t index = 0;  ///< in the zip file
  std::uint64_t size = 0;
  bool folder = false;
  bool executable = false;
};

/// The kind of an archive, for messages, and the file that it must have at its root.
struct ArchiveKind {
  std::string_view noun, root_file;
};
inline constexpr ArchiveKind fmu_archive{"FMU", "modelDescription.xml"};
inline constexpr ArchiveKind ssp_archive{"SSP", "SystemStructure.ssd"};

/// The files of an FMU (or another kind of package), packed (a zip file) or unpacked (a folder).
///
/// A zip file is checked as a whole when it is opened: it is rejected if it has paths outside its
/// root, links, special files, encrypted entries, one path as both file and folder, or exceeds the
/// limits. While reading, no entry may have more bytes than it declares.
class Archive {
 public:
  /// @throws Error (file, archive). `options.stop` must outlive the archive.
  Archive(const std::filesystem::path& fmu, const FmuOptions& options, const Log& log,
          const ArchiveKind& kind = fmu_archive);

  bool is_folder() const { return !zip_; }
  /// Files first to last as in the archive; of entries with the same path only the first.
  const std::vector<ArchiveEntry>& entries() const { return entries_; }
  bool contains(std::string_view path) const { return find(path) != nullptr; }
  /// The folders below binaries/ that contain files, also in subfolders.
  std::set<std::string> platforms() const;
  /// The warnings logged when it was opened, without the name of the file.
  const std::vector<std::string>& warnings() const { return warnings_; }

  /// The bytes of one file. @throws Error (archive, file) also when it has more than `limit` bytes.
  std::string read(std::string_view path, std::uint64_t limit) const;
  /// Writes every file below `folder`, readable by this user only.
  /// @pre `folder` exists and is empty; the archive is a zip file.
  void extract(const std::filesystem::path& folder) const;

 private:
  const ArchiveEntry* find(std::string_view path) const;
  void list_zip(const Log& log);
  void list_folder();
  std::string read_zip(const ArchiveEntry& entry) const;
  void extract_file(const ArchiveEntry& entry, const std::filesystem::path& to,
                    std::vector<char>& buffer) const;
  void poll_stop() const;

  std::filesystem::path file_;
  FmuOptions options_;
  std::optional<ZipFile> zip_;
  std::vector<ArchiveEntry> entries_;
  std::vector<std::string> warnings_;
};

/// The folder with the files of an FMU: its own, or a temporary one that is removed with this
/// object.
struct UnpackedFmu {
  std::filesystem::path root;  ///< absolute
  std::optional<TemporaryFolder> temporary;
};

/// Extracts an FMU; an FMU that is a folder is used in place. @throws Error (file, archive)
UnpackedFmu unpack(const std::filesystem::path& fmu, const FmuOptions& options, const Log& log);

}  // namespace tutti::fmi
