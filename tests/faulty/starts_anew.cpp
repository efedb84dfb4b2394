// SPDX-License-Identifier: BSD-2-Clause
// Two misreadings of noSetFMUStatePriorToCurrentPoint. FAULT, set in CMakeLists.txt, chooses one.
#include "plain.hpp"
#include "v2/slave.hpp"

namespace {

enum class Fault {
  at_once,   ///< false is an order to start anew
  moves_on,  ///< only true lets it move on from where it starts, and no saved state knows of that
};
constexpr Fault fault = Fault::FAULT;
double start_of_steps = 0;  // of moves_on

}  // namespace

FAULTY_API fmi_abi::v2::Status fmi2DoStep(fmi_abi::v2::Component c, fmi_abi::v2::Real t,
                                          fmi_abi::v2::Real h, fmi_abi::v2::Boolean no_return) {
  using enum fmukit::Phase;
  return fmukit::v2::run(c, "fmi2DoStep", fmukit::phases(step, discarded),
                         [&](fmukit::v2::Slave& slave) {
                           double& y = static_cast<Plain&>(*slave.model).y;
                           if (fault == Fault::moves_on) y = start_of_steps;
                           if (fault == Fault::at_once && !no_return) y = 0;
                           const auto status = slave.step(t, h).status;
                           if (no_return) start_of_steps = y;
                           return status;
                         });
}

FMUKIT_EXPORT(Plain)
