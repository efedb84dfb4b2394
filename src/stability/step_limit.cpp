// SPDX-License-Identifier: BSD-2-Clause
#include "stability/step_limit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stability/spectrum.hpp"

namespace tutti::stability {

double step_radius(const CoupledSystem& system, const Scheme& scheme, double h) {
  const Matrix map = step_map(system, scheme, h);
  const bool is_there = map.rows > 0 || system.states() + system.outputs() == 0;
  return is_there ? spectral_radius(map) : std::numeric_limits<double>::infinity();
}

bool is_stable(double radius, double h, double abscissa, double tolerance) {
  const double own = std::exp(2 * std::max(0.0, abscissa) * h);
  return radius <= own * (1 + tolerance);
}

StepLimit find_step_limit(const CoupledSystem& system, const Scheme& scheme,
                          std::span<const double> steps, double abscissa) {
  return find_step_limit([&](double h) { return step_radius(system, scheme, h); }, steps, abscissa);
}

StepLimit find_step_limit(const std::function<double(double h)>& radius,
                          std::span<const double> steps, double abscissa) {
  StepLimit limit;
  for (const double h : steps) limit.radii.push_back(radius(h));
  std::size_t stable = 0;
  while (stable < steps.size() && is_stable(limit.radii[stable], steps[stable], abscissa)) ++stable;
  if (stable == 0) return limit;
  limit.largest = steps[stable - 1];
  limit.beyond_range = stable == steps.size();
  if (limit.beyond_range) return limit;
  double low = steps[stable - 1], high = steps[stable];
  while (high - low > 5e-4 * low) {
    const double middle = std::sqrt(low * high);
    (is_stable(radius(middle), middle, abscissa) ? low : high) = middle;
  }
  limit.largest = low;
  return limit;
}

std::vector<double> logarithmic(double first, double last, std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = first * std::pow(last / first,
                                 static_cast<double>(i) /
                                     static_cast<double>(std::max<std::size_t>(count, 2) - 1));
  return values;
}

}  // namespace tutti::stability
