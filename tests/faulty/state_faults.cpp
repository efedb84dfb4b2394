// SPDX-License-Identifier: BSD-2-Clause
// Crashes in a function of the FMU's state. FAULT, set in CMakeLists.txt, chooses which.
#include "fmi/abi/fmi2.hpp"
#include "plain.hpp"

namespace {

fmi_abi::v2::Status crash() {
  volatile int* volatile nowhere = nullptr;
  *nowhere = 1;
  return fmi_abi::v2::error;
}

}  // namespace

namespace f2 = fmi_abi::v2;

#define crash_in_get 1
#define crash_in_set 2
#define crash_in_free 3
#if FAULT == crash_in_get
FAULTY_API f2::Status fmi2GetFMUstate(f2::Component, f2::FmuState*) { return crash(); }
#elif FAULT == crash_in_set
FAULTY_API f2::Status fmi2SetFMUstate(f2::Component, f2::FmuState) { return crash(); }
#else
FAULTY_API f2::Status fmi2FreeFMUstate(f2::Component, f2::FmuState*) { return crash(); }
#endif

FMUKIT_EXPORT(Plain)
