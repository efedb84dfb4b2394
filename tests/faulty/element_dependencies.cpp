// SPDX-License-Identifier: BSD-2-Clause
// Two states in an array, and functions of FMI 3.0 that state wrongly what its elements depend on.
// FAULT, set in CMakeLists.txt, chooses how.
#include <fmukit/model.hpp>

#include <cmath>

#include "fmi/abi/fmi3.hpp"

class Spring final : public fmukit::Model {
 public:
  std::array<double, 2> x{1, 0}, dx{};
  double position = 1;

  static void describe(fmukit::Description<Spring>& d) {
    d.text("A spring").default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.output("position", &Spring::position).depends_on({"x"});
    d.local("x", &Spring::x);
    d.local("der(x)", &Spring::dx).derivative_of("x").depends_on({"x"});
  }
  void derivatives() override { dx = {x[1], -x[0]}; }
  void outputs() override { position = x[0]; }
  void element_dependencies(fmukit::ElementDependencies&) const override {}
};

#define fails 1
#define too_many 2
#define out_of_range 3
#define unknown_reference 4
#define writes_nothing 5
#define FAULTY_API extern "C" __attribute__((visibility("default")))

namespace f3 = fmi_abi::v3;

FAULTY_API f3::Status fmi3GetNumberOfVariableDependencies(f3::Instance, f3::ValueReference,
                                                          std::size_t* count) {
  *count = FAULT == too_many ? static_cast<std::size_t>(-1) / 2 : 4;
  return f3::ok;
}

FAULTY_API f3::Status fmi3GetVariableDependencies(f3::Instance, f3::ValueReference dependent,
                                                  std::size_t* elements,
                                                  f3::ValueReference* independents,
                                                  std::size_t* elements_of_independents,
                                                  f3::DependencyKind* kinds, std::size_t count) {
  if (FAULT == fails) return f3::error;
  for (std::size_t k = 0; k < count && FAULT != writes_nothing; ++k) {
    elements[k] = FAULT == out_of_range ? 1'000'000'000'000 + k : k % 2 + 1;
    independents[k] = FAULT == unknown_reference ? 4'000'000'000 : dependent - 1;
    elements_of_independents[k] = k / 2 + 1;
    kinds[k] = f3::dependent;
  }
  return f3::ok;
}

FMUKIT_EXPORT(Spring)
