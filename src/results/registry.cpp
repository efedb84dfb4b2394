// SPDX-License-Identifier: BSD-2-Clause
#include <strings.h>

#include <algorithm>

#include "results/result_format.hpp"

namespace tutti {
namespace results {
namespace {

// The first is also that of files with another extension.
constexpr ResultFormat entries[] = {
    {".csv", make_csv_writer, read_csv_results, "','"},
};

const ResultFormat* find_format(const std::filesystem::path& file) {
  return std::find_if(std::begin(entries), std::end(entries), [&](const ResultFormat& e) {
    return ::strcasecmp(e.extension, file.extension().c_str()) == 0;
  });
}

}  // namespace

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

}  // namespace tutti
