// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/log.hpp>
#include <vector>

#include "base/time_grid.hpp"
#include "master/change.hpp"
#include "session/system_models.hpp"
#include "system/plan.hpp"

namespace tutti::session {

/// The actions of a system within its simulated time, in order. Where components cannot vary their
/// steps, an action between grid points is due at the next point, which is logged. @throws
/// Error(usage) with all problems
std::vector<master::Action> plan_actions(const System& system, const SystemModels& models,
                                         const system::Plan& plan, const TimeGrid& grid,
                                         const Log& log);

}  // namespace tutti::session
