// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "fmi/abi/fmi1.hpp"
#include "fmi/scalar_component.hpp"

namespace tutti::fmi::v1 {

class Component;

/// The callbacks of FMI 1.0 carry no environment, only the FMU's own handle and the instance name,
/// and the handle is unknown while the FMU is instantiating. So there is one table of the existing
/// instances in the process, guarded by a lock.
namespace registry {

/// During its lifetime, `component` is the one that this thread is instantiating.
class Instantiating {
 public:
  explicit Instantiating(Component* component);
  ~Instantiating();
  Instantiating(const Instantiating&) = delete;
  Instantiating& operator=(const Instantiating&) = delete;
};

void add(Component* component);
void remove(Component* component);

}  // namespace registry

/// The callbacks for an FMU. They find the instance by the instantiation in this thread, by handle,
/// or by name, in this order; messages without an instance are dropped.
fmi_abi::v1::CoSimulationCallbacks callbacks();

namespace abi = fmi_abi::v1;

/// Values exist after fmiInitialize or fmiInitializeSlave: there is no initialization mode.
using ComponentBase =
    ScalarComponent<abi::Status, abi::Boolean,
                    mode::step | mode::event | mode::continuous_time | mode::terminated>;

/// An instance of an FMI 1.0 FMU: the common part of co-simulation and model exchange. The two
/// kinds have functions of different names for the same purpose: the derived class instantiates
/// with its own and sets those that end and free the instance.
class Component : public ComponentBase {
 public:
  /// Binds the functions. @throws Error (binary; capability: once per process)
  Component(const InstanceSetup& setup, const InstanceOptions& options);
  ~Component() override;

  bool can_get_in_initialization() const final { return false; }

  /// Runs the instantiation function of the derived class, so that the logger callback finds this
  /// instance.
  /// @throws Error (fmu)
  template <class Instantiate>
  void instantiate(const Instantiate& function) {
    guarded("instantiation", [&] {
      check_platform(get_types_platform, "standard32");
      const registry::Instantiating here(this);
      set_component(function());
      registry::add(this);
    });
  }

  Function<abi::GetTypesPlatform> get_types_platform;
  Function<abi::Terminate> terminate_function;     ///< fmiTerminate or fmiTerminateSlave
  Function<abi::FreeModelInstance> free_function;  ///< ...ModelInstance or ...SlaveInstance
  Function<abi::ResetSlave> reset_function;        ///< co-simulation only

  /// Only stores the experiment: the derived class passes it on at the end of initialization.
  void enter_initialization(const Experiment& experiment) final;
  const Experiment& experiment() const { return experiment_; }
  void terminate() final;
  void reset() final;

  // Functions that FMI 1.0 does not have.
  void get_fmu_state(void**) final { no_states(); }
  void set_fmu_state(void*, std::uint32_t) final { no_states(); }
  void free_fmu_state(void**) noexcept final {}
  std::vector<std::uint8_t> serialize(void*) final { no_states(); }
  void* deserialize(std::span<const std::uint8_t>) final { no_states(); }
  void directional_derivative(References, References, std::span<const double>,
                              std::span<double>) final;

 private:
  [[noreturn]] void no_states() const;

  Experiment experiment_;
};

}  // namespace tutti::fmi::v1
