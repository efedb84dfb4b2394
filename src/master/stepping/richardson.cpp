// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>

#include "master/history.hpp"
#include "master/stepping/attempts.hpp"
#include "master/stepping/controllers.hpp"
#include "master/stepping/step_controller.hpp"

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

/// A step from t, whole and in two halves.
struct HalvedStep {
  double t = 0, h = 0;
  std::vector<double> y0;  ///< at t
  std::vector<double> ym;  ///< at t + h/2, after the first half
  std::vector<double> y1;  ///< at t + h, after the whole step
  std::vector<double> y2;  ///< at t + h, after both halves
  History past;            ///< before t
};

/// The differences of the variants of Richardson extrapolation: error of a step, and next step.
/// Notation: q order of the extrapolation of inputs, w = atol + rtol |y2|.
class RichardsonRules {
 public:
  explicit RichardsonRules(const ControlSettings& settings);
  /// Before a step.
  void look_at(SteppedSystem& system);

  /// The EAS master counts each output once, others each connection.
  bool counts_each_connection() const { return variant_ != ControlVariant::eas; }
  bool uses_the_past() const { return variant_ == ControlVariant::tutti && order_ > 0; }
  /// NaN: values are not finite.
  double error(const HalvedStep& step);
  bool accepts(double error) const;
  /// The power of the step that the error is proportional to.
  double power() const { return power_; }
  void keep(Memory& memory) { memory(power_); }
  /// From this step to the next, without and with its limits.
  double suggested(double error) const;
  double factor(double error) const;

 private:
  template <class Term>
  double norm(const std::vector<double>& y, const Term& term) const;
  double estimate(const HalvedStep& step, ErrorEstimator estimator) const;
  double bend(const HalvedStep& step);

  ControlVariant variant_;
  std::optional<ErrorEstimator> estimator_;
  double atol_, rtol_, safety_, shrink_, grow_;
  std::uint32_t order_ = 0;
  double power_ = 2;
};

using models::StepOutcome;

/// With `parts` = 2, sizes of steps are those of the halves, both of which count.
ControlSettings of_whole_steps(ControlSettings settings, double parts) {
  settings.min = *settings.min * parts;
  settings.max = *settings.max * parts;
  return settings;
}

class Richardson final : public StepController {
 public:
  Richardson(const ControlSettings& settings, double h, std::uint32_t parts)
      : settings_(of_whole_steps(settings, parts)),
        rules_(settings),
        min_(*settings_.min),
        parts_(parts),
        // Jumps are searched for by halving, unless the settings have another factor.
        searches_(settings.variant == ControlVariant::tutti && !settings.shrink),
        attempts_(settings_, h * parts, searches_) {}

  ControlledStep advance(SteppedSystem& system, double t, double limit) override {
    wanted_ = attempts_.next;
    failures_before_ = counts_.failures();
    rules_.look_at(system);
    double h = attempts_.search.limited(t, attempts_.choose(system, t, limit), min_), excess = 0;
    system.save(states_);
    read(system, values_.y0);
    values_.t = t;
    bool has_whole = false;  // y1 is known: it was the first half of the step tried before
    for (;;) {
      if (!has_whole) {
        const StepOutcome whole = attempts_.succeed(system, t, h, states_, counts_, excess);
        if (whole.status == StepOutcome::Status::terminated) return accept(whole, t, h, 0);
        if (!whole.is_plain() && whole.reached <= t) return {whole, 0, 0, 0};
        // An early end or event: the step ends at that time.
        if (!whole.is_plain()) h = std::min(h, whole.reached - t);
        read(system, values_.y1);
      }
      has_whole = false;
      excess = 0;
      const Halves halves = half_steps(system, t, h);
      if (halves.ended_in_first) {
        // It is in the first half: a step to that time is tried, if it is not too short to test.
        const double there = halves.outcome.reached - t;
        if (there <= min_ || halves.outcome.status == StepOutcome::Status::terminated)
          return accept(halves.outcome, t, there, 0);
        system.restore(states_);
        h = there;
        continue;
      }
      if (rules_.accepts(halves.error)) {
        if (rules_.uses_the_past()) remember();
        return accept(halves.outcome, t, h, halves.error);
      }
      ++counts_.error_test_failures;
      if (h <= min_) return accept_at_min(system, halves, t, h);
      // MASTERSIM restores the state of t, but takes t + h/2 for the time: the next attempt is
      // longer by that. Its half steps correct the result, not the estimate.
      if (imitates_mastersim(settings_.variant)) excess = h / 2;
      const double tried = h;
      h = after_failure(t, h, halves.error);
      has_whole = searches_ && halves.has_first && h == half * tried;
      if (has_whole)
        std::swap(values_.y1, values_.ym);
      else
        system.restore(states_);
    }
  }
  double next_step() const override { return attempts_.next / parts_; }
  void forget() override { values_.past.clear(); }
  void keep(Memory& memory) override { memory(attempts_, rules_, values_.past); }

