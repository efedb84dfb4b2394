// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <span>
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

  /// Valid during the lifetime of this object.
  virtual RunSetup setup() = 0;
  virtual const System& system() const = 0;
  virtual const SystemModels& models() const = 0;
  virtual const system::Plan& plan() const = 0;
  virtual fmi::Fmu* fmu(std::size_t component) const = 0;  ///< null: a C++ class
  virtual const models::StartValues& start_values(std::size_t component) const = 0;
  /// Also reads this variable after each step. @pre the FMUs are not yet loaded
  virtual void fetch(std::size_t component, std::int32_t variable) = 0;
  /// Sets start values, as a user writes them. @pre the FMUs are not yet loaded. @throws
  /// Error(usage)
  virtual void assign(std::size_t component,
                      const std::vector<models::Assignment>& assignments) = 0;
  /// The start values of the system, changed as tutti::assign() changes them; those of earlier
  /// calls are void. They apply to runs from now on. @pre no structural parameters. @throws
  /// Error(usage)
  virtual void start_with(std::size_t component, std::span<const models::Assignment> values) = 0;
};

/// The log must outlive the result.
/// @throws Error for all problems that are detectable in advance
std::unique_ptr<PreparedSystem> prepare_system(const System& system,
                                               const SystemRunOptions& options, const Log& log);
/// The same including preliminary analysis: the choice of the coupling with method = "auto", and
/// linear models of components.
std::unique_ptr<PreparedSystem> prepare_run(System system, SystemRunOptions options,
                                            const Log& log);

}  // namespace tutti::session
