// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/boundary.hpp"
#include "core/values.hpp"
#include "fmi/abi/fmi1.hpp"

namespace fmukit::v1 {

namespace abi = fmi_abi::v1;

/// An instance with the callbacks of FMI 1.0, for both interfaces. Model exchange has no
/// step_finished.
class Slave final : public Instance {
 public:
  Slave(const Layout& table, const char* instance_name, const abi::CoSimulationCallbacks& functions,
        bool exchange);

  /// Co-simulation of FMI 1.0 cannot request the end of the run, so the simulation continues.
  void request_termination() override;

  const bool model_exchange;
  const abi::CoSimulationCallbacks callbacks;
  std::unique_ptr<SavedState> before_step;  ///< for a repeated step

 private:
  bool reported_end_ = false;
  void deliver(Status status, const char* category, const std::string& message) override {
    if (callbacks.logger)
      callbacks.logger(this, name.c_str(), static_cast<abi::Status>(status), category,
                       escaped(message).c_str());
  }
  void notify_step_finished(Status status) override {
    if (callbacks.step_finished) callbacks.step_finished(this, static_cast<abi::Status>(status));
  }
};

/// Instantiates for either interface; null after a message to the logger.
abi::Component instantiate(const char* function, abi::String name, abi::String guid,
                           const abi::CoSimulationCallbacks& callbacks, abi::Boolean logging_on,
                           bool model_exchange);

template <class Body>
inline abi::Status run(abi::Component c, const char* function, Phases allowed, Body&& body) {
  return call<Slave, abi::Status>(c, function, allowed, body);
}

}  // namespace fmukit::v1
