// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "fmi/restorable_component.hpp"
#include "fmi/v3/values.hpp"

namespace tutti::fmi::v3 {

/// An instance of an FMI 3.0 FMU: what co-simulation and model exchange share. The two faces call
/// their own instantiation function; `this` is the instanceEnvironment.
class Component : public RestorableComponent<InstanceCore, abi::Status, abi::Byte> {
 public:
  /// Binds the functions. @throws Error (binary; capability: once per process)
  Component(const InstanceSetup& setup, const InstanceOptions& options);
  ~Component() override;

  bool can_get_in_initialization() const final { return true; }

  void enter_configuration_mode() final;
  void exit_configuration_mode() override;
  void enter_initialization(const Experiment& experiment) final;
  void terminate() final;

  void enter_event_mode(std::uint32_t from);
  DiscreteUpdate update_discrete_states();

  void get(Type type, References references, void* values, std::size_t count) final {
    expect_counted(readable, "get");
    ++counts().get;
    values_.get(*this, type, references, values, count);
  }
  void set(Type type, References references, const void* values, std::size_t count) final {
    expect_counted(writable, "set");
    ++counts().set;
    values_.set(*this, type, references, values, count);
    if (mode() & (mode::step | mode::intermediate_get)) no_get_after_set();
  }
  const auto& values() const { return values_; }
  void get_strings(References references, std::span<std::string> values) final;
  void set_strings(References references, std::span<const std::string> values) final;
  void get_binaries(References references, std::span<std::vector<std::uint8_t>> values) final;
  void set_binaries(References references, std::span<const std::vector<std::uint8_t>> values) final;

  void directional_derivative(References unknowns, References knowns, std::span<const double> seed,
                              std::span<double> sensitivity) final;

  /// The path to hand to the instantiation function; null if there is none.
  const char* resources() const { return resources_ ? resources_->c_str() : nullptr; }
  static abi::LogMessage logger();

 private:
  // Sections 2.3 (common states), 3.2.1 (continuous time), 4.2.1, 4.2.2 (step, intermediate).
  static constexpr std::uint32_t readable = mode::instantiated | mode::initialization | mode::step |
                                            mode::event_due | mode::event | mode::continuous_time |
                                            mode::intermediate_get | mode::terminated;
  static constexpr std::uint32_t writable =
      mode::instantiated | mode::configuration | mode::initialization | mode::step |
      mode::step_inputs_set | mode::event | mode::continuous_time | mode::intermediate_set;
  void no_get_after_set();

  Values values_;
  std::optional<std::string> resources_;
  Function<abi::FreeInstance> free_instance_ = require("fmi3FreeInstance");
  Function<abi::EnterInitializationMode> enter_initialization_mode_ =
      require("fmi3EnterInitializationMode");
  Function<abi::EnterEventMode> enter_event_mode_ = find("fmi3EnterEventMode", "hasEventMode");
  Function<abi::UpdateDiscreteStates> update_discrete_states_ =
      find("fmi3UpdateDiscreteStates", "hasEventMode");
  Function<abi::EnterConfigurationMode> enter_configuration_mode_ =
      find("fmi3EnterConfigurationMode");
  Function<abi::ExitConfigurationMode> exit_configuration_mode_ = find("fmi3ExitConfigurationMode");
  Function<abi::Terminate> terminate_ = require("fmi3Terminate");
  Function<abi::GetDirectionalDerivative> get_directional_derivative_ =
      find("fmi3GetDirectionalDerivative", "providesDirectionalDerivatives");
};

}  // namespace tutti::fmi::v3
