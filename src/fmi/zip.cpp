// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/zip.hpp"

#include <fmt/format.h>

#include <tutti/error.hpp>

#include "base/file_error.hpp"
#include "fmi/zip_library.hpp"

namespace tutti::fmi {
namespace {

constexpr const char* again = "Copy or export it again.";

}  // namespace

const ZipLibrary& zip_library() {
  static const ZipLibrary loaded;  // stays open: the process may read archives to its end
  return loaded;
}

std::string zip_error_text(int code) {
  zip_error_t error;
  zip_library().error_init_with_code(&error, code);
  std::string text = zip_library().error_strerror(&error);
  zip_library().error_fini(&error);
  return text;
}

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

}  // namespace tutti::fmi
