// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/archive.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>
#include <tutti/error.hpp>
#include <unordered_set>
#include <utility>

#include "base/file_error.hpp"
#include "fmi/zip.hpp"

namespace tutti::fmi {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t chunk = 256 * 1024;  // between two checks of the stop flag

Error archive_error(const fs::path& file, std::string_view entry, std::string_view reason,
                    ErrorDetails details = {}) {
  return file_error(
      file, ErrorCode::archive,
      fmt::format("\"{}\": entry \"{}\" is rejected: {}", file.string(), entry, reason),
      std::move(details));
}

/// The data of the entry are shorter or longer than the size in the archive's directory, so the
/// checksum (CRC) after the data is not reached.
Error size_error(const fs::path& file, std::string_view entry) {
  return file_error(file, ErrorCode::archive,
                    fmt::format("\"{}\": entry \"{}\" is damaged: its data do not have the size "
                                "and checksum (CRC) that the archive states",
                                file.string(), entry),
                    {.hint = "Copy or export it again."});
}

Error no_space_error(const fs::path& path) {
  return write_error(path, {.hint = "Free some space, or set TMPDIR to another folder."});
}

/// Rejects everything except zip files and unpacked FMUs, with the kind of the file. True for an
/// unpacked FMU.
bool check_kind(const fs::path& file, const ArchiveKind& kind) {
  const auto refuse = [&](ErrorCode code, const std::string& text) {
    throw file_error(file, code, text);
  };
  std::error_code failed;
  const fs::file_status status = fs::status(file, failed);
  if (status.type() == fs::file_type::not_found) {
    refuse(ErrorCode::file, fmt::format("there is no file \"{}\"", file.string()));
  }
  if (failed) {
    refuse(ErrorCode::file, fmt::format("cannot open \"{}\": {}", file.string(), failed.message()));
  }
  if (fs::is_directory(status)) {
    if (fs::exists(file / kind.root_file, failed)) return true;
    refuse(ErrorCode::archive, fmt::format("the folder \"{}\" is not an unpacked {}: it has no {}",
                                           file.string(), kind.noun, kind.root_file));
  }
  if (!fs::is_regular_file(status)) {
    refuse(ErrorCode::file, fmt::format("\"{}\" is neither a file nor a folder", file.string()));
  }
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    refuse(ErrorCode::file, fmt::format("cannot open \"{}\": {}", file.string(),
                                        std::generic_category().message(errno)));
  }
  char head[2]{};
  in.read(head, sizeof head);
  if (std::string_view(head, 2) != "PK") {
    const std::string_view guess = what_it_looks_like(file);
    throw file_error(
        file, ErrorCode::archive,
        fmt::format("\"{}\" is not an {}: it is not a zip file.", file.string(), kind.noun),
        {.hint = std::string(guess)});
  }
  return false;
}

/// Why an entry must not be unpacked, apart from its name; "" if it may.
std::string_view content_refusal(const ZipEntry& entry) {
  if (entry.encrypted) return "it is encrypted. Export the FMU without a password.";
  if (!entry.packing_known) return "its compression method is unknown. Pack it with \"deflate\".";
  if (S_ISLNK(entry.mode)) return "it is a symbolic link. Pack the file that it points to.";
  const std::uint32_t type = entry.mode & S_IFMT;
  if (entry.from_unix && type != 0 && type != S_IFREG && type != S_IFDIR) {
    return "it is a special file (device, pipe or socket)";
  }
  return "";
}

/// Two entries that need one path to be both a file and a folder.
void check_files_against_folders(const fs::path& file, const std::vector<ArchiveEntry>& entries) {
  std::unordered_set<std::string_view> files;
  for (const ArchiveEntry& entry : entries) {
    if (!entry.folder) files.insert(entry.path);
  }
  for (const ArchiveEntry& entry : entries) {
    const std::string_view path = entry.path;
    for (std::size_t end = path.find('/'); end != path.npos; end = path.find('/', end + 1)) {
      if (files.contains(path.substr(0, end))) {
        throw archive_error(
            file, path, fmt::format("\"{}\" is a file in the same archive", path.substr(0, end)));
      }
    }
    if (entry.folder && files.contains(path)) {
      throw archive_error(file, path, "it is both a file and a folder");
    }
  }
}

/// Why an archive has no description at its root, if the cause is known.
std::string missing_description_hint(const std::vector<ArchiveEntry>& entries,
                                     const ArchiveKind& kind) {
  for (const ArchiveEntry& entry : entries) {
    if (entry.path == ssp_archive.root_file) return ": it looks like a system (SSP), not an FMU";
    if (entry.path == fmu_archive.root_file) return ": it looks like an FMU";
    if (entry.path.ends_with(fmt::format("/{}", kind.root_file))) {
      return fmt::format(
          ": there is one at \"{}\". Pack the content of that folder, not the folder.", entry.path);
    }
  }
  return fmt::format(". Export the {} again.", kind.noun);
}

}  // namespace

