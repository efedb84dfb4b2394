// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tutti::formats::osp {

/// Number of base steps in a step of a simulator: libcosim rounds down, to at least 1.
std::uint64_t decimation_of(double step, double base);

/// Steps in units of the base step.
struct Rates {
  std::uint64_t system = 1;            ///< from communication point to communication point
  std::vector<std::uint64_t> of;       ///< of each simulator: divides that of the system
  std::vector<std::size_t> shortened;  ///< simulators whose own step does not divide it
};

/// libcosim transfers a value whenever both of its ends have finished a step: at multiples of the
/// least common multiple of their decimations. The communication step is the greatest common
/// divisor of these. If all simulators can keep their steps within it, the points where values are
/// transferred are those of libcosim; others use the communication step.
/// @param links pairs of simulators, source and target
Rates choose_rates(std::span<const std::uint64_t> decimations,
                   std::span<const std::pair<std::size_t, std::size_t>> links);

}  // namespace tutti::formats::osp
