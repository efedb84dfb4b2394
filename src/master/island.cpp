// SPDX-License-Identifier: BSD-2-Clause
#include "master/island.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/time_resolution.hpp"
#include "master/initialization.hpp"

namespace tutti::master {

using models::RunAgain;
using models::StepOutcome;

namespace {

constexpr int most_shortenings = 20;  // of one step

}  // namespace

Island::Island(CoupledParts parts, Monitor& monitor, std::size_t threads, const Log& log)
    : log_(&log),
      monitor_(monitor),
      called_(std::span(monitor.called).first(threads)),
      instances_(std::move(parts.instances)) {
  look_at_instances();
  parts_ = std::make_unique<CoupledParts>(std::move(parts));
  for (const ExternalSignals& external : parts_->externals)
    if (external.is_followed) instances_[external.component]->follow(external.table.get());
  place_values();
  wires_ = make_wires(*parts_);
  wiring_ = std::make_unique<Wiring>(wires_);
  timing_ = StepTiming(instances_.size(), parts_->profile, called_.size() > 1);
  find_couplings();
  find_feed_through();
  const std::vector<std::int32_t> info = {0, 1, 2};
  step_info_ = models::ValueSet(step_info_description(), info, {});
  couple();
}

/// Everything that depends on how the components are coupled.
void Island::couple() {
  const auto are_held = [](const InputSettings& inputs) { return inputs.are_held(); };
  if (!parts_->settings.inputs.are_held() ||
      !std::all_of(parts_->inputs.begin(), parts_->inputs.end(), are_held))
    for (const auto& instance : instances_) {
      curves_.emplace_back(*instance);
      derivatives_.emplace_back(*instance);
    }
  // With jacobi, nobody gathers inputs again after the first component has ended its step.
  const auto aim_at = [this](double end) {
    aim_externals(end, 0);
    for (const Wiring::Wire& wire : external_wires_) move_value(wire);
  };
  input_models_.clear();
  targets_.clear();
  std::vector<Phase> phases = make_phases(*parts_);
  if (!curves_.empty()) describe_curves(phases);
  if (parts_->settings.control.name == StepControl::predictor) find_input_models();
  find_input_limits();
  program_ = std::make_unique<Program>(
      Program::Parts{instances_, wiring_.get(), curves_, parts_->saves_states, aim_at},
      std::move(phases), called_);
  if (limit_ > models::ValueSet::largest) program_->allow_infinity();
  look_whether_simple();
}

void Island::look_whether_simple() {
  const auto holds_end = [](const ExternalSignals& external) { return external.holds_end; };
  is_simple_ = curves_.empty() && discrete_.empty() && !parts_->saves_states && !parts_->profile &&
               !tries_flags_ &&
               std::none_of(parts_->externals.begin(), parts_->externals.end(), holds_end);
}

void Island::try_rollback_flags(double t, double h) {
  tries_flags_ = false;
  look_whether_simple();
  for (std::size_t c = 0; c < instances_.size(); ++c) {
    note(c);
    instances_[c]->try_rollback_flag(t, h);
  }
}

Island::~Island() {
  program_.reset();
  correction_.reset();
  cycles_.clear();
  before_step_.free_states();
  for (std::size_t c = 0; c < instances_.size(); ++c) {
    note(c);
    instances_[c].reset();
  }
}

std::optional<std::size_t> Island::next_coupling() const {
  if (parts_->used == parts_->safer.size()) return {};
  return parts_->used + 1;
}

void Island::couple_anew(std::size_t number) {
  program_.reset();
  correction_.reset();
  ended_cycles_ = cycle_reports();
  cycles_.clear();
  growth_.clear();
  curves_.clear();
  derivatives_.clear();
  take_coupling(*parts_, number);
  timing_.forget_trial();
  couple();
}

void Island::look_at_instances() {
  for (const auto& instance : instances_) {
    can_vary_step_ &= instance->can_vary_step();
    can_go_back_ &= instance->can_go_back();
    has_event_mode_ |= instance->has_event_mode();
    has_float32_ |= instance->outputs().has_float32();
    has_special_outputs_ |= !instance->outputs().is_plain();
    tries_flags_ |= instance->has_rollback_flag();
  }
}

void Island::initialize(const models::Experiment& experiment) {
  start_ = experiment.start;
  stop_ = experiment.stop.value_or(std::numeric_limits<double>::infinity());
  write_externals(experiment.start);
  const bool all_known =
      initialize_together(*parts_, instances_, wires_, experiment, called_.front(), *log_);
  note_discrete_inputs();
  show_inputs(experiment.start);
  if ((!all_known || discrete_inputs_changed()) && !handle_event(experiment.start))
    throw Error(ErrorCode::fmu, "a component asks to end the run before it starts");
  make_global_error();
}

void Island::write_externals(double t) {
  for (const ExternalSignals& external : parts_->externals)
    external.table->write(t, *external.values);
}

void Island::hold_externals(double t, double h) {
  write_externals(t);
  for (const ExternalSignals& external : parts_->externals)
    if (external.holds_end) write_end(external, t + h, h);
}

/// In event mode discrete inputs change at the communication point, not before.
void Island::write_end(const ExternalSignals& external, double end, double h) {
  if (instances_[external.component]->has_event_mode())
    external.table->lead_to(end, *external.values);
  else
    external.table->write_near(end, same_time(end, h), *external.values);
}

void Island::aim_externals(double end, double h) {
  for (const ExternalSignals& external : parts_->externals)
    if (external.holds_end)
      write_end(external, end, h);
    else
      external.table->lead_to(end, *external.values);
}

/// Curves lead from the values that belong to t to those at the end of the step: what comes from
/// outside is known there, what other components give as soon as they have stepped.
void Island::begin_curves(double t) {
  show_inputs(t);
  for (std::size_t c = 0; c < curves_.size(); ++c) {
    curves_[c].begin(t);
    // FMI 3.0, 4.1.1: a jump of a continuous input is an event for an FMU that has an event mode.
    if (!curves_[c].jumps() || !instances_[c]->has_event_mode()) continue;
    note(c);
    handled_events_ = true;
    ends_run_ |= !instances_[c]->handle_event(t);
  }
}

void Island::end_curves(double t, double h, bool may_step) {
  for (std::size_t c = 0; c < derivatives_.size(); ++c) {
    note(c);
    derivatives_[c].update();
  }
  if (correction_) correction_->apply(t, h, may_step);
  if (parts_->settings.inputs.correct != Correction::consistent) return;
  show_inputs(t);
  handled_events_ = true;
  if (!agreement_)
    agreement_ =
        std::make_unique<Agreement>(*parts_, instances_, wires_, dependencies_, called_.front());
  ends_run_ |= !agreement_->agree(t);
}

StepOutcome Island::take_steps(const TimeGrid& grid, std::uint64_t& n, std::uint64_t last) {
  const double h = grid.step(n);
  while (n < last && !monitor_.stop_requested.load(std::memory_order_relaxed)) {
    if (is_simple_ && program_->is_plain() && !timing_.is_due()) {
      const std::uint64_t first = n, end = std::min(last, n + timing_.untimed_steps());
      const bool plain =
          program_->run_batch({grid, n, end, h, parts_->externals, monitor_}, found_nan_);
      timing_.count(n - first);
      if (plain) {
        if (is_suspicious() || is_growth_due()) break;
        continue;
      }
      timing_.count();
      const Round& round = program_->go_on(grid.uniform_point(n), h);
      found_nan_ |= round.nan;
      const StepOutcome outcome = end_round(round, grid.uniform_point(n));
      if (!outcome.is_plain()) return outcome;
    } else {
      const StepOutcome outcome = step(grid.uniform_point(n), h);
      if (!outcome.is_plain()) return outcome;
    }
    monitor_.time.store(grid.uniform_point(++n), std::memory_order_relaxed);
    if (is_suspicious() || is_growth_due()) break;
  }
  return {StepOutcome::Status::done, grid.uniform_point(n)};
}

StepOutcome Island::step_together(double t, double h) {
  for (int shortened = 0; shortened < most_shortenings; ++shortened) {
    if (parts_->saves_states) save(before_step_);
    const Round& round = run_program(t, h);
    found_nan_ = round.nan;
    if (!round.cut || !parts_->saves_states) {
      StepOutcome outcome = end_round(round, t);
      if (shortened > 0 && outcome.is_plain()) outcome.status = StepOutcome::Status::early;
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
  return {StepOutcome::Status::discarded, t};
}

StepOutcome Island::end_round(const Round& round, double t) {
  using Status = StepOutcome::Status;
  cause_.reset();
  if (round.cut || round.shortened || round.end != Status::done) cause_ = round.cause;
  if (round.cut) {
    // Ended where it starts, before anybody moved, is no harm.
    const StepOutcome& outcome = round.cut->outcome;
    if (round.advanced == 0 && outcome.reached <= t) return {outcome.status, t};
    refuse_cut(*round.cut, t);
  }
  StepOutcome outcome{ends_run_ ? Status::terminated : round.end, round.reached};
  if (outcome.is_plain() && !discrete_.empty() && discrete_inputs_changed())
    outcome.status = Status::event;
  if (round.shortened && outcome.is_plain())
    outcome.status = round.discarded ? Status::discarded : Status::early;
  if (handled_events_) {
    // Components that were in event mode at a communication point may have new plans.
    const auto next = next_event();
    const double nearness = same_time(t, round.reached - t);
    if (outcome.is_plain() && next && *next <= round.reached + nearness)
      outcome.status = Status::event;
    else if (outcome.is_plain() && next != known_event_)
      outcome.status = Status::early;
    known_event_ = next;
  }
  return outcome;
}

SteppedSystem::Attempt Island::attempt(double t, double h, const Checkpoint* states,
                                       double detour) {
  note_switches();
  program_->use_states(states != nullptr ? states->instances : std::span<const models::Snapshot>(),
                       detour);
  const Round& round = run_program(t, h + detour);
  program_->use_states({});
  found_nan_ = round.nan;
  if (!round.cut) {
    StepOutcome outcome = end_round(round, t);
    if (outcome.status == StepOutcome::Status::discarded)
      outcome.status = StepOutcome::Status::early;
    return {outcome, Attempt::Failure::none, t};
  }
  const bool is_at_start = round.cut->is_at_start(t);
  if (!can_go_back_) {
    const StepOutcome outcome = end_round(round, t);  // throws, if somebody has moved
    if (is_at_start) return {outcome, Attempt::Failure::none, t};
    return {{}, Attempt::Failure::cut, t};
  }
  if (is_at_start && states != nullptr) {
    cause_ = round.cut->component;
    restore(*states, cause_);
    return {{round.cut->outcome.status, t}, Attempt::Failure::none, t};
  }
  return {{},
          round.cut->not_converged ? Attempt::Failure::not_converged : Attempt::Failure::cut,
          round.cut->outcome.reached,
          round.cut->outcome.status == StepOutcome::Status::terminated};
}

void Island::couplings(bool each_connection, std::vector<double>& values) const {
  const auto& places = each_connection ? connections_ : couplings_;
  values.resize(places.size());
  std::transform(places.begin(), places.end(), values.begin(), [](const double* v) { return *v; });
}

const Round& Island::run_program(double t, double h) {
  if (tries_flags_ && t > start_) try_rollback_flags(t, h);
  if (curves_.empty()) {
    hold_externals(t, h);
    return timing_.run(*program_, t, h);
  }
  ends_run_ = handled_events_ = false;
  begin_curves(t);
  if (ends_run_) {
    ended_.end = StepOutcome::Status::terminated;
    ended_.reached = t;
    return ended_;
  }
  if (handled_events_ && can_vary_step_)
    if (const auto event = next_event(); event && *event > t) h = std::min(h, *event - t);
  aim_externals(t + h, h);
  const Round& round = timing_.run(*program_, t, h);
  if (!round.cut && round.end != StepOutcome::Status::terminated)
    end_curves(round.reached, round.reached - t, round.end != StepOutcome::Status::event);
  return round;
}

void Island::refuse_cut(const Cut& cut, double t) const {
  const std::string what =
      fmt::format("component \"{}\" ended its step at t = {:.13g} s, when others had passed",
                  instances_[cut.component]->name(), cut.outcome.reached);
  const auto error = [&](const std::string& more, std::string hint) {
    return Error(ErrorCode::fmu, what + more,
                 {.component = instances_[cut.component]->name(),
                  .time = t,
                  .key = "simulation.save-states",
                  .hint = std::move(hint)});
  };
  if (parts_->can_save_states && parts_->settings.save_states == SaveStates::when_needed)
    throw RunAgain(error("", ""),
                   {"The run is repeated from its start, and all states are saved before each step "
                    "(simulation.save-states = \"always\" does that at once)",
                    "Set simulation.save-states = \"always\"."},
                   [](models::RunNeeds& needs) { needs.saves_states = true; });
  // With one thread nobody might have to go back.
  if (program_->parallel_phases() > 0)
    throw RunAgain(
        error("", ""),
        {"The run is repeated from its start, with one thread", "Set simulation.threads = 1."},
        [](models::RunNeeds& needs) { needs.one_thread = true; });
  std::string who;
  for (const auto& instance : instances_)
    if (!instance->can_go_back())
      who += fmt::format("{}\"{}\"", who.empty() ? "" : ", ", instance->name());
  throw who.empty() ? error("", "Try %key% = \"always\", or a smaller step.")
                    : error(", and these cannot go back: " + who, "Try a smaller step.");
}

void Island::save(Checkpoint& into) {
  into.called = &called_.front();
  into.instances.resize(instances_.size());
  for (std::size_t c = 0; c < instances_.size(); ++c) {
    note(c);
    instances_[c]->save(into.instances[c]);
  }
  into.cycles.resize(cycles_.size());
  for (std::size_t k = 0; k < cycles_.size(); ++k) cycles_[k]->save(into.cycles[k]);
  into.curves.resize(curves_.size());
  into.derivatives.resize(curves_.size());
  for (std::size_t c = 0; c < curves_.size(); ++c) {
    curves_[c].save(into.curves[c]);
    derivatives_[c].save(into.derivatives[c]);
  }
  if (correction_) correction_->save(into.correction);
  if (global_error_) global_error_->save(into.global_error);
}

void Island::restore(const Checkpoint& from, std::optional<std::uint32_t> but) {
  for (std::size_t c = 0; c < instances_.size(); ++c) {
    if (c == but) continue;
    note(c);
    instances_[c]->restore(from.instances[c]);
  }
  for (std::size_t k = 0; k < cycles_.size(); ++k) cycles_[k]->restore(from.cycles[k]);
  for (std::size_t c = 0; c < curves_.size(); ++c) {
    curves_[c].restore(from.curves[c]);
    derivatives_[c].restore(from.derivatives[c]);
  }
  if (correction_) correction_->restore(from.correction);
  if (global_error_) global_error_->restore(from.global_error);
}

void Island::expect_rollback(bool expected) {
  for (const auto& instance : instances_) instance->expect_rollback(expected);
  program_->renew();
}

void Island::note_values() {
  noted_.numbers = values_;
  if (!has_special_outputs_) return;
  noted_.outputs.resize(instances_.size());
  for (std::size_t c = 0; c < instances_.size(); ++c)
    if (!instances_[c]->outputs().is_plain()) instances_[c]->outputs().save(noted_.outputs[c]);
}

void Island::show_noted_values() {
  if (noted_.numbers.empty()) return;
  std::copy(noted_.numbers.begin(), noted_.numbers.end(), values_.begin());
  for (std::size_t c = 0; c < noted_.outputs.size(); ++c)
    if (!instances_[c]->outputs().is_plain()) instances_[c]->show(noted_.outputs[c]);
}

void Island::show_inputs(double t) {
  write_externals(t);
  for (std::size_t c = 0; c < instances_.size(); ++c) wiring_->gather(c);
}

void Island::finish() {
  for (std::size_t c = 0; c < instances_.size(); ++c) {
    note(c);
    instances_[c]->finish();
  }
}

void Island::report_progress(const models::Instance::Progress& progress) {
  for (const auto& instance : instances_) instance->report_progress(progress);
}

}  // namespace tutti::master
