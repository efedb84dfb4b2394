// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>

#include "stability/coupled_system.hpp"

namespace tutti::stability {

/// The same coupled system with fewer inputs and outputs: of the outputs only the directions that
/// states can reach, at once or around loops, and of the inputs only those that have an effect.
///
/// Outputs stay in the smallest spaces with C_i x and D_i L y in them, so each scheme's step map
/// has an invariant subspace, which is the map of the compressed system. What is left of its
/// spectrum does not depend on states: these are limit roots of eigenvalues of D L
/// (coupling_limit.hpp).
/// Nothing if states and three times the outputs, the size of the largest step map, are then still
/// more than `most`: that is known early, and the cost stays that of the interface times `most`.
std::optional<CoupledSystem> compressed(const CoupledSystem& system, std::size_t most);

}  // namespace tutti::stability