 private:
  struct Halves {
    StepOutcome outcome;
    double error = 0;  ///< NaN: values are not finite
    bool failed = false, ended_in_first = false;
    bool has_first = true;  ///< ym belongs to a step of h/2
  };

  void read(const SteppedSystem& system, std::vector<double>& y) const {
    system.couplings(rules_.counts_each_connection(), y);
  }
  double changed(double h, double error) const { return std::max(min_, h * rules_.factor(error)); }
  void remember() {
    values_.past.push(values_.t, values_.y0);
    values_.past.push(values_.t + values_.h / 2, values_.ym);
  }

  /// The step to try after one whose error is too large.
  double after_failure(double t, double h, double error) {
    return attempts_.is_to_be_halved(t, h, error, rules_.suggested(error), rules_.power())
               ? std::max(min_, half * h)
               : changed(h, error);
  }

  ControlledStep accept(const StepOutcome& outcome, double t, double h, double error) {
    double next = changed(h, error);
    // A step that was shortened for an event or output time does not reduce the earlier proposal,
    // unless its error does.
    if (h < wanted_ && counts_.failures() == failures_before_ &&
        !imitates_mastersim(settings_.variant))
      next = std::max(next, std::min(wanted_, h * rules_.suggested(error)));
    attempts_.next = std::min(*settings_.max, next);
    attempts_.accepted(t, h, error, false);
    return step_to(outcome, t, h, error);
  }
  ControlledStep accept_at_min(SteppedSystem& system, const Halves& halves, double t, double h) {
    if (halves.failed || settings_.at_min == OnLimit::stop) system.restore(states_);
    if (halves.failed) attempts_.give_up(t, h / parts_);
    if (settings_.at_min == OnLimit::stop) Attempts::refuse_error(t, h / parts_, halves.error);
    ++counts_.accepted_at_min;
    forget();  // values jump there
    attempts_.next = min_;
    attempts_.accepted(t, h, halves.error, true);
    return step_to(halves.outcome, t, h, halves.error);
  }
  ControlledStep step_to(const StepOutcome& outcome, double t, double h, double error) const {
    if (!outcome.is_plain()) h = outcome.reached - t;
    return {outcome, h / parts_, error, h > 0 ? parts_ : 0};
  }

  /// Two steps of h/2 from t. A half that fails counts as an error of 25.
  Halves half_steps(SteppedSystem& system, double t, double h) {
    using Failure = SteppedSystem::Attempt::Failure;
    Halves failed{{StepOutcome::Status::discarded, t}, 25, true, false, false};
    // MASTERSIM saves again the state that it has just restored, and counts that.
    const bool again = system.iterates() && imitates_mastersim(settings_.variant);
    system.restore(states_);
    if (again) system.save(half_states_);
    const auto first =
        Attempts::try_step(system, t, h / 2, again ? &half_states_ : &states_, states_);
    if (first.failure != Failure::none) return failed;
    if (!first.outcome.is_plain()) return {first.outcome, 0, false, true, false};
    read(system, values_.ym);
    if (again) system.save(half_states_);
    const auto second =
        Attempts::try_step(system, t + h / 2, h / 2, again ? &half_states_ : nullptr, states_);
    failed.has_first = true;
    if (second.failure != Failure::none) return failed;
    read(system, values_.y2);
    StepOutcome outcome = second.outcome;
    if (outcome.is_plain()) outcome.reached = t + h;
    values_.h = h;
    return {outcome, rules_.error(values_)};
  }

  const ControlSettings settings_;
  RichardsonRules rules_;
  const double min_;
  const std::uint32_t parts_;
  const bool searches_;
  Attempts attempts_;
  // Of the present step:
  double wanted_ = 0;
  std::uint64_t failures_before_ = 0;
  Checkpoint states_, half_states_;
  HalvedStep values_;
};

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
  // Three points on a line: for inputs of any order the error is O(h^2).
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

/// Distance of the middle from the polynomial of degree q + 1 through y0, y1 and points before;
/// with fewer points, of a lower degree; without any, from the chord.
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

std::unique_ptr<StepController> make_richardson(const ControlSettings& settings, double h) {
  return std::make_unique<Richardson>(settings, h, settings.variant == ControlVariant::eas ? 2 : 1);
}

}  // namespace tutti::master
