// SPDX-License-Identifier: BSD-2-Clause
// A C++ exception leaves doStep, which no C interface may do.
#include "fmi/abi/fmi1.hpp"
#include "fmi/abi/fmi2.hpp"
#include "fmi/abi/fmi3.hpp"
#include "plain.hpp"

#include <stdexcept>

namespace f1 = fmi_abi::v1;
namespace f2 = fmi_abi::v2;
namespace f3 = fmi_abi::v3;

FAULTY_API f1::Status FAULTY_FMI1(fmiDoStep)(f1::Component, f1::Real, f1::Real, f1::Boolean) {
  throw std::runtime_error("thrown out of fmiDoStep");
}

FAULTY_API f2::Status fmi2DoStep(f2::Component, f2::Real, f2::Real, f2::Boolean) {
  throw std::runtime_error("thrown out of fmi2DoStep");
}

FAULTY_API f3::Status fmi3DoStep(f3::Instance, f3::Float64, f3::Float64, f3::Boolean, f3::Boolean*,
                                 f3::Boolean*, f3::Boolean*, f3::Float64*) {
  throw std::runtime_error("thrown out of fmi3DoStep");
}

FMUKIT_EXPORT(Plain)
