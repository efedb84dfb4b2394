// SPDX-License-Identifier: BSD-2-Clause
#include "session/advise/probe.hpp"

#include <algorithm>

#include "models/component_kinds.hpp"
#include "session/forked_task.hpp"
#include "session/messages.hpp"

namespace tutti::session {
namespace {

using analysis::LinearizationTask;
using execution::Monitor;

LinearizationTask task_for(const ProbeTask& task, const analysis::CycleInterface& cycle,
                           std::size_t position, const master::Island& island) {
  const std::uint32_t c = cycle.components[position];
  const models::StartValues& start = task.prepared.start_values(c);
  const models::ValueSet& inputs = island.instance(c).inputs();
  LinearizationTask result;
  result.name = cycle.names[position];
  result.start = &start;
  result.inputs = models::ValueSet(*task.prepared.models().descriptions[c], inputs.variables(),
                                   start.structure());
  result.inputs.copy_from(inputs);
  const TimeGrid& grid = task.setup.time.grid;
  result.experiment = {grid.start(), grid.stop(), task.system.components[c].tolerance};
  if (task.system.simulation.step) result.step = task.setup.step;
  result.fit_steps = task.fit_steps;
  result.u = cycle.u[position];
  result.u.insert(result.u.end(), cycle.outside[position].begin(), cycle.outside[position].end());
  result.y = cycle.y[position];
  return result;
}

/// The instances of the system are freed before others are made: an FMU may allow only one.
std::vector<std::vector<LinearizationTask>> initial_points(const ProbeTask& task,
                                                           Monitor& monitor) {
  monitor.phase = Monitor::Phase::loading;
  const auto made = task.setup.make_islands(monitor, 1, {});
  const auto& island = made.islands.front();
  monitor.phase = Monitor::Phase::initializing;
  const TimeGrid& grid = task.setup.time.grid;
  island->initialize({grid.start(), grid.stop(), task.setup.time.tolerance});
  std::vector<std::vector<LinearizationTask>> tasks;
  for (const analysis::CycleInterface& cycle : task.cycles) {
    auto& of_cycle = tasks.emplace_back();
    for (std::size_t i = 0; i < cycle.components.size(); ++i)
      of_cycle.push_back(task_for(task, cycle, i, *island));
  }
  return tasks;
}

/// D of one instance at the present point; without rows if it is not available.
stability::Matrix feed_through(const ProbeTask& task, const analysis::CycleInterface& cycle,
                               std::size_t position, master::Island& island) {
  const std::uint32_t c = cycle.components[position];
  const ModelDescription& description = *task.prepared.models().descriptions[c];
  std::vector<std::int32_t> u, y;
  for (const auto& scalar : cycle.u[position]) u.push_back(scalar.variable);
  for (const auto& scalar : cycle.y[position]) y.push_back(scalar.variable);
  const auto is_array = [&](std::int32_t v) {
    return description.variables[static_cast<std::size_t>(v)].is_array();
  };
  models::Instance& instance = island.instance(c);
  if (std::any_of(u.begin(), u.end(), is_array) || std::any_of(y.begin(), y.end(), is_array) ||
      !instance.differentiate({}, {}, {}, {}))
    return {};
  stability::Matrix d(y.size(), u.size());
  std::vector<double> slopes(y.size());
  for (std::size_t j = 0; j < u.size() && !y.empty(); ++j) {
    const double seed = 1;
    instance.differentiate(y, {&u[j], 1}, {&seed, 1}, slopes);
    for (std::size_t i = 0; i < y.size(); ++i) d(i, j) = slopes[i];
  }
  return d;
}

/// Samples the loops at a few points of a run.
class Companion final : public master::StepObserver {
 public:
  Companion(const ProbeTask& task, master::Island& island, std::vector<LaterPoint>& points)
      : task_(task),
        island_(island),
        points_(points),
        interval_((task.setup.time.grid.stop() - task.setup.time.grid.start()) /
                  static_cast<double>(task.points)),
        next_(task.setup.time.grid.start() + interval_ * (1 - 1e-9)) {}
  void record(double t) override {
    if (t < next_) return;
    while (next_ <= t) next_ += interval_;
    LaterPoint point{t, {}};
    for (const analysis::CycleInterface& cycle : task_.cycles) {
      auto& of_cycle = point.d.emplace_back();
      for (std::size_t i = 0; i < cycle.components.size(); ++i)
        of_cycle.push_back(feed_through(task_, cycle, i, island_));
    }
    points_.push_back(std::move(point));
  }

