// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <tutti/log.hpp>
#include <tutti/system_run.hpp>

#include "master/coupled_parts.hpp"
#include "master/island.hpp"
#include "session/advise/linear_models.hpp"

namespace tutti::session {

/// By component of the system; nothing: it is in no cycle, or its states are not known.
using ComponentModels = std::vector<std::optional<master::ComponentModel>>;

/// The coupling method of a cycle predicts with linear models of the components.
bool needs_models(const System& system);

/// What a run is told of its components.
struct KnownModels {
  ComponentModels coupling;  ///< see master::CoupledParts::models
  ComponentModels errors;    ///< see master::CoupledParts::error_models
};
KnownModels known_models(const System& system, const ModelledAdvice& known);
/// Linearizes the components where the system starts.
/// @pre needs_models(system). @throws Error as advise() does; capability: a component that needs a
/// model has none
KnownModels find_component_models(const System& system, const SystemRunOptions& options);

/// Errors of steps add up to something like the tolerance, if each is this part of it.
constexpr double of_steps = 0.3;

bool is_automatic(const System& system);

/// What method = "auto" stands for.
struct AutomaticCoupling {
  System system;                        ///< as if somebody had chosen all that
  std::string text;                     ///< for people
  std::vector<CycleCoupling> choices;   ///< for cycles that had no method of their own
  std::vector<master::Coupling> safer;  ///< what to turn to if it fails
  std::vector<double> rates;            ///< see master::CoupledParts
  std::vector<bool> are_static;         ///< the same
  KnownModels models;                   ///< the same
};

/// Takes the advice of advise() for each cycle that has no method of its own, with error-controlled
/// steps to simulation.tolerance, and tells what it took and why.
/// @pre is_automatic(system). @throws Error as advise() does
AutomaticCoupling choose_coupling(const System& system, const SystemRunOptions& options,
                                  const Log& log);

}  // namespace tutti::session
