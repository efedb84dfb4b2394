// SPDX-License-Identifier: BSD-2-Clause
#include "master/stepper.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/time_resolution.hpp"
#include "models/run_needs.hpp"

namespace tutti::master {

using models::RunAgain;
using models::StepOutcome;
using Status = StepOutcome::Status;

namespace {

constexpr int most_shortenings = 20;  // of one step

}  // namespace

void Stepper::try_rollback_flags(double t, double h) {
  assembly_.abilities.has_untried_flags = false;
  look_whether_simple();
  for (std::size_t c = 0; c < assembly_.instances.size(); ++c) {
    assembly_.note(c);
    assembly_.instances[c]->try_rollback_flag(t, h);
  }
}

StepOutcome Stepper::take_steps(const TimeGrid& grid, std::uint64_t& n, std::uint64_t last) {
  const double h = grid.step(n);
  Monitor& monitor = assembly_.monitor;
  while (n < last && !monitor.stop_requested.load(std::memory_order_relaxed)) {
    StepOutcome outcome{Status::done, 0};
    if (is_simple_ && program_->is_plain() && !timing_.is_due()) {
      const std::uint64_t first = n, end = std::min(last, n + timing_.untimed_steps());
      const bool plain = program_->run_batch(
          {grid, n, end, h, assembly_.parts.externals, monitor.stop_requested, monitor.time},
          found_nan_);
      timing_.count(n - first);
      if (plain) {
        if (is_suspicious() || checks_.is_growth_due(timing_.steps())) break;
        continue;
      }
      timing_.count();
      outcome = go_on(grid.uniform_point(n), h);
    } else {
      outcome = step(grid.uniform_point(n), h);
    }
    if (!outcome.is_plain()) return outcome;
    monitor.time.store(grid.uniform_point(++n), std::memory_order_relaxed);
    if (is_suspicious() || checks_.is_growth_due(timing_.steps())) break;
  }
  return {Status::done, grid.uniform_point(n)};
}

StepOutcome Stepper::go_on(double t, double h) {
  const Round& round = program_->go_on(t, h);
  found_nan_ |= round.nan;
  return end_round(round, t);
}

StepOutcome Stepper::step_together(double t, double h) {
  const bool saves_states = assembly_.parts.saves_states;
  for (int shortened = 0; shortened < most_shortenings; ++shortened) {
    if (saves_states) save(before_step_);
    const Round& round = run_program(t, h);
    found_nan_ = round.nan;
    if (!round.cut || !saves_states) {
      StepOutcome outcome = end_round(round, t);
      if (shortened > 0 && outcome.is_plain()) outcome.status = Status::early;
      return outcome;
    }
    const Cut cut = *round.cut;
    if (cut.is_at_start(t)) {
      restore(before_step_, cut.component);
      return {cut.outcome.status, t};
    }
    const double reached = cut.outcome.reached;
    restore(before_step_);
    if (reached <= t) break;
    h = reached - t;
  }
  return {Status::discarded, t};
}

const Round& Stepper::run_program(double t, double h) {
  if (assembly_.abilities.has_untried_flags && t > assembly_.start) try_rollback_flags(t, h);
  at_ = {};
  if (inputs_.are_constant()) {
    externals_.hold(t, h);
    return timing_.run(*program_, t, h);
  }
  inputs_.begin(t, at_);
  if (at_.ends_run) {
    ended_.end = Status::terminated;
    ended_.reached = t;
    return ended_;
  }
  if (at_.handled_events && assembly_.abilities.can_vary_step)
    if (const auto event = events_.next(); event && *event > t) h = std::min(h, *event - t);
  externals_.aim(t + h, h);
  const Round& round = timing_.run(*program_, t, h);
  if (!round.cut && round.end != Status::terminated)
    inputs_.end(round.reached, round.reached - t, round.end != Status::event, at_);
  return round;
}

StepOutcome Stepper::end_round(const Round& round, double t) {
  cause_.reset();
  if (round.cut || round.shortened || round.end != Status::done) cause_ = round.cause;
  if (round.cut) {
    // Ended where it starts, before anybody moved, is no harm.
    const StepOutcome& outcome = round.cut->outcome;
    if (round.advanced == 0 && outcome.reached <= t) return {outcome.status, t};
    refuse_cut(*round.cut, t);
  }
  StepOutcome outcome{at_.ends_run ? Status::terminated : round.end, round.reached};
  if (outcome.is_plain() && events_.has_discrete_inputs() && events_.discrete_inputs_changed())
    outcome.status = Status::event;
  if (round.shortened && outcome.is_plain())
    outcome.status = round.discarded ? Status::discarded : Status::early;
  if (at_.handled_events) {
    // Components that were in event mode at a communication point may have new plans.
    const auto next = events_.next();
    const bool is_news = events_.is_news(next);
    const double nearness = same_time(t, round.reached - t);
    if (outcome.is_plain() && next && *next <= round.reached + nearness)
      outcome.status = Status::event;
    else if (outcome.is_plain() && is_news)
      outcome.status = Status::early;
  }
  return outcome;
}

SteppedSystem::Attempt Stepper::attempt(double t, double h, const Checkpoint* states,
                                        double detour) {
  using Failure = SteppedSystem::Attempt::Failure;
  program_->use_states(states != nullptr ? states->instances : std::span<const models::Snapshot>(),
                       detour);
  const Round& round = run_program(t, h + detour);
  program_->use_states({});
  found_nan_ = round.nan;
  if (!round.cut) {
    StepOutcome outcome = end_round(round, t);
    if (outcome.status == Status::discarded) outcome.status = Status::early;
    return {outcome, Failure::none, t};
  }
  const bool is_at_start = round.cut->is_at_start(t);
  if (!assembly_.abilities.can_go_back) {
    const StepOutcome outcome = end_round(round, t);  // throws, if somebody has moved
    if (is_at_start) return {outcome, Failure::none, t};
    return {{}, Failure::cut, t};
  }
  if (is_at_start && states != nullptr) {
    cause_ = round.cut->component;
    restore(*states, cause_);
    return {{round.cut->outcome.status, t}, Failure::none, t};
  }
  return {{},
          round.cut->not_converged ? Failure::not_converged : Failure::cut,
          round.cut->outcome.reached,
          round.cut->outcome.status == Status::terminated};
}

void Stepper::refuse_cut(const Cut& cut, double t) const {
  const std::string& name = assembly_.instances[cut.component]->name();
  const std::string what =
      fmt::format("component \"{}\" ended its step at t = {:.13g} s, when others had passed", name,
                  cut.outcome.reached);
  const auto error = [&](const std::string& more, std::string hint) {
    return Error(
        ErrorCode::fmu, what + more,
        {.component = name, .time = t, .key = "simulation.save-states", .hint = std::move(hint)});
  };
  if (assembly_.parts.can_save_states &&
      assembly_.settings().save_states == SaveStates::when_needed)
    throw RunAgain(error("", ""),
                   {"The run is repeated from its start, and all states are saved before each step "
                    "(simulation.save-states = \"always\" does that at once)",
                    "Set simulation.save-states = \"always\"."},
                   [](models::RunNeeds& needs) { needs.saves_states = true; });
  // With one thread nobody might have to go back.
  if (parallel_phases() > 0)
    throw RunAgain(
        error("", ""),
        {"The run is repeated from its start, with one thread", "Set simulation.threads = 1."},
        [](models::RunNeeds& needs) { needs.one_thread = true; });
  std::string who;
  for (const auto& instance : assembly_.instances)
    if (!instance->can_go_back())
      who += fmt::format("{}\"{}\"", who.empty() ? "" : ", ", instance->name());
  throw who.empty() ? error("", "Try %key% = \"always\", or a smaller step.")
                    : error(", and these cannot roll back: " + who, "Try a smaller step.");
}

void Stepper::save(Checkpoint& into) const {
  into.called = &assembly_.called.front();
  into.instances.resize(assembly_.instances.size());
  for (std::size_t c = 0; c < assembly_.instances.size(); ++c) {
    assembly_.note(c);
    assembly_.instances[c]->save(into.instances[c]);
  }
  into.cycles.resize(cycles_.size());
  for (std::size_t k = 0; k < cycles_.size(); ++k) cycles_[k]->save(into.cycles[k]);
  inputs_.save(into);
}

void Stepper::restore(const Checkpoint& from, std::optional<std::uint32_t> but) {
  for (std::size_t c = 0; c < assembly_.instances.size(); ++c) {
    if (c == but) continue;
    assembly_.note(c);
    assembly_.instances[c]->restore(from.instances[c]);
  }
  for (std::size_t k = 0; k < cycles_.size(); ++k) cycles_[k]->restore(from.cycles[k]);
  inputs_.restore(from);
}

void Stepper::forget_signals() {
  inputs_.forget();
  for (const auto& cycle : cycles_) cycle->forget();
}

std::vector<CycleReport> Stepper::cycle_reports() const {
  std::vector<CycleReport> reports;
  for (const auto& cycle : cycles_) reports.push_back(cycle->report());
  return reports;
}

}  // namespace tutti::master
