// SPDX-License-Identifier: BSD-2-Clause
#include "base/time_units.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tutti {

std::optional<double> seconds_in(std::string_view unit) {
  constexpr std::pair<std::string_view, double> units[] = {
      {"", 1},      {"s", 1},       {"sec", 1},     {"second", 1},  {"seconds", 1},
      {"ns", 1e-9}, {"us", 1e-6},   {"µs", 1e-6},   {"μs", 1e-6},   {"ms", 1e-3},
      {"min", 60},  {"h", 3600},    {"hr", 3600},   {"hour", 3600}, {"hours", 3600},
      {"d", 86400}, {"day", 86400}, {"days", 86400}};
  const auto* const found = std::find_if(std::begin(units), std::end(units),
                                         [&](const auto& known) { return known.first == unit; });
  return found == std::end(units) ? std::nullopt : std::optional(found->second);
}

}  // namespace tutti
