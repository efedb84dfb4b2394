// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>

#include "fmi/abi/fmi2.hpp"
#include "fmi/instance_core.hpp"
#include "fmi/scalar_values.hpp"

namespace tutti::fmi::v2 {

namespace abi = fmi_abi::v2;

/// An instance of an FMI 2.0 FMU: what co-simulation and model exchange share.
class Component : public InstanceCore {
 public:
  static constexpr bool can_get_in_initialization = true;

  /// Binds the functions. @throws Error (binary; capability: once per process)
  Component(const InstanceSetup& setup, const InstanceOptions& options);
  ~Component();
  void instantiate(const InstanceOptions& options, abi::Kind kind);  ///< @throws Error (fmu)

  void enter_configuration_mode();
  void exit_configuration_mode();
  void enter_initialization(const Experiment& experiment);
  /// @post the instance is in `next`.
  void exit_initialization(std::uint32_t next);
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
  const auto& values() const { return values_; }
  void get_strings(std::span<const ValueReference> references, std::span<std::string> values);
  void set_strings(std::span<const ValueReference> references, std::span<const std::string> values);
  void get_binaries(std::span<const ValueReference>, std::span<std::vector<std::uint8_t>>);
  void set_binaries(std::span<const ValueReference>, std::span<const std::vector<std::uint8_t>>);

  void get_fmu_state(void** handle);
  void set_fmu_state(void* handle, std::uint32_t mode);
  void free_fmu_state(void** handle) noexcept;
  std::vector<std::uint8_t> serialize(void* handle);
  void* deserialize(std::span<const std::uint8_t> bytes);

  void directional_derivative(std::span<const ValueReference> unknowns,
                              std::span<const ValueReference> knowns, std::span<const double> seed,
                              std::span<double> sensitivity);
  void adjoint_derivative(std::span<const ValueReference>, std::span<const ValueReference>,
                          std::span<const double>, std::span<double>);

  /// The status with which a pending doStep ended, set by the FMU's call of stepFinished.
  std::atomic<int> finished = status::none;

 private:
  // The tables in sections 3.2.3 and 4.2.4 of FMI 2.0.5.
  static constexpr std::uint32_t readable =
      mode::initialization | mode::step | mode::event | mode::continuous_time | mode::terminated;
  static constexpr std::uint32_t writable = mode::instantiated | mode::initialization | mode::step |
                                            mode::step_inputs_set | mode::event |
                                            mode::continuous_time;
  void need_saved_states() const;

  ScalarValues<abi::Status, abi::Boolean> values_;
  // FMUs keep the addresses of these, though they must not: they live as long.
  std::string resources_;
  abi::Callbacks callbacks_;
  Function<abi::GetTypesPlatform> get_types_platform_;
  Function<abi::Instantiate> instantiate_;
  Function<abi::FreeInstance> free_instance_;
  Function<abi::SetupExperiment> setup_experiment_;
  Function<abi::EnterInitializationMode> enter_initialization_mode_;
  Function<abi::ExitInitializationMode> exit_initialization_mode_;
  Function<abi::Terminate> terminate_;
  Function<abi::Reset> reset_;
  Function<abi::GetFmuState> get_fmu_state_;
  Function<abi::SetFmuState> set_fmu_state_;
  Function<abi::FreeFmuState> free_fmu_state_;
  Function<abi::SerializedFmuStateSize> serialized_fmu_state_size_;
  Function<abi::SerializeFmuState> serialize_fmu_state_;
  Function<abi::DeSerializeFmuState> deserialize_fmu_state_;
  Function<abi::GetDirectionalDerivative> get_directional_derivative_;
};

}  // namespace tutti::fmi::v2
