// SPDX-License-Identifier: BSD-2-Clause
#include "session/port_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tutti/error.hpp>

#include "base/text.hpp"
#include "system/port_units.hpp"
#include "system/ports.hpp"

namespace tutti::session {
namespace {

using master::tlm::PortQuantity;
using master::tlm::PortRows;

constexpr std::string_view quantity_names[] = {"effort", "flow", "wave", "sent"};
static_assert(std::size(quantity_names) == master::tlm::port_quantities);
constexpr std::string_view plane_names[] = {".x", ".y", ".angle"};

/// All columns that can be recorded, by port.
void list_all(const System& system, const system::LinePlan& plan,
              std::vector<PortRows::Choice>& choices, std::vector<Column>& columns) {
  for (std::uint32_t p = 0; p < plan.ports.size(); ++p) {
    const system::PlannedPort& port = plan.ports[p];
    const Component& component = system.components[port.component];
    const std::string name = system::port_name(component, component.ports[port.number]);
    for (std::size_t q = 0; q < std::size(quantity_names); ++q)
      for (std::uint32_t d = 0; d < port.directions.size(); ++d) {
        const bool is_flow = static_cast<PortQuantity>(q) == PortQuantity::flow;
        const system::PortQuantity& measured = is_flow
                                                   ? system::flow_quantity(port.domain, d, false)
                                                   : system::effort_quantity(port.domain, d);
        choices.push_back({p, d, static_cast<PortQuantity>(q)});
        columns.push_back({fmt::format("{}.{}{}", name, quantity_names[q],
                                       port.directions.size() > 1 ? plane_names[d] : ""),
                           Type::float64, measured.unit, false});
      }
  }
}

[[noreturn]] void refuse_pattern(const std::string& pattern, std::span<const Column> columns) {
  if (columns.empty())
    throw Error(ErrorCode::usage, "%key%: there are no transmission lines",
                {.key = "results.ports", .hint = "Leave out %key%."});
  throw Error(ErrorCode::usage, fmt::format("%key%: nothing matches \"{}\".", printable(pattern)),
              {.variable = pattern,
               .key = "results.ports",
               .hint = did_you_mean(pattern, names_of(columns))});
}

}  // namespace

PortRows::Setup choose_ports(const System& system, const system::LinePlan& plan,
                             const TimeGrid& grid, std::vector<Column>& columns) {
  PortRows::Setup setup;
  if (system.results.ports.empty()) return setup;
  std::vector<PortRows::Choice> all;
  std::vector<Column> all_columns;
  list_all(system, plan, all, all_columns);
  const auto matches = [&](const std::string& pattern, std::size_t k) {
    return glob_match(pattern, all_columns[k].name);
  };
  for (const std::string& pattern : system.results.ports) {
    std::size_t k = 0;
    while (k < all.size() && !matches(pattern, k)) ++k;
    if (k == all.size()) refuse_pattern(pattern, all_columns);
  }
  for (std::size_t k = 0; k < all.size(); ++k)
    if (std::ranges::any_of(system.results.ports,
                            [&](const std::string& pattern) { return matches(pattern, k); })) {
      setup.choices.push_back(all[k]);
      columns.push_back(all_columns[k]);
    }
  const double span = grid.stop() - grid.start();
  const double interval = system.results.ports_interval.value_or(span / 1000);
  setup.every_sample = system.results.ports_interval == 0;
  if (!setup.every_sample && span > 0 && interval < shortest_step(grid.start(), grid.stop()))
    throw Error(
        ErrorCode::usage,
        fmt::format("%key% = {:.6g} s is too short for time to advance", interval),
        {.key = "results.ports-interval", .hint = "Try a longer interval, or 0 for all samples."});
  setup.times = TimeGrid(grid.start(), grid.stop(), setup.every_sample || span == 0 ? 1 : interval);
  return setup;
}

}  // namespace tutti::session
