// SPDX-License-Identifier: BSD-2-Clause
#include "session/local_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/infinity.hpp"
#include "base/text.hpp"
#include "base/time_grid.hpp"
#include "session/messages.hpp"
#include "session/run_state.hpp"
#include "system/names.hpp"

namespace tutti::session {

struct LocalSession::State final : AnyState {
  using AnyState::AnyState;
  const void* session = nullptr;  ///< null: it has ended
  std::vector<PendingValues> pending;
  master::Ensemble::State system;
  std::uint64_t rows = 0;
};

LocalSession::LocalSession(System system, LocalOptions options)
    : AnySession(system),
      options_(std::move(options)),
      prepared_(prepare_run(std::move(system), options_.run, options_.log)),
      system_(prepared_->system()),
      setup_(prepared_->setup()),
      report_(setup_.outline.report),
      monitor_(options_.monitor != nullptr ? *options_.monitor : own_monitor_) {
  setup_.time.is_open = options_.is_open_ended;
  if (!options_.state.empty()) resume_from(options_.state, {}, *prepared_, setup_);
}

LocalSession::~LocalSession() {
  for (const auto& state : states_)
    if (const auto alive = state.lock()) {
      alive->system.free_states();
      alive->session = nullptr;
    }
}

const FoundVariable& LocalSession::at(Handle handle) const {
  if (handle.index >= found_.size()) [[unlikely]]
    throw Error(ErrorCode::usage, "the handle does not belong to this session");
  return found_[handle.index];
}

void LocalSession::expect(bool initialized, const char* what) const {
  if (!ended_.empty()) throw Error(ErrorCode::usage, fmt::format("{} after {}", what, ended_));
  if (is_initialized() != initialized)
    throw Error(ErrorCode::usage,
                fmt::format("{} {} initialize()", what, initialized ? "before" : "after"));
}

void LocalSession::expect_alive(const char* what) const {
  expect(true, what);
  if (has_failed())
    throw Error(ErrorCode::usage,
                fmt::format("{} after a step that failed at t = {:.13g} s: restore() an earlier "
                            "state, or finish()",
                            what, now()));
}

void LocalSession::initialize() {
  expect(false, "initialize()");
  try {
    running_.emplace(setup_, monitor_, options_.log, report_);
    for (std::size_t i = 0; i < found_.size(); ++i) locate(i);
    observe_all();
    if (options_.points != nullptr && !found_.empty()) show_points();
    running_->initialize(observers_.empty() ? nullptr : &observers_, !found_.empty());
    if (setup_.resume) setup_.resume(*running_);
    note_point();
  } catch (const models::RunAgain& again) {
    give_up();
    throw again.without_repetition();
  } catch (...) {
    give_up();
    throw;
  }
}

/// Instances that could not be initialized must not be accessed.
void LocalSession::give_up() {
  ended_ = "an initialize() that failed: create another Session";
  for (FoundVariable& variable : found_) variable.forget_place();
  observers_.finish();
  observers_ = {};
  running_.reset();
  places.assign(places.size(), nullptr);
}

/// The address of the value of a variable, if it is read after each step.
void LocalSession::locate(std::size_t handle) {
  FoundVariable& variable = found_[handle];
  session::locate(variable, running().instance(variable.component));
  places[handle] = variable.number;
}

void LocalSession::show_points() {
  std::vector<results::Recorder::Choice> choices;
  std::vector<std::uint64_t> counts;  // none for an array whose size was set after it was found
  for (const FoundVariable& variable : found_) {
    counts.push_back(variable.scalars.size());
    if (variable.value_set != nullptr) choices.push_back({variable.value_set, variable.scalars});
  }
  options_.points->send(code(Sent::point_sizes), Packer()(counts).bytes());
  points_.emplace(*options_.points, std::move(choices), code(Sent::point));
}

/// All found variables are shown at the present, accepted point.
void LocalSession::note_point() {
  running().note_point();
  if (!points_) return;
  running().show_inputs();
  points_->record(now());
}

void LocalSession::observe_all() {
  for (Request& request : requests_) {
    std::vector<Column> columns;
    std::vector<SessionObservers::Source> sources;
    for (const Handle handle : request.handles) {
      const FoundVariable& variable = at(handle);
      for (const models::Scalar* scalar : variable.scalars) {
        columns.push_back({system_.qualified(variable.component, scalar->name), scalar->type,
                           variable.info.unit,
                           variable.info.variability != Variability::continuous});
        sources.push_back({variable.value_set, scalar});
      }
    }
    observers_.add(std::move(request.observer), std::move(columns), std::move(sources));
  }
  requests_.clear();
}

void LocalSession::check_target(double target, bool one_step) {
  const double stop = setup_.time.grid.stop();
  if (!(target > now()))
    throw Error(
        ErrorCode::usage,
        fmt::format("t = {:.13g} s is not after the present time, {:.13g} s", target, now()));
  if (!one_step && target > stop)
    throw Error(ErrorCode::usage,
                fmt::format("t = {:.13g} s is beyond the stop time, {:.13g} s", target, stop));
  if (running().can_vary_step()) return;
  if (target >= running().next_point()) {
    if (one_step) return;
    const TimeGrid& grid = setup_.time.grid;
    const double point =
        grid.point(grid.first_point_from(target - same_time(target, grid.step(0))));
    if (std::abs(point - target) <= same_time(target, grid.step(0))) return;
  }
  throw Error(
      ErrorCode::capability,
      fmt::format(
          "t = {:.13g} s is not a communication point, and some component cannot vary its step",
          target));
}

void LocalSession::update_rollback() {
  std::erase_if(states_, [](const auto& state) { return state.expired(); });
  if (expects_rollback_ == !states_.empty()) return;
  expects_rollback_ = !states_.empty();
  running().expect_rollback(expects_rollback_);
}

void LocalSession::apply_pending() {
  std::vector<master::Assignment> assignments;
  for (PendingValues& values : pending_) assignments.push_back({values.component, &values.values});
  if (!running().assign(assignments))
    throw Error(ErrorCode::fmu,
                fmt::format("t = {:.13g} s: a component asks to end the run because "
                            "of a value that was set",
                            now()));
  pending_.clear();
}

StepEnd LocalSession::advance(double target, bool one_step) {
  if (!is_alive()) [[unlikely]]
    expect_alive(one_step ? "step()" : "advance_to()");
  const double stop = setup_.time.grid.stop();
  if (one_step && now() >= stop)
    throw Error(ErrorCode::usage,
                fmt::format("t = {:.13g} s is the stop time: there is no further step", stop));
  if (report_.end.kind == RunEnd::Kind::terminated_by_fmu)
    throw Error(ErrorCode::usage,
                fmt::format("an FMU has asked to end the run at t = {:.13g} s", now()));
  if (!one_step || target != infinity) check_target(target, one_step);
  if (!states_.empty() || expects_rollback_) update_rollback();
  try {
    if (!pending_.empty()) apply_pending();
    const master::Loop::End end = one_step ? running_->advance(target, true) : advance_to(target);
    note_point();
    // A late request applies to the next call.
    if (end == master::Loop::End::interrupted)
      monitor_.stop_requested.store(false, std::memory_order_relaxed);
    return {static_cast<StepEnd::Kind>(end), now()};
  } catch (const models::RunAgain& again) {
    fail(again.without_repetition());
  } catch (const Error& error) {
    fail(error);
  } catch (...) {
    running().show_point();
    throw;
  }
}

/// Found variables show the last accepted point, also if the next step fails: then steps are made
/// one by one.
master::Loop::End LocalSession::advance_to(double target) {
  using End = master::Loop::End;
  if (found_.empty()) return running_->advance(target, false);
  while (true) {
    const double before = now();
    const End end = running_->advance(target, true);
    if (end == End::terminated || end == End::interrupted) return end;
    if (now() >= target || now() == before) return End::reached;
    note_point();
  }
}

void LocalSession::fail(const Error& error) {
  report_.end.kind = RunEnd::Kind::failed;
  report_.end.error = paths.shown(error);
  running().show_point();
  throw Error(*report_.end.error);
}

models::ValueSet LocalSession::fetch(const FoundVariable& variable) {
  models::ValueSet values(description(variable), {&variable.selection.index, 1},
                          prepared_->start_values(variable.component).structure());
  running().instance(variable.component).read(values);
  return values;
}

std::shared_ptr<AnyState> LocalSession::save() {
  expect_alive("save()");
  std::vector<std::string> unable;
  for (std::size_t c = 0; c < running().instance_count(); ++c)
    if (!running().instance(c).can_go_back()) unable.push_back(running().instance(c).name());
  if (!unable.empty())
    throw Error(ErrorCode::capability,
                fmt::format("the session cannot be saved: {} cannot save and restore {} state",
                            list_some(unable), unable.size() == 1 ? "its" : "their"));
  auto data = std::make_shared<State>(now());
  data->session = this;
  running().save(data->system);
  data->rows = observers_.row_count();
  data->pending = pending_;
  states_.push_back(data);
  return data;
}

void LocalSession::restore(const AnyState& state) {
  expect(true, "restore()");
  const auto* const known = dynamic_cast<const State*>(&state);
  if (known == nullptr || known->session != this)
    throw Error(ErrorCode::usage, "restore(): the state belongs to another session");
  const State& saved = *known;
  if (!running().is_coupled_as(saved.system))
    throw Error(ErrorCode::capability,
                fmt::format("restore(): the state of t = {:.13g} s belongs to a coupling that "
                            "method = \"auto\" has since abandoned",
                            saved.system.loops.front().time),
                {.key = "simulation.method", .hint = "Choose a method (%key%)."});
  observers_.rewind(saved.rows);
  report_.end.kind = RunEnd::Kind::failed;  // until everything is restored
  pending_ = saved.pending;
  running().restore(saved.system);
  running_->restored();
  note_point();
}

std::string LocalSession::write_state() {
  expect_alive("write_state()");
  check_writable(*prepared_);
  if (!pending_.empty())
    throw Error(ErrorCode::usage,
                "write_state() with set values that have not yet taken effect: call step() first");
  return Packer()(state_of(*running_, setup_.needs)).bytes();
}

RunStatistics LocalSession::statistics() const {
  return running_ ? running_->statistics() : report_.statistics;
}

RunReport LocalSession::finish() {
  expect(true, "finish()");
  ended_ = "finish()";
  for (const auto& state : states_)
    if (const auto alive = state.lock()) alive->system.free_states();
  try {
    running_->finish();
  } catch (const models::RunAgain& again) {
    observers_.finish();
    throw again.without_repetition();
  } catch (...) {
    observers_.finish();
    throw;
  }
  observers_.finish();
  report_.statistics.rows = observers_.row_count();
  return report_;
}

Handle LocalSession::find(std::string_view name) {
  FoundVariable variable = find_variable(*prepared_, name);
  for (std::uint32_t i = 0; i < found_.size(); ++i)
    if (found_[i].info.name == variable.info.name) return {i};
  if (!is_initialized()) prepared_->fetch(variable.component, variable.selection.index);
  found_.push_back(std::move(variable));
  places.push_back(nullptr);
  if (is_initialized()) locate(found_.size() - 1);
  return {static_cast<std::uint32_t>(found_.size() - 1)};
}

double LocalSession::time() const noexcept {
  return is_initialized() ? now() : setup_.time.grid.start();
}

double LocalSession::number(Handle handle) {
  const FoundVariable& variable = at(handle);
  expect(true, "get()");
  if (is_text(variable.info.type) || !variable.info.shape.empty())
    throw Error(ErrorCode::usage,
                fmt::format("\"{}\" is {}: use value() instead of get()", variable.info.name,
                            variable.info.shape.empty() ? "a text" : "an array"));
  if (variable.value_set == nullptr) {
    expect_alive("get() of a variable that was found after initialize()");
    const models::ValueSet values = fetch(variable);
    return as_real(variable.info.type, values.read(*scalars_of(variable, values).front()));
  }
  if (variable.is_input && !has_failed()) running().show_inputs();
  return as_real(variable.info.type, variable.value_set->read(*variable.scalars.front()));
}

Value LocalSession::value(Handle handle) {
  const FoundVariable& variable = at(handle);
  expect(true, "value()");
  if (variable.value_set == nullptr) {
    expect_alive("value() of a variable that was found after initialize()");
    const models::ValueSet values = fetch(variable);
    return value_of(variable.info, values, scalars_of(variable, values));
  }
  if (variable.is_input && !has_failed()) running().show_inputs();
  return value_of(variable.info, *variable.value_set, variable.scalars);
}

void LocalSession::set(Handle handle, const Value& value) {
  const FoundVariable& variable = at(handle);
  if (!is_initialized()) {
    if (setup_.resume)
      throw Error(ErrorCode::usage,
                  fmt::format("\"{}\" has the value of the file until the session is initialized: "
                              "set it after initialize()",
                              variable.info.name));
    if (variable.is_driven) check_settable(variable, description(variable));
    prepared_->assign(variable.component, assignments_of(variable, value));
    return;
  }
  expect_alive("set()");
  check_settable(variable, description(variable));
  // Other elements of an array keep their present or pending values.
  auto known = std::find_if(pending_.begin(), pending_.end(), [&](const PendingValues& pending) {
    return pending.component == variable.component &&
           pending.values.variables().front() == variable.selection.index;
  });
  const bool is_new = known == pending_.end();
  models::ValueSet values = is_new ? fetch(variable) : known->values;
  write_value(variable, value, description(variable), values);
  if (is_new)
    pending_.push_back({variable.component, std::move(values)});
  else
    known->values = std::move(values);
}

void LocalSession::observe(std::shared_ptr<Observer> observer, std::span<const Handle> handles) {
  expect(false, "observe()");
  expect_beside_fmus(*observer);
  for (const Handle handle : handles) at(handle);
  requests_.push_back({std::move(observer), {handles.begin(), handles.end()}});
}

}  // namespace tutti::session
