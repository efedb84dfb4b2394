// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>
#include <tuple>

#include "master/stepping/attempts.hpp"
#include "master/stepping/controllers.hpp"
#include "master/stepping/jump_search.hpp"
#include "master/stepping/prediction.hpp"

namespace tutti::master {
namespace {

using models::StepOutcome;

// A step that is so much shorter and has the same error meets a jump.
constexpr double at_a_jump = 1e-3;
// K. Gustafsson, Control-theoretic techniques for stepsize selection in explicit Runge-Kutta
// methods, ACM Trans. Math. Softw. 17 (1991), 533-554: exponents times the power of the error.
constexpr double of_this_error = 0.7, of_the_last = 0.4;

class Predictor final : public StepController {
 public:
  Predictor(const ControlSettings& settings, double h)
      : settings_(settings),
        min_(*settings.min),
        searches_(!settings.shrink),
        safety_(settings.safety.value_or(0.9)),
        shrink_(settings.shrink.value_or(0.2)),
        grow_(settings.grow.value_or(2)),
        attempts_(with_halving(settings), h),
        prediction_(settings.atol, settings.rtol) {}

  ControlledStep advance(SteppedSystem& system, double t, double limit) override {
    const double wanted = attempts_.next;
    const std::uint64_t failures_before = failures();
    double h = search_.limited(t, attempts_.choose(t, limit), min_);
    const bool goes_back = system.can_go_back();
    if (goes_back) system.save(states_);
    prediction_.begin(system, t);
    double longest = 0, its_error = 0;  // of the steps that failed
    for (;;) {
      const StepOutcome outcome = goes_back ? succeed(system, t, h) : move_on(system, t, h);
      if (!outcome.is_plain()) h = outcome.reached - t;
      if (h <= 0) return {outcome, 0, 0, 0};
      const double error = prediction_.error(system, h);
      if (error <= 1) {
        propose(h, error, wanted, failures() > failures_before);
        go_on_behind(t, h, error, false);
        return {outcome, h, error, 1};
      }
      ++counts_.error_test_failures;
      if (outcome.status == StepOutcome::Status::terminated) return {outcome, h, error, 1};
      if (h <= min_) {
        const bool is_jump = h < at_a_jump * longest && error > half * its_error;
        if (settings_.at_min == OnLimit::stop) {
          if (goes_back) system.restore(states_);
          Attempts::refuse_error(t, h, error, is_jump);
        }
        return accept_at_min(outcome, t, h, error);
      }
      if (longest == 0) std::tie(longest, its_error) = std::pair(h, error);
      if (!goes_back) return accept_without_return(outcome, h, error);
      system.restore(states_);
      h = after_failure(t, h, error);
    }
  }
  double next_step() const override { return attempts_.next; }
  void forget() override {
    prediction_.forget();
    last_error_ = 1;
  }

 private:
  static ControlSettings with_halving(ControlSettings settings) {
    settings.shrink = settings.shrink.value_or(half);
    return settings;
  }
  std::uint64_t failures() const {
    return counts_.convergence_failures + counts_.error_test_failures;
  }
  double suggested(double error) const {
    return safety_ * std::pow(error, -1 / prediction_.power());
  }

  StepOutcome succeed(SteppedSystem& system, double t, double& h) {
    const std::uint64_t before = counts_.convergence_failures;
    const StepOutcome outcome = attempts_.succeed(system, t, h, states_, counts_);
    if (searches_ && counts_.convergence_failures > before) search_.not_converged(t, h / half);
    return outcome;
  }
  /// The same where nobody can go back, so that only a step that all refuse can be repeated.
  StepOutcome move_on(SteppedSystem& system, double t, double& h) {
    for (;;) {
      const SteppedSystem::Attempt attempt = system.attempt(t, h, nullptr);
      if (attempt.failure == SteppedSystem::Attempt::Failure::none) return attempt.outcome;
      ++counts_.convergence_failures;
      if (h <= min_) attempts_.give_up(t, h);
      h = std::max(min_, half * h);
    }
  }

  /// After a step that was accepted.
  void propose(double h, double error, double wanted, bool failed) {
    const double k = prediction_.power();
    const double smooth =
        safety_ * std::pow(error, -of_this_error / k) * std::pow(last_error_, of_the_last / k);
    double next = h * std::min(grow_, std::max(shrink_, smooth));
    // The step that failed was longer: it does not grow at once.
    if (failed) next = std::min(next, std::max(h, h * suggested(error)));
    // A step that was only short because something is due there takes nothing back.
    if (h < wanted && !failed) next = std::max(next, std::min(wanted, h * suggested(error)));
    attempts_.next = std::clamp(next, min_, *settings_.max);
    last_error_ = std::max(error, 1e-2);  // nearly none would let the next step shrink
  }
  /// The step to try after one whose error is too large.
  double after_failure(double t, double h, double error) {
    const double factor = suggested(error);
    if (searches_ && (!(factor >= half) || search_.is_certain())) {
      search_.too_wrong(t, h, error, prediction_.power());
      return std::max(min_, half * h);
    }
    return std::max(min_, h * std::max(shrink_, factor));
  }
  ControlledStep accept_at_min(const StepOutcome& outcome, double t, double h, double error) {
    ++counts_.accepted_at_min;
    attempts_.next = min_;
    go_on_behind(t, h, error, true);
    return {outcome, h, error, 1};
  }
  ControlledStep accept_without_return(const StepOutcome& outcome, double h, double error) {
    ++counts_.accepted_without_return;
    counts_.worst_without_return = std::max(counts_.worst_without_return, error);
    const double factor = suggested(error);
    attempts_.next = std::max(min_, h * (factor >= shrink_ ? factor : shrink_));
    last_error_ = 1;
    return {outcome, h, error, 1};
  }
  /// Behind a jump the step is what it was before.
  void go_on_behind(double t, double h, double error, bool forced) {
    if (!searches_) return;
    if (const auto usual = search_.accepted(t, h, error, forced))
      attempts_.next = std::max(attempts_.next, *usual);
  }

  const ControlSettings settings_;
  const double min_;
  const bool searches_;
  const double safety_, shrink_, grow_;
  Attempts attempts_;
  JumpSearch search_;
  Prediction prediction_;
  double last_error_ = 1;
  Checkpoint states_;
};

}  // namespace

std::unique_ptr<StepController> make_predictor(const ControlSettings& settings, double h) {
  return std::make_unique<Predictor>(settings, h);
}

}  // namespace tutti::master
