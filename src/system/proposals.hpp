// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <set>
#include <span>
#include <tutti/new_system.hpp>

#include "system/point.hpp"

namespace tutti::system {

/// Connections that the names of variables, their units and types suggest.
/// @param driven inputs that have a source: variables of components; their elements do not count
/// @throws Error(description) for an array without a size
std::vector<ProposedConnection> propose_connections(
    const System& system, std::span<const ModelDescription* const> descriptions,
    const std::set<Point>& driven = {});

}  // namespace tutti::system
