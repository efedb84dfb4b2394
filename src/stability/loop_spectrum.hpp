// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "stability/coupled_system.hpp"
#include "stability/spectrum.hpp"

namespace tutti::stability {

/// The eigenvalues of a map of the outputs of an algebraic loop onto themselves.
struct LoopSpectrum {
  std::vector<Complex> values;  ///< the largest first; none if the radius is estimated
  double radius = 0;
  bool is_estimated = false;  ///< to about a hundredth
};

/// So many variables that cannot be separated any more have their eigenvalues computed (n^3);
/// of more, only the radius is estimated, with sparse products.
inline constexpr std::size_t largest_exact_loop = 300;

/// Of D L: what comes back to the outputs if all components see the past (jacobi).
///
/// Where the lengths of all ways around have a common divisor p, as in a ring of p, D L leads from
/// one of p classes of outputs to the next, and its eigenvalues are the p-th roots of those of the
/// way once around, from the smallest class to itself. That serves rings of any size.
LoopSpectrum gain_spectrum(const CoupledSystem& system);

/// Of one pass in calling sequence, in which later ones see what earlier ones have just computed
/// (gauss-seidel, and the sweeps of iterated). Only outputs that are read before they are
/// computed have an effect, which in a good sequence are few.
LoopSpectrum sweep_spectrum(const CoupledSystem& system);

}  // namespace tutti::stability
