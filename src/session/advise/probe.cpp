// SPDX-License-Identifier: BSD-2-Clause
#include "session/advise/probe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <tuple>

#include "base/seconds.hpp"
#include "execution/child_process.hpp"
#include "session/shared_monitor.hpp"
#include "session/wire.hpp"
#include "system/make_plan.hpp"

namespace tutti::session {
namespace {

using analysis::LinearizationTask;
using master::Monitor;

// Beside log_message: parts of the result, its end, and an error in place of it.
constexpr std::uint32_t part_message = 10, end_message = 11, error_message = 12;

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

/// The instances of the system are gone before others are made: an FMU may allow only one.
std::vector<std::vector<LinearizationTask>> initial_points(const ProbeTask& task,
                                                           Monitor& monitor) {
  monitor.phase = Monitor::Phase::loading;
  const auto island = task.setup.make_island(monitor, 1, {});
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

/// D of one instance where it is now; without rows if it cannot tell.
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

/// Looks at the loops at a few of the points that a run comes along.
class Companion final : public master::StepObserver {
 public:
  Companion(const ProbeTask& task, std::vector<LaterPoint>& points)
      : task_(task),
        points_(points),
        interval_((task.setup.time.grid.stop() - task.setup.time.grid.start()) /
                  static_cast<double>(task.points)),
        next_(task.setup.time.grid.start() + interval_ * (1 - 1e-9)) {}
  void record(double t, master::Island& island) override {
    if (t < next_) return;
    while (next_ <= t) next_ += interval_;
    LaterPoint point{t, {}};
    for (const analysis::CycleInterface& cycle : task_.cycles) {
      auto& of_cycle = point.d.emplace_back();
      for (std::size_t i = 0; i < cycle.components.size(); ++i)
        of_cycle.push_back(feed_through(task_, cycle, i, island));
    }
    points_.push_back(std::move(point));
  }

 private:
  const ProbeTask& task_;
  std::vector<LaterPoint>& points_;
  double interval_, next_;
};

/// Runs the system. That it cannot go on somewhere is no error here.
void go_along(const ProbeTask& task, Monitor& monitor, ProbeResult& result) {
  const auto island = task.setup.make_island(monitor, 1, {});
  Companion companion(task, result.later);
  master::Loop loop(*island, task.setup.time, &companion, monitor);
  try {
    loop.initialize();
    loop.advance(task.setup.time.grid.stop());
    loop.finish();
  } catch (const Error& error) {
    result.end = error.what();
  }
}

/// With the inputs from outside of the cycle, if a linear model is found for all of them.
analysis::Linearization linearize(const PreparedSystem& prepared, std::uint32_t component,
                                  LinearizationTask& task, std::size_t inside) {
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

void send(execution::Ring& ring, std::uint32_t kind, std::string_view bytes) {
  const std::size_t size = std::min(bytes.size(), ring.largest_message());
  const std::span<std::byte> room = ring.reserve(size);
  if (size > 0) std::memcpy(room.data(), bytes.data(), size);
  ring.commit(kind);
}

/// The child's side.
void probe_into(execution::Ring& ring, const ProbeTask& task, Monitor& monitor, const Log& log) {
  try {
    const std::string bytes = pack(probe_here(task, monitor, log));
    const std::size_t most = ring.largest_message();
    for (std::size_t at = 0; at < bytes.size(); at += most)
      send(ring, part_message, std::string_view(bytes).substr(at, most));
    send(ring, end_message, {});
  } catch (const Error& error) {
    send_error(ring, error_message, error);
  } catch (const std::exception& error) {
    send_error(ring, error_message,
               Error(ErrorCode::fmu, fmt::format("internal error: {}", error.what())));
  }
}

/// The parent's side: what the child says.
class Listener {
 public:
  explicit Listener(const Log& log) : log_(log) {}
  /// Only so many at a time that the watcher can look around: an FMU may talk without end.
  bool take_messages(execution::Ring& ring) {
    constexpr int most = 10'000;
    int taken = 0;
    for (execution::Ring::Message message; taken < most && ring.next(message); ring.release()) {
      ++taken;
      const std::string_view bytes(reinterpret_cast<const char*>(message.bytes.data()),
                                   message.bytes.size());
      if (message.kind == log_message) log_.write(read_log(message.bytes));
      if (message.kind == part_message) bytes_ += bytes;
      if (message.kind == end_message) complete_ = true;
      if (message.kind == error_message) error_ = read_error(message.bytes);
    }
    return taken > 0;
  }
  /// Nothing: the child ended before it was through.
  std::optional<ProbeResult> result() const {
    if (error_) throw Error(*error_);
    if (!complete_) return std::nullopt;
    return unpack(bytes_);
  }

 private:
  const Log& log_;
  std::string bytes_;
  bool complete_ = false;
  std::optional<Error> error_;
};

Error failure(ErrorCode code, const ProbeTask& task, const Monitor& monitor, std::string_view what,
              std::string key = "") {
  const std::size_t c =
      std::min<std::size_t>(monitor.called.front().load(), task.system.components.size() - 1);
  const std::string& name = task.system.components[c].name;
  return {code,
          fmt::format("component \"{}\" {}", name, what),
          {.component = name, .key = std::move(key)}};
}

ProbeResult probe_in_own_process(const ProbeTask& task, const RunControl& control, const Log& log,
                                 RoutedLog& routed) {
  execution::Ring ring(16u << 20);
  SharedMonitor shared;
  Monitor& monitor = *shared;
  execution::ChildProcess child([&] {
    routed.detour(ring);
    probe_into(ring, task, monitor, routed.log());
  });
  Listener listener(log);
  auto last_sign = Clock::now();
  std::tuple<std::uint32_t, Monitor::Phase, double> last_seen{};
  while (true) {
    const bool gone = child.has_ended();  // asked before the last look, so nothing is missed
    const std::tuple seen(monitor.called.front().load(), monitor.phase.load(), monitor.time.load());
    const bool any = listener.take_messages(ring);
    if (seen != last_seen) last_sign = Clock::now();
    last_seen = seen;
    if (gone && !any) break;
    if (control.stop_request != nullptr && control.stop_request->load())
      throw Error(ErrorCode::interrupted, "interrupted");
    if (control.step_timeout > 0 && seconds_since(last_sign) > control.step_timeout)
      throw failure(
          ErrorCode::timeout, task, monitor,
          fmt::format("did not return within {} s {} (%key% sets another limit, 0 none)",
                      control.step_timeout, activity(monitor.phase, "while it was linearized")),
          "step-timeout");
    if (!any) child.wait_at_most(std::chrono::microseconds(2000));
  }
  if (auto result = listener.result(); result && child.ended_well()) return *std::move(result);
  throw failure(
      ErrorCode::crash, task, monitor,
      fmt::format("{} {}: {}", child.was_killed() ? "crashed" : "ended the process",
                  activity(monitor.phase, "while it was linearized"), child.how_it_ended()));
}

}  // namespace

ProbeResult probe(const ProbeTask& task, const RunControl& control, const Log& log,
                  RoutedLog& routed) {
  if (!control.own_process) {
    Monitor monitor;
    return probe_here(task, monitor, log);
  }
  try {
    return probe_in_own_process(task, control, log, routed);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::crash && error.code() != ErrorCode::timeout) throw;
    // Perhaps in steps that were taken to fit a linear system: there is advice without them.
    ProbeTask careful = task;
    careful.fit_steps = false;
    ProbeResult result = probe_in_own_process(careful, control, Log(), routed);
    for (auto& cycle : result.start)
      for (analysis::Linearization& l : cycle)
        if (!l.has_states) l.notes.emplace_back(error.what());
    return result;
  }
}

}  // namespace tutti::session
