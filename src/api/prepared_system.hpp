// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <tutti/system_run.hpp>

#include "api/run_setup.hpp"
#include "api/system_models.hpp"
#include "models/start_values.hpp"
#include "system/plan.hpp"

namespace tutti::api {

/// A coupled system that is checked and planned, its FMUs opened but not loaded.
class PreparedSystem {
 public:
  virtual ~PreparedSystem() = default;

  /// Valid as long as this and what it was prepared from.
  virtual RunSetup setup() = 0;
  virtual const System& system() const = 0;
  virtual const SystemModels& models() const = 0;
  virtual const system::Plan& plan() const = 0;
  virtual fmi::Fmu& fmu(std::size_t component) const = 0;
  virtual const models::StartValues& start_values(std::size_t component) const = 0;
  /// Before the FMUs are loaded: this variable is read after each step, too.
  virtual void fetch(std::size_t component, std::int32_t variable) = 0;
  /// Before the FMUs are loaded: start values, as a user writes them. @throws Error(usage)
  virtual void assign(std::size_t component,
                      const std::vector<models::Assignment>& assignments) = 0;
};

/// The system and the log must outlive the answer.
/// @throws Error for everything that can be known to be wrong beforehand
std::unique_ptr<PreparedSystem> prepare_system(const System& system,
                                               const SystemRunOptions& options, const Log& log);
/// The same with whatever is to be found out about the system beforehand: how to couple it, if
/// nobody says so, and models of its components. The answer owns the system.
std::unique_ptr<PreparedSystem> prepare_run(System system, const SystemRunOptions& options,
                                            const Log& log);

}  // namespace tutti::api
