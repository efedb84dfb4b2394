// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tutti/error.hpp>

#include "master/stepping/attempts.hpp"
#include "master/stepping/controllers.hpp"

namespace tutti::master {
namespace {

using Values = std::vector<double>;
using Failure = SteppedSystem::Attempt::Failure;

/// Weighted root mean square of an error that term(i) gives.
template <class Term>
double rms(const Values& y, const ControlSettings& settings, const Term& term) {
  if (y.empty()) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double scaled = term(i) / (std::abs(y[i]) * settings.rtol + settings.atol);
    sum += scaled * scaled;
  }
  return std::sqrt(sum / static_cast<double>(y.size()));
}

/// The estimators of C. Clauß, K. Majetta, R. Meyer, Application of Richardson Extrapolation to the
/// Co-Simulation of FMUs from Building Simulation, 2017: classic y2 - y1, linear
/// y2 - 2 ym + y0, extended: linear where classic is below 1e-12.
double estimate(ErrorEstimator estimator, const Values& y0, const Values& ym, const Values& y1,
                const Values& y2, const ControlSettings& settings) {
  return rms(y2, settings, [&](std::size_t i) {
    const double classic = y2[i] - y1[i], linear = y2[i] - 2 * ym[i] + y0[i];
    if (estimator == ErrorEstimator::classic) return classic;
    if (estimator == ErrorEstimator::linear) return linear;
    return std::abs(classic) < 1e-12 ? linear : classic;
  });
}

[[noreturn]] void give_up(double t, double h, double error) {
  throw Error(
      ErrorCode::numeric,
      fmt::format("t = {} s: the error of a step of {} s, the smallest, is {:.3g} times the "
                  "tolerance. Try a smaller control.min, a larger control.atol and rtol, or "
                  "control.at-min = \"continue\".",
                  t, h, error));
}

class Richardson final : public StepController {
 public:
  Richardson(const ControlSettings& settings, double h)
      : settings_(settings),
        attempts_(settings, h),
        safety_(settings.safety.value_or(0.9)),
        shrink_(settings.shrink.value_or(0.2)),
        grow_(settings.grow.value_or(2)) {}

  ControlledStep advance(SteppedSystem& system, double t, double limit) override {
    double h = attempts_.choose(t, limit);
    const double first = h, wanted = attempts_.next;
    system.save(states_);
    system.couplings(true, y0_);
    double detour = 0;
    for (;;) {
      const auto whole = attempts_.succeed(system, t, h, states_, counts_, detour);
      detour = 0;
      // Something happened before the end: the step is the one to there.
      if (!whole.is_plain()) return ended_by(whole, t, wanted);
      system.couplings(true, y1_);
      const auto [outcome, error] = half_steps(system, t, h);
      const bool ends = error <= 1 || (h <= settings_.min && outcome.reached > t);
      if (error > 1) ++counts_.error_test_failures;
      if (error > 1 && ends) {
        ++counts_.accepted_at_min;
        if (settings_.at_min == OnLimit::stop) give_up(t, h, error);
        attempts_.next = h;
        return {outcome, outcome.reached - t, error, 1};
      }
      if (ends) {
        attempts_.next = std::min(settings_.max, changed(h, error));
        // A step that was only short because something is due there says little about the next.
        if (h == first && first < wanted && !compatible())
          attempts_.next = std::max(attempts_.next, wanted);
        return {outcome, outcome.reached - t, error, 1};
      }
      if (h <= settings_.min) give_up(t, h, error);
      system.restore(states_);
      // MASTERSIM restores the state of t, but takes t + h/2 for the time: the next attempt is
      // longer by that. Its half steps repair the result, not the estimate.
      if (compatible()) detour = h / 2;
      h = changed(h, error);
    }
  }
  double next_step() const override { return attempts_.next; }

 private:
  bool compatible() const {
    return settings_.variant == ControlVariant::mastersim ||
           settings_.variant == ControlVariant::mastersim_2018;
  }
  double changed(double h, double error) const {
    const double factor = std::min(grow_, std::max(shrink_, safety_ / std::sqrt(error)));
    return std::max(settings_.min, h * factor);
  }
  ControlledStep ended_by(const models::StepOutcome& outcome, double t, double tried) {
    attempts_.next = std::min(settings_.max, tried);
    return {outcome, outcome.reached - t, 0, 1};
  }

