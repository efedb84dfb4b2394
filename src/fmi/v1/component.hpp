// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>

#include "fmi/abi/fmi1.hpp"
#include "fmi/instance_core.hpp"
#include "fmi/scalar_values.hpp"
#include "fmi/v1/registry.hpp"

namespace tutti::fmi::v1 {

namespace abi = fmi_abi::v1;

/// An instance of an FMI 1.0 FMU: what co-simulation and model exchange share. The two kinds have
/// functions of different names for the same purpose: each face instantiates by its own and tells
/// which ones end and free the instance.
class Component : public InstanceCore {
 public:
  /// FMI 1.0 has no initialization mode: values exist after fmiInitialize or fmiInitializeSlave.
  static constexpr bool can_get_in_initialization = false;

  /// Binds the functions. @throws Error (binary; capability: once per process)
  Component(const InstanceSetup& setup, const InstanceOptions& options);
  ~Component();

  /// Runs the face's instantiation function while the log knows whom to ask for.
  /// @throws Error (fmu)
  template <class Instantiate>
  void instantiate(const Instantiate& function) {
    guarded("instantiation", [&] {
      check_platform();
      const registry::Instantiating here(this);
      born(function());
      registry::living(this);
    });
  }

  Function<abi::GetTypesPlatform> get_types_platform;
  Function<abi::Terminate> terminate_function;     ///< fmiTerminate or fmiTerminateSlave
  Function<abi::FreeModelInstance> free_function;  ///< ...ModelInstance or ...SlaveInstance
  Function<abi::ResetSlave> reset_function;        ///< co-simulation only

  void enter_configuration_mode();
  void exit_configuration_mode();
  /// Only keeps the experiment: the face hands it over when initialization ends.
  void enter_initialization(const Experiment& experiment);
  const Experiment& experiment() const { return experiment_; }
  void terminate();
  void reset();

  void get(Type type, std::span<const ValueReference> references, void* values, std::size_t) {
    expect_counted(readable, "get");
    ++counts().get;
    values_.get(*this, type, references, values);
  }
  void set(Type type, std::span<const ValueReference> references, const void* values, std::size_t) {
    expect_counted(writable, "set");
    ++counts().set;
    values_.set(*this, type, references, values);
    if (mode() == mode::step) set_mode(mode::step_inputs_set);
  }
  void get_strings(std::span<const ValueReference> references, std::span<std::string> values);
  void set_strings(std::span<const ValueReference> references, std::span<const std::string> values);
  void get_binaries(std::span<const ValueReference>, std::span<std::vector<std::uint8_t>>);
  void set_binaries(std::span<const ValueReference>, std::span<const std::vector<std::uint8_t>>);

  // What FMI 1.0 does not have.
  void get_fmu_state(void**) { no_states(); }
  void set_fmu_state(void*, std::uint32_t) { no_states(); }
  void free_fmu_state(void**) noexcept {}
  std::vector<std::uint8_t> serialize(void*) { no_states(); }
  void* deserialize(std::span<const std::uint8_t>) { no_states(); }
  void directional_derivative(std::span<const ValueReference>, std::span<const ValueReference>,
                              std::span<const double>, std::span<double>);
  void adjoint_derivative(std::span<const ValueReference>, std::span<const ValueReference>,
                          std::span<const double>, std::span<double>);

  /// The status with which a pending doStep ended, set by the FMU's call of stepFinished.
  std::atomic<int> finished = status::none;

 private:
  static constexpr std::uint32_t readable =
      mode::step | mode::event | mode::continuous_time | mode::terminated;
  static constexpr std::uint32_t writable = mode::instantiated | mode::initialization | mode::step |
                                            mode::step_inputs_set | mode::event |
                                            mode::continuous_time;
  void check_platform() const;
  [[noreturn]] void no_states() const;

  ScalarValues<abi::Status, abi::Boolean> values_;
  Experiment experiment_;
};

}  // namespace tutti::fmi::v1
