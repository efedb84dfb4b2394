// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <tutti/log.hpp>
#include <tutti/system.hpp>
#include <vector>

#include "fmi/fmu.hpp"
#include "master/assembly.hpp"
#include "models/start_values.hpp"
#include "session/system_models.hpp"
#include "system/cluster.hpp"

namespace tutti::session {

/// Points of the interval from 0 to 1 without a period, so that no oscillation looks constant.
inline double scattered_part(int k) { return std::fmod(0.6180339887498949 * k, 1); }

/// A system as one set of equations at its start time: all components as one cluster, also
/// built-in components and co-simulation FMUs without states. Delayed signals are those of a
/// steady state: not delayed.
class WholeModel {
 public:
  /// Opens the FMUs; no instance is made. The log must outlive this object.
  /// @throws Error for components without equations
  WholeModel(const System& system, const FmuOptions& options, const Log& log);

  /// A new instance, initialized and in continuous-time mode. The one before must be gone, because
  /// an FMU may allow only one. @throws Error
  fmi::Owned<fmi::ModelExchange> make_instance();

  /// Of the whole: variables are called `component.variable`.
  const ModelDescription& description() const { return cluster_->description; }
  const system::Cluster& cluster() const { return *cluster_; }
  const fmi::StructuralValues& structure() const { return start_.structure(); }
  const System& system() const { return system_; }
  double time() const { return time_; }
  double stop() const { return stop_; }
  /// The name of a variable of the whole for the user: a lone FMU has no component.
  std::string shown(const std::string& name) const;
  /// Names of components, for messages about a crash.
  std::vector<std::string> component_names() const;

  /// What drives an input: a connection, a table, a constant, or nothing.
  enum class Source : std::uint8_t { none, constant, table, connection };
  Source source_of(const system::Point& point) const;
  /// A connection or a table gives the variable of the component, or an element of it, its value.
  bool is_driven(std::size_t component, const std::string& name) const;
  /// Inputs with tables whose values change after the start.
  std::vector<std::string> changing_sources() const;
  /// What to know about the components.
  const std::vector<std::string>& findings() const { return findings_; }

 private:
  void flatten(const System& system, const FmuOptions& options);
  void check_component(Component& component, const ModelDescription& description);
  void describe();
  void find_time();
  fmi::Owned<fmi::ModelExchange> make_member(std::size_t m);
  std::vector<double> later_times(const models::InputTable& table) const;
  void set_external(std::span<const fmi::Owned<fmi::ModelExchange>> members);

  const Log& log_;
  System system_;
  system::Problems problems_;
  SystemModels models_;
  std::string lone_;           ///< the only component, if variables are named without it
  std::vector<bool> is_held_;  ///< by component: a co-simulation FMU without states
  std::shared_ptr<system::Cluster> cluster_;
  system::Plan plan_;
  std::vector<std::shared_ptr<fmi::Fmu>> fmus_;
  std::vector<master::ExternalSignals> externals_;
  models::StartValues start_;
  double time_ = 0, stop_ = 1;
  std::vector<std::string> findings_;
};

}  // namespace tutti::session
