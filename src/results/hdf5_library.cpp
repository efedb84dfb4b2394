// SPDX-License-Identifier: BSD-2-Clause
#include "results/hdf5_library.hpp"

#include <fmt/format.h>

#include <tutti/error.hpp>

#include "base/file_error.hpp"
#include "base/number_type.hpp"

namespace tutti::results::hdf5 {

Library::Library() {
  // At the end of the process, the library would write what it could not write before, and crash.
  dont_atexit();  // before anything else
  unsigned major = 0, minor = 0, release = 0;
  get_libversion(&major, &minor, &release);
  if (open() < 0 || major != 1 || minor < 10)
    throw Error(ErrorCode::file,
                fmt::format("{} is HDF5 {}.{}.{}, which Tutti cannot use. Install {} (package {}).",
                            file.file, major, minor, release, file.version, file.package));
  const auto value = [this](const char* name) {
    return *static_cast<const Id*>(file.find(name).address);
  };
  native_double = value("H5T_NATIVE_DOUBLE_g");
  native_int64 = value("H5T_NATIVE_INT64_g");
  native_uint64 = value("H5T_NATIVE_UINT64_g");
  string = value("H5T_C_S1_g");
  float32 = value("H5T_IEEE_F32LE_g");
  float64 = value("H5T_IEEE_F64LE_g");
  int8 = value("H5T_STD_I8LE_g");
  uint8 = value("H5T_STD_U8LE_g");
  int16 = value("H5T_STD_I16LE_g");
  uint16 = value("H5T_STD_U16LE_g");
  int32 = value("H5T_STD_I32LE_g");
  uint32 = value("H5T_STD_U32LE_g");
  int64 = value("H5T_STD_I64LE_g");
  uint64 = value("H5T_STD_U64LE_g");
  of_file_creation = value("H5P_CLS_FILE_CREATE_ID_g");
  of_file_access = value("H5P_CLS_FILE_ACCESS_ID_g");
  of_dataset_creation = value("H5P_CLS_DATASET_CREATE_ID_g");
  of_dataset_access = value("H5P_CLS_DATASET_ACCESS_ID_g");
}

const Library& library() {
  static const Library loaded;
  return loaded;
}

std::recursive_mutex& Guard::mutex() {
  static std::recursive_mutex one;
  return one;
}

std::string failure_text() {
  std::string text;
  const auto take = [](unsigned /*depth*/, const Failure* failure, void* to) {
    if (failure->text != nullptr) *static_cast<std::string*>(to) = failure->text;
    return 0;
  };
  constexpr int to_innermost = 1;  // H5E_WALK_DOWNWARD: the outermost function comes first
  library().Ewalk2(standard, to_innermost, take, &text);
  library().Eclear2(standard);
  constexpr std::string_view system_error = "error message = '";
  if (const std::size_t at = text.find(system_error); at != text.npos) {
    text.erase(0, at + system_error.size());
    text.erase(std::min(text.find('\''), text.size()));
  }
  return text.empty() ? "no reason given" : text;
}

Handle make_text_type() {
  const Library& h5 = library();
  Handle type(h5.Tcopy(h5.string), h5.Tclose);
  h5.Tset_size(type.get(), variable_size);
  h5.Tset_cset(type.get(), utf8);
  return type;
}

Id stored_type(Type type) {
  const Library& h5 = library();
  switch (type) {
    case Type::float32:
      return h5.float32;
    case Type::int8:
      return h5.int8;
    case Type::uint8:
    case Type::boolean:
    case Type::clock:
      return h5.uint8;
    case Type::int16:
      return h5.int16;
    case Type::uint16:
      return h5.uint16;
    case Type::int32:
      return h5.int32;
    case Type::uint32:
      return h5.uint32;
    case Type::int64:
    case Type::enumeration:
      return h5.int64;
    case Type::uint64:
      return h5.uint64;
    default:
      return h5.float64;
  }
}

Id cell_type(Type type) {
  const Library& h5 = library();
  if (is_float(type)) return h5.native_double;
  return is_signed_integer(type) ? h5.native_int64 : h5.native_uint64;
}

Handle open_file(const std::filesystem::path& file, unsigned access) {
  const Library& h5 = library();
  const Handle settings(h5.Pcreate(h5.of_file_access), h5.Pclose);
  h5.Pset_file_locking(settings.get(), false, true);
  const Handle creation(h5.Pcreate(h5.of_file_creation), h5.Pclose);
  h5.Pset_link_creation_order(creation.get(), tracked_order | indexed_order);
  const Id id = access == truncate
                    ? h5.Fcreate(file.c_str(), truncate, creation.get(), settings.get())
                    : h5.Fopen(file.c_str(), access, settings.get());
  if (id < 0)
    throw file_error(file, ErrorCode::file,
                     fmt::format("cannot {} \"{}\": {}", access == read_only ? "read" : "write",
                                 file.string(), failure_text()));
  // By default, the index of ten thousand datasets takes hundreds of megabytes.
  CacheSettings cache;
  if (h5.Fget_mdc_config(id, &cache) >= 0) {
    cache.sets_initial_size = true;
    cache.initial_size = cache.max_size = cache.min_size = std::size_t{1} << 20;
    h5.Fset_mdc_config(id, &cache);
  }
  return {id, h5.Fclose};
}

}  // namespace tutti::results::hdf5
