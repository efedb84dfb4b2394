// SPDX-License-Identifier: BSD-2-Clause
#include "master/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tutti::master {
namespace {

using models::StepOutcome;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int most_refusals = 20;  // a step halved so often is a millionth of the first

}  // namespace

Simulation::Simulation(models::Instance& instance, models::InputTable& inputs,
                       const Options& options, Observer* observer, Monitor& monitor)
    : instance_(instance),
      inputs_(inputs),
      options_(options),
      observer_(observer),
      monitor_(monitor),
      grid_(options.start, options.stop, options.step),
      time_(options.start),
      event_(infinity),
      limit_(infinity) {}

void Simulation::initialize() {
  monitor_.phase = Monitor::Phase::initializing;
  monitor_.time = time_;
  inputs_.apply(time_, instance_.inputs());
  instance_.initialize({time_, options_.stop, options_.tolerance});
  find_next_event();
}

RunEnd Simulation::run() {
  RunEnd end;
  try {
    monitor_.phase = Monitor::Phase::stepping;
    end.kind = walk();
    monitor_.phase = Monitor::Phase::finishing;
    instance_.finish();
  } catch (const Error& error) {
    end.kind = RunEnd::Kind::failed;
    end.error = error;
  }
  end.time = time_;
  return end;
}

RunEnd::Kind Simulation::walk() {
  check_numbers();
  record();
  bool on_grid = true;  // time_ is the grid's point_
  double next_point = grid_.point(1);
  std::uint64_t until_record = options_.record_every;
  while (point_ < grid_.step_count()) {
    // Here the instance and its outputs belong to time_, and what is due has been recorded.
    if (monitor_.stop_requested.load(std::memory_order_relaxed)) return RunEnd::Kind::interrupted;
    double target = next_point;
    double h = grid_.step(point_);
    if (!on_grid || limit_ < target) [[unlikely]] {
      target = std::min(target, limit_);
      h = target - time_;
    }

    inputs_.apply(time_, instance_.inputs());
    const StepOutcome outcome = instance_.step(time_, h);
    ++steps_;
    const bool usual = outcome.status == StepOutcome::Status::done && !outcome.event_needed;
    if (!usual) [[unlikely]] {
      if (const auto end = after_unusual_step(outcome, h)) return *end;
      on_grid = false;
      if (time_ < target) continue;
    }
    time_ = target;
    check_numbers();
    monitor_.time.store(time_, std::memory_order_relaxed);
    monitor_.steps.store(steps_, std::memory_order_relaxed);

    bool due = target == event_;
    on_grid = target == next_point;
    if (on_grid) [[likely]] {
      next_point = grid_.point(++point_ + 1);
      if (--until_record == 0) {
        until_record = options_.record_every;
        due = true;
      }
      due |= point_ == grid_.step_count();
    }
    if (due && usual) record();
    if (target >= limit_) [[unlikely]] {
      refusals_ = 0;
      if (target == event_ && !settle_event()) return RunEnd::Kind::terminated_by_fmu;
      limit_ = event_;
    }
  }
  return RunEnd::Kind::completed;
}

std::optional<RunEnd::Kind> Simulation::after_unusual_step(const StepOutcome& outcome, double h) {
  using Status = StepOutcome::Status;
  const double before = time_;
  time_ = outcome.reached;
  if (outcome.status != Status::discarded || time_ > before) check_numbers();
  monitor_.time.store(time_, std::memory_order_relaxed);
  monitor_.steps.store(steps_, std::memory_order_relaxed);
  if (outcome.status == Status::terminated) {
    if (time_ > before) record();
    return RunEnd::Kind::terminated_by_fmu;
  }
  if (outcome.event_needed) {
    record();
    inputs_.apply(time_, instance_.inputs());
    if (!instance_.handle_event(time_)) return RunEnd::Kind::terminated_by_fmu;
    find_next_event();
    record();
    return {};
  }
  if (outcome.status == Status::early) {
    record();
    return {};
  }
  if (!instance_.can_vary_step())
    throw Error(
        ErrorCode::fmu,
        fmt::format("t = {} s: component \"{}\" discarded a step of {} s, and it cannot take "
                    "steps of another size. Try another --step.",
                    before, instance_.name(), h));
  if (time_ > before) return {};
  limit_ = before + h / 2;
  if (++refusals_ > most_refusals)
    throw Error(ErrorCode::fmu,
                fmt::format("t = {} s: component \"{}\" discards every step, {} in a row, the last "
                            "of {:.3g} s",
                            before, instance_.name(), refusals_, h));
  return {};
}

bool Simulation::settle_event() {
  bool goes_on = true;
  if (instance_.has_event_mode()) {
    inputs_.apply(time_, instance_.inputs());
    goes_on = instance_.handle_event(time_);
    check_numbers();
    record();
  }
  find_next_event();
  return goes_on;
}

void Simulation::find_next_event() {
  event_ = infinity;
  if (!instance_.can_vary_step()) return;
  event_ = inputs_.next_jump(time_);
  if (const auto known = instance_.next_event(); known && *known > time_)
    event_ = std::min(event_, *known);
  if (event_ > options_.stop) event_ = infinity;
  limit_ = event_;
}

void Simulation::record() const {
  if (observer_ != nullptr) observer_->record(time_, instance_);
}

void Simulation::report_nan() const {
  if (const models::Scalar* scalar = instance_.outputs().find_nan(); scalar != nullptr)
    throw Error(ErrorCode::numeric,
                fmt::format("t = {} s: \"{}\" of component \"{}\" is not a number", time_,
                            scalar->name, instance_.name()));
}

}  // namespace tutti::master
