// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>

#include "core/boundary.hpp"
#include "core/values.hpp"
#include "fmi/abi/fmi3.hpp"

namespace fmukit::v3 {

namespace abi = fmi_abi::v3;

enum class Kind { model_exchange, co_simulation };

/// An instance with the callbacks of FMI 3.0.
class Slave final : public Instance {
 public:
  Slave(const Layout& table, const char* instance_name, const char* resource_folder,
        Kind interface_kind, abi::InstanceEnvironment env, abi::LogMessage logger,
        abi::IntermediateUpdate update)
      : Instance(table, instance_name, path_of_uri(resource_folder)),
        kind(interface_kind),
        environment(env),
        log_message(logger),
        intermediate(update) {}

  bool intermediate_update(double t) override;
  void ask_for_inputs(double t) override;

  const Kind kind;
  const abi::InstanceEnvironment environment;
  const abi::LogMessage log_message;
  const abi::IntermediateUpdate intermediate;
  Phase before_configuration = Phase::step;

 private:
  /// The permissions of the simulator in one intermediate update.
  struct Offer {
    bool set, get, finished, stop;
  };
  /// Returns the time at which the simulator requests the end of the step.
  std::optional<double> call_back(double t, const Offer& offer);
  void deliver(Status status, const char* category, const std::string& message) override {
    if (log_message)
      log_message(environment, static_cast<abi::Status>(status), category, message.c_str());
  }
};

template <class Body>
inline abi::Status run(abi::Instance c, const char* function, Phases allowed, Body&& body) {
  return call<Slave, abi::Status>(c, function, allowed, body);
}

/// Sets of phases that several functions share; after the states of the standard.
namespace when {
using enum Phase;
inline constexpr Phases any =
    phases(instantiated, configuration, initialization, event, continuous, step, discarded,
           reconfiguration, intermediate, terminated, error);
inline constexpr Phases settable =
    phases(instantiated, configuration, initialization, event, continuous, step, discarded,
           reconfiguration, intermediate);
inline constexpr Phases running =
    phases(initialization, event, continuous, step, discarded, intermediate, terminated, error);
}  // namespace when

}  // namespace fmukit::v3
