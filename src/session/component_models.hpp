// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <tutti/log.hpp>
#include <tutti/system_run.hpp>

#include "master/coupled_parts.hpp"
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

}  // namespace tutti::session
