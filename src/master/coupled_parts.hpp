// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <tutti/simulation.hpp>
#include <tutti/system.hpp>
#include <vector>

#include "models/input_table.hpp"
#include "models/instance.hpp"
#include "stability/coupled_system.hpp"
#include "system/plan.hpp"

namespace tutti::master::tlm {
class ComponentPorts;
}

namespace tutti::master {

using models::ExternalSignals;

/// A linear model of a component at its start values.
struct ComponentModel {
  struct Scalar {
    std::int32_t variable = 0;
    std::uint64_t element = 0;
    bool operator==(const Scalar&) const = default;
  };
  stability::Subsystem system;
  std::vector<Scalar> u, y;
  std::vector<double> slopes;  ///< x'; empty: unknown
  double time = 0;             ///< of the linearization
};

/// Empty if there is none.
inline std::optional<std::size_t> index_in(const std::vector<ComponentModel::Scalar>& all,
                                           std::int32_t variable, std::uint64_t element = 0) {
  const auto found = std::find(all.begin(), all.end(), ComponentModel::Scalar{variable, element});
  if (found == all.end()) return {};
  return static_cast<std::size_t>(found - all.begin());
}

/// How the components are coupled.
struct Coupling {
  std::vector<std::string> methods;   ///< of cycles without methods of their own
  std::vector<CycleSettings> cycles;  ///< numbered as in the plan
  std::vector<InputSettings> inputs;  ///< by connection
  Correction correct = Correction::none;
  std::string text;                    ///< for messages
  std::vector<CycleCoupling> choices;  ///< the choices for cycles, with reasons
};

/// Everything of a coupled system that is needed while time runs.
struct CoupledParts {
  std::vector<std::unique_ptr<models::Instance>> instances;
  std::vector<const ModelDescription*> descriptions;
  system::Plan plan;
  SimulationSettings settings;
  std::vector<CycleSettings> cycles;
  std::vector<InputSettings> inputs;  ///< by connection
  std::vector<Coupling> fallbacks;    ///< tried one after the other when the coupling fails
  std::size_t used = 0;               ///< number of fallbacks in use
  bool is_automatic = false;          ///< the user did not choose the coupling
  /// By component, where a coupling method needs them. Empty: there are no models.
  std::vector<std::optional<ComponentModel>> models;
  /// By component, to estimate the global error of outputs and to correct them: with all driven
  /// inputs and all known outputs. Empty: nothing is estimated.
  std::vector<std::optional<ComponentModel>> error_models;
  std::vector<double> rates;  ///< by component: see InputModel; empty: unknown
  /// By component: it has no states, and some output depends directly on every continuous input.
  /// Empty: no component qualifies.
  std::vector<bool> are_static;
  std::vector<ExternalSignals> externals;
  bool saves_states = false;  ///< before each step, so that it can be rolled back
  bool can_save_states = false;
  std::vector<bool> may_stop_early;  ///< by component: early return is allowed to its FMU
  bool constant_start = false;       ///< see models::RunNeeds
  bool profile = false;              ///< every step is timed, not only samples
  std::size_t thread = 0;            ///< the first of the threads that run it
  /// By component, the lines at its ports. Empty: no lines end here.
  std::vector<tlm::ComponentPorts*> ports;
};

/// Couples as the fallback of this number, from 1; removes the fallbacks up to it.
inline void take_coupling(CoupledParts& parts, std::size_t number) {
  const Coupling& coupling = parts.fallbacks[number - 1];
  parts.settings.methods = coupling.methods;
  parts.settings.inputs.correct = coupling.correct;
  parts.cycles = coupling.cycles;
  parts.inputs = coupling.inputs;
  parts.used = number;
}

}  // namespace tutti::master
