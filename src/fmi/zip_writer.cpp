// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/zip_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tutti/error.hpp>
#include <utility>
#include <vector>

#include "base/file_error.hpp"
#include "fmi/zip_library.hpp"

namespace tutti::fmi {
namespace fs = std::filesystem;

ZipWriter::ZipWriter(const fs::path& file) : file_(file) {
  int code = 0;
  handle_ = zip_library().open(file.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
  if (handle_ == nullptr) fail(zip_error_text(code));
}

ZipWriter::~ZipWriter() {
  if (handle_ != nullptr) zip_library().discard(handle_);
}

void ZipWriter::fail(const std::string& what) const {
  throw file_error(file_, ErrorCode::file,
                   fmt::format("cannot write \"{}\": {}", file_.string(), what));
}

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
