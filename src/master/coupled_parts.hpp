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

/// A linear model of a component, where it starts.
struct ComponentModel {
  struct Scalar {
    std::int32_t variable = 0;
    std::uint64_t element = 0;
    bool operator==(const Scalar&) const = default;
  };
  stability::Subsystem system;
  std::vector<Scalar> u, y;
  std::vector<double> slopes;  ///< x'; empty: not known
  double time = 0;             ///< where it was made
};

/// Nothing: it is not among them.
inline std::optional<std::size_t> index_in(const std::vector<ComponentModel::Scalar>& all,
                                           std::int32_t variable, std::uint64_t element = 0) {
  const auto found = std::find(all.begin(), all.end(), ComponentModel::Scalar{variable, element});
  if (found == all.end()) return {};
  return static_cast<std::size_t>(found - all.begin());
}

/// How the components are coupled.
struct Coupling {
  std::vector<std::string> methods;   ///< of cycles that have none of their own
  std::vector<CycleSettings> cycles;  ///< as the plan numbers them
  std::vector<InputSettings> inputs;  ///< by connection
  Correction correct = Correction::none;
  std::string text;                    ///< for messages
  std::vector<CycleCoupling> choices;  ///< what was chosen for cycles, and why
};

/// Everything of a coupled system that is needed while time runs.
struct CoupledParts {
  std::vector<std::unique_ptr<models::Instance>> instances;
  std::vector<const ModelDescription*> descriptions;
  system::Plan plan;
  SimulationSettings settings;
  std::vector<CycleSettings> cycles;
  std::vector<InputSettings> inputs;  ///< by connection
  std::vector<Coupling> safer;        ///< what to turn to when the coupling fails, one by one
  std::size_t used = 0;               ///< of them: so many were turned to
  bool is_automatic = false;          ///< nobody chose the coupling
  /// By component, where a coupling method needs them. None: there are none at all.
  std::vector<std::optional<ComponentModel>> models;
  /// By component, to estimate the global error of outputs and to correct them: with all driven
  /// inputs and all outputs that are known. None: nothing is estimated.
  std::vector<std::optional<ComponentModel>> error_models;
  std::vector<double> rates;  ///< by component: see InputModel; none: not known
  /// By component: it has no states, and some output follows every continuous input at once. None:
  /// no component's.
  std::vector<bool> are_static;
  std::vector<ExternalSignals> externals;
  bool saves_states = false;  ///< before each step, so that it can be taken back
  bool can_save_states = false;
  std::vector<bool> may_stop_early;  ///< by component: its FMU was told that it may
  bool constant_start = false;       ///< see models::RunNeeds
  bool profile = false;              ///< every step is timed, not only some
  std::size_t thread = 0;            ///< the first of those that lead it through time
  /// By component, what acts at its ports. None: no lines end here.
  std::vector<tlm::ComponentPorts*> ports;
};

/// Couples as `safer` has it, by number from 1 on; those up to there are left out of it.
inline void take_coupling(CoupledParts& parts, std::size_t number) {
  const Coupling& coupling = parts.safer[number - 1];
  parts.settings.methods = coupling.methods;
  parts.settings.inputs.correct = coupling.correct;
  parts.cycles = coupling.cycles;
  parts.inputs = coupling.inputs;
  parts.used = number;
}

}  // namespace tutti::master
