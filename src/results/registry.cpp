// SPDX-License-Identifier: BSD-2-Clause
#include <strings.h>

#include <algorithm>

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

std::unique_ptr<Observer> make_result_writer(const std::filesystem::path& file) {
  return results::result_format_of(file).write(file);
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
