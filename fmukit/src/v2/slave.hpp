// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/boundary.hpp"
#include "core/values.hpp"
#include "fmi/abi/fmi2.hpp"

namespace fmukit::v2 {

namespace abi = fmi_abi::v2;

/// An instance with the callbacks of FMI 2.0.
class Slave final : public Instance {
 public:
  Slave(const Layout& table, const char* instance_name, abi::Kind interface_kind,
        const char* resource_uri, const abi::Callbacks& functions)
      : Instance(table, instance_name, path_of_uri(resource_uri)),
        kind(interface_kind),
        callbacks(functions) {}

  const abi::Kind kind;
  const abi::Callbacks callbacks;
  double start = 0;

 private:
  void deliver(Status status, const char* category, const std::string& message) override {
    if (callbacks.logger)
      callbacks.logger(callbacks.environment, name.c_str(), static_cast<abi::Status>(status),
                       category, escaped(message).c_str());
  }
  void notify_step_finished(Status status) override {
    if (callbacks.step_finished)
      callbacks.step_finished(callbacks.environment, static_cast<abi::Status>(status));
  }
};

template <class Body>
inline abi::Status run(abi::Component c, const char* function, Phases allowed, Body&& body) {
  return call<Slave, abi::Status>(c, function, allowed, body);
}

/// Sets of phases that several functions share; after "Calling sequence" of the standard.
namespace when {
using enum Phase;
inline constexpr Phases any =
    phases(instantiated, initialization, event, continuous, step, discarded, terminated, error);
inline constexpr Phases readable = any;
inline constexpr Phases settable =
    phases(instantiated, initialization, event, continuous, step, discarded);
inline constexpr Phases running =
    phases(initialization, event, continuous, step, discarded, terminated, error);
}  // namespace when

}  // namespace fmukit::v2
