// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>

#include "stability/matrix.hpp"

namespace tutti::stability {

/// x' = A x + B u, y = C x + D u. Without states A, B and C have no rows (C no columns).
struct Subsystem {
  Matrix a, b, c, d;

  std::size_t states() const { return a.rows; }
  std::size_t inputs() const { return d.columns; }
  std::size_t outputs() const { return d.rows; }
};

/// Subsystems in calling sequence, coupled by u = L y. Inputs and outputs of all subsystems are
/// concatenated.
struct CoupledSystem {
  std::vector<Subsystem> parts;
  SparseMatrix l;  ///< sparse: an input has few sources

  std::size_t states() const { return sum(&Subsystem::states); }
  std::size_t inputs() const { return sum(&Subsystem::inputs); }
  std::size_t outputs() const { return sum(&Subsystem::outputs); }
  /// The same feed-through without states: the limit for short steps.
  CoupledSystem without_states() const;

 private:
  std::size_t sum(std::size_t (Subsystem::*count)() const) const;
};

/// L D, by inputs: the direct feedback of a change of the inputs.
Matrix input_loop_gain(const CoupledSystem& system);
/// The matrix of the complete system: A + B L (I - D L)^-1 C. Empty if I - D L is singular.
Matrix coupled_matrix(const CoupledSystem& system);

/// A coupled system in two parts that together have the spectrum of its step maps.
struct Compressed {
  /// The same with fewer inputs and outputs: of the outputs only the directions that states can
  /// reach, directly or around loops, and of the inputs only those that have an effect.
  CoupledSystem system;
  /// The other directions of the outputs, without states.
  CoupledSystem rest;
};

/// Outputs stay in the smallest spaces that contain C_i x and D_i L y, so each scheme's step map
/// has an invariant subspace, which is the map of the compressed system. The rest of its spectrum
/// depends neither on states nor on the step: these are the limit roots (coupling_limit.hpp) of the
/// eigenvalues of D L that D L has on the rest. Nothing if states and three times the outputs, the
/// size of the largest step map, are then still more than `most`: this is detected early, so that
/// the cost is that of the interface times `most`.
std::optional<Compressed> compressed(const CoupledSystem& system, std::size_t most);

}  // namespace tutti::stability
