// SPDX-License-Identifier: BSD-2-Clause
#include "results/time_unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.hpp"

namespace tutti::results {
namespace {

/// Seconds in a unit of time as heads of tables write it: `ms`, `min`, `h`. Nothing: not known. No
/// unit means seconds.
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
    // A quotient of whole numbers rounds once where one of the two is a part of the other.
    for (double& time : table.times)
      time = *from > *to ? time * (*from / *to) : time / (*to / *from);
  table.time_unit = unit;
  return table;
}

}  // namespace tutti::results
