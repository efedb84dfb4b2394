// SPDX-License-Identifier: BSD-2-Clause
// The functions of FMI 2.0 that take value references, with other references than the kit's:
// PRINTED_REFERENCES, set in CMakeLists.txt, lists those of the FMU beside those of the kit.
#include "v2/slave.hpp"

#include <utility>
#include <vector>

using namespace fmukit;
using namespace fmukit::v2;

namespace {

std::vector<abi::ValueReference> of_the_kit(const abi::ValueReference* references,
                                            std::size_t count) {
  static constexpr std::pair<abi::ValueReference, abi::ValueReference> known[] = {
      PRINTED_REFERENCES};
  std::vector<abi::ValueReference> all(references, references + count);
  for (abi::ValueReference& reference : all)
    for (const auto& [printed, ours] : known)
      if (reference == printed) {
        reference = ours;
        break;
      }
  return all;
}

}  // namespace

#define PRINTED_API extern "C" __attribute__((visibility("default")))

PRINTED_API abi::Status fmi2GetReal(abi::Component c, const abi::ValueReference* references,
                                    std::size_t count, abi::Real* values) {
  return run(c, "fmi2GetReal", when::readable, [&](Slave& s) {
    return get_values<Family::real>(s, "fmi2GetReal", of_the_kit(references, count).data(), count,
                                    values);
  });
}

PRINTED_API abi::Status fmi2SetReal(abi::Component c, const abi::ValueReference* references,
                                    std::size_t count, const abi::Real* values) {
  return run(c, "fmi2SetReal", when::settable, [&](Slave& s) {
    return set_values<Family::real>(s, "fmi2SetReal", of_the_kit(references, count).data(), count,
                                    values);
  });
}
