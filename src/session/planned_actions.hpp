// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/log.hpp>
#include <vector>

#include "base/time_grid.hpp"
#include "master/change.hpp"
#include "session/system_models.hpp"
#include "system/plan.hpp"

namespace tutti::session {

/// The actions of a system that happen within its time, in order. Where components cannot vary
/// their steps, one between points of the grid is due at the next point; the log learns of it.
/// @throws Error(usage) with all that is wrong
std::vector<master::Action> plan_actions(const System& system, const SystemModels& models,
                                         const system::Plan& plan, const TimeGrid& grid,
                                         const Log& log);

}  // namespace tutti::session
