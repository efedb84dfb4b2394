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
/// other tables. Times that mean a point of the grid are moved there.
/// @throws Error that says what is wrong with a table or a value
std::vector<master::ExternalSignals> make_external_signals(const System& system,
                                                           const system::Plan& plan,
                                                           const SystemModels& models,
                                                           const TimeGrid& grid);

/// The component follows the only table that drives it; if there is none, one without columns.
void follow_table(std::vector<master::ExternalSignals>& all, std::size_t component);

}  // namespace tutti::session
