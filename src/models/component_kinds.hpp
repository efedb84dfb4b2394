// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <optional>
#include <tutti/log.hpp>
#include <tutti/system.hpp>
#include <vector>

#include "base/csv.hpp"
#include "models/boundary.hpp"
#include "models/instance.hpp"
#include "models/run_needs.hpp"
#include "models/start_values.hpp"
#include "system/component_kind.hpp"

namespace tutti::fmi {
class Fmu;
}

namespace tutti::models {

/// What an instance is made from, and what is asked of it.
struct InstanceTask {
  const Component* component = nullptr;  ///< it and the following stay where they are
  const ModelDescription* description = nullptr;
  std::shared_ptr<fmi::Fmu> fmu;          ///< null: it has none
  std::shared_ptr<const CsvTable> table;  ///< of a built-in component
  const Log* log = nullptr;

  StartValues start;
  std::vector<std::int32_t> inputs;        ///< variables that the master drives
  std::vector<std::int32_t> outputs;       ///< variables that the master reads
  std::optional<double> tolerance;         ///< given by the user, or by a lone FMU
  std::optional<double> controlled_error;  ///< relative, of steps that are chosen by it
  bool goes_back = false;                  ///< steps may be repeated
  bool curves = false;                     ///< inputs may change inside a step
  bool follows_tables = false;  ///< inputs are known beforehand, and it may go ahead of the grid
  bool event_mode = false, early_return = false;  ///< FMI 3.0
  bool may_save_states = true;
  bool is_lone = false;
  double step = 0;         ///< of the system
  bool is_uniform = true;  ///< all steps are as long
  double substep = 0;      ///< it takes steps no longer than this; 0: of any size
  FmuNeeds needs;
  Boundary* boundary = nullptr;  ///< what acts at its ports; null: no lines end here
};

/// An instance of the kind of the component. @throws Error
std::unique_ptr<Instance> make_instance(const InstanceTask& task);

/// The rows of components that are C++ classes, and of those that Tutti has itself.
extern const system::ComponentKind class_kind, built_in_kind;

/// Settings of built-in components where the component is none. @throws Error(usage)
void refuse_idle_settings(const Component& component);

}  // namespace tutti::models
