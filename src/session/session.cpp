// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tutti/session.hpp>
#include <tutti/system_run.hpp>

#include "base/infinity.hpp"
#include "base/text.hpp"
#include "base/time_resolution.hpp"
#include "master/value_mirror.hpp"
#include "session/prepared_system.hpp"
#include "session/run_reports.hpp"
#include "session/running_system.hpp"
#include "session/session_observers.hpp"
#include "session/session_values.hpp"
#include "system/names.hpp"
#include "system/package_paths.hpp"

namespace tutti {

using master::Monitor;
using session::FoundVariable;

/// Values that were set and take effect when the next step starts.
struct PendingValues {
  std::uint32_t component = 0;
  models::ValueSet values;
};

struct SessionState::Data {
  const void* session = nullptr;  ///< null: it has ended
  std::vector<PendingValues> pending;
  master::Checkpoint system;
  master::Loop::Memory loop;
  std::uint64_t rows = 0;
};

double SessionState::time() const noexcept { return data_->loop.time; }

struct Session::Impl {
  Impl(System given, SessionOptions session_options)
      : options(std::move(session_options)),
        paths(given),
        log(paths.shown(options.log.once())),
        prepared(session::prepare_run(with_stop(std::move(given)), run_options(), log)),
        system(prepared->system()),
        setup(prepared->setup()),
        report(session::empty_report(setup)) {
    setup.time.is_open = options.stop == infinity;
  }
  ~Impl() {
    for (const auto& state : states)
      if (const auto alive = state.lock()) {
        alive->system.free_states();
        alive->session = nullptr;
      }
  }

  System with_stop(System given) const {
    if (!options.stop) return given;
    given.simulation.stop = *options.stop;
    if (*options.stop == infinity) {
      // So many steps that no time is reached which is not finite; a power of two, so that the
      // points are those of start + n h.
      if (!given.simulation.step)
        throw Error(ErrorCode::usage,
                    "a session without a stop time needs simulation.step, the communication step");
      given.simulation.stop =
          given.simulation.start.value_or(0) + std::ldexp(*given.simulation.step, 40);
    }
    return given;
  }
  SystemRunOptions run_options() const {
    SystemRunOptions run;
    run.own_process = false;
    run.profile = options.profile;
    run.open = options.open;
    return run;
  }

  const ModelDescription& description(const FoundVariable& variable) const {
    return *prepared->models().descriptions[variable.component];
  }
  master::Island& island() { return running->island(); }
  master::Loop& loop() { return running->loop(); }
  double time() const { return running->loop().time(); }
  bool is_initialized() const { return running && running->is_initialized(); }
  bool has_failed() const { return running && running->has_failed(); }
  const FoundVariable& at(Handle handle) const {
    if (handle.index >= found.size()) [[unlikely]]
      refuse_handle();
    return found[handle.index];
  }
  [[noreturn]] static void refuse_handle() {
    throw Error(ErrorCode::usage, "the handle is not one of this session");
  }
  bool is_alive() const { return is_initialized() && ended.empty() && !has_failed(); }
  void expect(bool initialized, const char* what) const {
    if (!ended.empty()) throw Error(ErrorCode::usage, fmt::format("{} after {}", what, ended));
    if (is_initialized() != initialized)
      throw Error(ErrorCode::usage,
                  fmt::format("{} {} initialize()", what, initialized ? "before" : "after"));
  }
  void expect_alive(const char* what) const {
    expect(true, what);
    if (has_failed())
      throw Error(ErrorCode::usage,
                  fmt::format("{} after a step that failed at t = {:.13g} s: restore() an earlier "
                              "state, or finish()",
                              what, time()));
  }

  void load();
  void give_up();
  void observe_all();
  StepEnd advance(double target, bool one_step);
  void check_target(double target, bool one_step);
  void apply_pending();
  [[noreturn]] void fail(const Error& error);
  void update_rollback();
  /// A variable that is not held, straight from its FMU.
  models::ValueSet fetch(const FoundVariable& variable);

