// SPDX-License-Identifier: BSD-2-Clause
#include "master/loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/infinity.hpp"
#include "base/seconds.hpp"
#include "master/stepping/attempts.hpp"
#include "master/stepping/controllers.hpp"

namespace tutti::master {
namespace {

using models::StepOutcome;
using Status = StepOutcome::Status;

constexpr std::uint64_t timed_every = 16;       // records
constexpr int maximum_close_stops = 20'000;     // models that guard themselves do so earlier
constexpr double minimum_stop_distance = 1e-9;  // of a step

OutputTimes output_times(const Loop::Options& options, bool records) {
  const TimeGrid& grid = options.grid;
  const ControlSettings& control = options.control;
  if (!records) return {grid, grid.step_count(), false};
  if (!is_free(control)) return {grid, options.record_every, true};
  if (!options.interval) return OutputTimes::all(grid);
  // Steps of a fixed size, and MASTERSIM's, are not cut at output times: the next point is
  // recorded.
  return {TimeGrid(grid.start(), grid.stop(), *options.interval), 1,
          step_control_of(control).chooses_steps && !imitates_mastersim(control.variant)};
}

// Of the first step h. Inputs are constant in this part alone, which errs by (h/128)^2 u'/2: where
// order 2 errs by, for example, h^3 u" / 2, that is less as long as h u" > u' / 16000. The next
// part is as long, and each one after that as long as all before it.
constexpr double first_part = 1.0 / 128;

}  // namespace

Loop::Loop(Island& island, const Options& options, StepObserver* observer, Monitor& monitor)
    : island_(island),
      options_(options),
      observer_(observer),
      monitor_(monitor),
      time_(options.grid.start()),
      outputs_(output_times(options, observer != nullptr)),
      inaccurate_(options.grid.stop() - options.grid.start(), options.short_steps) {
  island_.report_progress([this](double t) {
    monitor_.time.store(t, std::memory_order_relaxed);
    return !is_interrupted();
  });
}

void Loop::initialize() {
  monitor_.phase = Monitor::Phase::initializing;
  publish_time();
  try {
    const std::optional<double> stop =
        options_.is_open ? std::nullopt : std::optional(options_.grid.stop());
    island_.initialize({time_, stop, options_.tolerance});
  } catch (const NoItem& refused) {
    throw timed(refused);
  }
  find_next_event();
  begin_control(options_.grid.step(0));
  const TimeGrid& grid = options_.grid;
  inaccurate_.describe(island_.fastest_rate(), options_.control.rtol * (grid.stop() - grid.start()),
                       options_.control.min.value_or(0));
  monitor_.phase = Monitor::Phase::stepping;
  if (!is_free(options_.control)) start_inputs();
  if (!options_.is_resumed) record();
  check_numbers();
}

double Loop::nearness(double t) const {
  return 8 * std::numeric_limits<double>::epsilon() *
         std::max(std::abs(options_.grid.start()), std::abs(t));
}

Loop::End Loop::advance(double target, bool one_step) {
  // Counted steps do not miss the stop time by a rounding error.
  const bool counts = options_.control.end == LastStep::overshoot &&
                      options_.control.clock == TimeStepping::integer;
  const double end = counts ? target - nearness() : target;
  while (time_ < end) {
    if (is_interrupted()) return End::interrupted;
    bool is_in_step = true;
    try {
      const double before = time_, limit = next_limit(target, one_step);
      const ControlledStep step = controller_->advance(island_.stepper(), time_, limit);
      is_in_step = false;
      if (!is_good(step)) continue;
      const End ended = accept(step, limit);
      if (ended == End::terminated || (one_step && time_ > before)) return ended;
      if (time_ >= pause_) return End::paused;
    } catch (const models::RunAgain&) {
      throw;
    } catch (const StepFailed& failed) {
      turn_to_next_coupling(failed);
    } catch (const Error& error) {
      give_up(error, is_in_step);
    }
  }
  return End::reached;
}

/// All components are at time_.
void Loop::turn_to_next_coupling(const StepFailed& failed) {
  if (is_interrupted()) return;
  rewind_to_good();
  if (!leave_coupling(failed)) give_up(failed, false);
  publish_time();
  find_next_event();
}

void Loop::give_up(const Error& error, bool is_in_step) {
  if (is_in_step) {
    if (parts_from_) repeat_without_parts(error);
    if (const auto partial = controller_->partial()) {
      time_ = partial->time;
      steps_ += partial->steps;
      publish_time();
    }
    // A component that stops for an interruption makes no progress: that is no failure.
    if (is_interrupted()) return;
  }
  // An earlier problem is the cause.
  if (error.code() == ErrorCode::numeric) judge_inaccurate_steps();
  if (observer_ != nullptr) observer_->release();
  if (dynamic_cast<const NoItem*>(&error) != nullptr) throw timed(error);
  throw;
}

void Loop::finish() {
  if (!is_interrupted()) judge_inaccurate_steps();
  if (observer_ != nullptr) observer_->release();
  monitor_.phase = Monitor::Phase::finishing;
  look_for_growth();
  island_.finish();
}

bool Loop::assign(std::span<const Assignment> assignments) {
  if (records_.last != time_) record();
  // A run that continues from an earlier point with another coupling would lose the values.
  in_a_row_.forced = 0;
  if (observer_ != nullptr) observer_->release();
  controller_->keep_accepted();
  if (!island_.events().assign(time_, assignments)) return false;
  controller_->forget();
  return settle_event();
}

void Loop::save(Memory& into) const {
  into = {time_, event_, {}, steps_, last_step_, last_error_, parts_from_, records_.last};
  master::save(*controller_, into.controller);
}

void Loop::restore(const Memory& from) {
  time_ = from.time;
  event_ = from.event;
  master::restore(*controller_, from.controller);
  steps_ = from.steps;
  last_step_ = from.last_step;
  last_error_ = from.last_error;
  parts_from_ = from.parts_from;
  records_.last = from.recorded;
  outputs_.move_to(time_, nearness());
  in_a_row_ = {};
  terminated_by_.clear();
  island_.events().note_state();
  publish_time();
}

double Loop::next_limit(double target, bool one_step) {
  const bool overshoots =
      options_.control.end == LastStep::overshoot && target >= options_.grid.stop();
  double limit = overshoots ? infinity : target;
  // An event within rounding of the target happens there: no step is as short as the difference.
  if (!are_near(event_, limit, nearness(target))) limit = std::min(limit, event_);
  // Times that differ by rounding errors only count as the time of the event.
  const double near = std::max(nearness(), same_time(time_, controller_->next_step()));
  const auto end_at = [&](double due) {
    if (due < limit && due < limit - near) limit = due;
  };
  end_at(outputs_.limit());
  // Adaptive steps come one by one, and must not be changed.
  if (pause_ < limit && !is_free(options_.control))
    end_at(options_.grid.point(options_.grid.first_point_from(std::max(pause_, time_ + near))));
  end_at(inaccurate_.limit(time_));
  if (parts_from_) end_at(next_part());
  // Single-precision outputs are checked after every step: they are rare.
  if (one_step || options_.shows_every_step || island_.checks().needs_careful_look())
    end_at(controller_->next_point());
  return limit;
}

Loop::End Loop::accept(const ControlledStep& step, double limit) {
  steps_ += step.steps;
  if (island_.assembly().parts.is_automatic) limit_calls();
  last_step_ = step.h;
  last_error_ = step.error;
  const double before = time_;
  time_ = step.outcome.reached;
  // A time within rounding of the limit is the limit.
  const double near = nearness();
  if (are_near(time_, limit, std::max(near, 1e-9 * step.h)))
    time_ = limit;
  else if (are_near(time_, event_, near))
    time_ = event_;
  check_numbers();
  publish_time();
  if (island_.checks().is_growth_due(island_.timing().steps())) look_for_growth();
  if (parts_from_ && time_ >= options_.grid.point(1) - near) {
    last_step_ = time_ - *parts_from_;
    end_parts();
  }
  const Status status = step.outcome.status;
  const bool event = status == Status::event || time_ >= event_ - near;
  if (time_ > before && (event || !step.outcome.is_plain() || outputs_.is_due(time_, near)))
    record();
  if (outputs_.is_due(time_, near)) outputs_.move_to(time_, near);
  if (status == Status::terminated) return end_run(island_.stepper().cause());
  if (event) {
    controller_->forget();
    return settle_event() ? End::event : end_run(island_.events().ended_by());
  }
  if (status == Status::early) {
    guard_against_standstill();
    find_next_event();
  }
  return End::reached;
}

Loop::End Loop::end_run(std::optional<std::uint32_t> component) {
  if (island_.instance_count() == 1) component = 0;
  terminated_by_ = component ? island_.instance(*component).name() : std::string();
  return End::terminated;
}

void Loop::look_for_growth() {
  const auto diverged = island_.checks().find_growth(time_, island_.timing().steps());
  if (!diverged) return;
  repeat_with_next_coupling(*diverged);
  throw Error(*diverged);
}

void Loop::guard_against_standstill() {
  const double distance =
      std::max(minimum_stop_distance * options_.grid.step(0), time_resolution(time_));
  in_a_row_.stops = time_ - in_a_row_.last_stop < distance ? in_a_row_.stops + 1 : 0;
  in_a_row_.last_stop = time_;
  if (in_a_row_.stops < maximum_close_stops) return;
  throw Error(ErrorCode::numeric,
              fmt::format("component \"{}\" reports events or returns early without advancing "
                          "time, {} times in a row",
                          island_.who_stops_at(time_), in_a_row_.stops),
              {.component = island_.who_stops_at(time_), .time = time_});
}

bool Loop::settle_event() {
  guard_against_standstill();
  bool goes_on = true;
  if (island_.assembly().abilities.has_event_mode) {
    goes_on = island_.handle_event(time_);
    check_numbers();
    record();
  } else {
    island_.forget_past();
  }
  find_next_event();
  return goes_on;
}

void Loop::find_next_event() {
  event_ = infinity;
  if (!island_.assembly().abilities.can_vary_step && !island_.assembly().abilities.has_event_mode)
    return;
  event_ = island_.next_discontinuity(time_);
  const TimeGrid& grid = options_.grid;
  if (event_ > grid.stop()) event_ = infinity;
  // A model with fixed steps meets the event at the next point of the grid.
  if (!island_.assembly().abilities.can_vary_step && event_ < infinity)
    event_ = grid.point(grid.first_point_from(std::max(event_, std::nextafter(time_, infinity))));
}

void Loop::record() {
  if (observer_ == nullptr) return;
  ++records_.count;
  records_.last = time_;
  if (options_.notes_steps) island_.note_step(last_step_, last_error_);
  const double time = controller_->meant_point(time_);
  island_.externals().show_inputs(time);
  if (!options_.profile && records_.count % timed_every != 0) {
    observer_->record(time);
    return;
  }
  const auto start = Clock::now();
  observer_->record(time);
  records_.seconds += seconds_since(start);
  ++records_.timed;
}

double Loop::record_seconds() const {
  if (records_.timed == 0) return 0;
  return records_.seconds * static_cast<double>(records_.count) /
         static_cast<double>(records_.timed);
}

void Loop::start_inputs() {
  const double h = options_.grid.step(0);
  monitor_.phase = Monitor::Phase::looking_ahead;
  const bool have_slopes =
      island_.stepper().inputs().start(time_, std::min(h, event_ - time_), [this] {
        ++monitor_.looks;
        return !is_interrupted();
      });
  monitor_.phase = Monitor::Phase::stepping;
  if (have_slopes) return;
  // Parts so short that time hardly changes are useless.
  if (first_part * h < shortest_step(options_.grid.start(), options_.grid.stop())) return;
  parts_from_ = time_;
  island_.stepper().inputs().start_in_parts();
}

void Loop::end_parts() {
  parts_from_.reset();
  island_.stepper().inputs().end_parts();
}

double Loop::next_part() const {
  const double h = options_.grid.step(0), nearness = same_time(time_, first_part * h);
  double part = first_part;
  while (part < 1 && options_.grid.start() + part * h <= time_ + nearness) part *= 2;
  return part < 1 ? options_.grid.start() + part * h : infinity;
}

/// An FMU may fail in short steps although it declares variable steps.
void Loop::repeat_without_parts(const Error& error) const {
  if (error.code() != ErrorCode::fmu || dynamic_cast<const models::RunAgain*>(&error) != nullptr)
    return;
  throw models::RunAgain(timed(error),
                         {"The run is repeated from its start without short first steps",
                          "Set simulation.inputs.start = \"constant\".", true},
                         [](models::RunNeeds& needs) { needs.constant_start = true; });
}

}  // namespace tutti::master
