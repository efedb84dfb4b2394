// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <tutti/system_run.hpp>

#include "models/start_values.hpp"
#include "session/run_outline.hpp"
#include "session/system_models.hpp"
#include "system/plan.hpp"

namespace tutti::session {

/// A coupled system that is checked and planned, its FMUs opened but not loaded.
class PreparedSystem {
 public:
  virtual ~PreparedSystem() = default;

  /// Valid as long as this.
  virtual RunSetup setup() = 0;
  virtual const System& system() const = 0;
  virtual const SystemModels& models() const = 0;
  virtual const system::Plan& plan() const = 0;
  virtual fmi::Fmu* fmu(std::size_t component) const = 0;  ///< null: it is a C++ class
  virtual const models::StartValues& start_values(std::size_t component) const = 0;
  /// Before the FMUs are loaded: this variable is read after each step, too.
  virtual void fetch(std::size_t component, std::int32_t variable) = 0;
  /// Before the FMUs are loaded: start values, as a user writes them. @throws Error(usage)
  virtual void assign(std::size_t component,
                      const std::vector<models::Assignment>& assignments) = 0;
};

/// The log must outlive the answer.
/// @throws Error for everything that can be known to be wrong beforehand
std::unique_ptr<PreparedSystem> prepare_system(const System& system,
                                               const SystemRunOptions& options, const Log& log);
/// The same with whatever is to be found out about the system beforehand: how to couple it, if
/// nobody says so, and models of its components.
std::unique_ptr<PreparedSystem> prepare_run(System system, SystemRunOptions options,
                                            const Log& log);

}  // namespace tutti::session
