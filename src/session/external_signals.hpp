// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/system.hpp>
#include <vector>

#include "base/time_grid.hpp"
#include "master/island.hpp"
#include "session/system_models.hpp"
#include "system/plan.hpp"

namespace tutti::session {

/// The signals from outside that the plan names: constants, those of the input file and those of
/// other tables. Times within rounding of a grid point are moved to it.
/// @throws Error if a table or a value is invalid
std::vector<master::ExternalSignals> make_external_signals(const System& system,
                                                           const system::Plan& plan,
                                                           const SystemModels& models,
                                                           const TimeGrid& grid);

/// The signals of the only table that drives the component; without one, a table without columns.
void follow_table(std::vector<master::ExternalSignals>& all, std::size_t component);

}  // namespace tutti::session
