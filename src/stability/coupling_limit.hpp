// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>

#include "stability/coupled_system.hpp"
#include "stability/scheme.hpp"
#include "stability/spectrum.hpp"

namespace tutti::stability {

/// The eigenvalues of a map of the outputs of an algebraic loop onto themselves.
struct LoopSpectrum {
  std::vector<Complex> values;  ///< the largest first; none if the radius is estimated
  double radius = 0;
  bool is_estimated = false;  ///< to about a hundredth
};

/// Up to this number of variables that cannot be separated further, eigenvalues are computed (n^3);
/// for more, only the radius is estimated, with sparse products.
inline constexpr std::size_t largest_exact_loop = 300;

/// Of D L: the feedback to the outputs if all components use old values (jacobi).
///
/// Where the lengths of all cycles have a common divisor p, as in a ring of p, D L maps each of p
/// classes of outputs to the next, and its eigenvalues are the p-th roots of those of one round,
/// from the smallest class to itself. This works for rings of any size.
LoopSpectrum gain_spectrum(const CoupledSystem& system);

/// Of one pass in calling sequence, in which later components use the new outputs of earlier ones
/// (gauss-seidel, and the sweeps of iterated). Only outputs that are read before they are computed
/// have an effect; in a good sequence these are few.
LoopSpectrum sweep_spectrum(const CoupledSystem& system);

/// Whether errors of the coupling variables grow from step to step even for arbitrarily short
/// steps.
enum class CouplingVerdict : std::uint8_t {
  stable,
  marginal,  ///< on the border: steps of any finite length decide
  unstable,
};

/// The roots of a scheme for an eigenvalue mu of D L in the limit of short steps, or for one of a
/// pass in calling sequence if the scheme is sequential: of
///   l - mu                      hold, linear and quadratic with derivatives
///   l^2 - 2 mu l + mu           linear with differences; smoothing, whatever its derivatives
///   l^3 - mu (5/2 l^2 - 2 l + 1/2)   quadratic (6.30)
///   l^3 - mu (3 l^2 - 3 l + 1)       quadratic through three points
/// and 0 where outputs are made consistent. The thesis has rho(D L) <= 1 for smoothing: eliminating
/// u lost the term D L H y' there, see docs/advise.md. One after the other, components read the new
/// outputs S p of a pass S over predictions p = 2 y_n - y_(n-1): the polynomial of differences.
std::vector<Complex> limit_roots(const Scheme& scheme, Complex mu);

/// The largest magnitude of these roots over some eigenvalues; 0 without any.
double limit_radius(const Scheme& scheme, std::span<const Complex> eigenvalues);
/// The spectra that determine stability for short steps: of a pass in sequence, or of D L.
struct LoopSpectra {
  LoopSpectrum gain, sweep;

  const LoopSpectrum& of(const Scheme& scheme) const {
    return scheme.sequence == Sequence::sequential ? sweep : gain;
  }
};
LoopSpectra find_spectra(const CoupledSystem& system);

/// If the spectrum is estimated, the maximum over eigenvalues of its radius: the right-hand sides
/// of the polynomials have coefficients of alternating sign, so -radius is the worst case.
double limit_radius(const Scheme& scheme, const LoopSpectrum& spectrum);
/// The same from the matrices.
double limit_radius(const Scheme& scheme, const CoupledSystem& system);

/// A radius closer to 1 than this is within rounding, or within the accuracy of an estimate.
inline constexpr double margin_of_rounding = 1e-9, margin_of_estimates = 0.02;

/// With derivatives of outputs the eigenvalue on the border is a multiple one and grows, but so
/// slowly that the step size is decisive, too.
CouplingVerdict judge(double radius, double margin = margin_of_rounding);

}  // namespace tutti::stability
