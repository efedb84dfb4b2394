// SPDX-License-Identifier: BSD-2-Clause
#include "master/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/float_control.hpp"
#include "base/infinity.hpp"
#include "base/seconds.hpp"
#include "base/time_resolution.hpp"

namespace tutti::master {
namespace {

using models::StepOutcome;

constexpr std::uint64_t looked_at_every = 64;  // direct steps
constexpr std::uint64_t timed_every = 16;      // records
constexpr int most_refusals = 20;              // a step halved so often is a millionth of the first
constexpr int most_close_stops = 20'000;       // models that guard themselves do so earlier
constexpr double least_stop_distance = 1e-9;   // of a step

}  // namespace

Simulation::Simulation(Island& island, const Options& options, Observer* observer, Monitor& monitor)
    : island_(island),
      options_(options),
      observer_(observer),
      monitor_(monitor),
      grid_(options.grid),
      time_(options.grid.start()),
      event_(infinity),
      limit_(infinity),
      next_record_(options.record_every),
      inaccurate_(options.grid.stop() - options.grid.start(), options.short_steps) {
  island_.report_progress([this](double t) {
    monitor_.time.store(t, std::memory_order_relaxed);
    return !monitor_.stop_requested.load(std::memory_order_relaxed);
  });
}

Simulation::~Simulation() {
  if (island_.single() != nullptr) island_.single()->count_direct_steps(nullptr);
}

void Simulation::initialize() {
  monitor_.phase = Monitor::Phase::initializing;
  monitor_.time = time_;
  try {
    island_.initialize({time_, grid_.stop(), options_.tolerance});
  } catch (const NoItem& refused) {
    throw at_time(refused);
  }
  find_next_event();
  if (options_.control) begin_control(grid_.step(0));
  last_step_ = 0;
  if (island_.single() == nullptr) return;
  direct_ = island_.single()->direct_step();
  if (direct_.version != fmi::DirectStep::Version::none)
    island_.single()->count_direct_steps(&direct_steps_);
}

Error Simulation::at_time(const NoItem& refused) const {
  return {refused.code(), fmt::format("t = {:.13g} s: {}", time_, refused.what())};
}

RunEnd Simulation::run() {
  RunEnd end;
  try {
    monitor_.phase = Monitor::Phase::stepping;
    end.kind = controller_ ? walk_controlled() : walk();
    monitor_.phase = Monitor::Phase::finishing;
    island_.finish(time_);
  } catch (const models::RunAgain&) {
    throw;
  } catch (const NoItem& refused) {
    end.kind = RunEnd::Kind::failed;
    end.error = at_time(refused);
  } catch (const Error& error) {
    end.kind = RunEnd::Kind::failed;
    end.error = error;
  }
  end.time = time_;
  return end;
}

RunEnd::Kind Simulation::walk() {
  record();
  check_numbers();
  while (point_ < grid_.step_count()) {
    Step step;
    try {
      step = step_until_something_is_due();
    } catch (const Diverged& diverged) {
      repeat_with_next_coupling(diverged.what());
      throw;
    }
    if (step.interrupted) return RunEnd::Kind::interrupted;
    const bool usual = step.outcome.is_plain();
    if (!usual) {
      if (std::abs(step.outcome.reached - step.target) <= same_time(step.target, step.h))
        step.outcome.reached = step.target;
      const double before = time_;
      if (const auto end = after_unusual_step(step.outcome, step.h)) return *end;
      on_grid_ &= time_ == before;
      if (time_ < step.target) continue;
    }
    time_ = step.target;
    refusals_ = 0;
    check_numbers();
    publish_time();
    on_grid_ = step.reaches_point;
    if (on_grid_) ++point_;
    const bool due = on_grid_ && (point_ == grid_.step_count() || point_ == next_record_);
    if (usual && (due || step.target == event_)) record();
    if (point_ == next_record_) next_record_ += options_.record_every;
    if (step.target == event_ && !settle_event()) return RunEnd::Kind::terminated_by_fmu;
    limit_ = event_;
  }
  return RunEnd::Kind::completed;
}

Simulation::Step Simulation::step_until_something_is_due() {
  // Single-precision outputs are looked at by the caller after every step: they are rare.
  const bool every_step = island_.needs_careful_look();
  const std::uint64_t last = grid_.step_count();
  const std::uint64_t due = every_step             ? 0
                            : observer_ != nullptr ? std::min(last, next_record_)
                                                   : last;
  const double nominal = grid_.step(point_);
  const TimeGrid& grid = grid_;
  Monitor& monitor = monitor_;
  const auto stop = [&] { return monitor.stop_requested.load(std::memory_order_relaxed); };
  // An event so near to a point of the grid is at that point: no step of a rounding error's size.
  const double nearness = same_time(time_, nominal);
  // Members in registers: nobody else looks at them before this loop ends.
  std::uint64_t n = point_;
  double t = time_, target = 0;
  const auto settle = [&](std::uint64_t taken) {
    steps_ += taken;
    point_ = n;
    time_ = t;
  };

  // Whole steps between points of the grid. Before each, everything belongs to t, and what is due
  // has been recorded.
  StepOutcome outcome;
  const std::uint64_t end =
      on_grid_ && grid.is_uniform() ? std::min(due, grid.first_point_from(limit_ - nearness)) : 0;
  const auto take_plain_steps = [&](const auto& step, const auto& is_suspicious) {
    for (; n + 1 < end && !stop(); ++n, t = target) {
      target = grid.uniform_point(n + 1);
      outcome = step(t);
      if (!outcome.is_plain() || is_suspicious()) [[unlikely]]
        return false;
      monitor.time.store(target, std::memory_order_relaxed);
    }
    return true;
  };
  // One instance alone is not asked through the island: for the shortest steps that matters.
  bool plain = true;
  models::Instance* const single = island_.single();
  const auto take_direct_steps = [&]<fmi::DirectStep::Version version>() {
    models::InputTable& table = island_.table();
    models::ValueSet& inputs = single->inputs();
    const auto doubles = single->outputs().doubles();
    const fmi::DirectStep direct = direct_;
    const FloatControl control = FloatControl::now();
    return take_plain_steps(
        [&](double from) {
          table.write(from, inputs);
          ++direct_steps_;
          fmi::DirectStep::End ended;
          const bool ends_plainly = direct.run<version>(from, nominal, ended);
          // There is no other component that it could harm: a look now and then will do.
          if (direct_steps_ % looked_at_every == 0 && !control.holds_exactly()) [[unlikely]]
            single->keep_float_control(from);
          if (ends_plainly) [[likely]]
            return StepOutcome{};
          single->uncount_direct_step();
          return single->resume(direct, ended, from, nominal);
        },
        [doubles, limit = island_.limit()] {
          return models::ValueSet::any_beyond(doubles, limit);
        });
  };
  try {
    switch (direct_.version) {
      case fmi::DirectStep::Version::fmi2:
        plain = take_direct_steps.template operator()<fmi::DirectStep::Version::fmi2>();
        break;
      case fmi::DirectStep::Version::fmi3:
        plain = take_direct_steps.template operator()<fmi::DirectStep::Version::fmi3>();
        break;
      default:
        plain = take_plain_steps([&](double from) { return island_.step(from, nominal); },
                                 [&] { return island_.is_suspicious(); });
    }
  } catch (...) {
    settle(n - point_);  // whoever asks wants to know how far it went
    throw;
  }
  if (!plain) {
    settle(n + 1 - point_);
    return {outcome, target, nominal, true, false};
  }
  settle(n - point_);
  if (stop()) return {{}, time_, 0, false, true};

  // The step that leads to where something is due.
  const double next_point = grid_.point(point_ + 1);
  const bool reaches_point = next_point <= limit_ + nearness;
  target = std::abs(next_point - limit_) <= nearness ? limit_ : std::min(next_point, limit_);
  const bool whole = on_grid_ && reaches_point;
  const double h = whole ? grid_.step(point_) : target - time_;
  outcome = island_.step(time_, h);
  last_step_ = h;
  ++steps_;
  return {outcome, target, h, reaches_point, false};
}

std::optional<RunEnd::Kind> Simulation::after_unusual_step(const StepOutcome& outcome, double h) {
  using Status = StepOutcome::Status;
  const double before = time_;
  time_ = outcome.reached;
  if (outcome.status != Status::discarded || time_ > before) check_numbers();
  publish_time();
  if (outcome.status == Status::terminated) {
    if (time_ > before) record();
    return RunEnd::Kind::terminated_by_fmu;
  }
  if (outcome.status != Status::discarded) guard_against_standstill();
  if (outcome.status == Status::event) {
    if (time_ > before) record();
    if (!island_.handle_event(time_)) return RunEnd::Kind::terminated_by_fmu;
    find_next_event();
    record();
    return {};
  }
  if (outcome.status == Status::early) {
    if (time_ > before) record();
    find_next_event();
    return {};
  }
  if (!island_.can_vary_step())
    throw Error(ErrorCode::fmu,
                fmt::format("t = {:.13g} s: {} discarded a step of {:.13g} s, and it cannot take "
                            "steps of another size. Try another {}.",
                            before, island_.name(), h,
                            island_.single() != nullptr ? "--step" : "simulation.step"));
  if (time_ > before) return {};
  limit_ = before + h / 2;
  if (++refusals_ > most_refusals)
    throw Error(ErrorCode::fmu,
                fmt::format("t = {:.13g} s: {} discards every step, {} in a row, the last "
                            "of {:.3g} s",
                            before, island_.name(), refusals_, h));
  return {};
}

void Simulation::guard_against_standstill() {
  const double distance = std::max(least_stop_distance * grid_.step(0), time_resolution(time_));
  const bool close = time_ - last_stop_ < distance;
  close_stops_ = close ? close_stops_ + 1 : 0;
  last_stop_ = time_;
  if (close_stops_ < most_close_stops) return;
  throw Error(
      ErrorCode::numeric,
      fmt::format("t = {:.13g} s: component \"{}\" asks for event after event, or returns early "
                  "from step after step, without time moving on: {} times in a row",
                  time_, island_.who_stops_at(time_), close_stops_));
}

bool Simulation::settle_event() {
  guard_against_standstill();
  bool goes_on = true;
  if (island_.has_event_mode()) {
    goes_on = island_.handle_event(time_);
    check_numbers();
    record();
  } else {
    island_.forget_past();
  }
  find_next_event();
  return goes_on;
}

void Simulation::find_next_event() {
  limit_ = event_ = infinity;
  if (!island_.can_vary_step() && !island_.has_event_mode()) return;
  event_ = island_.next_jump(time_);
  if (const auto known = island_.next_event(); known && *known > time_)
    event_ = std::min(event_, *known);
  if (event_ > grid_.stop()) event_ = infinity;
  // A model with fixed steps meets the event at the next point of the grid.
  if (!island_.can_vary_step() && event_ < infinity) {
    event_ = grid_.point(std::max(point_ + 1, grid_.first_point_from(event_)));
  }
  limit_ = event_;
}

void Simulation::record() {
  if (observer_ == nullptr) return;
  ++records_;
  if (options_.notes_steps) island_.note_step(last_step_, last_error_);
  const double time = recorded_time();
  if (!options_.profile && records_ % timed_every != 0) {
    observer_->record(time, island_);
    return;
  }
  const auto start = Clock::now();
  observer_->record(time, island_);
  timed_records_seconds_ += seconds_since(start);
  ++timed_records_;
}

/// A model computes the time of its event with other rounding errors than the grid has.
double Simulation::recorded_time() const {
  if (controller_) return time_;
  const double h = grid_.step(std::min(point_, grid_.step_count() - 1));
  for (const double point : {grid_.point(point_), grid_.point(point_ + 1)})
    if (std::abs(time_ - point) <= same_time(time_, h)) return point;
  return time_;
}

double Simulation::record_seconds() const {
  if (timed_records_ == 0) return 0;
  return timed_records_seconds_ * static_cast<double>(records_) /
         static_cast<double>(timed_records_);
}

void Simulation::report_fault() const {
  if (const std::string what = island_.find_fault(time_); !what.empty())
    throw Error(ErrorCode::numeric, fmt::format("t = {:.13g} s: {}", time_, what));
}

}  // namespace tutti::master