  /// Two steps of h/2 from t on. A half that fails counts as an error of 25.
  std::pair<models::StepOutcome, double> half_steps(SteppedSystem& system, double t, double h) {
    constexpr double failed = 25;
    const bool saves = system.iterates();
    // MASTERSIM saves anew what it has just restored, and counts that.
    const bool again = saves && compatible();
    system.restore(states_);
    if (again) system.save(half_states_);
    const auto first = system.attempt(t, h / 2, saves ? again ? &half_states_ : &states_ : nullptr);
    if (first.failure != Failure::none || !first.outcome.is_plain()) return {first.outcome, failed};
    system.couplings(true, ym_);
    if (again) system.save(half_states_);
    const auto second = system.attempt(t + h / 2, h / 2, again ? &half_states_ : nullptr);
    if (second.failure != Failure::none) return {second.outcome, failed};
    system.couplings(true, y2_);
    models::StepOutcome outcome = second.outcome;
    if (outcome.is_plain()) outcome.reached = t + h;
    return {outcome, error_of(h)};
  }

  double error_of(double h) const {
    if (settings_.estimator) return estimate(*settings_.estimator, y0_, ym_, y1_, y2_, settings_);
    const bool of_2018 = settings_.variant == ControlVariant::mastersim_2018;
    const double part =
        rms(y2_, settings_, [&](std::size_t i) { return (y2_[i] - y1_[i]) / (of_2018 ? 2 : 1); });
    const double slope = rms(y2_, settings_, [&](std::size_t i) {
      if (of_2018) return (y1_[i] - y0_[i]) / h - (y1_[i] - ym_[i]) / (h / 2);
      return ym_[i] - (y0_[i] + y1_[i]) / 2;
    });
    return std::max(part, slope);
  }

  ControlSettings settings_;
  Attempts attempts_;
  double safety_, shrink_, grow_;
  Checkpoint states_, half_states_;
  Values y0_, ym_, y1_, y2_;
};

class DoubleSteps final : public StepController {
 public:
  DoubleSteps(const ControlSettings& settings, double h)
      : settings_(settings),
        attempts_(settings, h),
        safety_(settings.safety.value_or(0.85)),
        shrink_(settings.shrink.value_or(0.2)),
        grow_(settings.grow.value_or(2)) {}

  ControlledStep advance(SteppedSystem& system, double t, double limit) override {
    // What is chosen is the double step.
    const double wanted = attempts_.next;
    double h = t + 2 * wanted * (1 + 1e-9) >= limit ? (limit - t) / 2 : wanted;
    const bool clipped = h < wanted;
    system.save(states_);
    system.couplings(false, y0_);
    const double order = system.has_feed_through() ? 1 : 2;
    for (;;) {
      const auto [outcome, error] = both(system, t, h);
      const double factor =
          std::min(grow_, std::max(shrink_, safety_ * std::pow(error, -1 / order)));
      const double next = std::clamp(h * factor, settings_.min, settings_.max);
      if (error <= 1 || (h <= settings_.min && outcome.reached > t)) {
        if (error > 1) {
          ++counts_.error_test_failures;
          ++counts_.accepted_at_min;
          if (settings_.at_min == OnLimit::stop) give_up(t, h, error);
        }
        attempts_.next = clipped && error <= 1 ? std::max(next, wanted) : next;
        return {outcome, h, error, 2};
      }
      ++counts_.error_test_failures;
      if (h <= settings_.min) give_up(t, h, error);
      system.restore(states_);
      h = next;
    }
  }
  double next_step() const override { return attempts_.next; }

 private:
  std::pair<models::StepOutcome, double> both(SteppedSystem& system, double t, double h) {
    constexpr double failed = 25;
    const auto whole = system.attempt(t, 2 * h, &states_);
    if (whole.failure != Failure::none) return {{{}, t}, failed};
    system.couplings(false, y1_);
    system.restore(states_);
    const auto first = system.attempt(t, h, &states_);
    if (first.failure != Failure::none || !first.outcome.is_plain()) return {{{}, t}, failed};
    system.couplings(false, ym_);
    const auto second = system.attempt(t + h, h, nullptr);
    if (second.failure != Failure::none) return {{{}, t}, failed};
    system.couplings(false, y2_);
    models::StepOutcome outcome = second.outcome;
    if (outcome.is_plain()) outcome.reached = t + 2 * h;
    return {outcome, estimate(settings_.estimator.value_or(ErrorEstimator::classic), y0_, ym_, y1_,
                              y2_, settings_)};
  }

  ControlSettings settings_;
  Attempts attempts_;
  double safety_, shrink_, grow_;
  Checkpoint states_;
  Values y0_, ym_, y1_, y2_;
};

}  // namespace

std::unique_ptr<StepController> make_richardson(const ControlSettings& settings, double h) {
  return std::make_unique<Richardson>(settings, h);
}

std::unique_ptr<StepController> make_double_steps(const ControlSettings& settings, double h) {
  return std::make_unique<DoubleSteps>(settings, h);
}

}  // namespace tutti::master
