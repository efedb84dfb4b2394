// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <tutti/log.hpp>

#include "fmi/shape.hpp"
#include "system/names.hpp"
#include "system/plan.hpp"

namespace tutti::system {

/// Resolves names and roles, chooses the input method of ports with "auto", and checks everything
/// that does not need a loaded FMU; errors are added to `problems`.
LinePlan plan_lines(const System& system, std::span<const ModelDescription* const> descriptions,
                    std::span<const fmi::StructuralValues> structures, std::span<const Link> links,
                    Problems& problems, const Log& log);

/// The scalars that a line drives at a port: inputs only.
std::vector<Point> input_points(const PlannedPort& port, const ModelDescription& description);

}  // namespace tutti::system
