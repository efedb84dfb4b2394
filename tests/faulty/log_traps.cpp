// SPDX-License-Identifier: BSD-2-Clause
// Messages that a logger must survive: null pointers, printf-style arguments (FMI 1.0 and 2.0), a
// format that writes, one that is very wide, bytes that are no text.
#include "plain.hpp"
#include "v1/slave.hpp"
#include "v2/slave.hpp"
#include "v3/slave.hpp"

#include <string>

namespace f1 = fmi_abi::v1;
namespace f2 = fmi_abi::v2;
namespace f3 = fmi_abi::v3;

namespace {

/// log(category, message, arguments...) sends one message.
template <class Send>
void set_traps(Send&& log) {
  log("logStatusWarning", "a number %d, a text %s, a real %.3f, a percent sign %%", 42, "inside",
      1.5);
  log(nullptr, "no category");
  log("logStatusWarning", nullptr);
  log(nullptr, nullptr);
  log("", "");
  log("logStatusWarning", "a null text: %s", static_cast<const char*>(nullptr));
  static int written = 0;
  log("logStatusWarning", "a format that writes: %n", &written);
  log("logStatusWarning", "a width without end: %1000000d", 7);
  log("logStatusWarning", "value references #r0# and ## and #i1# and # alone");
  log("unknown category", "not UTF-8: \xff\xfe, control \x01 and \x1b[31mred");
}

}  // namespace

FAULTY_API f1::Status FAULTY_FMI1(fmiDoStep)(f1::Component c, f1::Real t, f1::Real h, f1::Boolean) {
  auto& slave = *static_cast<fmukit::v1::Slave*>(c);
  set_traps([&](const char* category, const char* message, auto... arguments) {
    slave.callbacks.logger(c, slave.name.c_str(), f1::warning, category, message, arguments...);
  });
  slave.callbacks.logger(c, nullptr, f1::warning, "logStatusWarning", "no instance name");
  return static_cast<f1::Status>(slave.step(t, h).status);
}

FAULTY_API f2::Status fmi2DoStep(f2::Component c, f2::Real t, f2::Real h, f2::Boolean) {
  auto& slave = *static_cast<fmukit::v2::Slave*>(c);
  void* environment = slave.callbacks.environment;
  set_traps([&](const char* category, const char* message, auto... arguments) {
    slave.callbacks.logger(environment, slave.name.c_str(), f2::warning, category, message,
                           arguments...);
  });
  slave.callbacks.logger(environment, nullptr, f2::warning, "logStatusWarning", "no instance name");
  return static_cast<f2::Status>(slave.step(t, h).status);
}

FAULTY_API f3::Status fmi3DoStep(f3::Instance c, f3::Float64 t, f3::Float64 h, f3::Boolean,
                                 f3::Boolean* event, f3::Boolean* terminate, f3::Boolean* early,
                                 f3::Float64* reached) {
  auto& slave = *static_cast<fmukit::v3::Slave*>(c);
  set_traps([&](const char* category, const char* message, auto...) {
    slave.log_message(slave.environment, f3::warning, category, message);
  });
  *event = *terminate = *early = false;
  *reached = t + h;
  return static_cast<f3::Status>(slave.step(t, h).status);
}

FMUKIT_EXPORT(Plain)
