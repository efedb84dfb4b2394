// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <tutti/log.hpp>
#include <tutti/system_run.hpp>

#include "master/coupled_parts.hpp"
#include "master/island.hpp"
#include "session/advise/linear_models.hpp"

namespace tutti::session {

/// By component of the system; empty: it is in no cycle, or its states are unknown.
using ComponentModels = std::vector<std::optional<master::ComponentModel>>;

/// The coupling method of a cycle predicts with linear models of the components.
bool needs_models(const System& system);

/// Linear models of components, for a run.
struct KnownModels {
  ComponentModels coupling;  ///< see master::CoupledParts::models
  ComponentModels errors;    ///< see master::CoupledParts::error_models
};
KnownModels known_models(const System& system, const ModelledAdvice& known);
/// Linearizes the components at the start of the system.
/// @pre needs_models(system). @throws Error as advise() does; capability: a component that needs a
/// model has none
KnownModels find_component_models(const System& system, const SystemRunOptions& options);

/// With this fraction of the tolerance per step, errors add up to about the tolerance.
constexpr double of_steps = 0.3;

bool is_automatic(const System& system);

/// The coupling that method = "auto" chooses.
struct AutomaticCoupling {
  System system;                            ///< the system with explicit settings
  std::string text;                         ///< description for messages
  std::vector<CycleCoupling> choices;       ///< for cycles without their own method
  std::vector<master::Coupling> fallbacks;  ///< tried one after the other if it fails
  std::vector<double> rates;                ///< see master::CoupledParts
  std::vector<bool> are_static;             ///< the same
  KnownModels models;                       ///< the same
};

/// Applies advise() to each cycle without its own method, with error-controlled steps to
/// simulation.tolerance, and logs its choices with reasons.
/// @pre is_automatic(system). @throws Error as advise() does
AutomaticCoupling choose_coupling(const System& system, const SystemRunOptions& options,
                                  const Log& log);

}  // namespace tutti::session
