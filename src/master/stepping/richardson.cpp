// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "master/stepping/attempts.hpp"
#include "master/stepping/controllers.hpp"
#include "master/stepping/richardson_rules.hpp"

namespace tutti::master {
namespace {

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
        // Searching jumps by halving is a rule of ours, unless another factor is given.
        searches_(settings.variant == ControlVariant::tutti && !settings.shrink),
        attempts_(settings_, h * parts, searches_) {}

  ControlledStep advance(SteppedSystem& system, double t, double limit) override {
    wanted_ = attempts_.next;
    failures_before_ = counts_.failures();
    rules_.look_at(system);
    double h = attempts_.search.limited(t, attempts_.choose(system, t, limit), min_), detour = 0;
    system.save(states_);
    read(system, values_.y0);
    values_.t = t;
    bool has_whole = false;  // y1 is known: it was the first half of the step tried before
    for (;;) {
      if (!has_whole) {
        const StepOutcome whole = attempts_.succeed(system, t, h, states_, counts_, detour);
        if (whole.status == StepOutcome::Status::terminated) return accept(whole, t, h, 0);
        if (!whole.is_plain() && whole.reached <= t) return {whole, 0, 0, 0};
        // Something happened before the end: the step is the one to there.
        if (!whole.is_plain()) h = std::min(h, whole.reached - t);
        read(system, values_.y1);
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
      if (rules_.accepts(halves.error)) {
        if (rules_.uses_the_past()) remember();
        return accept(halves.outcome, t, h, halves.error);
      }
      ++counts_.error_test_failures;
      if (h <= min_) return accept_at_min(system, halves, t, h);
      // MASTERSIM restores the state of t, but takes t + h/2 for the time: the next attempt is
      // longer by that. Its half steps repair the result, not the estimate.
      if (imitates_mastersim(settings_.variant)) detour = h / 2;
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
    double error = 0;  ///< not a number: values are not
    bool failed = false, ended_in_first = false;
    bool has_first = true;  ///< ym is that of a step of h/2
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
    // A step that was only short because something is due there, or happened, takes nothing back of
    // what was wanted before, unless its error does.
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
    forget();  // something jumps there
    attempts_.next = min_;
    attempts_.accepted(t, h, halves.error, true);
    return step_to(halves.outcome, t, h, halves.error);
  }
  ControlledStep step_to(const StepOutcome& outcome, double t, double h, double error) const {
    if (!outcome.is_plain()) h = outcome.reached - t;
    return {outcome, h / parts_, error, h > 0 ? parts_ : 0};
  }

  /// Two steps of h/2 from t on. A half that fails counts as an error of 25.
  Halves half_steps(SteppedSystem& system, double t, double h) {
    using Failure = SteppedSystem::Attempt::Failure;
    Halves failed{{StepOutcome::Status::discarded, t}, 25, true, false, false};
    // MASTERSIM saves anew what it has just restored, and counts that.
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

std::unique_ptr<StepController> make_richardson(const ControlSettings& settings, double h) {
  return std::make_unique<Richardson>(settings, h, settings.variant == ControlVariant::eas ? 2 : 1);
}

}  // namespace tutti::master
