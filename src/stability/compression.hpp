// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>

#include "stability/coupled_system.hpp"

namespace tutti::stability {

/// A coupled system in two parts that together have the spectrum of its step maps.
struct Compressed {
  /// The same with fewer inputs and outputs: of the outputs only the directions that states can
  /// reach, at once or around loops, and of the inputs only those that have an effect.
  CoupledSystem system;
  /// The other directions of the outputs, without states.
  CoupledSystem rest;
};

/// Outputs stay in the smallest spaces with C_i x and D_i L y in them, so each scheme's step map
/// has an invariant subspace, which is the map of the compressed system. What is left of its
/// spectrum does not depend on states, nor on the step: these are the limit roots
/// (coupling_limit.hpp) of the eigenvalues of D L that D L has on the rest.
/// Nothing if states and three times the outputs, the size of the largest step map, are then still
/// more than `most`: that is known early, and the cost stays that of the interface times `most`.
std::optional<Compressed> compressed(const CoupledSystem& system, std::size_t most);

}  // namespace tutti::stability
