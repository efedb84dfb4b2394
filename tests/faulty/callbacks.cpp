// SPDX-License-Identifier: BSD-2-Clause
// An FMU that runs no steps in the background and warns of a callback stepFinished, as those of one
// tool do (FMI 1.0 and 2.0).
#include "plain.hpp"
#include "v1/slave.hpp"
#include "v2/slave.hpp"

namespace f1 = fmi_abi::v1;
namespace f2 = fmi_abi::v2;

constexpr const char* text = "stepFinished is given, but not supported";

FAULTY_API f1::Status FAULTY_FMI1(fmiDoStep)(f1::Component c, f1::Real t, f1::Real h, f1::Boolean) {
  auto& slave = *static_cast<fmukit::v1::Slave*>(c);
  if (slave.callbacks.step_finished != nullptr)
    slave.callbacks.logger(c, slave.name.c_str(), f1::warning, "logStatusWarning", text);
  return static_cast<f1::Status>(slave.step(t, h).status);
}

FAULTY_API f2::Status fmi2DoStep(f2::Component c, f2::Real t, f2::Real h, f2::Boolean) {
  auto& slave = *static_cast<fmukit::v2::Slave*>(c);
  if (slave.callbacks.step_finished != nullptr)
    slave.callbacks.logger(slave.callbacks.environment, slave.name.c_str(), f2::warning,
                           "logStatusWarning", text);
  return static_cast<f2::Status>(slave.step(t, h).status);
}

FMUKIT_EXPORT(Plain)