Archive::Archive(const fs::path& fmu, const FmuOptions& options, const Log& log,
                 const ArchiveKind& kind)
    : file_(fmu), options_(options) {
  if (check_kind(fmu, kind)) {
    list_folder();
    return;
  }
  zip_.emplace(fmu);
  list_zip(log);
  if (const ArchiveEntry* entry = find(kind.root_file); entry == nullptr || entry->folder) {
    throw file_error(
        fmu, ErrorCode::archive,
        fmt::format("\"{}\" is not an {}: it has no {} at its root{}", fmu.string(), kind.noun,
                    kind.root_file, missing_description_hint(entries_, kind)));
  }
}

void Archive::list_zip(const Log& log) {
  const auto warn = [&](const std::string& text) {
    log.warning("", fmt::format("\"{}\": {}", file_.string(), text));
    warnings_.push_back(text);
  };
  const ArchiveLimits& limits = options_.limits;
  const std::uint64_t count = zip_->size();
  if (count > limits.entries) {
    throw file_error(file_, ErrorCode::archive,
                     fmt::format("\"{}\" is rejected: it has {} entries, the limit is {}",
                                 file_.string(), count, limits.entries));
  }
  const std::uint64_t file_size = fs::file_size(file_);
  std::uint64_t total = 0;
  std::unordered_set<std::string> seen;
  std::size_t duplicates = 0;
  bool backslashes = false;
  entries_.reserve(count);
  for (std::uint64_t index = 0; index < count; ++index) {
    poll_stop();
    const ZipEntry entry = zip_->entry(index);
    const std::string_view refusal = content_refusal(entry);
    if (!refusal.empty()) throw archive_error(file_, entry.name, refusal);
    ArchivePath path = archive_path(entry.name);
    if (!path.refusal.empty()) {
      throw archive_error(file_, entry.name, path.refusal,
                          {.hint = "Such an archive may be an attack; export it again."});
    }
    if (entry.size > limits.total_bytes - total) {
      throw file_error(file_, ErrorCode::archive,
                       fmt::format("\"{}\" is rejected: unpacked it has more than {} bytes, the "
                                   "limit; %key% sets another.",
                                   file_.string(), limits.total_bytes),
                       {.key = "max-unpacked"});
    }
    total += entry.size;
    const std::uint64_t packed = std::max<std::uint64_t>(1, std::min(entry.packed, file_size));
    if (entry.size > limits.ratio_free_bytes && entry.size / packed > limits.ratio) {
      throw archive_error(file_, entry.name,
                          fmt::format("its {} bytes unpack to {}, more than {} times as many; "
                                      "%key% sets another limit.",
                                      packed, entry.size, limits.ratio),
                          {.key = "max-ratio"});
    }
    if (path.path.empty()) continue;
    if (path.backslashes && !std::exchange(backslashes, true)) {
      warn(fmt::format("entry \"{}\" uses backslashes in its path; read as \"/\"", entry.name));
    }
    const bool folder = path.folder || S_ISDIR(entry.mode);
    if (!seen.insert(folder ? path.path + "/" : path.path).second) {
      if (folder) continue;
      if (++duplicates <= 5) {
        warn(fmt::format("entry \"{}\" is duplicated; the first is used", path.path));
      }
      continue;
    }
    const bool executable =
        (entry.from_unix && (entry.mode & S_IXUSR) != 0) || path.path.starts_with("binaries/");
    entries_.push_back({std::move(path.path), index, entry.size, folder, executable});
  }
  if (duplicates > 5) {
    warn(fmt::format("{} more entries are duplicated", duplicates - 5));
  }
  check_files_against_folders(file_, entries_);
}

void Archive::list_folder() {
  std::error_code failed;
  const auto options = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator it(file_, options, failed), end; it != end && !failed;
       it.increment(failed)) {
    poll_stop();
    if (entries_.size() >= options_.limits.entries) {
      throw file_error(file_, ErrorCode::archive,
                       fmt::format("the folder \"{}\" contains more than {} files, the limit",
                                   file_.string(), options_.limits.entries));
    }
    std::error_code ignored;
    ArchiveEntry entry;
    entry.path = it->path().lexically_relative(file_).generic_string();
    entry.folder = it->is_directory(ignored);
    if (!entry.folder) entry.size = it->file_size(ignored);
    if (ignored) entry.size = 0;  // a dangling link
    entries_.push_back(std::move(entry));
  }
}

const ArchiveEntry* Archive::find(std::string_view path) const {
  const auto it = std::ranges::find(entries_, path, &ArchiveEntry::path);
  return it != entries_.end() ? &*it : nullptr;
}

