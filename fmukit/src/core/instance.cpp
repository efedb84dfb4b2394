// SPDX-License-Identifier: BSD-2-Clause
#include "core/instance.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace fmukit {

Instance::Instance(const Layout& table, std::string instance_name, std::string resource_folder)
    : has_equations(table.info.abilities.equations),
      has_step(table.info.abilities.do_step),
      model(table.info.create()),
      slots(table.slots),
      layout(table),
      info(table.info),
      capabilities(fmukit::capabilities(table.info)),
      name(std::move(instance_name)),
      resources(std::move(resource_folder)),
      integrator_(*this) {
  model->host_ = this;
  touched();
  bind();
}

Instance::~Instance() = default;

/// Collects the addresses of values for integrators; they change only when vectors are resized.
void Instance::bind() {
  // Restoring a state does not allocate memory.
  const auto collect = [this](const std::vector<std::uint32_t>& variables,
                              std::vector<double*>& addresses) {
    addresses.clear();
    for (const std::uint32_t index : variables)
      for (double& value : elements<double>(*model, info.variables[index]))
        addresses.push_back(&value);
  };
  collect(layout.states, states);
  collect(layout.derivatives, derivatives);
  collect(layout.indicators, indicators);
  collect(layout.inputs, inputs);
  nominals.clear();
  for (const std::uint32_t index : layout.states) {
    const VariableInfo& v = info.variables[index];
    nominals.insert(nominals.end(), elements<double>(*model, v).size(), v.nominal.value_or(1));
  }
}

void Instance::enter_initialization(double start) {
  model->time = start;
  phase = Phase::initialization;
  touched();
}

void Instance::exit_initialization(Phase next, bool events) {
  ready();
  phase = next;
  touched();
  if (events) return;
  run_events();
}

void Instance::terminate() {
  model->terminate();
  phase = Phase::terminated;
}

void Instance::reset() {
  model = info.create();
  model->host_ = this;
  phase = Phase::instantiated;
  next_event_time = std::numeric_limits<double>::infinity();
  terminate_requested = false;
  touched();
  integrator_.restart();
  bind();
}

void Instance::refresh() {
  using enum Phase;
  if (!in(phases(initialization, event, continuous, step, intermediate, discarded))) return;
  stale = false;
  if (phase == initialization) model->initialize();
  model->derivatives();
  model->outputs();
}

void Instance::structure_changed() {
  for (const VariableInfo& v : info.variables) {
    if (v.storage != Storage::vector) continue;
    std::size_t count = 1;
    for (const Dimension& d : v.shape) {
      if (d.parameter.empty()) {
        count *= d.size;
        continue;
      }
      const auto n = std::find_if(info.variables.begin(), info.variables.end(),
                                  [&](const VariableInfo& p) { return p.name == d.parameter; });
      count *= *element<std::uint64_t>(*model, *n);
    }
    with_type(v.type, [&]<class T>(T*) {
      if constexpr (!std::is_same_v<T, bool>)
        reinterpret_cast<std::vector<T>*>(const_cast<char*>(member(*model, v.offset)))
            ->resize(count);
    });
  }
  model->structure_changed();
  bind();
  touched();
}

void Instance::set_time(double t) {
  model->time = t;
  touched();
}

void Instance::set_states(const double* x) {
  for (std::size_t i = 0; i < states.size(); ++i) *states[i] = x[i];
  touched();
}

void Instance::get_states(double* x) const {
  for (std::size_t i = 0; i < states.size(); ++i) x[i] = *states[i];
}

void Instance::get_derivatives(double* dx) {
  // Integrators evaluate derivatives far more often than outputs.
  if (phase == Phase::initialization)
    ready();
  else if (stale)
    model->derivatives();
  for (std::size_t i = 0; i < derivatives.size(); ++i) dx[i] = *derivatives[i];
}

void Instance::get_indicators(double* z) {
  ready();
  for (std::size_t i = 0; i < indicators.size(); ++i) z[i] = *indicators[i];
}

EventReport Instance::update_events() {
  ready();
  std::vector<double> before(states.size());
  get_states(before.data());
  fmukit::EventInfo event;
  model->update_discrete_states(event);
  touched();
  next_event_time = event.next_time;
  EventReport report{.repeat = event.repeat};
  for (std::size_t i = 0; i < states.size(); ++i)
    report.states_changed = report.states_changed || before[i] != *states[i];
  return report;
}

EventReport Instance::run_events() {
  EventReport all;
  for (int n = 0; n < 100; ++n) {
    const EventReport one = update_events();
    all.states_changed = all.states_changed || one.states_changed;
    if (one.repeat) continue;
    if (next_event_time <= model->time)
      throw std::runtime_error("the next time event is not in the future");
    integrator_.remember_indicators();
    return all;
  }
  throw std::runtime_error("the event update did not converge in 100 iterations");
}

bool Instance::completed_integrator_step() {
  if (!info.abilities.step_events) return false;
  ready();
  const bool event = model->completed_integrator_step();
  touched();
  return event;
}

// Errors. ----------------------------------------------------------------------------------------

Status Instance::refuse(const char* function) {
  static constexpr const char* names[] = {"instantiated",
                                          "in configuration mode",
                                          "in initialization mode",
                                          "in event mode",
                                          "in continuous-time mode",
                                          "between steps",
                                          "inside a step",
                                          "in reconfiguration mode",
                                          "waiting for a pending step",
                                          "after a discard",
                                          "terminated",
                                          "in error",
                                          "in a fatal error"};
  if (phase == Phase::fatal) return Status::fatal;
  return fail(function, std::string("not allowed while the instance is ") +
                            names[static_cast<std::size_t>(phase)]);
}

Status Instance::fail(const char* function, const std::string& reason) {
  log(Log::error, std::string(function) + ": " + reason);
  if (phase != Phase::terminated && phase != Phase::fatal) phase = Phase::error;
  return Status::error;
}

Status Instance::caught(const char* function) {
  try {
    throw;
  } catch (const Discard& e) {
    log(Log::info, std::string(function) + ": " + e.what());
    return Status::discard;
  } catch (const std::exception& e) {
    return fail(function, e.what());
  } catch (...) {
    return fail(function, "unknown exception");
  }
}

void Instance::log(Log kind, const std::string& message) {
  struct Row {
    Status status;
    const char* category;
  };
  static constexpr Row rows[] = {{Status::ok, "logAll"},
                                 {Status::ok, "logEvents"},
                                 {Status::warning, "logStatusWarning"},
                                 {Status::error, "logStatusError"}};
  const Row& row = rows[static_cast<std::size_t>(kind)];
  // The simulator switches *debug* logging; errors are always logged.
  const bool wanted =
      kind == Log::error ||
      (logs_debug && (categories.empty() || std::find(categories.begin(), categories.end(),
                                                      row.category) != categories.end()));
  if (wanted) deliver(row.status, row.category, message);
}

}  // namespace fmukit
