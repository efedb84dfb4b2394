// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <zip.h>

#include <string>

namespace tutti::fmi {

/// The functions of libzip that we use.
struct ZipLibrary {
  decltype(&zip_open) open;
  decltype(&zip_discard) discard;
  decltype(&zip_get_num_entries) get_num_entries;
  decltype(&zip_get_name) get_name;
  decltype(&zip_stat_init) stat_init;
  decltype(&zip_stat_index) stat_index;
  decltype(&zip_file_get_external_attributes) get_external_attributes;
  decltype(&zip_compression_method_supported) compression_method_supported;
  decltype(&zip_fopen_index) fopen_index;
  decltype(&zip_fread) fread;
  decltype(&zip_fclose) fclose;
  decltype(&zip_strerror) strerror;
  decltype(&zip_file_strerror) file_strerror;
  decltype(&zip_error_init_with_code) error_init_with_code;
  decltype(&zip_error_strerror) error_strerror;
  decltype(&zip_error_fini) error_fini;
  decltype(&zip_close) close;
  decltype(&zip_source_file) source_file;
  decltype(&zip_source_buffer) source_buffer;
  decltype(&zip_source_free) source_free;
  decltype(&zip_file_add) file_add;
  decltype(&zip_set_file_compression) set_compression;
  decltype(&zip_file_set_dostime) set_dos_time;
};

/// Opens the library at its first use. @throws Error (file) if it is not there
const ZipLibrary& zip_library();

/// What libzip says to one of its error codes.
std::string zip_error_text(int code);

}  // namespace tutti::fmi
