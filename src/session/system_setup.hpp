// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>

#include "session/run_outline.hpp"
#include "session/system_models.hpp"
#include "system/plan.hpp"

/// What is decided of a coupled system before its FMUs are loaded, and refused: for a run, and for
/// whoever only wants to know whether there can be one.
namespace tutti::session {

/// Fills in when the system starts, stops and communicates.
/// @throws Error: usage; capability if the last step is shorter and a component cannot follow
void resolve_time(const System& system, const SystemModels& models, RunSetup& setup,
                  const Log& log);

/// Can the FMUs be there as often as they are named, and save their states if they are to?
/// @throws Error(capability)
void check_abilities(const System& system, const SystemModels& models, const system::Plan& plan);

/// Says which settings of iterations, inputs and step control have no effect beside the others.
void note_idle_settings(const System& system, const Log& log);
/// Says who has a solver that nobody asks. Where a description is missing, nothing.
void note_idle_solvers(const System& system, const SystemModels& models, const Log& log);

/// Says who cannot follow curves of inputs inside a step, if there are any. `inputs`: the driven
/// ones, by component.
void note_who_takes_values_only(const System& system, const SystemModels& models,
                                std::span<const std::vector<std::int32_t>> inputs, const Log& log);

/// Says for whom the predictor has to do without repeating steps.
void note_who_cannot_go_back(const System& system, const SystemModels& models, const Log& log);

/// By component, its own step if that is shorter than `step`, the system's; else 0.
/// @throws Error(usage) if it is no integer fraction of that
std::vector<double> find_substeps(const System& system, double step);

/// By component, the variables that are recorded, in the order of the description: outputs and
/// driven inputs, or what matches the patterns of the user. @throws Error(usage)
std::vector<std::vector<std::int32_t>> recorded_variables(const System& system,
                                                          const SystemModels& models,
                                                          const system::Plan& plan);

}  // namespace tutti::session
