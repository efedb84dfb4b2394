// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/advice.hpp>

#include "analysis/cycle_interface.hpp"

namespace tutti::analysis {

/// A cycle with what is known of its components.
struct LinearCycle {
  const CycleInterface& interface;
  stability::CoupledSystem system;   ///< states only if `has_states`
  stability::CoupledSystem compact;  ///< the same for step maps; large interfaces are compressed
  bool has_states = false;           ///< of all components
  std::vector<bool> uncertain;       ///< by output and input of the cycle: an entry of D
  std::vector<std::size_t> first_input, first_output;  ///< of each component
};

LinearCycle couple(const CycleInterface& interface, std::span<const Linearization> linearizations);

/// An algebraic loop: a strongly connected component of the graph in which inputs lead to outputs
/// that depend on them at once, and outputs to the inputs that they feed. Without one, D L is
/// nilpotent: its eigenvalues are zero, which is more than a computed spectrum could tell.
struct Loop {
  std::vector<std::size_t> inputs, outputs;  ///< of the cycle
  std::vector<std::string> path;             ///< the names, along the loop as far as that is one
  bool magnitudes_known = true;
  stability::CoupledSystem system;  ///< without states, of these inputs and outputs only
};
std::vector<Loop> find_loops(const LinearCycle& cycle);

LoopAdvice describe(const LinearCycle& cycle, const Loop& loop);

/// Sorted by weight, the small ones left out.
std::vector<Share> largest_shares(std::vector<Share> shares);

}  // namespace tutti::analysis
