// SPDX-License-Identifier: BSD-2-Clause
#include "stability/coupling_limit.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/infinity.hpp"

namespace tutti::stability {
namespace {

bool is_consistent(const Scheme& scheme) {
  return scheme.corrected || scheme.sequence == Sequence::solved;
}

}  // namespace

std::vector<Complex> limit_roots(const Scheme& scheme, Complex mu) {
  if (is_consistent(scheme)) return {0};
  if (scheme.smooth || scheme.prediction == Prediction::linear_differences) {
    const Complex root = std::sqrt(mu * mu - mu);
    return {mu + root, mu - root};
  }
  switch (scheme.prediction) {
    case Prediction::quadratic_backward:
      return roots_of_monic(std::array{-0.5 * mu, 2.0 * mu, -2.5 * mu});
    case Prediction::quadratic_differences:
      return roots_of_monic(std::array{-mu, 3.0 * mu, -3.0 * mu});
    default:
      return {mu};
  }
}

double limit_radius(const Scheme& scheme, std::span<const Complex> eigenvalues) {
  double radius = 0;
  for (const Complex mu : eigenvalues) {
    if (!std::isfinite(std::abs(mu))) return is_consistent(scheme) ? 0 : infinity;
    for (const Complex root : limit_roots(scheme, mu)) radius = std::max(radius, std::abs(root));
  }
  return radius;
}

LoopSpectra find_spectra(const CoupledSystem& system) {
  return {gain_spectrum(system), sweep_spectrum(system)};
}

double limit_radius(const Scheme& scheme, const LoopSpectrum& spectrum) {
  const std::array worst = {Complex(-spectrum.radius)};
  return spectrum.is_estimated ? limit_radius(scheme, worst)
                               : limit_radius(scheme, spectrum.values);
}

double limit_radius(const Scheme& scheme, const CoupledSystem& system) {
  return limit_radius(scheme, find_spectra(system).of(scheme));
}

CouplingVerdict judge(double radius, double margin) {
  if (radius < 1 - margin) return CouplingVerdict::stable;
  return radius <= 1 + margin ? CouplingVerdict::marginal : CouplingVerdict::unstable;
}

}  // namespace tutti::stability
