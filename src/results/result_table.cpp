// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tutti/error.hpp>
#include <tutti/result_table.hpp>
#include <utility>

#include "base/text.hpp"
#include "results/result_format.hpp"

namespace tutti {
namespace {

std::string without_blanks(std::string_view text) {
  std::string result;
  std::copy_if(text.begin(), text.end(), std::back_inserter(result),
               [](char c) { return c != ' ' && c != '\t'; });
  return result;
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
  std::vector<std::string_view> names = names_of(columns);
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
    if (std::ranges::find(chosen, &column) == chosen.end()) chosen.push_back(&column);
  };
  for (const std::string& pattern : patterns) {
    if (const ResultColumn* exact = find(pattern)) {
      add(*exact);
      continue;
    }
    const auto selects = [&](const ResultColumn& column) {  // an array selects its elements
      return glob_match(pattern, column.name) || column.name.starts_with(pattern + "[");
    };
    bool any = false;
    for (const ResultColumn& column : columns) {
      if (!selects(column)) continue;
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

}  // namespace tutti

namespace tutti::results {
namespace {

/// Seconds in a unit of time as in headers of tables: `ms`, `min`, `h`. Nothing: unknown. No unit
/// means seconds.
std::optional<double> seconds_in(std::string_view unit) {
  constexpr std::pair<std::string_view, double> units[] = {
      {"", 1},      {"s", 1},       {"sec", 1},     {"second", 1},  {"seconds", 1},
      {"ns", 1e-9}, {"us", 1e-6},   {"µs", 1e-6},   {"μs", 1e-6},   {"ms", 1e-3},
      {"min", 60},  {"h", 3600},    {"hr", 3600},   {"hour", 3600}, {"hours", 3600},
      {"d", 86400}, {"day", 86400}, {"days", 86400}};
  const auto* const found =
      std::ranges::find_if(units, [&](const auto& pair) { return pair.first == unit; });
  return found == std::end(units) ? std::nullopt : std::optional(found->second);
}

}  // namespace

ResultTable with_time_in(ResultTable table, const std::string& unit) {
  const std::optional<double> from = seconds_in(table.time_unit), to = seconds_in(unit);
  if (!from || !to)
    table.notes.push_back(
        fmt::format("the time of \"{}\" is in \"{}\", not in \"{}\", and one of "
                    "these units is not known; nothing is converted",
                    table.name, printable(table.time_unit), printable(unit)));
  else if (*from != *to)
    table.notes.push_back(fmt::format("the time of \"{}\" is converted from {} to {}", table.name,
                                      printable(table.time_unit), printable(unit)));
  if (from && to && *from != *to)
    // A quotient of integers is rounded only once if one divides the other.
    for (double& time : table.times)
      time = *from > *to ? time * (*from / *to) : time / (*to / *from);
  table.time_unit = unit;
  return table;
}

}  // namespace tutti::results
