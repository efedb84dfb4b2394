// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "fmi/abi/fmi2.hpp"
#include "fmi/restorable_component.hpp"
#include "fmi/scalar_component.hpp"

namespace tutti::fmi::v2 {

namespace abi = fmi_abi::v2;

// The tables in sections 3.2.3 and 4.2.4 of FMI 2.0.5.
inline constexpr std::uint32_t readable =
    mode::initialization | mode::step | mode::event | mode::continuous_time | mode::terminated;
using ComponentBase = RestorableComponent<ScalarComponent<abi::Status, abi::Boolean, readable>,
                                          abi::Status, abi::Byte>;

/// An instance of an FMI 2.0 FMU: the common part of co-simulation and model exchange.
class Component : public ComponentBase {
 public:
  /// Binds the functions. @throws Error (binary; capability: once per process)
  Component(const InstanceSetup& setup, const InstanceOptions& options);
  ~Component() override;

  bool can_get_in_initialization() const final { return true; }
  void instantiate(const InstanceOptions& options, abi::Kind kind);  ///< @throws Error (fmu)

  void enter_initialization(const Experiment& experiment) final;
  void terminate() final;

  void directional_derivative(References unknowns, References knowns, std::span<const double> seed,
                              std::span<double> sensitivity) final;

 private:
  // Some FMUs keep the addresses of these, although they must not, so these have the same lifetime.
  std::string resources_;
  abi::Callbacks callbacks_;
  Function<abi::GetTypesPlatform> get_types_platform_ = find("fmi2GetTypesPlatform");
  Function<abi::Instantiate> instantiate_ = require("fmi2Instantiate");
  Function<abi::FreeInstance> free_instance_ = find("fmi2FreeInstance");
  Function<abi::SetupExperiment> setup_experiment_ = require("fmi2SetupExperiment");
  Function<abi::EnterInitializationMode> enter_initialization_mode_ =
      require("fmi2EnterInitializationMode");
  Function<abi::Terminate> terminate_ = find("fmi2Terminate");
  Function<abi::GetDirectionalDerivative> get_directional_derivative_ =
      find("fmi2GetDirectionalDerivative", "providesDirectionalDerivative");
};

}  // namespace tutti::fmi::v2
