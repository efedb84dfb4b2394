// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>
#include <utility>

#include "master/stepping/attempts.hpp"
#include "master/stepping/controllers.hpp"
#include "master/stepping/prediction.hpp"

namespace tutti::master {
namespace {

using models::StepOutcome;

// A step that is shorter by this factor and has the same error contains a jump.
constexpr double at_a_jump = 1e-3;
// K. Gustafsson, Control-theoretic techniques for stepsize selection in explicit Runge-Kutta
// methods, ACM Trans. Math. Softw. 17 (1991), 533-554: exponents times the power of the error.
constexpr double of_this_error = 0.7, of_the_last = 0.4;

// Halving a step halves its error at least, where everything is smooth.
constexpr double not_less = 0.75;
// Without rollback, errors must stay well below the tolerance.
constexpr double careful_error = 0.3, careful_growth = 1.5;
// A short past hardly determines the right step.
constexpr double first_growth = 8;
constexpr int first_steps = 3;

class Predictor final : public StepController {
 public:
  Predictor(const ControlSettings& settings, double h)
      : settings_(settings),
        min_(*settings.min),
        jump_(std::max(min_, settings.jump.value_or(min_))),
        first_(h),
        safety_(settings.safety.value_or(0.9)),
        shrink_(settings.shrink.value_or(0.2)),
        grow_(settings.grow.value_or(2)),
        attempts_(settings, h, !settings.shrink),
        prediction_(settings.atol, settings.rtol) {}

  ControlledStep advance(SteppedSystem& system, double t, double limit) override {
    const ControlledStep step = find_step(system, t, limit);
    CoupledInputs& inputs = system.coupled_inputs();
    if (step.h > 0 && inputs.are_noted()) inputs.note(step.h, prediction_.inputs());
    return step;
  }
  double next_step() const override { return attempts_.next; }
  void keep(Memory& memory) override {
    memory(attempts_, last_error_, steps_since_start_, prediction_);
    if (memory.restores()) good_time_.reset();
  }
  void forget() override {
    prediction_.forget();
    last_error_ = 1;
    steps_since_start_ = 0;
  }
  void keep_accepted() override { good_time_.reset(); }
  std::optional<double> restore_last_good(SteppedSystem& system) override {
    if (!good_time_) return {};
    system.restore(*good_);
    return std::exchange(good_time_, {});
  }

 private:
  /// A step whose error was too large.
  struct Failed {
    double h = 0, error = 0;
    /// The error is no larger than that of a step of at most half the size.
    bool is_no_larger(double shorter, double its_error) const {
      return h > 0 && shorter <= half * h && !(its_error < not_less * error);
    }
  };

  /// The step that is accepted.
  ControlledStep find_step(SteppedSystem& system, double t, double limit) {
    const double wanted = attempts_.next;
    const std::uint64_t failures_before = counts_.failures();
    double h = attempts_.search.limited(t, attempts_.choose(system, t, limit), jump_);
    rolls_back_ = system.can_roll_back();
    if (rolls_back_) system.save(*states_);
    prediction_.begin(system, t);
    Failed first, last;
    for (;;) {
      const StepOutcome outcome =
          rolls_back_ ? attempts_.succeed(system, t, h, *states_, counts_) : move_on(system, t, h);
      if (!outcome.is_plain()) h = outcome.reached - t;
      if (h <= 0) return {outcome, 0, 0, 0};
      const double error = prediction_.error(system, h);
      if (error <= 1) {
        propose(h, error, wanted, counts_.failures() > failures_before);
        attempts_.accepted(t, h, error, false);
        return {outcome, h, error, 1};
      }
      ++counts_.error_test_failures;
      if (outcome.status == StepOutcome::Status::terminated) return {outcome, h, error, 1};
      if (!rolls_back_) return accept_without_rollback(system, outcome, h, error);
      const bool is_jump =
          h <= jump_ && (attempts_.search.is_certain() || last.is_no_larger(h, error));
      if (h <= min_ || is_jump) {
        if (settings_.at_min == OnLimit::stop && !settings_.jump) {
          system.restore(*states_);
          Attempts::refuse_error(t, h, error,
                                 h < at_a_jump * first.h && error > half * first.error);
        }
        return accept_at_min(system, outcome, t, h, error, is_jump);
      }
      last = {h, error};
      if (first.h == 0) first = last;
      system.restore(*states_);
      h = after_failure(t, h, error);
    }
  }
  /// The target error of steps, reduced by the safety factor.
  double wanted_error() const { return rolls_back_ ? 1 : careful_error; }
  double suggested(double error) const {
    return safety_ * std::pow(error / wanted_error(), -1 / prediction_.power());
  }
  double growth() const {
    if (!rolls_back_) return std::min(grow_, careful_growth);
    return !settings_.grow && steps_since_start_ <= first_steps ? first_growth : grow_;
  }

