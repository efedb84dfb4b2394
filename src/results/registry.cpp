// SPDX-License-Identifier: BSD-2-Clause
#include <strings.h>

#include <fmt/format.h>

#include <algorithm>
#include <tutti/error.hpp>

#include "results/grouped_results.hpp"
#include "results/result_format.hpp"

namespace tutti {
namespace results {
namespace {

// The first one is also used for files with another extension. clang-format off
constexpr ResultFormat entries[] = {
    {".csv",
     make_csv_writer,
     read_csv_results,
     "','",
     "a table of numbers and texts",
     {"The time comes first, then a column for each variable, named in the first line. Commas, "
      "semicolons or tabs separate the cells when a file is read. Numbers are written so that they "
      "read back exactly. <name>.meta.json beside it has units and settings of the run. Files with "
      "an unknown extension are CSV.",
      "docs/compare-and-plot.md"},
     csv_result_columns},
    {".h5",
     make_hdf5_writer,
     read_hdf5_results,
     nullptr,
     "HDF5: a dataset for each variable",
     {"One-dimensional datasets, time and the variables, with unit, description, type and "
      "interpolation as attributes. Strings and all integers are stored exactly. "
      "results.compress = true makes files smaller and slower. The library (package "
      "libhdf5-103-1) is loaded when the first file needs it, in a process without FMUs.",
      "docs/result-files.md"},
     hdf5_result_columns,
     make_compressed_hdf5_writer},
    {".mat",
     make_mat_writer,
     read_mat_results,
     nullptr,
     "a trajectory of Dymola in a MAT-file of version 4",
     {"MATLAB, Octave, scipy and the tools for results of Dymola and OpenModelica read it. It has "
      "units and descriptions, but numbers only: strings are left out. Files of Dymola and "
      "OpenModelica can be compared, plotted and converted. At most 2^31 - 1 points.",
      "docs/result-files.md"},
     mat_result_columns},
};
// clang-format on

const ResultFormat* find_format(const std::filesystem::path& file) {
  return std::find_if(std::begin(entries), std::end(entries), [&](const ResultFormat& e) {
    return ::strcasecmp(e.extension, file.extension().c_str()) == 0;
  });
}

}  // namespace

std::span<const ResultFormat> result_formats() { return entries; }

const ResultFormat& result_format_of(const std::filesystem::path& file) {
  return is_result_file(file) ? *find_format(file) : entries[0];
}

}  // namespace results

bool is_result_file(const std::filesystem::path& file) {
  return results::find_format(file) != std::end(results::entries);
}

std::unique_ptr<Observer> make_result_writer(const std::filesystem::path& file,
                                             const ResultOptions& options) {
  const results::ResultFormat& format = results::result_format_of(file);
  if (options.compress && format.write_compressed == nullptr) {
    std::string able;
    for (const results::ResultFormat& other : results::entries)
      if (other.write_compressed != nullptr)
        able += fmt::format("{}{}", able.empty() ? "" : ", ", other.extension);
    throw Error(ErrorCode::usage, fmt::format("%key%: \"{}\" cannot be compressed", file.string()),
                {.key = "results.compress",
                 .hint = fmt::format("Formats that can be: {}. Or leave out %key%.", able)});
  }
  if (!options.groups.empty()) return results::make_grouped_writer(file, options);
  return options.compress ? format.write_compressed(file) : format.write(file);
}

std::filesystem::path part_of_results(const std::filesystem::path& result_file,
                                      std::string_view name) {
  return result_file.parent_path() / fmt::format("{}-{}{}", result_file.stem().string(), name,
                                                 result_file.extension().string());
}

ResultTable read_results(const std::filesystem::path& file) {
  ResultTable table = results::result_format_of(file).read(file);
  table.name = file.string();
  results::apply_metadata(file, table);
  for (ResultColumn& column : table.columns) {
    if (column.is_text)
      column.motion = Motion::discrete;
    else if (!column.is_stated)
      column.motion = motion_of(table.times, column.numbers);
  }
  return table;
}

std::vector<std::string> result_columns(const std::filesystem::path& file) {
  const results::ResultFormat& format = results::result_format_of(file);
  if (format.columns != nullptr) return format.columns(file);
  std::vector<std::string> names;
  for (const ResultColumn& column : format.read(file).columns) names.push_back(column.name);
  return names;
}

}  // namespace tutti
