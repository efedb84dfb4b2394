// SPDX-License-Identifier: BSD-2-Clause
// Numbers that are no status of FMI 2.0. FAULT, set in CMakeLists.txt, chooses the function.
#include "plain.hpp"
#include "v2/slave.hpp"

namespace {

enum class Fault { of_get, of_pending };
constexpr Fault fault = Fault::FAULT;

namespace abi = fmi_abi::v2;
constexpr auto unknown = static_cast<abi::Status>(-7);

}  // namespace

FAULTY_API abi::Status fmi2GetReal(abi::Component c, const abi::ValueReference*, std::size_t count,
                                   abi::Real* values) {
  const double y = static_cast<const Plain&>(*static_cast<fmukit::v2::Slave*>(c)->model).y;
  for (std::size_t i = 0; i < count; ++i) values[i] = y;
  return fault == Fault::of_get && y > 0.45 ? unknown : abi::ok;
}
FAULTY_API abi::Status fmi2DoStep(abi::Component c, abi::Real, abi::Real h, abi::Boolean) {
  auto& slave = *static_cast<fmukit::v2::Slave*>(c);
  slave.model->do_step(h);
  if (fault != Fault::of_pending) return abi::ok;
  slave.callbacks.step_finished(slave.callbacks.environment, unknown);
  return abi::pending;
}

FMUKIT_EXPORT(Plain)
