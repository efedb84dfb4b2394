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

/// What an instance is constructed from, and the required capabilities.
struct InstanceTask {
  const Component* component = nullptr;  ///< this and the following must outlive the instance
  const ModelDescription* description = nullptr;
  std::shared_ptr<fmi::Fmu> fmu;          ///< null: not an FMU
  std::shared_ptr<const CsvTable> table;  ///< of a built-in component
  const Log* log = nullptr;

  StartValues start;
  std::vector<std::int32_t> inputs;        ///< variables that the master drives
  std::vector<std::int32_t> outputs;       ///< variables that the master reads
  std::optional<double> tolerance;         ///< given by the user, or by a lone FMU
  std::optional<double> controlled_error;  ///< relative, of step control
  bool goes_back = false;                  ///< steps may be repeated
  bool curves = false;                     ///< inputs may change inside a step
  bool follows_tables =
      false;  ///< inputs are known beforehand, and the instance may step beyond the grid
  bool event_mode = false, early_return = false;  ///< FMI 3.0
  bool may_save_states = true;
  bool is_single_fmu = false;
  double step = 0;         ///< of the system
  bool is_uniform = true;  ///< all steps have the same size
  double substep = 0;      ///< maximum size of its own steps; 0: no limit
  FmuNeeds needs;
  Boundary* boundary = nullptr;  ///< lines at its ports; null: none
};

/// An instance of the kind of the component. @throws Error
std::unique_ptr<Instance> make_instance(const InstanceTask& task);

/// The rows of C++ classes and of built-in components.
extern const system::ComponentKind class_kind, built_in_kind;

/// Rejects settings of built-in components for other components. @throws Error(usage)
void refuse_idle_settings(const Component& component);

}  // namespace tutti::models
