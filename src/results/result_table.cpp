// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tutti/error.hpp>
#include <tutti/result_table.hpp>

#include "base/csv.hpp"
#include "base/text.hpp"
#include "results/metadata.hpp"

namespace tutti {
namespace {

/// Splits `name [unit]`. The bracket of an array element (`y[1]`, `A [1,2]`) is no unit.
void split_header(std::string_view header, std::string& name, std::string& unit) {
  header = trim(header);
  name = header;
  const std::size_t open = header.rfind('[');
  if (open == std::string_view::npos || open == 0 || header.back() != ']') return;
  if (header[open - 1] != ' ' && header[open - 1] != '\t') return;
  const std::string_view inside = trim(header.substr(open + 1, header.size() - open - 2));
  if (inside.find_first_not_of("0123456789,:; ") == std::string_view::npos && !inside.empty())
    return;
  name = trim(header.substr(0, open));
  unit = inside;
}

std::string without_blanks(std::string_view text) {
  std::string result;
  std::copy_if(text.begin(), text.end(), std::back_inserter(result),
               [](char c) { return c != ' ' && c != '\t'; });
  return result;
}

bool read_cell(std::string_view cell, double& value) {
  if (parse_number(cell, value)) return true;
  if (cell.empty()) {
    value = std::numeric_limits<double>::quiet_NaN();
    return true;
  }
  const bool yes = cell == "true" || cell == "True" || cell == "TRUE";
  value = yes ? 1 : 0;
  return yes || cell == "false" || cell == "False" || cell == "FALSE";
}

void read_times(const CsvTable& csv, std::vector<double>& times) {
  times.reserve(csv.row_count());
  for (std::size_t row = 0; row < csv.row_count(); ++row) {
    const double t = csv.number(row, 0);
    if (!std::isfinite(t))
      csv.refuse(csv.line(row), fmt::format("the time \"{}\" is not finite", csv.cell(row, 0)));
    if (!times.empty() && t < times.back())
      csv.refuse(csv.line(row), fmt::format("the time goes back from {} to {}", times.back(), t),
                 {.hint = "The first column must be the time, in rising order."});
    times.push_back(t);
  }
}

void read_column(const CsvTable& csv, std::size_t index, ResultColumn& column) {
  const std::size_t rows = csv.row_count();
  column.numbers.resize(rows);
  bool any = rows == 0;
  std::string buffer;
  for (std::size_t row = 0; row < rows && !column.is_text; ++row) {
    const std::string_view cell = csv.number_text(row, index, buffer);
    any = any || !cell.empty();
    column.is_text = !read_cell(cell, column.numbers[row]);
  }
  column.is_text = column.is_text || !any;
  if (!column.is_text) return;
  column.numbers = {};
  column.texts.reserve(rows);
  for (std::size_t row = 0; row < rows; ++row) column.texts.emplace_back(csv.cell(row, index));
}

}  // namespace

const ResultColumn* ResultTable::find(std::string_view column) const {
  for (const ResultColumn& candidate : columns)
    if (candidate.name == column) return &candidate;
  const std::string plain = without_blanks(column);
  for (const ResultColumn& candidate : columns)
    if (without_blanks(candidate.name) == plain) return &candidate;
  return nullptr;
}

void ResultTable::fail_to_match(const std::string& pattern) const {
  std::vector<std::string_view> names;
  for (const ResultColumn& column : columns) names.push_back(column.name);
  std::string hint = did_you_mean(pattern, names);
  if (hint.empty() && !names.empty()) {
    constexpr std::size_t most = 8;
    const bool more = names.size() > most;
    if (more) names.resize(most);
    hint = fmt::format(" It has {}{}", fmt::join(names, ", "), more ? ", ..." : ".");
  }
  throw Error(ErrorCode::usage,
              fmt::format("\"{}\" has no column that matches \"{}\".", name, pattern),
              {.hint = hint});
}

std::vector<const ResultColumn*> ResultTable::select(
    const std::vector<std::string>& patterns) const {
  std::vector<const ResultColumn*> chosen;
  const auto add = [&](const ResultColumn& column) {
    if (std::find(chosen.begin(), chosen.end(), &column) == chosen.end()) chosen.push_back(&column);
  };
  for (const std::string& pattern : patterns) {
    if (const ResultColumn* exact = find(pattern)) {
      add(*exact);
      continue;
    }
    bool any = false;
    for (const ResultColumn& column : columns) {
      if (!glob_match(pattern, column.name)) continue;
      add(column);
      any = true;
    }
    if (any) continue;
    fail_to_match(pattern);
  }
  return chosen;
}

Motion motion_of(const std::vector<double>& times, const std::vector<double>& values) {
  bool integers = true, keeps = false, changes = false, slopes = false;
  bool changed_before = false;  // in the interval before this one
  for (std::size_t i = 0; i < values.size(); ++i) {
    integers = integers && std::nearbyint(values[i]) == values[i];
    if (i == 0) continue;
    const bool changed =
        values[i] != values[i - 1] && !(std::isnan(values[i]) && std::isnan(values[i - 1]));
    changes = changes || changed;
    if (times[i] == times[i - 1]) continue;  // an event: anything may jump there
    keeps = keeps || !changed;
    slopes = slopes || (changed && changed_before);
    changed_before = changed;
  }
  if (!changes) return Motion::constant;
  return keeps && (integers || !slopes) ? Motion::discrete : Motion::continuous;
}

ResultTable read_results(const std::filesystem::path& file) {
  const CsvTable csv = CsvTable::read(file);
  ResultTable table;
  table.name = file.string();
  split_header(csv.header()[0], table.time_name, table.time_unit);
  read_times(csv, table.times);
  for (std::size_t i = 1; i < csv.header().size(); ++i) {
    if (i + 1 == csv.header().size() && csv.header()[i].empty()) break;  // lines end in a separator
    ResultColumn& column = table.columns.emplace_back();
    split_header(csv.header()[i], column.name, column.unit);
    read_column(csv, i, column);
  }
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