std::set<std::string> Archive::platforms() const {
  constexpr std::string_view binaries = "binaries/";
  std::set<std::string> names;
  for (const ArchiveEntry& entry : entries_) {
    if (entry.folder || !entry.path.starts_with(binaries)) continue;
    const std::string_view rest = std::string_view(entry.path).substr(binaries.size());
    if (const std::size_t slash = rest.find('/'); slash != rest.npos)
      names.emplace(rest.substr(0, slash));
  }
  return names;
}

void Archive::poll_stop() const {
  if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed)) {
    throw file_error(file_, ErrorCode::interrupted,
                     fmt::format("interrupted while reading \"{}\"", file_.string()));
  }
}

std::string Archive::read(std::string_view path, std::uint64_t limit) const {
  const ArchiveEntry* entry = find(path);
  if (entry == nullptr || entry->folder) {
    throw file_error(file_, ErrorCode::archive,
                     fmt::format("\"{}\" has no file \"{}\"", file_.string(), path));
  }
  if (entry->size > limit) {
    throw file_error(
        file_, ErrorCode::archive,
        fmt::format("\"{}\": \"{}\" has {} bytes, the limit is {}; %key% sets another.",
                    file_.string(), path, entry->size, limit),
        {.key = "max-description"});
  }
  if (zip_) return read_zip(*entry);
  std::string text(entry->size, '\0');
  std::ifstream in(file_ / fs::path(path), std::ios::binary);
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!in) {
    throw Error(ErrorCode::file,
                fmt::format("cannot read \"{}\"", (file_ / fs::path(path)).string()));
  }
  return text;
}

std::string Archive::read_zip(const ArchiveEntry& entry) const {
  ZipFile::Stream stream(*zip_, entry.index, entry.path);
  std::string text;
  // Memory is not allocated for the declared size before the bytes are read.
  std::size_t filled = 0;
  while (true) {
    poll_stop();
    if (filled == text.size()) {
      const std::size_t grown = std::max<std::size_t>(16 * chunk, 2 * text.size());
      text.resize(std::min<std::size_t>(grown, entry.size + 1));
    }
    const std::size_t count = stream.read(text.data() + filled, text.size() - filled);
    if (count == 0) break;
    filled += count;
    if (filled > entry.size) break;
  }
  if (filled != entry.size) {
    throw size_error(file_, entry.path);
  }
  text.resize(filled);
  return text;
}

void Archive::extract(const fs::path& folder) const {
  // Files and folders are private: the content of an FMU may be confidential.
  std::unordered_set<std::string_view> made;
  const auto make_folders = [&](std::string_view path) {
    for (std::size_t end = path.find('/');; end = path.find('/', end + 1)) {
      const std::string_view part = path.substr(0, end);
      if (made.insert(part).second) {
        const fs::path target = folder / part;
        if (mkdir(target.c_str(), S_IRWXU) != 0 && errno != EEXIST) throw no_space_error(target);
      }
      if (end == path.npos) return;
    }
  };
  std::vector<char> buffer(chunk);
  for (const ArchiveEntry& entry : entries_) {
    const std::string_view path = entry.path;
    const std::size_t slash = path.rfind('/');
    if (entry.folder) {
      make_folders(path);
    } else {
      if (slash != path.npos) make_folders(path.substr(0, slash));
      extract_file(entry, folder / path, buffer);
    }
  }
}

void Archive::extract_file(const ArchiveEntry& entry, const fs::path& to,
                           std::vector<char>& buffer) const {
  struct Descriptor {
    int value;
    ~Descriptor() {
      if (value >= 0) close(value);
    }
  };
  const mode_t mode = entry.executable ? S_IRWXU : S_IRUSR | S_IWUSR;
  Descriptor out{open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)};
  if (out.value < 0) throw no_space_error(to);
  ZipFile::Stream stream(*zip_, entry.index, entry.path);
  std::uint64_t total = 0;
  while (true) {
    poll_stop();
    const std::size_t count = stream.read(buffer.data(), buffer.size());
    if (count == 0) break;
    total += count;
    if (total > entry.size) break;
    for (std::size_t written = 0; written < count;) {
      const ssize_t n = write(out.value, buffer.data() + written, count - written);
      if (n < 0 && errno != EINTR) throw no_space_error(to);
      if (n > 0) written += static_cast<std::size_t>(n);
    }
  }
  if (total != entry.size) {
    throw size_error(file_, entry.path);
  }
}

UnpackedFmu unpack(const fs::path& fmu, const FmuOptions& options, const Log& log) {
  const Archive archive(fmu, options, log);
  UnpackedFmu result;
  if (archive.is_folder()) {
    result.root = fs::absolute(fmu).lexically_normal();
    return result;
  }
  result.temporary.emplace();
  result.root = result.temporary->path();
  archive.extract(result.root);
  return result;
}

}  // namespace tutti::fmi
