// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <tutti/model_description.hpp>
#include <utility>

#include "base/private_library.hpp"

/// HDF5, opened at run time when the first file needs it. The declarations are those of its C
/// interface since version 1.10; they are here so that building needs no package, and because the
/// names of the types in its headers are macros that refer to the linked library.
namespace tutti::results::hdf5 {

using Id = std::int64_t;          // hid_t
using Size = unsigned long long;  // hsize_t
using Status = int;               // herr_t, htri_t: negative after a failure

constexpr unsigned read_only = 0, read_write = 1, truncate = 2;
constexpr Id standard = 0;  // H5P_DEFAULT, H5S_ALL, H5E_DEFAULT
constexpr Size no_limit = ~Size{0};
constexpr std::size_t variable_size = ~std::size_t{0};
constexpr int tracked_order = 1, indexed_order = 2;
enum class Index : int { name, creation_order };
enum class Order : int { increasing, decreasing, native };
constexpr int integer_class = 0, float_class = 1, string_class = 3;
constexpr int whole_file = 1, utf8 = 1, of_dataset = 5, replacing = 0, deflate = 1;

/// H5G_info_t
struct GroupInfo {
  int storage;
  Size links;
  std::int64_t next_order;
  bool is_mounted;
};
/// H5E_error2_t
struct Failure {
  Id error_class, major, minor;
  unsigned line;
  const char *function, *file, *text;
};

/// H5AC_cache_config_t, version 1: memory for the index of the file.
struct CacheSettings {
  int version = 1;
  bool reports = false, opens_trace = false, closes_trace = false;
  char trace_file[1025] = {};
  bool may_evict = true, sets_initial_size = false;
  std::size_t initial_size = 0;
  double least_clean_fraction = 0;
  std::size_t max_size = 0, min_size = 0;
  unsigned char others[512] = {};  ///< more than there are
};
static_assert(offsetof(CacheSettings, max_size) == 1056, "as in the header of HDF5");

struct Library {
  tutti::PrivateLibrary file{"libhdf5_serial.so.103", "libhdf5-103-1", "HDF5 1.10.7",
                             "use HDF5 files", "use CSV or MAT-files (.csv, .mat)"};
  template <class F>
  using Call = F*;
#define TUTTI_HDF5(name, result, ...) Call<result(__VA_ARGS__)> name = file.find("H5" #name)
  TUTTI_HDF5(dont_atexit, Status);
  TUTTI_HDF5(open, Status);
  TUTTI_HDF5(get_libversion, Status, unsigned*, unsigned*, unsigned*);
  TUTTI_HDF5(free_memory, Status, void*);
  TUTTI_HDF5(Eset_auto2, Status, Id, void*, void*);
  TUTTI_HDF5(Ewalk2, Status, Id, int, int (*)(unsigned, const Failure*, void*), void*);
  TUTTI_HDF5(Eclear2, Status, Id);
  TUTTI_HDF5(Fcreate, Id, const char*, unsigned, Id, Id);
  TUTTI_HDF5(Fopen, Id, const char*, unsigned, Id);
  TUTTI_HDF5(Fget_mdc_config, Status, Id, CacheSettings*);
  TUTTI_HDF5(Fset_mdc_config, Status, Id, const CacheSettings*);
  TUTTI_HDF5(Fflush, Status, Id, int);
  TUTTI_HDF5(Fclose, Status, Id);
  TUTTI_HDF5(Pcreate, Id, Id);
  TUTTI_HDF5(Pclose, Status, Id);
  TUTTI_HDF5(Pset_chunk, Status, Id, int, const Size*);
  TUTTI_HDF5(Pset_deflate, Status, Id, unsigned);
  TUTTI_HDF5(Pset_shuffle, Status, Id);
  TUTTI_HDF5(Pset_chunk_cache, Status, Id, std::size_t, std::size_t, double);
  TUTTI_HDF5(Pset_link_creation_order, Status, Id, unsigned);
  TUTTI_HDF5(Pset_file_locking, Status, Id, bool, bool);
  TUTTI_HDF5(Zfilter_avail, Status, int);
  TUTTI_HDF5(Screate, Id, int);
  TUTTI_HDF5(Screate_simple, Id, int, const Size*, const Size*);
  TUTTI_HDF5(Sselect_hyperslab, Status, Id, int, const Size*, const Size*, const Size*,
             const Size*);
  TUTTI_HDF5(Sget_simple_extent_ndims, int, Id);
  TUTTI_HDF5(Sget_simple_extent_dims, int, Id, Size*, Size*);
  TUTTI_HDF5(Sclose, Status, Id);
  TUTTI_HDF5(Tcopy, Id, Id);
  TUTTI_HDF5(Tset_size, Status, Id, std::size_t);
  TUTTI_HDF5(Tset_cset, Status, Id, int);
  TUTTI_HDF5(Tget_class, int, Id);
  TUTTI_HDF5(Tget_size, std::size_t, Id);
  TUTTI_HDF5(Tget_cset, int, Id);
  TUTTI_HDF5(Tis_variable_str, Status, Id);
  TUTTI_HDF5(Tequal, Status, Id, Id);
  TUTTI_HDF5(Tclose, Status, Id);
  TUTTI_HDF5(Dcreate2, Id, Id, const char*, Id, Id, Id, Id, Id);
  TUTTI_HDF5(Dopen2, Id, Id, const char*, Id);
  TUTTI_HDF5(Dset_extent, Status, Id, const Size*);
  TUTTI_HDF5(Dwrite, Status, Id, Id, Id, Id, Id, const void*);
  TUTTI_HDF5(Dread, Status, Id, Id, Id, Id, Id, void*);
  TUTTI_HDF5(Dget_space, Id, Id);
  TUTTI_HDF5(Dget_type, Id, Id);
  TUTTI_HDF5(Dclose, Status, Id);
  TUTTI_HDF5(Acreate2, Id, Id, const char*, Id, Id, Id, Id);
  TUTTI_HDF5(Aexists, Status, Id, const char*);
  TUTTI_HDF5(Aopen, Id, Id, const char*, Id);
  TUTTI_HDF5(Awrite, Status, Id, Id, const void*);
  TUTTI_HDF5(Aread, Status, Id, Id, void*);
  TUTTI_HDF5(Aget_type, Id, Id);
  TUTTI_HDF5(Aget_space, Id, Id);
  TUTTI_HDF5(Aclose, Status, Id);
  TUTTI_HDF5(Gget_info, Status, Id, GroupInfo*);
  TUTTI_HDF5(Lget_name_by_idx, std::ptrdiff_t, Id, const char*, Index, Order, Size, char*,
             std::size_t, Id);
  TUTTI_HDF5(Oopen, Id, Id, const char*, Id);
  TUTTI_HDF5(Iget_type, int, Id);
  TUTTI_HDF5(Oclose, Status, Id);
#undef TUTTI_HDF5

