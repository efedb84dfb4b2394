// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <memory>
#include <tutti/fmu.hpp>

#include "fmi/instance_pool.hpp"

namespace tutti::fmi {

/// An opened FMU: its description, its unpacked files, its shared library (loaded once, at the
/// first instantiation). Instances keep their FMU alive.
class Fmu : public std::enable_shared_from_this<Fmu> {
 public:
  /// Reads the description and unpacks the archive into a private temporary folder that is removed
  /// with the last owner. A folder is used in place.
  static std::shared_ptr<Fmu> open(const std::filesystem::path& path, const FmuOptions& options,
                                   const Log& log);
  virtual ~Fmu() = default;

  virtual const std::filesystem::path& path() const = 0;    ///< as given by the user
  virtual const std::filesystem::path& folder() const = 0;  ///< where the files are
  virtual const ModelDescription& description() const = 0;

  /// Checks that an interface can run here: no clocks are used, and there is a binary for this
  /// machine, compiled now if the options allow it. Instantiation does so, too; this is for callers
  /// that need it before they fork.
  /// @param name the instance, for messages
  /// @throws Error (capability: clocks; binary: none)
  virtual void ensure_runnable(const std::string& name, const Capabilities& interface) = 0;

  /// @throws Error (capability: no such interface, needs a tool, once per process; binary: no
  /// binary for this machine, missing library or function; fmu: instantiation failed)
  virtual Owned<CoSimulation> instantiate_co_simulation(const CoSimulationOptions& options) = 0;
  virtual Owned<ModelExchange> instantiate_model_exchange(const InstanceOptions& options) = 0;
  /// Takes instances from there and gives them back, as long as it exists.
  virtual void reuse_instances(const std::weak_ptr<InstancePool>& pool) = 0;
};

/// The first variable that needs the ticks of a clock: it belongs to one, or the model structure
/// makes it depend on one (FMI 3.0, 2.2.8.3). Null: the clocks of the FMU do not affect any value,
/// so it runs without them.
const Variable* find_clocked(const ModelDescription& description);

}  // namespace tutti::fmi
