// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

namespace fmukit {

/// The phase of an instance. FMI 1.0 model exchange does not distinguish event and continuous-time
/// mode: it stays in `event`.
enum class Phase : std::uint8_t {
  instantiated,
  configuration,
  initialization,
  event,
  continuous,
  step,          ///< co-simulation, between steps
  intermediate,  ///< inside a step, while the simulator reads values
  reconfiguration,
  pending,    ///< a step runs in the background
  discarded,  ///< after an incomplete step
  terminated,
  error,
  fatal,
};

/// A set of phases as bits.
using Phases = std::uint16_t;
template <class... P>
constexpr Phases phases(P... p) {
  return static_cast<Phases>(((1u << static_cast<unsigned>(p)) | ... | 0u));
}
constexpr bool contains(Phases set, Phase p) { return (set >> static_cast<unsigned>(p)) & 1u; }

}  // namespace fmukit
