// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tuple>

#include "fmi/abi/fmi3.hpp"
#include "fmi/instance_core.hpp"
#include "fmi/restorable_component.hpp"

namespace tutti::fmi::v3 {

namespace abi = fmi_abi::v3;

/// Reading and writing variables in FMI 3.0: one pair of functions per type. Enumerations use those
/// of Int64 (section 2.2.6.2). FMUs with clocks are rejected before instantiation.
class Values {
  template <class T>
  struct Access {
    Type type{};
    Function<abi::Get<T>> get;
    Function<abi::Set<T>> set;
  };

 public:
  /// Only the functions of types with variables are required.
  Values(const Library& library, const ModelDescription& description);

  /// The functions for doubles, for direct calls.
  const auto& get_real() const { return access<double>().get; }
  const auto& set_real() const { return access<double>().set; }

  void get(InstanceCore& core, Type type, References references, void* values,
           std::size_t count) const {
    if (type != Type::float64) return get_other(core, type, references, values, count);
    core.call(access<double>().get, references.data(), references.size(),
              static_cast<double*>(values), count);
  }
  void set(InstanceCore& core, Type type, References references, const void* values,
           std::size_t count) const {
    if (type != Type::float64) return set_other(core, type, references, values, count);
    core.call(access<double>().set, references.data(), references.size(),
              static_cast<const double*>(values), count);
  }
  void get_strings(InstanceCore& core, References references, std::span<std::string> values);
  void set_strings(InstanceCore& core, References references, std::span<const std::string> values);
  void get_binaries(InstanceCore& core, References references,
                    std::span<std::vector<std::uint8_t>> values);
  void set_binaries(InstanceCore& core, References references,
                    std::span<const std::vector<std::uint8_t>> values);

 private:
  template <class T>
  Access<T>& access() {
    return std::get<Access<T>>(access_);
  }
  template <class T>
  const Access<T>& access() const {
    return std::get<Access<T>>(access_);
  }
  void get_other(InstanceCore& core, Type type, References references, void* values,
                 std::size_t count) const;
  void set_other(InstanceCore& core, Type type, References references, const void* values,
                 std::size_t count) const;
  template <class Visitor>
  void visit(const InstanceCore& core, Type type, Visitor&& visitor) const;

  std::tuple<Access<double>, Access<float>, Access<std::int8_t>, Access<std::uint8_t>,
             Access<std::int16_t>, Access<std::uint16_t>, Access<std::int32_t>,
             Access<std::uint32_t>, Access<std::int64_t>, Access<std::uint64_t>, Access<bool>>
      access_;
  Access<abi::String> string_;
  Function<abi::GetBinary> get_binary_;
  Function<abi::SetBinary> set_binary_;
  std::vector<abi::String> strings_;
  std::vector<abi::Binary> binaries_;
  std::vector<std::size_t> sizes_;
};

/// An instance of an FMI 3.0 FMU: the common part of co-simulation and model exchange. The derived
/// classes call their own instantiation function; `this` is the instanceEnvironment.
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
  void adjoint_derivative(References unknowns, References knowns, std::span<const double> seed,
                          std::span<double> sensitivity) final;

  /// The path for the instantiation function; null if there is none.
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
  Function<abi::GetAdjointDerivative> get_adjoint_derivative_ =
      find("fmi3GetAdjointDerivative", "providesAdjointDerivatives");
};

}  // namespace tutti::fmi::v3