  SessionOptions options;
  system::PackagePaths paths;
  Log log;
  std::unique_ptr<session::PreparedSystem> prepared;
  const System& system;
  session::RunSetup setup;
  RunReport report;
  Monitor monitor;
  std::vector<FoundVariable> found;
  struct Request {
    std::shared_ptr<Observer> observer;
    std::vector<Handle> handles;
  };
  std::vector<Request> requests;
  std::vector<PendingValues> pending;
  session::SessionObservers observers;
  std::optional<session::RunningSystem> running;
  std::optional<master::ValueMirror> mirror;  ///< of the last accepted point
  std::vector<std::weak_ptr<SessionState::Data>> states;
  bool expects_rollback = false;
  std::string_view ended;  ///< by what; empty: it has not
};

void Session::Impl::load() {
  try {
    running.emplace(setup, monitor, log, report);
    for (FoundVariable& variable : found)
      session::locate(variable, island().instance(variable.component));
    observe_all();
    running->initialize(observers.empty() ? nullptr : &observers, !found.empty());
    mirror.emplace(island().assembly());
  } catch (const models::RunAgain& again) {
    give_up();
    throw again.without_repetition();
  } catch (...) {
    give_up();
    throw;
  }
}

/// Nothing may look at instances that could not be initialized.
void Session::Impl::give_up() {
  ended = "an initialize() that failed: make another Session";
  for (FoundVariable& variable : found) variable.forget_place();
  observers.finish();
  observers = {};
  running.reset();
}

void Session::Impl::observe_all() {
  for (Request& request : requests) {
    std::vector<Column> columns;
    std::vector<session::SessionObservers::Source> sources;
    for (const Handle handle : request.handles) {
      const FoundVariable& variable = at(handle);
      for (const models::Scalar* scalar : variable.scalars) {
        columns.push_back({system.qualified(variable.component, scalar->name), scalar->type,
                           variable.info.unit,
                           variable.info.variability != Variability::continuous});
        sources.push_back({variable.held, scalar});
      }
    }
    observers.add(std::move(request.observer), std::move(columns), std::move(sources));
  }
  requests.clear();
}

void Session::Impl::check_target(double target, bool one_step) {
  const double stop = setup.time.grid.stop();
  if (!(target > time()))
    throw Error(
        ErrorCode::usage,
        fmt::format("t = {:.13g} s is not after the present time, {:.13g} s", target, time()));
  if (!one_step && target > stop)
    throw Error(ErrorCode::usage,
                fmt::format("t = {:.13g} s is beyond the stop time, {:.13g} s", target, stop));
  if (island().can_vary_step()) return;
  if (target >= loop().next_point()) {
    if (one_step) return;
    const TimeGrid& grid = setup.time.grid;
    const double point =
        grid.point(grid.first_point_from(target - same_time(target, grid.step(0))));
    if (std::abs(point - target) <= same_time(target, grid.step(0))) return;
  }
  throw Error(ErrorCode::capability,
              fmt::format("t = {:.13g} s is no communication point, and some component cannot vary "
                          "its step",
                          target));
}

void Session::Impl::update_rollback() {
  std::erase_if(states, [](const auto& state) { return state.expired(); });
  if (expects_rollback == !states.empty()) return;
  expects_rollback = !states.empty();
  island().expect_rollback(expects_rollback);
}

void Session::Impl::apply_pending() {
  std::vector<master::Assignment> assignments;
  for (PendingValues& values : pending) assignments.push_back({values.component, &values.values});
  if (!loop().assign(assignments))
    throw Error(ErrorCode::fmu,
                fmt::format("t = {:.13g} s: a component asks to end the run because "
                            "of a value that was set",
                            time()));
  pending.clear();
}

StepEnd Session::Impl::advance(double target, bool one_step) {
  const double stop = setup.time.grid.stop();
  if (one_step && time() >= stop)
    throw Error(ErrorCode::usage,
                fmt::format("t = {:.13g} s is the stop time: there is no further step", stop));
  if (report.end.kind == RunEnd::Kind::terminated_by_fmu)
    throw Error(ErrorCode::usage,
                fmt::format("an FMU has asked to end the run at t = {:.13g} s", time()));
  if (!one_step || target != infinity) check_target(target, one_step);
  if (!states.empty() || expects_rollback) update_rollback();
  try {
    if (!pending.empty()) apply_pending();
    const master::Loop::End end = running->advance(target, one_step);
    mirror->note();
    // One that came too late is for the next call.
    if (end == master::Loop::End::interrupted)
      monitor.stop_requested.store(false, std::memory_order_relaxed);
    return {static_cast<StepEnd::Kind>(end), time()};
  } catch (const models::RunAgain& again) {
    fail(again.without_repetition());
  } catch (const Error& error) {
    fail(error);
  } catch (...) {
    mirror->show();
    throw;
  }
}

void Session::Impl::fail(const Error& error) {
  report.end.kind = RunEnd::Kind::failed;
  report.end.error = paths.shown(error);
  mirror->show();
  throw Error(*report.end.error);
}

models::ValueSet Session::Impl::fetch(const FoundVariable& variable) {
  models::ValueSet values(description(variable), {&variable.selection.index, 1},
                          prepared->start_values(variable.component).structure());
  island().instance(variable.component).read(values);
  return values;
}

Session::Session(System system, SessionOptions options)
    : impl_(system::PackagePaths(system).during(
          [&] { return std::make_unique<Impl>(std::move(system), std::move(options)); })) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Handle Session::find(std::string_view name) {
  Impl& s = *impl_;
  const system::ComponentNames names(s.system);
  const Endpoint endpoint = names.resolve(name);
  FoundVariable variable;
  variable.component = static_cast<std::uint32_t>(names.find(endpoint.component));
  const session::SystemModels& models = s.prepared->models();
  const ModelDescription& description = *models.descriptions[variable.component];
  const fmi::StructuralValues& structure = s.prepared->start_values(variable.component).structure();
  variable.selection = system::select(s.system.components[variable.component], description,
                                      structure, endpoint.variable);
  const Variable& v = *variable.selection.variable;
  if (v.is_array()) variable.array_shape = fmi::shape_of(description, v, structure);
  variable.info = {s.system.qualified(variable.component, endpoint.variable),
                   v.type,
                   variable.selection.shape,
                   v.attributes.unit,
                   v.causality,
                   v.variability};
  for (const system::Link& link : s.prepared->plan().links)
    variable.is_driven |=
        link.to.component == variable.component && link.to.variable == variable.selection.index;
  for (const system::ExternalInput& external : s.prepared->plan().external)
    variable.is_driven |= external.to.component == variable.component &&
                          external.to.variable == variable.selection.index;
  for (std::uint32_t i = 0; i < s.found.size(); ++i)
    if (s.found[i].info.name == variable.info.name) return {i};
  if (s.is_initialized())
    session::locate(variable, s.island().instance(variable.component));
  else
    s.prepared->fetch(variable.component, variable.selection.index);
  s.found.push_back(std::move(variable));
  return {static_cast<std::uint32_t>(s.found.size() - 1)};
}

const VariableInfo& Session::info(Handle handle) const { return impl_->at(handle).info; }

void Session::initialize() {
  impl_->expect(false, "initialize()");
  impl_->paths.during([this] { impl_->load(); });
}

StepEnd Session::step(double limit) {
  if (!impl_->is_alive()) [[unlikely]]
    impl_->expect_alive("step()");
  return impl_->advance(limit, true);
}

StepEnd Session::advance_to(double t) {
  impl_->expect_alive("advance_to()");
  return impl_->advance(t, false);
}

double Session::time() const noexcept {
  return impl_->is_initialized() ? impl_->time() : impl_->setup.time.grid.start();
}

double Session::get(Handle handle) {
  Impl& s = *impl_;
  const FoundVariable& variable = s.at(handle);
  if (variable.number != nullptr) return *variable.number;
  s.expect(true, "get()");
  if (is_text(variable.info.type) || !variable.info.shape.empty())
    throw Error(ErrorCode::usage,
                fmt::format("\"{}\" is {}, not a number: use value()", variable.info.name,
                            variable.info.shape.empty() ? "a text" : "an array"));
  if (variable.held == nullptr) {
    s.expect_alive("get() of a variable that was found after initialize()");
    const models::ValueSet values = s.fetch(variable);
    return as_real(variable.info.type, values.read(*session::scalars_of(variable, values).front()));
  }
  if (variable.is_input && !s.has_failed()) s.island().show_inputs(s.time());
  return as_real(variable.info.type, variable.held->read(*variable.scalars.front()));
}

void Session::get(std::span<const Handle> handles, std::span<double> values) {
  if (handles.size() != values.size())
    throw Error(ErrorCode::usage, "get(): as many values as handles are needed");
  for (std::size_t i = 0; i < handles.size(); ++i) values[i] = get(handles[i]);
}

Value Session::value(Handle handle) {
  Impl& s = *impl_;
  const FoundVariable& variable = s.at(handle);
  s.expect(true, "value()");
  if (variable.held == nullptr) {
    s.expect_alive("value() of a variable that was found after initialize()");
    const models::ValueSet values = s.fetch(variable);
    return session::value_of(variable.info, values, session::scalars_of(variable, values));
  }
  if (variable.is_input && !s.has_failed()) s.island().show_inputs(s.time());
  return session::value_of(variable.info, *variable.held, variable.scalars);
}

void Session::set(Handle handle, const Value& value) {
  Impl& s = *impl_;
  const FoundVariable& variable = s.at(handle);
  if (!s.is_initialized()) {
    if (variable.is_driven) session::check_settable(variable, s.description(variable));
    s.prepared->assign(variable.component, session::assignments_of(variable, value));
    return;
  }
  s.expect_alive("set()");
  session::check_settable(variable, s.description(variable));
  // Other elements of an array keep what they have, or will have.
  auto known = std::find_if(s.pending.begin(), s.pending.end(), [&](const PendingValues& pending) {
    return pending.component == variable.component &&
           pending.values.variables().front() == variable.selection.index;
  });
  const bool is_new = known == s.pending.end();
  models::ValueSet values = is_new ? s.fetch(variable) : known->values;
  session::write_value(variable, value, s.description(variable), values);
  if (is_new)
    s.pending.push_back({variable.component, std::move(values)});
  else
    known->values = std::move(values);
}

void Session::observe(std::shared_ptr<Observer> observer, std::span<const Handle> handles) {
  impl_->expect(false, "observe()");
  for (const Handle handle : handles) impl_->at(handle);
  impl_->requests.push_back({std::move(observer), {handles.begin(), handles.end()}});
}

SessionState Session::save() {
  Impl& s = *impl_;
  s.expect_alive("save()");
  std::vector<std::string> unable;
  for (std::size_t c = 0; c < s.island().instance_count(); ++c)
    if (!s.island().instance(c).can_go_back()) unable.push_back(s.island().instance(c).name());
  if (!unable.empty())
    throw Error(ErrorCode::capability,
                fmt::format("the session cannot be saved: {} cannot save and restore {} state",
                            list_some(unable), unable.size() == 1 ? "its" : "their"));
  auto data = std::make_shared<SessionState::Data>();
  data->session = &s;
  s.island().save(data->system);
  s.loop().save(data->loop);
  data->rows = s.observers.row_count();
  data->pending = s.pending;
  s.states.push_back(data);
  return SessionState(std::move(data));
}

void Session::restore(const SessionState& state) {
  Impl& s = *impl_;
  s.expect(true, "restore()");
  if (state.data_->session != &s)
    throw Error(ErrorCode::usage, "restore(): the state is that of another session");
  const SessionState::Data& saved = *state.data_;
  if (!s.island().is_coupled_as(saved.system))
    throw Error(
        ErrorCode::capability,
        fmt::format("restore(): the state of t = {:.13g} s is that of another coupling, which "
                    "method = \"auto\" has given up since",
                    saved.loop.time),
        {.key = "simulation.method", .hint = "Name a method (%key%)."});
  s.observers.rewind(saved.rows);
  s.report.end.kind = RunEnd::Kind::failed;  // until everything is restored
  s.pending = saved.pending;
  s.island().restore(saved.system);
  s.loop().restore(saved.loop);
  s.running->restored();
  s.mirror->note();
}

void Session::interrupt() noexcept {
  impl_->monitor.stop_requested.store(true, std::memory_order_relaxed);
}

RunStatistics Session::statistics() const {
  return impl_->running ? impl_->running->statistics() : impl_->report.statistics;
}

RunReport Session::finish() {
  Impl& s = *impl_;
  s.expect(true, "finish()");
  s.ended = "finish()";
  for (const auto& state : s.states)
    if (const auto alive = state.lock()) alive->system.free_states();
  try {
    s.running->finish();
  } catch (const models::RunAgain& again) {
    s.observers.finish();
    throw again.without_repetition();
  } catch (...) {
    s.observers.finish();
    throw;
  }
  s.observers.finish();
  s.report.statistics.rows = s.observers.row_count();
  return session::completed(s.report, s.setup);
}

}  // namespace tutti