  /// Without rollback only a step that all components reject can be repeated.
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
    good_time_.reset();
    ++steps_since_start_;
    const double k = prediction_.power();
    const double smooth = safety_ * std::pow(error / wanted_error(), -of_this_error / k) *
                          std::pow(last_error_ / wanted_error(), of_the_last / k);
    double next = h * std::min(growth(), std::max(shrink_, smooth));
    // The failed step was longer: the step does not grow immediately.
    if (failed) next = std::min(next, std::max(h, h * suggested(error)));
    // A step that was shortened for an event or output time does not reduce the next.
    if (h < wanted && !failed) next = std::max(next, std::min(wanted, h * suggested(error)));
    attempts_.next = std::clamp(next, min_, *settings_.max);
    last_error_ = std::max(error, 1e-2);  // an error near 0 would let the next step shrink
  }
  /// The step to try after one whose error is too large.
  double after_failure(double t, double h, double error) {
    const double factor = suggested(error);
    // With a short past the first step is a guess, and jumps are not searched for.
    if (steps_since_start_ < first_steps && factor < half && h > jump_)
      return std::max(jump_, h * std::max(1e-3, factor));
    if (attempts_.is_to_be_halved(t, h, error, factor, prediction_.power()))
      return std::max(min_, half * h);
    return std::max(min_, h * std::max(shrink_, factor));
  }
  ControlledStep accept_at_min(SteppedSystem& system, const StepOutcome& outcome, double t,
                               double h, double error, bool jumps) {
    ++counts_.accepted_at_min;
    if (!good_time_) {
      std::swap(good_, states_);
      good_time_ = t;
    }
    attempts_.next = std::max(min_, h);
    attempts_.accepted(t, h, error, true);
    if (jumps) {
      system.forget_signals();
      forget();
    }
    return {outcome, h, error, 1, ControlledStep::Forced::at_min, jumps};
  }
  /// A jump, if the error is far beyond what a shorter step can fix.
  ControlledStep accept_without_rollback(SteppedSystem& system, const StepOutcome& outcome,
                                         double h, double error) {
    ++counts_.accepted_without_rollback;
    counts_.worst_without_rollback = std::max(counts_.worst_without_rollback, error);
    const double factor = suggested(error);
    attempts_.next = std::max(min_, h * std::max(shrink_, factor));
    last_error_ = 1;
    const bool jumps = !(factor >= shrink_);
    if (jumps) {
      attempts_.next = std::max(min_, std::min(first_, attempts_.next));
      system.forget_signals();
      forget();
    }
    return {outcome, h, error, 1, ControlledStep::Forced::without_rollback, jumps};
  }
  const ControlSettings settings_;
  const double min_, jump_, first_;
  const double safety_, shrink_, grow_;
  Attempts attempts_;
  Prediction prediction_;
  double last_error_ = 1;
  int steps_since_start_ = 0;  ///< or since the last jump
  bool rolls_back_ = true;
  std::unique_ptr<Checkpoint> states_ = std::make_unique<Checkpoint>();
  /// Before the last steps that were forced at the minimum, if the last one was.
  std::unique_ptr<Checkpoint> good_ = std::make_unique<Checkpoint>();
  std::optional<double> good_time_;
};

}  // namespace

std::unique_ptr<StepController> make_predictor(const ControlSettings& settings, double h) {
  return std::make_unique<Predictor>(settings, h);
}

}  // namespace tutti::master
