// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "stability/scheme.hpp"
#include "stability/spectrum.hpp"

namespace tutti::stability {

/// Spectral radii of a scheme over step sizes, and the largest stable step.
struct StepLimit {
  std::vector<double> radii;  ///< by step size; infinite: there is no map
  /// All steps from the shortest one to this are stable. Nothing: not even the shortest one is.
  std::optional<double> largest;
  /// No unstable step was found: `largest` is the last one, or the end of the search.
  bool beyond_range = false;
};

/// Options of the search for a step limit.
struct StepSearch {
  double abscissa = 0;  ///< of the complete system: its solutions grow like exp(abscissa t)
  /// Oscillations of the subsystems: the radius follows exp(lambda h), so the trial steps are close
  /// enough to resolve every turn that is not damped.
  std::span<const Complex> oscillations;
  std::size_t most_radii = 1000;  ///< besides those of the given steps
};

/// Allowed growth of a mode per step: the effect of rounding on multiple eigenvalues at 1.
inline constexpr double tolerated_growth = 1e-6;

/// Radii at the given steps, ascending; from the first of them on, steps are tried without gaps up
/// to the last: closer where the radius turns with the step or comes near its limit. Where it
/// crosses, the step is bisected.
StepLimit find_step_limit(const std::function<double(double h)>& radius,
                          std::span<const double> steps, const StepSearch& search);
/// Of the scheme's step map; infinite if there is none.
double step_radius(const CoupledSystem& system, const Scheme& scheme, double h);
StepLimit find_step_limit(const CoupledSystem& system, const Scheme& scheme,
                          std::span<const double> steps, double abscissa);
/// The eigenvalues of the subsystems above the real axis.
std::vector<Complex> oscillations_of(const CoupledSystem& system);
/// Where the coupled system itself grows, a mode may grow up to twice as fast, because of errors of
/// first order. With e = abscissa h, implicit Euler has 1 / (1 - e), below exp(2 e) for e < 0.8.
bool is_stable(double radius, double h, double abscissa, double tolerance = tolerated_growth);

/// `count` step sizes from first to last, evenly on a logarithmic scale.
std::vector<double> logarithmic(double first, double last, std::size_t count);

}  // namespace tutti::stability
