// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/zip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tutti/error.hpp>
#include <utility>
#include <vector>

#include "base/file_error.hpp"
#include "base/private_library.hpp"

namespace tutti::fmi {
namespace fs = std::filesystem;
namespace {

constexpr const char* again = "Copy or export it again.";

/// The functions of libzip that we use.
struct ZipLibrary {
  PrivateLibrary library{"libzip.so.4", "libzip4", "libzip 1.7", "read archives",
                         "give an unpacked FMU folder"};
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

/// Opens the library at its first use. @throws Error (file) if it is not there
const ZipLibrary& zip_library() {
  static const ZipLibrary loaded;  // stays open: the process may read archives to its end
  return loaded;
}

/// What libzip says to one of its error codes.
std::string zip_error_text(int code) {
  zip_error_t error;
  zip_library().error_init_with_code(&error, code);
  std::string text = zip_library().error_strerror(&error);
  zip_library().error_fini(&error);
  return text;
}

}  // namespace

void ZipFile::Discard::operator()(zip_t* handle) const { zip_library().discard(handle); }
void ZipFile::Stream::Close::operator()(zip_file_t* handle) const { zip_library().fclose(handle); }

ZipFile::ZipFile(const std::filesystem::path& file) : file_(file) {
  int code = 0;
  handle_.reset(zip_library().open(file.c_str(), ZIP_RDONLY, &code));
  if (handle_) return;
  throw file_error(
      file, ErrorCode::archive,
      fmt::format("\"{}\" is damaged: {}", file.string(),
                  code == ZIP_ER_NOZIP ? "the archive's directory is missing, as if the file "
                                         "were cut off"
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
