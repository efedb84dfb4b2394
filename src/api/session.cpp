// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tutti/session.hpp>
#include <tutti/system_run.hpp>

#include "api/prepared_system.hpp"
#include "api/run_reports.hpp"
#include "api/run_statistics.hpp"
#include "api/session_observers.hpp"
#include "api/session_values.hpp"
#include "base/infinity.hpp"
#include "base/seconds.hpp"
#include "base/text.hpp"
#include "base/time_resolution.hpp"
#include "system/names.hpp"

namespace tutti {

using api::FoundVariable;
using master::Monitor;

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
        log(options.log.once()),
        prepared(api::prepare_run(with_stop(std::move(given)), run_options(), log)),
        system(prepared->system()),
        setup(prepared->setup()),
        report(api::empty_report(setup)) {
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
  models::Instance& instance(const FoundVariable& variable) const {
    return island->instance(variable.component);
  }
  const FoundVariable& at(Handle handle) const {
    if (handle.index >= found.size())
      throw Error(ErrorCode::usage, "a handle that is not one of this session");
    return found[handle.index];
  }
  void expect(bool is_initialized, const char* what) const {
    if ((loop != nullptr) != is_initialized)
      throw Error(ErrorCode::usage,
                  fmt::format("{} {} initialize()", what, is_initialized ? "before" : "after"));
    if (finished) throw Error(ErrorCode::usage, fmt::format("{} after finish()", what));
  }
  void expect_alive(const char* what) const {
    expect(true, what);
    if (failed)
      throw Error(ErrorCode::usage,
                  fmt::format("{} after a step that failed at t = {:.13g} s: restore() an earlier "
                              "state, or finish()",
                              what, loop->time()));
  }

  void load();
  void observe_all();
  StepEnd advance(double target, bool one_step);
  void check_target(double target, bool one_step) const;
  void apply_pending();
  void update_rollback();
  /// A variable that is not held, straight from its FMU.
  models::ValueSet fetch(const FoundVariable& variable) const;

  SessionOptions options;
  Log log;
  std::unique_ptr<api::PreparedSystem> prepared;
  const System& system;
  api::RunSetup setup;
  RunReport report;
  Monitor monitor;
  std::vector<FoundVariable> found;
  struct Request {
    std::shared_ptr<RecordSink> observer;
    std::vector<Handle> handles;
  };
  std::vector<Request> requests;
  std::vector<PendingValues> pending;
  api::SessionObservers observers;
  std::unique_ptr<master::Island> island;
  std::unique_ptr<master::Loop> loop;  ///< there is one: initialized
  std::vector<std::weak_ptr<SessionState::Data>> states;
  std::uint64_t single_steps = 0;
  bool expects_rollback = false, failed = false, finished = false;
};

void Session::Impl::load() {
  const auto load_start = Clock::now();
  island = setup.make_island(monitor, setup.threads, setup.needs);
  report.statistics.load_seconds = seconds_since(load_start);
  for (FoundVariable& variable : found) api::locate(variable, instance(variable));
  observe_all();
  const auto start = Clock::now();
  auto made = std::make_unique<master::Loop>(*island, setup.time,
                                             observers.empty() ? nullptr : &observers, monitor);
  if (!found.empty()) made->show_every_step();
  try {
    made->initialize();
  } catch (const models::RunAgain& again) {
    throw again.without_repetition();
  }
  loop = std::move(made);
  island->note_values();
  report.statistics.initialize_seconds = seconds_since(start);
  report.end.started = true;
}

void Session::Impl::observe_all() {
  for (Request& request : requests) {
    std::vector<Column> columns;
    std::vector<api::SessionObservers::Source> sources;
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

void Session::Impl::check_target(double target, bool one_step) const {
  const double stop = setup.time.grid.stop();
  if (!(target > loop->time()))
    throw Error(ErrorCode::usage,
                fmt::format("t = {:.13g} s is not after the present time, {:.13g} s", target,
                            loop->time()));
  if (!one_step && target > stop)
    throw Error(ErrorCode::usage,
                fmt::format("t = {:.13g} s is beyond the stop time, {:.13g} s", target, stop));
  if (island->can_vary_step() || target >= loop->next_point()) {
    if (island->can_vary_step() || one_step) return;
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
  island->expect_rollback(expects_rollback);
}

void Session::Impl::apply_pending() {
  if (pending.empty()) return;
  std::vector<master::Island::Assignment> assignments;
  for (PendingValues& values : pending) assignments.push_back({values.component, &values.values});
  if (!loop->assign(assignments))
    throw Error(ErrorCode::fmu,
                fmt::format("t = {:.13g} s: a component asks to end the run because "
                            "of a value that was set",
                            loop->time()));
  pending.clear();
}

StepEnd Session::Impl::advance(double target, bool one_step) {
  const double stop = setup.time.grid.stop();
  if (one_step && loop->time() >= stop)
    throw Error(ErrorCode::usage,
                fmt::format("t = {:.13g} s is the stop time: there is no further step", stop));
  check_target(target, one_step);
  if (!states.empty() || expects_rollback) update_rollback();
  // Reading the clock costs more than a short step: single ones are timed now and then.
  constexpr std::uint64_t timed_every = 64;
  const bool is_timed = !one_step || single_steps++ % timed_every == 0;
  const auto start = is_timed ? Clock::now() : Clock::time_point();
  try {
    apply_pending();
    const master::Loop::End end = loop->advance(std::min(target, stop), one_step);
    island->note_values();
    // One that came too late is for the next call.
    if (end == master::Loop::End::interrupted)
      monitor.stop_requested.store(false, std::memory_order_relaxed);
    if (is_timed)
      report.statistics.step_seconds +=
          seconds_since(start) * static_cast<double>(one_step ? timed_every : 1);
    return {static_cast<StepEnd::Kind>(end), loop->time()};
  } catch (const models::RunAgain& again) {
    failed = true;
    island->show_noted_values();
    throw again.without_repetition();
  } catch (const Error&) {
    failed = true;
    island->show_noted_values();
    throw;
  }
}

models::ValueSet Session::Impl::fetch(const FoundVariable& variable) const {
  models::ValueSet values(description(variable), {&variable.selection.index, 1},
                          prepared->start_values(variable.component).structure());
  instance(variable).read(values);
  return values;
}

Session::Session(System system, SessionOptions options)
    : impl_(std::make_unique<Impl>(std::move(system), std::move(options))) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Handle Session::find(std::string_view name) {
  Impl& s = *impl_;
  const system::ComponentNames names(s.system);
  const Endpoint endpoint = names.resolve(name);
  FoundVariable variable;
  variable.component = static_cast<std::uint32_t>(names.find(endpoint.component));
  const api::SystemModels& models = s.prepared->models();
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
  if (s.loop)
    api::locate(variable, s.instance(variable));
  else
    s.prepared->fetch(variable.component, variable.selection.index);
  s.found.push_back(std::move(variable));
  return {static_cast<std::uint32_t>(s.found.size() - 1)};
}

const VariableInfo& Session::info(Handle handle) const { return impl_->at(handle).info; }

void Session::initialize() {
  impl_->expect(false, "initialize()");
  impl_->load();
}

StepEnd Session::step(double limit) {
  impl_->expect_alive("step()");
  return impl_->advance(limit, true);
}

StepEnd Session::advance_to(double t) {
  impl_->expect_alive("advance_to()");
  return impl_->advance(t, false);
}

double Session::time() const noexcept {
  return impl_->loop ? impl_->loop->time() : impl_->setup.time.grid.start();
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
    return as_real(variable.info.type, values.read(*api::scalars_of(variable, values).front()));
  }
  if (variable.is_input && !s.failed) s.island->show_inputs(s.loop->time());
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
    return api::value_of(variable.info, values, api::scalars_of(variable, values));
  }
  if (variable.is_input && !s.failed) s.island->show_inputs(s.loop->time());
  return api::value_of(variable.info, *variable.held, variable.scalars);
}

void Session::set(Handle handle, const Value& value) {
  Impl& s = *impl_;
  const FoundVariable& variable = s.at(handle);
  if (!s.loop) {
    if (variable.is_driven) api::check_settable(variable, s.description(variable));
    s.prepared->assign(variable.component, api::assignments_of(variable, value));
    return;
  }
  s.expect_alive("set()");
  api::check_settable(variable, s.description(variable));
  // Other elements of an array keep what they have, or will have.
  auto known = std::find_if(s.pending.begin(), s.pending.end(), [&](const PendingValues& pending) {
    return pending.component == variable.component &&
           pending.values.variables().front() == variable.selection.index;
  });
  const bool is_new = known == s.pending.end();
  models::ValueSet values = is_new ? s.fetch(variable) : known->values;
  api::write_value(variable, value, s.description(variable), values);
  if (is_new)
    s.pending.push_back({variable.component, std::move(values)});
  else
    known->values = std::move(values);
}

void Session::observe(std::shared_ptr<RecordSink> observer, std::span<const Handle> handles) {
  impl_->expect(false, "observe()");
  for (const Handle handle : handles) impl_->at(handle);
  impl_->requests.push_back({std::move(observer), {handles.begin(), handles.end()}});
}

SessionState Session::save() {
  Impl& s = *impl_;
  s.expect_alive("save()");
  std::vector<std::string> unable;
  for (std::size_t c = 0; c < s.island->instance_count(); ++c)
    if (!s.island->instance(c).can_go_back()) unable.push_back(s.island->instance(c).name());
  if (!unable.empty())
    throw Error(ErrorCode::capability,
                fmt::format("the session cannot be saved: {} cannot save and restore {} state",
                            list_some(unable), unable.size() == 1 ? "its" : "their"));
  auto data = std::make_shared<SessionState::Data>();
  data->session = &s;
  s.island->save(data->system);
  s.loop->save(data->loop);
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
  s.observers.rewind(state.data_->rows);  // where one cannot do that, nothing else happens
  s.pending = state.data_->pending;
  s.island->restore(state.data_->system);
  s.loop->restore(state.data_->loop);
  s.failed = false;
  s.island->note_values();
}

void Session::interrupt() noexcept {
  impl_->monitor.stop_requested.store(true, std::memory_order_relaxed);
}

RunStatistics Session::statistics() const {
  RunStatistics statistics = impl_->report.statistics;
  if (impl_->loop) api::collect_statistics(*impl_->island, *impl_->loop, impl_->setup, statistics);
  return statistics;
}

RunReport Session::finish() {
  Impl& s = *impl_;
  s.expect(true, "finish()");
  s.finished = true;
  for (const auto& state : s.states)
    if (const auto alive = state.lock()) alive->system.free_states();
  if (!s.failed) s.loop->finish();
  s.observers.finish();
  s.report.statistics = statistics();
  s.report.statistics.rows = s.observers.row_count();
  s.report.end.time = s.loop->time();
  s.report.end.kind = s.failed ? RunEnd::Kind::failed : RunEnd::Kind::completed;
  return api::completed(s.report, s.setup);
}

}  // namespace tutti