  /// Predefined types and classes of property lists: variables of the library.
  Id native_double = -1, native_int64 = -1, native_uint64 = -1, string = -1;
  Id float32 = -1, float64 = -1;  ///< in files: little endian
  Id int8 = -1, uint8 = -1, int16 = -1, uint16 = -1, int32 = -1, uint32 = -1, int64 = -1,
     uint64 = -1;
  Id of_file_creation = -1, of_file_access = -1, of_dataset_creation = -1, of_dataset_access = -1;

  Library();
};

/// @throws Error(file) if it is not installed, or too old
const Library& library();

/// One thread at a time: not every HDF5 library is thread-safe. Errors are not printed, which
/// libraries that are thread-safe ask for in each thread.
class Guard {
 public:
  Guard() : lock_(mutex()) { library().Eset_auto2(standard, nullptr, nullptr); }

 private:
  static std::recursive_mutex& mutex();
  std::scoped_lock<std::recursive_mutex> lock_;
};

/// The cause of the last failure, of the innermost function.
std::string failure_text();

/// An identifier, closed by the function of its kind.
class Handle {
 public:
  Handle() = default;
  Handle(Id id, Status (*close)(Id)) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() { reset(); }
  /// False: data could not be stored.
  bool reset() { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }
  /// It stays open until the process ends.
  void abandon() { id_ = -1; }
  Id get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

 private:
  Id id_ = -1;
  Status (*close_)(Id) = nullptr;
};

/// UTF-8 of any length.
Handle make_text_type();
/// How values of a type are stored.
Id stored_type(Type type);
/// The type of a Cell in memory. @pre no text
Id cell_type(Type type);
/// A file for reading (read_only) or writing, which only ResultFile locks.
/// @throws Error(file)
Handle open_file(const std::filesystem::path& file, unsigned access);

}  // namespace tutti::results::hdf5
