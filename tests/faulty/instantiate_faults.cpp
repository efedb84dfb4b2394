// SPDX-License-Identifier: BSD-2-Clause
// Faults inside instantiate. FAULT, set in CMakeLists.txt, chooses one of them.
#include "fmi/abi/fmi1.hpp"
#include "fmi/abi/fmi2.hpp"
#include "fmi/abi/fmi3.hpp"
#include "plain.hpp"

#include <unistd.h>

namespace {

enum class Fault { crash, hang, refuse };

void* misbehave() {
  constexpr Fault fault = Fault::FAULT;
  volatile int* volatile nowhere = nullptr;
  if (fault == Fault::crash) *nowhere = 1;
  while (fault == Fault::hang) pause();
  return nullptr;
}

}  // namespace

namespace f1 = fmi_abi::v1;
namespace f2 = fmi_abi::v2;
namespace f3 = fmi_abi::v3;

FAULTY_API void* FAULTY_FMI1(fmiInstantiateSlave)(f1::String, f1::String, f1::String, f1::String,
                                                  f1::Real, f1::Boolean, f1::Boolean,
                                                  f1::CoSimulationCallbacks, f1::Boolean) {
  return misbehave();
}

FAULTY_API void* fmi2Instantiate(f2::String, f2::Kind, f2::String, f2::String, const f2::Callbacks*,
                                 f2::Boolean, f2::Boolean) {
  return misbehave();
}

FAULTY_API void* fmi3InstantiateCoSimulation(f3::String, f3::String, f3::String, f3::Boolean,
                                             f3::Boolean, f3::Boolean, f3::Boolean,
                                             const f3::ValueReference*, std::size_t,
                                             f3::InstanceEnvironment, f3::LogMessage,
                                             f3::IntermediateUpdate) {
  return misbehave();
}

FMUKIT_EXPORT(Plain)
