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

/// Resolves and checks the connections of a system, finds its cycles, and puts everything in order.
///
/// @param descriptions one for each component; the same one may serve several
/// @param structures sizes of arrays, for each component
/// @param input_columns names of the columns of System::inputs.file, without the time
/// @throws Error(usage) with all that is wrong. What a user should merely know goes to the log.
Plan make_plan(const System& system, std::span<const ModelDescription* const> descriptions,
               std::span<const fmi::StructuralValues> structures, const Log& log = {},
               std::span<const std::string> input_columns = {});

/// Names of the inputs without a source; those of ports have a note of their own.
std::vector<std::string> open_inputs(const System& system,
                                     std::span<const ModelDescription* const> descriptions,
                                     std::span<const fmi::StructuralValues> structures,
                                     const Plan& plan);

/// The plan of some components that no connection leads out of, renumbered in the order given.
/// @param descriptions of these components
Plan part_of(const Plan& plan, std::span<const std::uint32_t> components,
             std::span<const ModelDescription* const> descriptions);

/// Whether a component uses its FMU as model exchange.
bool is_model_exchange(const Component& component, const ModelDescription& description);
/// The interface of the FMU that a component uses.
/// @throws Error(capability) if the FMU does not have it
const Capabilities& interface_of(const Component& component, const ModelDescription& description);

/// How far back a component has to go: to the begin of its last step, or to any state it was in.
enum class WayBack : std::uint8_t { last_step, any_state };
/// What a component that has no such way back cannot do, in the words of its standard: "save and
/// restore its state (canGetAndSetFMUState=\"false\")".
std::string missing_ability(const Component& component, const ModelDescription& description,
                            WayBack way);

/// Steps of any size: the integrator around a model-exchange FMU can take them, too.
bool can_vary_step(const Component& component, const ModelDescription& description);

/// Methods that repeat steps need components that can go back: by saving their state, or, as far as
/// to the begin of the last step, by FMI 1.0's repeated step.
/// @throws Error(capability) that names component, method and what to do
void check_rollback(const System& system, const Plan& plan,
                    std::span<const ModelDescription* const> descriptions,
                    const std::function<bool(std::string_view method)>& needs_rollback);

}  // namespace tutti::system
