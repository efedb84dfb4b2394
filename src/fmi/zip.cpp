// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/zip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <fstream>
#include <tutti/error.hpp>
#include <utility>
#include <vector>

#include "base/file_error.hpp"
#include "base/private_library.hpp"

namespace tutti::fmi {
namespace fs = std::filesystem;
namespace {

// Longer than file systems allow, and a limit on the work per entry.
constexpr std::size_t longest_path = 4000;
constexpr std::size_t deepest_path = 100;

bool has_drive_letter(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
  return name.size() >= 2 && is_letter(name[0]) && name[1] == ':';
}

constexpr const char* again = "Copy or export it again.";

/// The functions of libzip that are used.
struct ZipLibrary {
  PrivateLibrary library{"libzip.so.4", "libzip4", "libzip 1.7", "read archives",
                         "pass an unpacked FMU folder"};
  decltype(&zip_open) open = library.find("zip_open");
  decltype(&zip_discard) discard = library.find("zip_discard");
  decltype(&zip_get_num_entries) get_num_entries = library.find("zip_get_num_entries");
  decltype(&zip_get_name) get_name = library.find("zip_get_name");
  decltype(&zip_stat_init) stat_init = library.find("zip_stat_init");
  decltype(&zip_stat_index) stat_index = library.find("zip_stat_index");
  decltype(&zip_file_get_external_attributes) get_external_attributes =
      library.find("zip_file_get_external_attributes");
  decltype(&zip_compression_method_supported) compression_method_supported =
      library.find("zip_compression_method_supported");
  decltype(&zip_fopen_index) fopen_index = library.find("zip_fopen_index");
  decltype(&zip_fread) fread = library.find("zip_fread");
  decltype(&zip_fclose) fclose = library.find("zip_fclose");
  decltype(&zip_strerror) strerror = library.find("zip_strerror");
  decltype(&zip_file_strerror) file_strerror = library.find("zip_file_strerror");
  decltype(&zip_error_init_with_code) error_init_with_code =
      library.find("zip_error_init_with_code");
  decltype(&zip_error_strerror) error_strerror = library.find("zip_error_strerror");
  decltype(&zip_error_fini) error_fini = library.find("zip_error_fini");
  decltype(&zip_close) close = library.find("zip_close");
  decltype(&zip_source_file) source_file = library.find("zip_source_file");
  decltype(&zip_source_buffer) source_buffer = library.find("zip_source_buffer");
  decltype(&zip_source_free) source_free = library.find("zip_source_free");
  decltype(&zip_file_add) file_add = library.find("zip_file_add");
  decltype(&zip_set_file_compression) set_compression = library.find("zip_set_file_compression");
  decltype(&zip_file_set_dostime) set_dos_time = library.find("zip_file_set_dostime");
};

/// Opens the library at its first use. @throws Error (file) if it is missing
const ZipLibrary& zip_library() {
  static const ZipLibrary loaded;  // stays open: the process may read more archives
  return loaded;
}

/// The text of an error code of libzip.
std::string zip_error_text(int code) {
  zip_error_t error;
  zip_library().error_init_with_code(&error, code);
  std::string text = zip_library().error_strerror(&error);
  zip_library().error_fini(&error);
  return text;
}

}  // namespace

ArchivePath archive_path(std::string_view name) {
  ArchivePath result;
  const auto refuse = [&result](std::string_view reason) {
    result.refusal = reason;
    return result;
  };
  if (name.empty()) return refuse("its name is empty");
  if (name.size() > longest_path) return refuse("its name is too long");
  if (name[0] == '/' || name[0] == '\\') return refuse("it names an absolute path");
  if (has_drive_letter(name)) return refuse("it names a drive");

  result.backslashes = name.find('\\') != std::string_view::npos;
  result.folder = name.back() == '/' || name.back() == '\\';
  std::size_t depth = 0;
  while (!name.empty()) {
    const std::size_t end = name.find_first_of("/\\");
    const std::string_view part = name.substr(0, end);
    name = end == std::string_view::npos ? std::string_view{} : name.substr(end + 1);
    if (part.empty() || part == ".") continue;
    if (part == "..") return refuse("it leads out of the archive's folder");
    if (++depth > deepest_path) return refuse("it is nested too deeply");
    if (!result.path.empty()) result.path += '/';
    result.path += part;
  }
  if (result.path.empty()) result.folder = true;
  return result;
}

std::string_view what_it_looks_like(const std::filesystem::path& file) {
  std::array<char, 512> bytes{};
  std::ifstream in(file, std::ios::binary);
  in.read(bytes.data(), bytes.size());
  std::string_view head(bytes.data(), static_cast<std::size_t>(in.gcount()));
  if (head.empty()) return "It is empty.";
  constexpr std::pair<std::string_view, std::string_view> beginnings[] = {
      {"PK\x03\x04", "It is a truncated zip file; copy it again."},
      {"\x7f\x45LF", "It looks like a shared library; use the FMU that contains it."},
      {"MZ", "It looks like a Windows library; use the FMU that contains it."},
      {"\x1f\x8b", "It looks like a gzip file; unpack it and pack it as zip."},
      {"7z\xbc\xaf", "It looks like a 7-Zip file; unpack it and pack it as zip."},
      {"Rar!", "It looks like a RAR file; unpack it and pack it as zip."},
      {"version https://git-lfs",
       "It is a Git LFS pointer, not the file itself; run \"git lfs pull\"."}};
  for (const auto& [beginning, sentence] : beginnings)
    if (head.starts_with(beginning)) return sentence;
  if (head.size() > 262 && head.substr(257, 5) == "ustar") {
    return "It looks like a tar file; unpack it and pack it as zip.";
  }
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  const std::size_t text = head.find_first_not_of(" \t\r\n");
  if (text == std::string_view::npos || head[text] != '<') return "";
  if (head.find("<html") != std::string_view::npos ||
      head.find("<!DOCTYPE") != std::string_view::npos ||
      head.find("<!doctype") != std::string_view::npos) {
    return "It looks like a web page; the download may have failed.";
  }
  return "It looks like XML; use the FMU or the unpacked FMU folder that contains it.";
}

void ZipFile::Discard::operator()(zip_t* handle) const { zip_library().discard(handle); }
void ZipFile::Stream::Close::operator()(zip_file_t* handle) const { zip_library().fclose(handle); }

ZipFile::ZipFile(const std::filesystem::path& file) : file_(file) {
  int code = 0;
  handle_.reset(zip_library().open(file.c_str(), ZIP_RDONLY, &code));
  if (handle_) return;
  throw file_error(file, ErrorCode::archive,
                   fmt::format("\"{}\" is damaged: {}", file.string(),
                               code == ZIP_ER_NOZIP
                                   ? "the archive's directory is missing; the file may be truncated"
                                   : zip_error_text(code)),
                   {.hint = again});
}

std::uint64_t ZipFile::size() const {
  const zip_int64_t count = zip_library().get_num_entries(handle_.get(), 0);
  return count > 0 ? static_cast<std::uint64_t>(count) : 0;
}

ZipEntry ZipFile::entry(std::uint64_t index) const {
  const ZipLibrary& zip = zip_library();
  zip_stat_t stat;
  zip.stat_init(&stat);
  const char* guessed = zip.get_name(handle_.get(), index, ZIP_FL_ENC_GUESS);
  if (guessed == nullptr || zip.stat_index(handle_.get(), index, 0, &stat) != 0) {
    throw file_error(file_, ErrorCode::archive,
                     fmt::format("\"{}\" is damaged: entry {} of its directory cannot be read ({})",
                                 file_.string(), index + 1, zip.strerror(handle_.get())),
                     {.hint = again});
  }
  ZipEntry entry;
  entry.name = guessed;
  if ((stat.valid & ZIP_STAT_SIZE) != 0) entry.size = stat.size;
  if ((stat.valid & ZIP_STAT_COMP_SIZE) != 0) entry.packed = stat.comp_size;
  entry.encrypted =
      (stat.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && stat.encryption_method != ZIP_EM_NONE;
  entry.packing_known = (stat.valid & ZIP_STAT_COMP_METHOD) == 0 ||
                        zip.compression_method_supported(stat.comp_method, 0) != 0;
  zip_uint8_t system = ZIP_OPSYS_DOS;
  zip_uint32_t attributes = 0;
  if (zip.get_external_attributes(handle_.get(), index, 0, &system, &attributes) == 0) {
    entry.mode = attributes >> 16;
    entry.from_unix = system == ZIP_OPSYS_UNIX || system == ZIP_OPSYS_OS_X;
  }
  return entry;
}

ZipFile::Stream::Stream(const ZipFile& zip, std::uint64_t index, std::string_view name)
    : where_(fmt::format("\"{}\": entry \"{}\"", zip.file_.string(), name)) {
  handle_.reset(zip_library().fopen_index(zip.handle_.get(), index, 0));
  if (handle_) return;
  throw Error(
      ErrorCode::archive,
      fmt::format("{} cannot be opened: {}", where_, zip_library().strerror(zip.handle_.get())),
      {.hint = again});
}

std::size_t ZipFile::Stream::read(char* buffer, std::size_t capacity) {
  const zip_int64_t count = zip_library().fread(handle_.get(), buffer, capacity);
  if (count >= 0) return static_cast<std::size_t>(count);
  throw Error(ErrorCode::archive,
              fmt::format("{} is damaged: {}", where_, zip_library().file_strerror(handle_.get())),
              {.hint = again});
}

ZipWriter::ZipWriter(const fs::path& file) : file_(file) {
  int code = 0;
  handle_ = zip_library().open(file.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
  if (handle_ == nullptr) fail(zip_error_text(code));
}

ZipWriter::~ZipWriter() {
  if (handle_ != nullptr) zip_library().discard(handle_);
}

void ZipWriter::fail(const std::string& what) const { throw write_error(file_, {}, what); }

void ZipWriter::add(const std::string& name, void* source, bool compressed) {
  const ZipLibrary& zip = zip_library();
  if (source == nullptr) fail(zip.strerror(handle_));
  const zip_int64_t index =
      zip.file_add(handle_, name.c_str(), static_cast<zip_source_t*>(source), ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip.source_free(static_cast<zip_source_t*>(source));
    fail(fmt::format("entry \"{}\": {}", name, zip.strerror(handle_)));
  }
  const auto entry = static_cast<zip_uint64_t>(index);
  constexpr zip_uint16_t first_of_january_1980 = (1 << 5) | 1;
  if (zip.set_compression(handle_, entry, compressed ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0) != 0 ||
      zip.set_dos_time(handle_, entry, 0, first_of_january_1980, 0) != 0)
    fail(zip.strerror(handle_));
}

void ZipWriter::add_text(const std::string& name, std::string content) {
  const std::string& text = texts_.emplace_back(std::move(content));
  add(name, zip_library().source_buffer(handle_, text.data(), text.size(), 0), true);
}

void ZipWriter::add_file(const std::string& name, const fs::path& file, bool compressed) {
  add(name, zip_library().source_file(handle_, file.c_str(), 0, -1), compressed);
}

void ZipWriter::add_folder(const std::string& prefix, const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::ranges::sort(files);
  for (const fs::path& file : files)
    add_file(prefix + file.lexically_relative(folder).generic_string(), file, true);
}

void ZipWriter::finish() {
  if (zip_library().close(handle_) != 0) fail(zip_library().strerror(handle_));
  handle_ = nullptr;
}

}  // namespace tutti::fmi
