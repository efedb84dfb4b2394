// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <tutti/system.hpp>
#include <vector>

#include "models/input_table.hpp"
#include "models/instance.hpp"
#include "system/plan.hpp"

namespace tutti::master {

/// Signals from outside for one component.
struct ExternalSignals {
  std::uint32_t component = 0;
  std::unique_ptr<models::InputTable> table;
  std::unique_ptr<models::ValueSet> values;  ///< of the table's variables
  bool holds_end = false;                    ///< over a step its value at the end holds
};

/// How the components are coupled.
struct Coupling {
  std::vector<std::string> methods;   ///< of cycles that have none of their own
  std::vector<CycleSettings> cycles;  ///< as the plan numbers them
  std::vector<InputSettings> inputs;  ///< by connection
  Correction correct = Correction::none;
  std::string text;  ///< for messages
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
  bool is_automatic = false;          ///< nobody chose the coupling
  std::vector<ExternalSignals> externals;
  bool saves_states = false;  ///< before each step, so that it can be taken back
  bool can_save_states = false;
  std::vector<bool> may_stop_early;  ///< by component: its FMU was told that it may
  bool profile = false;              ///< every step is timed, not only some
};

}  // namespace tutti::master
