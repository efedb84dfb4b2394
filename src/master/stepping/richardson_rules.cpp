// SPDX-License-Identifier: BSD-2-Clause
#include "master/stepping/richardson_rules.hpp"

#include <algorithm>
#include <cmath>

#include "master/stepping/attempts.hpp"

namespace tutti::master {
namespace {

struct Factors {
  double safety, shrink, grow;
};
Factors factors_of(ControlVariant variant) {
  switch (variant) {
    case ControlVariant::eas:
      return {0.85, 0.2, 2};
    case ControlVariant::pyfmi:
    case ControlVariant::textbook:
      return {0.9, 0.2, 6};
    default:
      return {0.9, 0.2, 2};
  }
}

}  // namespace

RichardsonRules::RichardsonRules(const ControlSettings& settings)
    : variant_(settings.variant),
      estimator_(settings.estimator),
      atol_(settings.atol),
      rtol_(settings.rtol) {
  const Factors standard = factors_of(variant_);
  safety_ = settings.safety.value_or(standard.safety);
  shrink_ = settings.shrink.value_or(standard.shrink);
  grow_ = settings.grow.value_or(standard.grow);
  const bool has_slopes = variant_ == ControlVariant::tutti || imitates_mastersim(variant_);
  if (!estimator_ && !has_slopes) estimator_ = ErrorEstimator::classic;
}

void RichardsonRules::look_at(SteppedSystem& system) {
  const bool takes_order =
      variant_ == ControlVariant::tutti || variant_ == ControlVariant::textbook;
  order_ = takes_order ? system.coupled_inputs().lowest_order() : 0;
  // Three points on a line: whatever the inputs are, they miss it by h^2.
  const bool is_chord = estimator_ && *estimator_ == ErrorEstimator::linear;
  const bool is_first_order = variant_ == ControlVariant::eas && system.has_feed_through();
  power_ = is_first_order ? 1 : is_chord ? 2 : order_ + 2;
}

/// Weighted mean of an error that term(i) gives: the root of the mean square, or PyFMI's root of
/// the mean, which does not square.
template <class Term>
double RichardsonRules::norm(const std::vector<double>& y, const Term& term) const {
  if (y.empty()) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double error = term(i);
    if (error == 0) continue;  // also where the weight is 0
    const double scaled = error / (std::abs(y[i]) * rtol_ + atol_);
    sum += variant_ == ControlVariant::pyfmi ? std::abs(scaled) : scaled * scaled;
  }
  return std::sqrt(sum / static_cast<double>(y.size()));
}

/// The estimators of C. Clauß, K. Majetta, R. Meyer, Application of Richardson Extrapolation to the
/// Co-Simulation of FMUs from Building Simulation, 2017: classic y2 - y1, linear
/// y2 - 2 ym + y0, extended: linear where classic is below 1e-12. The error of the halves is
/// 1/(2^(q+1) - 1) of the classic one (E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary
/// Differential Equations I, 1993, theorem II.4.1).
double RichardsonRules::estimate(const HalvedStep& step, ErrorEstimator estimator) const {
  const std::vector<double>&y0 = step.y0, &ym = step.ym, &y1 = step.y1, &y2 = step.y2;
  const double part = 1.0 / ((2u << order_) - 1);
  return norm(y2, [&](std::size_t i) {
    const double classic = y2[i] - y1[i], linear = y2[i] - 2 * ym[i] + y0[i];
    if (estimator == ErrorEstimator::classic) return part * classic;
    if (estimator == ErrorEstimator::linear) return linear;
    return std::abs(classic) < 1e-12 ? linear : part * classic;
  });
}

/// How far the middle lies from the polynomial of degree q + 1 through y0, y1 and points before;
/// with fewer of these, of a lower degree. Without any it is the chord.
double RichardsonRules::bend(const HalvedStep& step) {
  const std::size_t before = std::min<std::size_t>(order_, step.past.count());
  power_ = static_cast<double>(before) + 2;
  // Lagrange's weights of the points in the middle.
  const double middle = step.t + step.h / 2;
  std::array<double, History::most + 2> times{step.t, step.t + step.h}, weights{};
  for (std::size_t k = 0; k < before; ++k) times[2 + k] = step.past.time(k);
  for (std::size_t k = 0; k < before + 2; ++k) {
    weights[k] = 1;
    for (std::size_t j = 0; j < before + 2; ++j)
      if (j != k) weights[k] *= (middle - times[j]) / (times[k] - times[j]);
  }
  return norm(step.y2, [&](std::size_t i) {
    if (before == 0) return step.ym[i] - (step.y0[i] + step.y1[i]) / 2;
    double on_curve = weights[0] * step.y0[i] + weights[1] * step.y1[i];
    for (std::size_t k = 0; k < before; ++k) on_curve += weights[2 + k] * step.past.value(k, i);
    return step.ym[i] - on_curve;
  });
}

double RichardsonRules::error(const HalvedStep& step) {
  if (estimator_) return estimate(step, *estimator_);
  const std::vector<double>&y0 = step.y0, &ym = step.ym, &y1 = step.y1, &y2 = step.y2;
  if (variant_ == ControlVariant::mastersim_2018) {
    const double part = norm(y2, [&](std::size_t i) { return (y2[i] - y1[i]) / 2; });
    const double slope = norm(y2, [&](std::size_t i) {
      return (y1[i] - y0[i]) / step.h - (y1[i] - ym[i]) / (step.h / 2);
    });
    return std::isnan(slope) ? slope : std::max(part, slope);
  }
  const double slope = bend(step), part = estimate(step, ErrorEstimator::classic);
  return std::isnan(slope) ? slope : std::max(part, slope);
}

bool RichardsonRules::accepts(double error) const {
  return variant_ == ControlVariant::pyfmi ? error < 1.1 : error <= 1;
}

double RichardsonRules::suggested(double error) const {
  if (power_ == 1) return safety_ / error;
  return safety_ / (power_ == 2 ? std::sqrt(error) : std::pow(error, 1 / power_));
}

double RichardsonRules::factor(double error) const {
  return std::min(grow_, std::max(shrink_, suggested(error)));
}

}  // namespace tutti::master