 private:
  const ProbeTask& task_;
  master::Island& island_;
  std::vector<LaterPoint>& points_;
  double interval_, next_;
};

/// Runs the system. An early end is no error here.
void go_along(const ProbeTask& task, Monitor& monitor, ProbeResult& result) {
  const auto made = task.setup.make_islands(monitor, 1, {});
  const auto& island = made.islands.front();
  Companion companion(task, *island, result.later);
  master::Loop loop(*island, task.setup.time, &companion, monitor);
  try {
    loop.initialize();
    loop.advance(task.setup.time.grid.stop());
    loop.finish();
  } catch (const Error& error) {
    result.end = error.what();
  }
}

analysis::Linearization linearize_built_in(const PreparedSystem& prepared, std::uint32_t component,
                                           LinearizationTask& task) {
  models::InstanceTask made;
  made.component = &prepared.system().components[component];
  made.description = prepared.models().descriptions[component];
  made.table = prepared.models().component_tables[component];
  made.start = *task.start;
  made.inputs.assign(task.inputs.variables().begin(), task.inputs.variables().end());
  const auto instance = models::make_instance(made);
  instance->inputs().copy_from(task.inputs);
  instance->initialize(task.experiment);
  return analysis::linearize(*instance, *made.description, task);
}

/// With the inputs from outside the cycle, if a linear model is found for all of them.
analysis::Linearization linearize(const PreparedSystem& prepared, std::uint32_t component,
                                  LinearizationTask& task, std::size_t inside) {
  const Component& given = prepared.system().components[component];
  if (system::kind_of(given).origin == system::Origin::built_in)
    return linearize_built_in(prepared, component, task);
  if (prepared.fmu(component) == nullptr)
    return analysis::linearize(*prepared.models().descriptions[component], task);
  fmi::Fmu& fmu = *prepared.fmu(component);
  analysis::Linearization result = analysis::linearize(fmu, task);
  if (result.has_states || inside == task.u.size()) return result;
  task.u.resize(inside);
  return analysis::linearize(fmu, task);
}

ProbeResult probe_here(const ProbeTask& task, Monitor& monitor, const Log& log) {
  auto tasks = initial_points(task, monitor);
  monitor.phase = Monitor::Phase::stepping;
  ProbeResult result;
  Linearizations& all = result.start;
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    auto& of_cycle = all.emplace_back();
    for (std::size_t i = 0; i < tasks[k].size(); ++i) {
      const std::uint32_t c = task.cycles[k].components[i];
      monitor.called.front() = c;
      tasks[k][i].log = log;
      tasks[k][i].sign_of_life = [&monitor](double t) { monitor.time = t; };
      of_cycle.push_back(linearize(task.prepared, c, tasks[k][i], task.cycles[k].u[i].size()));
    }
  }
  if (task.points > 0) go_along(task, monitor, result);
  return result;
}

/// In a copy of this process. Empty: it crashed or hung; `failure` describes how.
std::optional<ProbeResult> probe_in_copy(const ProbeTask& task, const RunControl& control,
                                         const Log& log, RoutedLog& routed,
                                         std::optional<Error>& failure) {
  ForkedTask copy(control, task.setup.outline, log);
  const auto bytes = copy.run(
      [&](execution::Ring& ring, Monitor& monitor) {
        routed.redirect(ring);
        return Packer()(probe_here(task, monitor, routed.log())).bytes();
      },
      "while it was linearized");
  if (bytes) return Unpacker(*bytes).take<ProbeResult>();
  failure = copy.failure();
  return {};
}

}  // namespace

ProbeResult probe(const ProbeTask& task, const RunControl& control, const Log& log,
                  RoutedLog& routed) {
  if (!control.own_process) {
    Monitor monitor;
    return probe_here(task, monitor, log);
  }
  std::optional<Error> failure;
  if (auto result = probe_in_copy(task, control, log, routed, failure)) return *std::move(result);
  // Perhaps in steps for fitting a linear system: advice is possible without them.
  ProbeTask careful = task;
  careful.fit_steps = false;
  std::optional<Error> second;
  auto result = probe_in_copy(careful, control, Log(), routed, second);
  if (!result) throw Error(*second);
  for (auto& cycle : result->start)
    for (analysis::Linearization& l : cycle)
      if (!l.has_states) l.notes.emplace_back(failure->what());
  return *std::move(result);
}

}  // namespace tutti::session
