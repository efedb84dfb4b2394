// SPDX-License-Identifier: BSD-2-Clause
#include "stability/step_limit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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

std::vector<Complex> oscillations_of(const CoupledSystem& system) {
  std::vector<Complex> found;
  for (const Subsystem& part : system.parts)
    for (const Complex lambda : eigenvalues(part.a))
      if (lambda.imag() > 1e-9 * std::abs(lambda)) found.push_back(lambda);
  return found;
}

StepLimit find_step_limit(const CoupledSystem& system, const Scheme& scheme,
                          std::span<const double> steps, double abscissa) {
  const std::vector<Complex> oscillations = oscillations_of(system);
  return find_step_limit([&](double h) { return step_radius(system, scheme, h); }, steps,
                         {abscissa, oscillations});
}

namespace {

/// The search upwards from one stable step.
class StepClimb {
 public:
  StepClimb(const std::function<double(double h)>& radius, const StepSearch& search)
      : radius_(radius), search_(search) {}

  /// @param low a stable step
  StepLimit climb(double low, double last) {
    StepLimit limit;
    Sample at = take(low);
    while (at.step < last && taken_ < search_.most_radii) {
      const Sample next = take(std::min(last, at.step + spacing(at.step)));
      const Sample reached = examine(at, next, 0);
      if (reached.step < next.step) {
        limit.largest = reached.step;
        return limit;
      }
      at = next;
    }
    limit.largest = at.step;
    limit.beyond_range = true;
    return limit;
  }

 private:
  struct Sample {
    double step = 0;
    double excess = 0;  ///< log of the radius over the allowed one; stable if not positive
  };
  Sample take(double h) {
    ++taken_;
    const double own = 2 * std::max(0.0, search_.abscissa) * h + std::log1p(tolerated_growth);
    return {h, std::log(radius_(h)) - own};
  }
  /// A fraction of each turn that is still visible, and of the step itself.
  double spacing(double h) const {
    constexpr double of_step = 0.25, of_turn = 0.2, visible = 1e-3;
    double most = of_step * h;
    for (const Complex lambda : search_.oscillations)
      if (std::exp(lambda.real() * h) > visible) most = std::min(most, of_turn / lambda.imag());
    return most;
  }
  /// The largest step up to which all steps between two are stable, as far as detected: `high`
  /// itself, or less. @pre `low` is stable
  Sample examine(const Sample& low, const Sample& high, int depth) {
    if (high.excess > 0) return bisect(low, high);
    // Far from the limit on both sides, compared with the change between them.
    constexpr int deepest = 3;
    const double nearest = -std::max(low.excess, high.excess);
    const double change = std::abs(high.excess - low.excess);
    if (depth == deepest || taken_ >= search_.most_radii || nearest > 2 * change + 1e-3)
      return high;
    const Sample middle = take(0.5 * (low.step + high.step));
    // No crossing in between: the middle is on the line.
    const double bend = middle.excess - 0.5 * (low.excess + high.excess);
    if (middle.excess <= 0 && std::abs(bend) < 0.25 * nearest + 1e-9) return high;
    const Sample reached = examine(low, middle, depth + 1);
    return reached.step < middle.step ? reached : examine(middle, high, depth + 1);
  }
  Sample bisect(Sample low, Sample high) {
    while (high.step - low.step > 5e-4 * low.step) {
      const Sample middle = take(0.5 * (low.step + high.step));
      (middle.excess > 0 ? high : low) = middle;
    }
    return low;
  }

  const std::function<double(double h)>& radius_;
  const StepSearch& search_;
  std::size_t taken_ = 0;
};

}  // namespace

StepLimit find_step_limit(const std::function<double(double h)>& radius,
                          std::span<const double> steps, const StepSearch& search) {
  StepLimit limit;
  std::vector<double> radii;
  for (const double h : steps) radii.push_back(radius(h));
  if (!steps.empty() && is_stable(radii.front(), steps.front(), search.abscissa))
    limit = StepClimb(radius, search).climb(steps.front(), steps.back());
  limit.radii = std::move(radii);
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
