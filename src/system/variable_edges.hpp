// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <tutti/model_description.hpp>

#include "system/plan.hpp"

namespace tutti::system {

/// Edges of the graph of coupled scalars from the inputs of each component to its outputs that
/// depend on them, after `edges`.
/// @param Dependencies InitialDependencies or RunningDependencies
template <class Dependencies>
void add_feed_through(const Plan& plan, std::span<const ModelDescription* const> descriptions,
                      std::vector<Graph::Edge>& edges);

/// Plan::dependencies as they are once time runs: connections, then feed-through. Their order is
/// that of values at communication points.
std::vector<Graph::Edge> running_dependencies(
    const Plan& plan, std::span<const ModelDescription* const> descriptions);

}  // namespace tutti::system
