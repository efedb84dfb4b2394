// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>

#include "stability/scheme.hpp"
#include "stability/spectrum.hpp"

namespace tutti::stability {

/// Whether errors of the coupling variables grow from step to step however short the steps are.
enum class CouplingVerdict : std::uint8_t {
  stable,
  marginal,  ///< on the border: steps of any finite length decide
  unstable,
};

/// The roots that an eigenvalue mu of D L gives a scheme when the step becomes short: of
///   l - mu                      hold, linear and quadratic with derivatives
///   l^2 - 2 mu l + mu           linear with differences; smoothing, whatever its derivatives
///   l^3 - mu (5/2 l^2 - 2 l + 1/2)   quadratic (6.30)
///   l^3 - mu (3 l^2 - 3 l + 1)       quadratic through three points
/// and 0 where outputs are made consistent. The thesis has rho(D L) <= 1 for smoothing: eliminating
/// u lost the term D L H y' there, see docs/advise.md.
/// @pre the scheme is not sequential: there the roots depend on more than the eigenvalues
std::vector<Complex> limit_roots(const Scheme& scheme, Complex mu);

/// The largest magnitude of these roots over some eigenvalues; 0 without any.
double limit_radius(const Scheme& scheme, std::span<const Complex> eigenvalues);
/// The same from the matrices, for every scheme.
double limit_radius(const Scheme& scheme, const CoupledSystem& system);

/// A margin of 1e-9 around 1 is rounding. With derivatives of outputs the eigenvalue on the border
/// is a multiple one and grows, but so slowly that the step decides as well.
CouplingVerdict judge(double radius);

/// The magnitude up to which eigenvalues of this angle keep the scheme stable.
double critical_magnitude(const Scheme& scheme, double angle);

}  // namespace tutti::stability
