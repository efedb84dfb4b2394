// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/results.hpp>
#include <tutti/system.hpp>
#include <vector>

#include "master/tlm/port_rows.hpp"
#include "system/line_plan.hpp"

namespace tutti::session {

/// What System::results says of ports, with its columns, but for the sink.
/// @throws Error(usage) for patterns that match nothing, and intervals in which time hardly moves
master::tlm::PortRows::Setup choose_ports(const System& system, const system::LinePlan& plan,
                                          const TimeGrid& grid, std::vector<Column>& columns);

}  // namespace tutti::session
