// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "stability/matrix.hpp"

namespace tutti::stability {

/// x' = A x + B u, y = C x + D u. Without states A, B and C have no rows (C no columns).
struct Subsystem {
  Matrix a, b, c, d;

  std::size_t states() const { return a.rows; }
  std::size_t inputs() const { return d.columns; }
  std::size_t outputs() const { return d.rows; }
};

/// Subsystems in calling sequence, coupled by u = L y. Inputs and outputs of all of them stand one
/// after the other.
struct CoupledSystem {
  std::vector<Subsystem> parts;
  SparseMatrix l;  ///< an input has few sources

  std::size_t states() const { return sum(&Subsystem::states); }
  std::size_t inputs() const { return sum(&Subsystem::inputs); }
  std::size_t outputs() const { return sum(&Subsystem::outputs); }
  /// The same feed-through without states: what is left when the step becomes short.
  CoupledSystem without_states() const;

 private:
  std::size_t sum(std::size_t (Subsystem::*count)() const) const;
};

/// L D, by inputs: how a change of the inputs comes back to them at once.
Matrix input_loop_gain(const CoupledSystem& system);
/// The matrix of the coupled system as one: A + B L (I - D L)^-1 C. Empty if I - D L is singular.
Matrix coupled_matrix(const CoupledSystem& system);

}  // namespace tutti::stability
