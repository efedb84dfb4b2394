// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/results.hpp>
#include <tutti/system.hpp>
#include <vector>

#include "master/tlm/port_rows.hpp"
#include "system/line_plan.hpp"

namespace tutti::session {

/// The port settings of System::results, with columns, without the sink.
/// @throws Error(usage) for patterns without a match, and intervals that are too short
master::tlm::PortRows::Setup choose_ports(const System& system, const system::LinePlan& plan,
                                          const TimeGrid& grid, std::vector<Column>& columns);

}  // namespace tutti::session
