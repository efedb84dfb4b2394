// SPDX-License-Identifier: BSD-2-Clause
// How the loop handles steps whose error is too large.
#include <fmt/format.h>

#include <algorithm>

#include "master/loop.hpp"

namespace tutti::master {
namespace {

using models::RunAgain;
using models::RunNeeds;
using models::StepOutcome;

// A jump is passed after one or two steps of the minimum size; an instability is not.
constexpr int maximum_forced = 5;
constexpr std::uint32_t maximum_rehearsals = 6;
// A count, not a time, so that the result does not depend on the machine.
constexpr std::uint64_t maximum_calls = 20'000'000;
constexpr std::uint64_t calls_looked_at_every = 1024;  // steps

}  // namespace

void Loop::begin_control(double h) {
  std::unique_ptr<StepController> controller = is_free(options_.control)
                                                   ? make_step_controller(options_.control, h)
                                                   : make_grid_steps(options_.grid);
  if (controller_) controller->count_on(controller_->counts());
  controller_ = std::move(controller);
}

bool Loop::is_good(const ControlledStep& step) {
  using Forced = ControlledStep::Forced;
  if (step.forced == Forced::without_rollback) {
    inaccurate_.add(time_, step.h, step.error, step.jumps);
    if (inaccurate_.is_hopeless()) judge_inaccurate_steps();
  } else {
    inaccurate_.end_row();
  }
  if (step.forced != Forced::at_min) {
    if (in_a_row_.forced > 0 && step.steps > 0) {
      in_a_row_.forced = 0;
      if (observer_ != nullptr) observer_->release();
    }
    return true;
  }
  if (in_a_row_.forced++ == 0 && observer_ != nullptr) observer_->hold();
  if (in_a_row_.forced < maximum_forced) return true;
  in_a_row_.forced = 0;
  const double reached = step.outcome.reached;
  const std::string why =
      step.jumps ? "errors do not decrease in shorter steps"
                 : fmt::format("steps of the minimum size, {:.3g} s, are not accurate enough",
                               *options_.control.min);
  rewind_to_good();
  if (leave_coupling({ErrorCode::numeric, why})) {
    find_next_event();
    return false;
  }
  if (!island_.assembly().parts.is_automatic || options_.control.at_min == OnLimit::go_on) {
    if (observer_ != nullptr) observer_->release();
    return true;
  }
  if (observer_ != nullptr) observer_->drop();
  throw Error(ErrorCode::numeric, fmt::format("{}, and no fallback coupling is left", why),
              {.time = reached,
               .key = "simulation.tolerance",
               .hint = "Try a larger %key%, analyse the loops with `tutti advise`, choose a "
                       "method, or accept the errors with control.at-min = \"continue\"."});
}

void Loop::rewind_to_good() {
  if (!island_.next_coupling()) return;
  const auto good = controller_->restore_last_good(island_.stepper());
  if (!good) return;
  time_ = *good;
  outputs_.move_to(time_, nearness());
  island_.events().note_state();
  if (observer_ != nullptr) observer_->drop();
}

/// @pre all components are at time_
bool Loop::leave_coupling(const Error& why) {
  const auto number = island_.next_coupling();
  if (!number) return false;
  island_.assembly().log.warning(
      "", timed(why)
              .within("", {.hint = "From here on: " +
                                   island_.assembly().parts.fallbacks[*number - 1].text})
              .what());
  island_.use_fallback(*number);
  in_a_row_.forced = 0;
  begin_control(options_.grid.step(0));
  return true;
}

Error Loop::timed(const Error& error) const {
  return error.details().time ? error : error.within("", {.time = time_});
}

void Loop::repeat_with_next_coupling(const Error& why) const {
  const auto number = island_.next_coupling();
  if (!number) return;
  throw RunAgain(timed(why),
                 {"The run is repeated from its start with " +
                      island_.assembly().parts.fallbacks[*number - 1].text,
                  "Name another simulation.method."},
                 [number = *number](RunNeeds& needs) {
                   needs.coupling = number;
                   needs.short_steps.clear();
                   needs.rehearsals = 0;
                 });
}

void Loop::judge_inaccurate_steps() const {
  if (!inaccurate_.is_too_large() || options_.control.at_min == OnLimit::go_on) return;
  const Error what(ErrorCode::numeric,
                   inaccurate_.is_row()
                       ? "too many steps exceed the tolerance and cannot be rolled back"
                       : fmt::format("steps that cannot be rolled back add up to an estimated "
                                     "error of {:.3g} tolerances",
                                     inaccurate_.sum()),
                   {.time = time_});
  if (inaccurate_.is_hopeless()) repeat_with_next_coupling(what);
  const InaccurateSteps::Windows windows = inaccurate_.next();
  if (options_.rehearsals < maximum_rehearsals && windows != options_.short_steps)
    throw RunAgain(
        what,
        {"The run is repeated from its start with shorter steps there",
         "Set a smaller simulation.control.max, or control.at-min = \"continue\".", true},
        [windows](RunNeeds& needs) {
          needs.short_steps = windows;
          ++needs.rehearsals;
        });
  throw what
      .within("", {.hint = "Try a larger tolerance, a smaller first step or control.max, FMUs that "
                           "can save and restore their state, or accept the errors with "
                           "control.at-min = \"continue\"."})
      .with({.key = "simulation.control.at-min"});
}

void Loop::limit_calls() const {
  if (steps_ % calls_looked_at_every != 0) return;
  std::uint64_t calls = options_.calls_before;
  for (std::size_t i = 0; i < island_.instance_count(); ++i)
    calls += island_.instance(i).counts().do_step;
  if (calls <= maximum_calls) return;
  const double rest = (options_.grid.stop() - time_) / controller_->next_step() *
                      static_cast<double>(island_.instance_count());
  throw Error(ErrorCode::numeric,
              fmt::format("{} calls of doStep exceed the limit of auto, and about {:.2g} more "
                          "would follow with steps of {:.3g} s",
                          calls, rest, controller_->next_step()),
              {.time = time_,
               .key = "simulation.tolerance",
               .hint = "The coupling is stiff: try a larger %key%, FMUs that can save and restore "
                       "their state, or set a method and a step."});
}

}  // namespace tutti::master
