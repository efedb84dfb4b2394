// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/results.hpp>

#include "base/explanation.hpp"

namespace tutti::results {

/// A row of the table of result formats.
struct ResultFormat {
  const char* extension;  ///< with the dot
  /// @throws Error(file) here or later when the file cannot be written
  std::unique_ptr<Observer> (*write)(const std::filesystem::path& file);
  /// Names, units, times and values; read_results() adds the rest. @throws Error(file)
  ResultTable (*read)(const std::filesystem::path& file);
  /// The separator for gnuplot, if the first line has the names; null: gnuplot cannot read the
  /// file.
  const char* gnuplot_separator = nullptr;
  const char* summary = "";  ///< one line
  Explanation about = {};
  /// The names of the columns without the time, read without the rows; null: read() has them.
  std::vector<std::string> (*columns)(const std::filesystem::path& file) = nullptr;
  /// As write(); null: the format cannot be compressed.
  std::unique_ptr<Observer> (*write_compressed)(const std::filesystem::path& file) = nullptr;
};
std::span<const ResultFormat> result_formats();
/// By the extension of the file; files with other extensions are CSV.
const ResultFormat& result_format_of(const std::filesystem::path& file);

/// Reads the attributes of the columns, of the units only those that the file does not have, from
/// `<name>.meta.json`, if that file exists; a file that cannot be read is ignored with a note.
void apply_metadata(const std::filesystem::path& result_file, ResultTable& table);
/// Writes them there. @throws Error(file)
void write_metadata_of(const ResultTable& table, const std::filesystem::path& result_file);
/// `<name>.meta.json` of results that are about to be replaced.
void remove_metadata(const std::filesystem::path& result_file);

/// The table with its times in another unit. Adds a note about the conversion, or about an unknown
/// unit, for which the times are unchanged.
ResultTable with_time_in(ResultTable table, const std::string& unit);

ResultTable read_csv_results(const std::filesystem::path& file);
std::vector<std::string> csv_result_columns(const std::filesystem::path& file);

std::unique_ptr<Observer> make_mat_writer(const std::filesystem::path& file);
ResultTable read_mat_results(const std::filesystem::path& file);
std::vector<std::string> mat_result_columns(const std::filesystem::path& file);

std::unique_ptr<Observer> make_hdf5_writer(const std::filesystem::path& file);
std::unique_ptr<Observer> make_compressed_hdf5_writer(const std::filesystem::path& file);
ResultTable read_hdf5_results(const std::filesystem::path& file);
std::vector<std::string> hdf5_result_columns(const std::filesystem::path& file);

}  // namespace tutti::results
