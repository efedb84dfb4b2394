// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <tutti/advice.hpp>

#include "analysis/cycle_interface.hpp"
#include "stability/coupling_limit.hpp"

namespace tutti::analysis {

/// A cycle with the linear models of its components.
struct LinearCycle {
  const CycleInterface& interface;
  stability::CoupledSystem system;  ///< states only if `has_states`
  /// The same for step maps, large interfaces being compressed. Empty: it is too large for them, or
  /// states are unknown.
  std::optional<stability::CoupledSystem> compact;
  /// The part that the step maps of `compact` omit: the same for all steps.
  stability::LoopSpectra left_out;
  bool has_states = false;                             ///< of all components
  std::vector<std::vector<bool>> uncertain;            ///< by component: entries of D
  std::vector<std::size_t> first_input, first_output;  ///< of each component
};

/// States and three times the coupling variables of the largest cycle whose step maps are computed.
inline constexpr std::size_t largest_map = 160;

LinearCycle couple(const CycleInterface& interface, std::span<const Linearization> linearizations);

/// An algebraic loop: a strongly connected component of the graph in which inputs lead to outputs
/// that depend directly on them, and outputs to the inputs that they feed. Without one, D L is
/// nilpotent: its eigenvalues are exactly zero, which a computed spectrum could not show.
struct Loop {
  std::vector<std::size_t> inputs, outputs;  ///< of the cycle
  std::vector<std::string> path;  ///< the names, along the loop as far as it is a simple one
  bool magnitudes_known = true;
  /// Without states, with these inputs and outputs and their components only.
  stability::CoupledSystem system;
};
std::vector<Loop> find_loops(const LinearCycle& cycle);

/// @param gain the spectrum of D L of the loop, if its magnitudes are known
LoopAdvice describe(const LinearCycle& cycle, const Loop& loop,
                    const stability::LoopSpectrum& gain);

/// Sorted by weight, the small ones left out.
std::vector<Share> largest_shares(std::vector<Share> shares);

}  // namespace tutti::analysis
