// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tutti::master {

class CycleRun;

/// What one thread does at a time: one component, some that go one after the other, or a cycle that
/// iterates.
struct Unit {
  std::vector<std::uint32_t> components;
  CycleRun* cycle = nullptr;
};

/// Units that need nothing of each other within a step.
struct Phase {
  std::vector<Unit> units;
  bool reads_old_values = false;  ///< jacobi: all inputs are gathered before the first step
};

/// The units of one phase by thread; none: one thread does all.
using Shares = std::vector<std::vector<Unit>>;

/// By phase, how `threads` threads share its units, where that promises to make it faster than one
/// thread is. `seconds_per_step` by component; none: one thread does all. @pre threads > 0
std::vector<Shares> share_work(std::span<const Phase> phases,
                               std::span<const double> seconds_per_step, std::size_t threads);

}  // namespace tutti::master
