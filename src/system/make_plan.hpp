// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <tutti/log.hpp>

#include "fmi/shape.hpp"
#include "system/plan.hpp"

namespace tutti::system {

/// Resolves and checks the connections of a system, finds its cycles, and orders its components.
///
/// @param descriptions one for each component; the same one may serve several
/// @param structures sizes of arrays, for each component
/// @param input_columns names of the columns of System::inputs.file, without the time
/// @throws Error(usage) with all errors. Warnings and notes go to the log.
Plan make_plan(const System& system, std::span<const ModelDescription* const> descriptions,
               std::span<const fmi::StructuralValues> structures, const Log& log = {},
               std::span<const std::string> input_columns = {});

/// Names of the inputs without a source; inputs of ports have their own note.
std::vector<std::string> open_inputs(const System& system,
                                     std::span<const ModelDescription* const> descriptions,
                                     std::span<const fmi::StructuralValues> structures,
                                     const Plan& plan);

/// The plan of some components without connections to others, renumbered in the order given.
/// @param descriptions of these components
Plan part_of(const Plan& plan, std::span<const std::uint32_t> components,
             std::span<const ModelDescription* const> descriptions);

/// Whether a component uses its FMU as model exchange.
bool is_model_exchange(const Component& component, const ModelDescription& description);
/// The interface of the FMU that a component uses.
/// @throws Error(capability) if the FMU does not have it
const Capabilities& interface_of(const Component& component, const ModelDescription& description);

/// How far a component must be able to roll back: to the start of its last step, or to any earlier
/// state.
enum class WayBack : std::uint8_t { last_step, any_state };
/// What a component without this rollback cannot do, in the terms of the FMI standard: "save and
/// restore its state (canGetAndSetFMUState=\"false\")".
std::string missing_ability(const Component& component, const ModelDescription& description,
                            WayBack way);

/// Steps of any size: the integrator around a model-exchange FMU can take them, too.
bool can_vary_step(const Component& component, const ModelDescription& description);

/// Methods that repeat steps need components that can roll back: by restoring a saved state, or, to
/// the start of the last step, by FMI 1.0's repeated step.
/// @throws Error(capability) that names component, method and what to try
void check_rollback(const System& system, const Plan& plan,
                    std::span<const ModelDescription* const> descriptions,
                    const std::function<bool(std::string_view method)>& needs_rollback);

}  // namespace tutti::system
