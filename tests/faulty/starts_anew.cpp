// SPDX-License-Identifier: BSD-2-Clause
// Takes noSetFMUStatePriorToCurrentPoint = false for an order to start anew.
#include "plain.hpp"
#include "v2/slave.hpp"

FAULTY_API fmi_abi::v2::Status fmi2DoStep(fmi_abi::v2::Component c, fmi_abi::v2::Real t,
                                          fmi_abi::v2::Real h, fmi_abi::v2::Boolean no_return) {
  using enum fmukit::Phase;
  return fmukit::v2::run(c, "fmi2DoStep", fmukit::phases(step, discarded),
                         [&](fmukit::v2::Slave& slave) {
                           if (!no_return) static_cast<Plain&>(*slave.model).y = 0;
                           return slave.step(t, h).status;
                         });
}

FMUKIT_EXPORT(Plain)
