// SPDX-License-Identifier: BSD-2-Clause
// Exports an optional function under a wrong name only (the S of State is the error).
#include "fmi/abi/fmi2.hpp"
#include "plain.hpp"

FAULTY_API fmi_abi::v2::Status fmi2GetFMUState(fmi_abi::v2::Component, fmi_abi::v2::FmuState*) {
  return fmi_abi::v2::error;
}

FMUKIT_EXPORT(Plain)
