// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tutti/error.hpp>

#include "master/stepping/attempts.hpp"
#include "master/stepping/controllers.hpp"
#include "master/stepping/jump_search.hpp"

namespace tutti::master {
namespace {

using Values = std::vector<double>;
using models::StepOutcome;

/// Weighted root mean square of an error that term(i) gives.
template <class Term>
double rms(const Values& y, const ControlSettings& settings, const Term& term) {
  if (y.empty()) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double error = term(i);
    if (error == 0) continue;  // also where the weight is 0
    const double scaled = error / (std::abs(y[i]) * settings.rtol + settings.atol);
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

/// With `parts` = 2, sizes of steps are those of the halves, both of which count.
ControlSettings of_whole_steps(ControlSettings settings, double parts) {
  settings.min = *settings.min * parts;
  settings.max = *settings.max * parts;
  return settings;
}

/// Of a step whose error does not suggest a size, half is tried.
constexpr double half = 0.5;

/// Searching jumps by halving is a rule of ours, unless another factor is given.
bool searches_jumps(const ControlSettings& settings) {
  return settings.variant == ControlVariant::tutti && !settings.shrink;
}
ControlSettings with_halving(ControlSettings settings) {
  if (searches_jumps(settings)) settings.shrink = half;
  return settings;
}

class Richardson final : public StepController {
 public:
  Richardson(const ControlSettings& settings, double h, std::uint32_t parts, double safety)
      : settings_(of_whole_steps(settings, parts)),
        min_(*settings_.min),
        parts_(parts),
        searches_(searches_jumps(settings)),
        attempts_(with_halving(settings_), h * parts),
        safety_(settings.safety.value_or(safety)),
        shrink_(settings.shrink.value_or(0.2)),
        grow_(settings.grow.value_or(2)) {}

  ControlledStep advance(SteppedSystem& system, double t, double limit) override {
    wanted_ = attempts_.next;
    failures_before_ = failures();
    takes_root_ = !is_eas() || !system.has_feed_through();
    double h = search_.limited(t, attempts_.choose(t, limit), min_), detour = 0;
    system.save(states_);
    read(system, y0_);
    bool has_whole = false;  // y1 is known: it was the first half of the step tried before
    for (;;) {
      if (!has_whole) {
        const StepOutcome whole = whole_step(system, t, h, detour);
        if (whole.status == StepOutcome::Status::terminated) return accept(whole, t, h, 0);
        // Something happened before the end: the step is the one to there.
        if (!whole.is_plain()) h = std::min(h, whole.reached - t);
        read(system, y1_);
      }
      has_whole = false;
      detour = 0;
      const Halves halves = half_steps(system, t, h);
      if (halves.ended_in_first) {
        // It happens in the first half: a step to there is tried, if it is not too short to test.
        const double there = halves.outcome.reached - t;
        if (there <= min_ || halves.outcome.status == StepOutcome::Status::terminated)
          return accept(halves.outcome, t, there, 0);
        system.restore(states_);
        h = there;
        continue;
      }
      if (halves.error <= 1) return accept(halves.outcome, t, h, halves.error);
      ++counts_.error_test_failures;
      if (h <= min_) return accept_at_min(system, halves, t, h);
      // MASTERSIM restores the state of t, but takes t + h/2 for the time: the next attempt is
      // longer by that. Its half steps repair the result, not the estimate.
      if (imitates_mastersim(settings_.variant)) detour = h / 2;
      const double tried = h;
      h = after_failure(t, h, halves.error);
      has_whole = searches_ && halves.has_first && h == half * tried;
      if (has_whole)
        std::swap(y1_, ym_);
      else
        system.restore(states_);
    }
  }
  double next_step() const override { return attempts_.next / parts_; }

 private:
  struct Halves {
    StepOutcome outcome;
    double error = 0;  ///< not a number: values are not
    bool failed = false, ended_in_first = false;
    bool has_first = true;  ///< ym is that of a step of h/2
  };

  bool is_eas() const { return settings_.variant == ControlVariant::eas; }
  std::uint64_t failures() const {
    return counts_.convergence_failures + counts_.error_test_failures;
  }
  /// The EAS master counts each output once, MASTERSIM each connection.
  void read(const SteppedSystem& system, Values& y) const { system.couplings(!is_eas(), y); }
  double suggested(double error) const {
    return safety_ / (takes_root_ ? std::sqrt(error) : error);
  }
  double changed(double h, double error) const {
    const double factor = std::min(grow_, std::max(shrink_, suggested(error)));
    return std::max(min_, h * factor);
  }

  /// The step to try after one whose error is too large.
  double after_failure(double t, double h, double error) {
    const bool is_far_off = !(suggested(error) >= half);
    if (!searches_ || !(is_far_off || search_.is_certain())) return changed(h, error);
    search_.too_wrong(t, h, error);
    return std::max(min_, half * h);
  }
  StepOutcome whole_step(SteppedSystem& system, double t, double& h, double detour) {
    const std::uint64_t before = counts_.convergence_failures;
    const StepOutcome outcome = attempts_.succeed(system, t, h, states_, counts_, detour);
    if (searches_ && counts_.convergence_failures > before) search_.not_converged(t, h / half);
    return outcome;
  }

  ControlledStep accept(const StepOutcome& outcome, double t, double h, double error) {
    double next = changed(h, error);
    // A step that was only short because something is due there, or happened, takes nothing back of
    // what was wanted before, unless its error does.
    if (h < wanted_ && failures() == failures_before_ && !imitates_mastersim(settings_.variant))
      next = std::max(next, std::min(wanted_, h * suggested(error)));
    attempts_.next = std::min(*settings_.max, next);
    go_on_behind(t, h, error, false);
    return step_to(outcome, t, h, error);
  }
  ControlledStep accept_at_min(SteppedSystem& system, const Halves& halves, double t, double h) {
    if (halves.failed || settings_.at_min == OnLimit::stop) system.restore(states_);
    if (halves.failed) attempts_.give_up(t, h / parts_);
    if (settings_.at_min == OnLimit::stop) give_up(t, h / parts_, halves.error);
    ++counts_.accepted_at_min;
    attempts_.next = min_;
    go_on_behind(t, h, halves.error, true);
    return step_to(halves.outcome, t, h, halves.error);
  }
  /// Behind a jump the step is what it was before.
  void go_on_behind(double t, double h, double error, bool forced) {
    if (!searches_) return;
    if (const auto usual = search_.accepted(t, h, error, forced))
      attempts_.next = std::max(attempts_.next, *usual);
  }
  ControlledStep step_to(const StepOutcome& outcome, double t, double h, double error) const {
    if (!outcome.is_plain()) h = outcome.reached - t;
    return {outcome, h / parts_, error, h > 0 ? parts_ : 0};
  }
  [[noreturn]] static void give_up(double t, double h, double error) {
    throw Error(ErrorCode::numeric,
                fmt::format("t = {} s: the error of a step of {} s, the smallest, {}. Try a "
                            "smaller simulation.control.min, a larger control.atol and rtol, or "
                            "control.at-min = \"continue\".",
                            t, h,
                            std::isfinite(error)
                                ? fmt::format("is {:.3g} times the tolerance", error)
                                : "cannot be told: coupled values are infinite or not numbers"));
  }

  /// Two steps of h/2 from t on. A half that fails counts as an error of 25.
  Halves half_steps(SteppedSystem& system, double t, double h) {
    using Failure = SteppedSystem::Attempt::Failure;
    Halves failed{{StepOutcome::Status::discarded, t}, 25, true, false, false};
    // MASTERSIM saves anew what it has just restored, and counts that.
    const bool again = system.iterates() && imitates_mastersim(settings_.variant);
    system.restore(states_);
    if (again) system.save(half_states_);
    const auto first = system.attempt(t, h / 2, again ? &half_states_ : &states_);
    if (first.failure != Failure::none) return failed;
    if (!first.outcome.is_plain()) return {first.outcome, 0, false, true, false};
    read(system, ym_);
    if (again) system.save(half_states_);
    const auto second = system.attempt(t + h / 2, h / 2, again ? &half_states_ : nullptr);
    failed.has_first = true;
    if (second.failure != Failure::none) return failed;
    read(system, y2_);
    StepOutcome outcome = second.outcome;
    if (outcome.is_plain()) outcome.reached = t + h;
    return {outcome, error_of(h)};
  }

  double error_of(double h) const {
    if (settings_.estimator || is_eas())
      return estimate(settings_.estimator.value_or(ErrorEstimator::classic), y0_, ym_, y1_, y2_,
                      settings_);
    const bool of_2018 = settings_.variant == ControlVariant::mastersim_2018;
    const double part =
        rms(y2_, settings_, [&](std::size_t i) { return (y2_[i] - y1_[i]) / (of_2018 ? 2 : 1); });
    const double slope = rms(y2_, settings_, [&](std::size_t i) {
      if (of_2018) return (y1_[i] - y0_[i]) / h - (y1_[i] - ym_[i]) / (h / 2);
      return ym_[i] - (y0_[i] + y1_[i]) / 2;
    });
    return std::isnan(slope) ? slope : std::max(part, slope);
  }

  const ControlSettings settings_;
  const double min_;
  const std::uint32_t parts_;
  const bool searches_;
  Attempts attempts_;
  JumpSearch search_;
  const double safety_, shrink_, grow_;
  // Of the present step:
  double wanted_ = 0;
  std::uint64_t failures_before_ = 0;
  bool takes_root_ = true;
  Checkpoint states_, half_states_;
  Values y0_, ym_, y1_, y2_;
};

}  // namespace

std::unique_ptr<StepController> make_richardson(const ControlSettings& settings, double h) {
  return std::make_unique<Richardson>(settings, h, 1, 0.9);
}

std::unique_ptr<StepController> make_double_steps(const ControlSettings& settings, double h) {
  return std::make_unique<Richardson>(settings, h, 2, 0.85);
}

}  // namespace tutti::master
