// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <tutti/simulation.hpp>

#include "session/system_models.hpp"
#include "system/plan.hpp"

/// The coupling of a system, for its report.
namespace tutti::session {

/// The coupling methods of a cycle, the first one and its fallbacks.
const std::vector<std::string>& methods_of(const System& system, const system::Stage& stage);

/// Of all cycles of the plan. `chosen` are those that method = "auto" chose.
std::vector<CycleCoupling> couplings_of(const System& system, const SystemModels& models,
                                        const system::Plan& plan,
                                        std::span<const CycleCoupling> chosen);
/// Whether they refer to the same cycle.
bool have_same_components(const CycleCoupling& one, const CycleCoupling& other);

/// Names of inputs without a source and without a set value.
std::vector<std::string> inputs_without_value(const System& system, const SystemModels& models,
                                              const system::Plan& plan);

}  // namespace tutti::session
