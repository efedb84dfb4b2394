// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>

#include "session/run_outline.hpp"
#include "session/system_models.hpp"
#include "system/plan.hpp"

/// Decisions and checks for a coupled system before its FMUs are loaded: for a run, or only to
/// check whether a run is possible.
namespace tutti::session {

/// Fills in start, stop and communication points.
/// @throws Error: usage; capability if the last step is shorter and a component cannot vary its
/// step
void resolve_time(const System& system, const SystemModels& models, RunSetup& setup,
                  const Log& log);

/// Checks that the FMUs allow the necessary number of instances, and can save their states if
/// necessary.
/// @throws Error(capability)
void check_abilities(const System& system, const SystemModels& models, const system::Plan& plan);

/// Logs settings of iterations, inputs and step control that have no effect.
void note_idle_settings(const System& system, const Log& log);
/// Logs components whose solver setting has no effect. Skips missing descriptions.
void note_idle_solvers(const System& system, const SystemModels& models, const Log& log);

/// Logs components that cannot follow input signals inside a step, if there are any. `inputs`: the
/// driven inputs, by component.
void note_components_without_curves(const System& system, const SystemModels& models,
                                    std::span<const std::vector<std::int32_t>> inputs,
                                    const Log& log);

/// Logs components for which the predictor cannot repeat steps.
void note_components_without_rollback(const System& system, const SystemModels& models,
                                      const Log& log);

/// By component, its own step if that is shorter than `step`, the system's; else 0.
/// @throws Error(usage) if it is not an integer fraction of that
std::vector<double> find_substeps(const System& system, double step);

/// By component, the variables that are recorded, in the order of the description: outputs and
/// driven inputs, or what matches the patterns of the user. @throws Error(usage)
std::vector<std::vector<std::int32_t>> recorded_variables(const System& system,
                                                          const SystemModels& models,
                                                          const system::Plan& plan);

}  // namespace tutti::session
