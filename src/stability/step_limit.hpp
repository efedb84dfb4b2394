// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "stability/scheme.hpp"

namespace tutti::stability {

/// Spectral radii of a scheme over step sizes, and how long steps may be.
struct StepLimit {
  std::vector<double> radii;  ///< by step size; infinite: there is no map
  /// The longest step below which all that were tried are stable, bisected. Nothing: not even the
  /// shortest one is.
  std::optional<double> largest;
  bool beyond_range = false;  ///< all are stable, `largest` is the last one
};

/// A mode may grow by this a step, which is what rounding makes of multiple eigenvalues at 1.
inline constexpr double tolerated_growth = 1e-6;

/// @param steps step sizes, ascending
/// @param abscissa of the coupled system as one: a solution of it grows like exp(abscissa t)
StepLimit find_step_limit(const std::function<double(double h)>& radius,
                          std::span<const double> steps, double abscissa);
/// Of the scheme's step map; infinite if there is none.
double step_radius(const CoupledSystem& system, const Scheme& scheme, double h);
StepLimit find_step_limit(const CoupledSystem& system, const Scheme& scheme,
                          std::span<const double> steps, double abscissa);
/// Where the coupled system itself grows, a mode may grow up to twice as fast: errors of first
/// order make that of it. With e = abscissa h, implicit Euler has 1 / (1 - e), below exp(2 e) for e
/// < 0.8.
bool is_stable(double radius, double h, double abscissa, double tolerance = tolerated_growth);

/// `count` step sizes from first to last, evenly on a logarithmic scale.
std::vector<double> logarithmic(double first, double last, std::size_t count);

}  // namespace tutti::stability
