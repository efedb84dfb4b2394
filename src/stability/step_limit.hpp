// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "stability/scheme.hpp"
#include "stability/spectrum.hpp"

namespace tutti::stability {

/// Spectral radii of a scheme over step sizes, and how long steps may be.
struct StepLimit {
  std::vector<double> radii;  ///< by step size; infinite: there is no map
  /// All steps from the shortest one to this are stable. Nothing: not even the shortest one is.
  std::optional<double> largest;
  /// No step that is not stable was found: `largest` is the last one, or as far as was searched.
  bool beyond_range = false;
};

/// What the search for a step limit may do.
struct StepSearch {
  double abscissa =
      0;  ///< of the coupled system as one: a solution of it grows like exp(abscissa t)
  /// Oscillations of the subsystems: the radius follows exp(lambda h), so steps that are tried are
  /// so close to each other that no turn is missed as long as it is not damped.
  std::span<const Complex> oscillations;
  std::size_t most_radii = 1000;  ///< beside those of the given steps
};

/// A mode may grow by this a step, which is what rounding makes of multiple eigenvalues at 1.
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
/// Where the coupled system itself grows, a mode may grow up to twice as fast: errors of first
/// order make that of it. With e = abscissa h, implicit Euler has 1 / (1 - e), below exp(2 e) for e
/// < 0.8.
bool is_stable(double radius, double h, double abscissa, double tolerance = tolerated_growth);

/// `count` step sizes from first to last, evenly on a logarithmic scale.
std::vector<double> logarithmic(double first, double last, std::size_t count);

}  // namespace tutti::stability
