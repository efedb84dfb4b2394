// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tutti::formats::osp {

/// How many base steps a simulator combines into one of its own: libcosim rounds down, to 1 at
/// least.
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
/// transferred are those of libcosim; others take the communication step as their own.
/// @param links pairs of simulators, source and target
Rates choose_rates(std::span<const std::uint64_t> decimations,
                   std::span<const std::pair<std::size_t, std::size_t>> links);

}  // namespace tutti::formats::osp
