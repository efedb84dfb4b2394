// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/system_graph.hpp>
#include <vector>

#include "system/line_plan.hpp"

namespace tutti::api {

std::vector<SystemGraph::Line> lines_of(const System& system, const system::LinePlan& plan);
std::vector<SystemGraph::Delay> delays_of(const System& system, const system::LinePlan& plan);

}  // namespace tutti::api
