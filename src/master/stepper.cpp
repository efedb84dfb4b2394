// SPDX-License-Identifier: BSD-2-Clause
#include "master/stepper.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/time_grid.hpp"
#include "master/tlm/component_ports.hpp"
#include "models/run_needs.hpp"

namespace tutti::master {

using models::RunAgain;
using models::StepOutcome;
using Status = StepOutcome::Status;

namespace {

constexpr int maximum_shortenings = 20;  // of one step

}  // namespace

void Stepper::try_rollback_flags(double t, double h) {
  assembly_.abilities.has_untried_flags = false;
  look_whether_simple();
  for (std::size_t c = 0; c < assembly_.instances.size(); ++c) {
    assembly_.note(c);
    assembly_.instances[c]->try_rollback_flag(t, h);
  }
}

StepOutcome Stepper::step(double t, double h) {
  if (is_plain()) [[likely]] {
    timing_.count();
    for (tlm::ComponentPorts* const ports : ports_) ports->publish(t);
    externals_.write(t);
    found_nan_ = false;
    if (!program_->run_plainly(t, h, found_nan_)) [[unlikely]]
      return go_on(t, h);
    return {Status::done, t + h};
  }
  // Untested steps are accepted, and all events at t are over.
  for (tlm::ComponentPorts* const ports : ports_) ports->publish(t);
  const bool saves_states = assembly_.parts.saves_states;
  for (int shortened = 0; shortened < maximum_shortenings; ++shortened) {
    if (saves_states) save(before_step_);
    if (!begin_round(t, h)) return {Status::terminated, t};
    const Round& round = program_->run(t, h, timing_.start());
    end_round(round, t);
    if (!round.cut || !saves_states) {
      StepOutcome outcome = outcome_of(round, t);
      if (shortened > 0 && outcome.is_plain()) outcome.status = Status::early;
      return outcome;
    }
    const Cut cut = *round.cut;
    const bool is_at_start = cut.is_at_start(t);
    restore_but(before_step_, is_at_start ? std::optional(cut.component) : std::nullopt);
    cause_ = cut.component;
    if (is_at_start) return {cut.outcome.status, t};
    if (cut.outcome.reached <= t) break;
    h = cut.outcome.reached - t;
  }
  return {Status::discarded, t};
}

StepOutcome Stepper::take_steps(const TimeGrid& grid, std::uint64_t& n, std::uint64_t last) {
  if (!is_plain()) return {Status::done, grid.uniform_point(n)};
  const double h = grid.step(n);
  const std::uint64_t first = n;
  last = std::min(last, n + timing_.untimed_steps());
  Monitor& monitor = assembly_.monitor;
  found_nan_ = false;
  const bool plain = program_->run_batch(
      {grid, n, last, h, assembly_.parts.externals, monitor.stop_requested, monitor.time},
      found_nan_);
  timing_.count(n - first);
  if (plain) return {Status::done, grid.uniform_point(n)};
  timing_.count();
  const StepOutcome outcome = go_on(grid.uniform_point(n), h);
  if (outcome.is_plain()) ++n;
  return outcome;
}

bool Stepper::is_quiet(double t) {
  Monitor& monitor = assembly_.monitor;
  monitor.time.store(t, std::memory_order_relaxed);
  return !monitor.stop_requested.load(std::memory_order_relaxed) && !is_suspicious() &&
         !checks_.is_growth_due(timing_.steps());
}

StepOutcome Stepper::go_on(double t, double h) {
  const Round& round = program_->go_on(t, h);
  found_nan_ |= round.nan;
  return outcome_of(round, t);
}

bool Stepper::begin_round(double t, double& h) {
  if (assembly_.abilities.has_untried_flags && t > assembly_.start) try_rollback_flags(t, h);
  at_ = {};
  if (inputs_.are_constant()) {
    externals_.hold(t, h);
    return true;
  }
  inputs_.begin(t, at_);
  cause_ = at_.ended_by;
  if (at_.ends_run) return false;
  if (at_.handled_events && can_vary_step())
    if (const auto event = events_.next(); event && *event > t) h = std::min(h, *event - t);
  externals_.aim(t + h, h);
  return true;
}

void Stepper::end_round(const Round& round, double t) {
  timing_.stop(*program_);
  found_nan_ = round.nan;
  if (!inputs_.are_constant() && !round.cut && round.end != Status::terminated)
    inputs_.end(round.reached, round.reached - t, round.end != Status::event, at_);
}

StepOutcome Stepper::outcome_of(const Round& round, double t) {
  cause_.reset();
  if (round.cut || round.shortened || round.end != Status::done) cause_ = round.cause;
  if (round.cut) {
    // An end at the start of the step, before any other component moved, is harmless.
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
    // Components that were in event mode at a communication point may have new time events.
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
                                        double excess) {
  using Failure = Attempt::Failure;
  errors_.note_switches();
  h += excess;
  if (!begin_round(t, h)) return {{Status::terminated, t}, Failure::none, t};
  program_->use_states(states != nullptr ? states->instances : std::span<const models::Snapshot>(),
                       excess);
  const Round& round = program_->run(t, h, timing_.start());
  program_->use_states({});
  end_round(round, t);
  if (!round.cut) {
    StepOutcome outcome = outcome_of(round, t);
    if (outcome.status == Status::discarded) outcome.status = Status::early;
    return {outcome, Failure::none, t};
  }
  const bool is_at_start = round.cut->is_at_start(t);
  cause_ = round.cut->component;
  if (!assembly_.abilities.can_roll_back) {
    const StepOutcome outcome = outcome_of(round, t);  // throws, if one has moved
    if (is_at_start) return {outcome, Failure::none, t};
    return {{}, Failure::cut, t};
  }
  if (is_at_start && states != nullptr) {
    restore_but(*states, cause_);
    return {{round.cut->outcome.status, t}, Failure::none, t};
  }
  return {{},
          round.cut->not_converged ? Failure::not_converged : Failure::cut,
          round.cut->outcome.reached,
          round.cut->outcome.status == Status::terminated};
}

void Stepper::refuse_cut(const Cut& cut, double t) const {
  const std::string& name = assembly_.instances[cut.component]->name();
  const std::string what = fmt::format(
      "component \"{}\" ended its step at t = {:.13g} s after others had passed this time", name,
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
                    "(simulation.save-states = \"always\" does so from the beginning)",
                    "Set simulation.save-states = \"always\"."},
                   [](models::RunNeeds& needs) { needs.saves_states = true; });
  // With one thread perhaps none needs to roll back.
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

void Stepper::save(Checkpoint& into) {
  into.called = &assembly_.called.front();
  into.coupling = assembly_.parts.used;
  into.instances.resize(assembly_.instances.size());
  for (std::size_t c = 0; c < assembly_.instances.size(); ++c) {
    assembly_.note(c);
    assembly_.instances[c]->save(into.instances[c]);
  }
  into.memory.clear();
  Memory memory(into.memory);
  keep(memory);
}

/// All components, or all but one.
void Stepper::restore_but(const Checkpoint& from, std::optional<std::uint32_t> but) {
  for (std::size_t c = 0; c < assembly_.instances.size(); ++c) {
    if (c == but) continue;
    assembly_.note(c);
    assembly_.instances[c]->restore(from.instances[c]);
  }
  Memory memory{std::span(from.memory)};
  keep(memory);
}

void Stepper::keep(Memory& memory) {
  for (const auto& cycle : cycles_) memory(*cycle);
  memory(inputs_);
  if (GlobalError* const error = errors_.global()) memory(*error);
}

void Stepper::forget_signals() {
  inputs_.forget();
  for (const auto& cycle : cycles_) cycle->forget();
}

std::string Stepper::name() const {
  const auto& instances = assembly_.instances;
  return instances.size() == 1 ? fmt::format("component \"{}\"", instances.front()->name())
                               : "the system";
}

void Stepper::couplings(bool each_connection, std::vector<double>& values) const {
  const auto& places = each_connection ? assembly_.connections : assembly_.couplings;
  values.resize(places.size());
  std::transform(places.begin(), places.end(), values.begin(), [](const double* v) { return *v; });
}

std::vector<CycleReport> Stepper::cycle_reports() const {
  std::vector<CycleReport> reports;
  for (const auto& cycle : cycles_) reports.push_back(cycle->report());
  return reports;
}

}  // namespace tutti::master
