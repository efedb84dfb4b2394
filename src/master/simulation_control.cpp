// SPDX-License-Identifier: BSD-2-Clause
// The loop with steps that a controller chooses.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/infinity.hpp"
#include "master/simulation.hpp"
#include "master/stepping/attempts.hpp"

namespace tutti::master {
namespace {

using models::RunAgain;
using models::RunNeeds;
using models::StepOutcome;

// A jump is behind after one or two steps of the minimum size; an unstable coupling is not.
constexpr int maximum_forced = 5;
constexpr std::uint32_t maximum_rehearsals = 6;
// A count, not a time, so that the result does not depend on the machine.
constexpr std::uint64_t maximum_calls = 20'000'000;
constexpr std::uint64_t calls_looked_at_every = 1024;  // steps

}  // namespace

void Simulation::begin_control(double h) {
  const ControlSettings& control = *options_.control;
  if (control.name != StepControl::fixed) h = std::clamp(h, *control.min, *control.max);
  std::unique_ptr<StepController> controller = make_step_controller(control, h);
  if (controller_) controller->count_on(controller_->counts());
  controller_ = std::move(controller);
}

RunEnd::Kind Simulation::walk_controlled() {
  RunEnd::Kind kind{};
  try {
    kind = walk_freely();
  } catch (const RunAgain&) {
    throw;
  } catch (const Error& error) {
    // Where something went wrong before, that is why.
    if (error.code() == ErrorCode::numeric) judge_inaccurate_steps();
    if (observer_ != nullptr) observer_->release();
    throw;
  }
  if (kind != RunEnd::Kind::interrupted) judge_inaccurate_steps();
  if (observer_ != nullptr) observer_->release();
  return kind;
}

RunEnd::Kind Simulation::walk_freely() {
  using Status = StepOutcome::Status;
  const double stop = grid_.stop();
  // Times that differ by rounding errors only are one: no step is that short.
  const double nearness = 8 * std::numeric_limits<double>::epsilon() *
                          std::max(std::abs(grid_.start()), std::abs(stop));
  const bool overshoots = options_.control->end == LastStep::overshoot;
  // Steps of a fixed size, and MASTERSIM's, are not cut to meet outputs: the next point will do.
  const bool meets_outputs = options_.control->name != StepControl::fixed &&
                             !imitates_mastersim(options_.control->variant);
  const TimeGrid outputs(grid_.start(), stop, options_.interval.value_or(stop - grid_.start()));
  inaccurate_.describe(island_.fastest_rate(), options_.control->rtol * (stop - grid_.start()),
                       options_.control->min.value_or(0));
  record();
  check_numbers();
  // Steps that are counted do not miss the stop time by a rounding error.
  const bool counts = overshoots && options_.control->clock == TimeStepping::integer;
  const double end = counts ? stop - nearness : stop;
  while (time_ < end) {
    if (is_interrupted()) return RunEnd::Kind::interrupted;
    const std::uint64_t output =
        outputs.first_point_from(std::nextafter(time_ + nearness, infinity));
    double limit = overshoots ? infinity : stop;
    for (const double due :
         {event_, meets_outputs ? outputs.point(output) : infinity, inaccurate_.limit(time_)})
      if (due < limit - nearness) limit = due;
    const ControlledStep step = advance_to(limit);
    if (!judge_forced(step)) continue;
    steps_ += step.steps;
    limit_calls();
    last_step_ = step.h;
    last_error_ = step.error;
    // What is meant to be the limit is the limit.
    const double before = time_;
    time_ = step.outcome.reached;
    if (std::abs(time_ - limit) <= std::max(nearness, 1e-9 * step.h)) time_ = limit;
    if (std::abs(time_ - event_) <= nearness) time_ = event_;
    check_numbers();
    publish_time();
    const bool terminated = step.outcome.status == Status::terminated;
    const bool event = step.outcome.status == Status::event || time_ >= event_ - nearness;
    const bool due =
        !options_.interval || time_ >= outputs.point(output) - nearness || time_ >= stop;
    if (time_ > before && (due || event || terminated)) record();
    if (event) controller_->forget();
    if (step.outcome.status == Status::early) {
      guard_against_standstill();
      find_next_event();
    }
    if (terminated || (event && !settle_event())) return RunEnd::Kind::terminated_by_fmu;
  }
  return RunEnd::Kind::completed;
}

ControlledStep Simulation::advance_to(double limit) {
  try {
    return controller_->advance(island_, time_, limit);
  } catch (const Diverged& diverged) {
    if (!is_interrupted()) {
      repeat_with_next_coupling(diverged.what());
      throw;
    }
  } catch (const StepFailed& failed) {
    // All components are at time_.
    if (!is_interrupted()) {
      rewind_to_good();
      if (!leave_coupling(failed.what())) throw;
    }
  } catch (const Error&) {
    // A component that gives way to an interruption makes no progress: that is no failure.
    if (!is_interrupted()) throw;
  }
  return {{StepOutcome::Status::early, time_}, 0, 0, 0};
}

bool Simulation::judge_forced(const ControlledStep& step) {
  using Forced = ControlledStep::Forced;
  if (step.forced == Forced::without_rollback) {
    inaccurate_.add(time_, step.h, step.error, step.jumps);
    if (inaccurate_.is_hopeless()) judge_inaccurate_steps();
  } else {
    inaccurate_.end_row();
  }
  if (step.forced != Forced::at_min) {
    if (forced_in_a_row_ > 0 && step.steps > 0) {
      forced_in_a_row_ = 0;
      if (observer_ != nullptr) observer_->release();
    }
    return true;
  }
  if (forced_in_a_row_++ == 0 && observer_ != nullptr) observer_->hold();
  if (forced_in_a_row_ < maximum_forced) return true;
  forced_in_a_row_ = 0;
  const double reached = step.outcome.reached;
  const std::string why =
      step.jumps ? "errors do not become less in shorter steps"
                 : fmt::format("steps of the minimum size, {:.3g} s, are not accurate enough",
                               *options_.control->min);
  rewind_to_good();
  if (leave_coupling(why)) {
    find_next_event();
    return false;
  }
  if (!island_.is_coupled_automatically() || options_.control->at_min == OnLimit::go_on) {
    if (observer_ != nullptr) observer_->release();
    return true;
  }
  if (observer_ != nullptr) observer_->drop();
  throw Error(
      ErrorCode::numeric,
      fmt::format("t = {:.13g} s: {}, and there is no other way to couple left. Try a larger "
                  "simulation.tolerance, look at the loops with `tutti advise`, name a method, or "
                  "accept the errors with control.at-min = \"continue\".",
                  reached, why));
}

void Simulation::rewind_to_good() {
  if (!island_.next_coupling()) return;
  const auto good = controller_->restore_last_good(island_);
  if (!good) return;
  time_ = *good;
  island_.note_after_restoring();
  if (observer_ != nullptr) observer_->drop();
}

/// @pre all components are at time_
bool Simulation::leave_coupling(const std::string& why) {
  const auto number = island_.next_coupling();
  if (!number) return false;
  std::string text = why.starts_with("t = ") ? why : fmt::format("t = {:.13g} s: {}", time_, why);
  if (text.ends_with('.')) text.pop_back();
  island_.warn(fmt::format("{}. From here on: {}", text, island_.text_of_coupling(*number)));
  island_.couple_anew(*number);
  forced_in_a_row_ = 0;
  begin_control(grid_.step(0));
  return true;
}

void Simulation::repeat_with_next_coupling(const std::string& why) const {
  const auto number = island_.next_coupling();
  if (!number) return;
  std::string text = why.starts_with("t = ") ? why : fmt::format("t = {:.13g} s: {}", time_, why);
  if (text.ends_with('.')) text.pop_back();
  throw RunAgain(fmt::format("{}. The run is repeated from its start with {}", text,
                             island_.text_of_coupling(*number)),
                 [number = *number](RunNeeds& needs) {
                   needs.coupling = number;
                   needs.short_steps.clear();
                   needs.rehearsals = 0;
                 });
}

void Simulation::judge_inaccurate_steps() const {
  if (!inaccurate_.is_too_large() || options_.control->at_min == OnLimit::go_on) return;
  const std::string what =
      inaccurate_.is_row()
          ? fmt::format(
                "t = {:.13g} s: step after step exceeds the tolerance and cannot be rolled "
                "back",
                time_)
          : fmt::format(
                "t = {:.13g} s: steps that cannot be rolled back add up to an estimated "
                "error of {:.3g} tolerances",
                time_, inaccurate_.sum());
  if (inaccurate_.is_hopeless()) repeat_with_next_coupling(what);
  const InaccurateSteps::Windows windows = inaccurate_.next();
  if (options_.rehearsals < maximum_rehearsals && windows != options_.short_steps)
    throw RunAgain(
        what + ". The run is repeated from its start with shorter steps there",
        [windows](RunNeeds& needs) {
          needs.short_steps = windows;
          ++needs.rehearsals;
        },
        true);
  throw Error(ErrorCode::numeric,
              fmt::format("{}. Try a larger tolerance, a smaller first step or control.max, FMUs "
                          "that can save and restore their state, or accept the errors with "
                          "control.at-min = \"continue\".",
                          what));
}

void Simulation::limit_calls() const {
  if (!island_.is_coupled_automatically() || steps_ % calls_looked_at_every != 0) return;
  std::uint64_t calls = options_.calls_before;
  for (std::size_t i = 0; i < island_.instance_count(); ++i)
    calls += island_.instance(i).counts().do_step;
  if (calls <= maximum_calls) return;
  const double rest = (grid_.stop() - time_) / controller_->next_step() *
                      static_cast<double>(island_.instance_count());
  throw Error(ErrorCode::numeric,
              fmt::format("t = {:.13g} s: {} calls of doStep are more than auto takes, and about "
                          "{:.2g} more would follow with steps of {:.3g} s. The coupling is stiff: "
                          "try a larger simulation.tolerance, FMUs that can save and restore their "
                          "state, or name a method and a step.",
                          time_, calls, rest, controller_->next_step()));
}

}  // namespace tutti::master
