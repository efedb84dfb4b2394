// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "info.hpp"
#include "text_table.hpp"

namespace tutti::cli {
namespace {

std::string motion_word(const ResultColumn& column) {
  if (column.is_text) return "text";
  constexpr std::string_view words[] = {"constant", "linear", "discrete"};
  return std::string(words[static_cast<std::size_t>(column.motion)]);
}

}  // namespace

std::optional<ValueRange> range_of(const ResultColumn& column) {
  std::optional<ValueRange> range;
  for (const double value : column.numbers) {
    if (!std::isfinite(value)) continue;
    if (!range) range = {value, value};
    range->min = std::min(range->min, value);
    range->max = std::max(range->max, value);
  }
  return range;
}

std::string results_text(const ResultTable& table, bool all) {
  constexpr std::size_t usual = 50;
  std::string text = table.name + "\n";
  text += fmt::format("  {} of {}", counted(table.times.size(), "row"),
                      counted(table.columns.size(), "variable"));
  if (!table.times.empty())
    text += fmt::format(", {} = {:.9g} to {:.9g} {}", table.time_name, table.times.front(),
                        table.times.back(), table.time_unit);
  text += "\n\n";
  TextTable rows({{"variable", 40},
                  {"unit", 12},
                  {"", 8},
                  {"smallest", 14},
                  {"largest", 14},
                  {"description", 60}});
  const std::size_t shown = all ? table.columns.size() : std::min(usual, table.columns.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const ResultColumn& column = table.columns[i];
    const std::optional<ValueRange> range = range_of(column);
    rows.add({column.name, column.unit, motion_word(column),
              range ? fmt::format("{:.7g}", range->min) : "",
              range ? fmt::format("{:.7g}", range->max) : "", column.description});
  }
  if (shown > 0) text += rows.text();
  if (shown < table.columns.size())
    text += fmt::format("  ({} more, --all shows them)\n", table.columns.size() - shown);
  return text;
}

}  // namespace tutti::cli
