// SPDX-License-Identifier: BSD-2-Clause
// An FMU that passes a constant to the logger instead of its environment, as those of Overture do.
#include "plain.hpp"
#include "v2/slave.hpp"
#include "v3/slave.hpp"

namespace f2 = fmi_abi::v2;
namespace f3 = fmi_abi::v3;

namespace {

void* constant() { return reinterpret_cast<void*>(1); }

}  // namespace

FAULTY_API f2::Status fmi2DoStep(f2::Component c, f2::Real t, f2::Real h, f2::Boolean) {
  auto& slave = *static_cast<fmukit::v2::Slave*>(c);
  const auto log = [&](const char* name, const char* text) {
    slave.callbacks.logger(constant(), name, f2::warning, "logStatusWarning", text);
  };
  log(slave.name.c_str(), "found by its name");
  log("another", "of another instance");
  log(nullptr, "of no instance");
  return static_cast<f2::Status>(slave.step(t, h).status);
}

FAULTY_API f3::Status fmi3DoStep(f3::Instance c, f3::Float64 t, f3::Float64 h, f3::Boolean,
                                 f3::Boolean* event, f3::Boolean* terminate, f3::Boolean* early,
                                 f3::Float64* reached) {
  auto& slave = *static_cast<fmukit::v3::Slave*>(c);
  slave.log_message(constant(), f3::warning, "logStatusWarning", "of no instance");
  *event = *terminate = *early = false;
  *reached = t + h;
  return static_cast<f3::Status>(slave.step(t, h).status);
}

FMUKIT_EXPORT(Plain)
