// SPDX-License-Identifier: BSD-2-Clause
#include "results/time_unit.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/time_units.hpp"

namespace tutti::results {

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
