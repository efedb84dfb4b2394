// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <vector>

#include "system/place.hpp"
#include "system/plan.hpp"

namespace tutti::system {

/// The graph of components: an edge for every pair that a link joins.
Graph component_graph(std::size_t component_count, std::span<const Link> links);

/// The stages in ascending priority, cycles with their calling sequence and settings.
std::vector<Stage> make_stages(const System& system, const Graph& graph,
                               std::span<const Link> links, Problems& problems);

}  // namespace tutti::system
