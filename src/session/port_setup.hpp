// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <set>
#include <tutti/log.hpp>
#include <tutti/system.hpp>
#include <vector>

#include "master/ensemble.hpp"
#include "models/start_values.hpp"
#include "session/system_models.hpp"
#include "system/plan.hpp"

namespace tutti::session {

/// Start values of efforts and waves of a component from the start values of its lines, and
/// impedances.
void add_port_values(const System& system, const SystemModels& models, const system::LinePlan& plan,
                     std::size_t component, std::vector<models::Assignment>& assignments);

/// The variables that lines and delayed signals drive and read, by component.
using VariableSets = std::vector<std::set<std::int32_t>>;
void add_port_variables(const SystemModels& models, const system::LinePlan& plan,
                        VariableSets& inputs, VariableSets& outputs);

/// The islands of a system with lines, their steps, and the lines; logs them. `step`: between
/// synchronization points.
void make_network(const System& system, const system::LinePlan& plan, double step,
                  std::vector<bool> is_model_exchange, const Log& log, master::MadeIslands& made);

}  // namespace tutti::session
