// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <zip.h>

#include <string>

#include "base/private_library.hpp"

namespace tutti::fmi {

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
const ZipLibrary& zip_library();

/// What libzip says to one of its error codes.
std::string zip_error_text(int code);

}  // namespace tutti::fmi
