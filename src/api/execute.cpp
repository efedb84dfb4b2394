// SPDX-License-Identifier: BSD-2-Clause
#include "api/execute.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>
#include <tutti/simulation.hpp>
#include <utility>

#include "api/drain.hpp"
#include "api/shared_monitor.hpp"
#include "api/wire.hpp"
#include "base/seconds.hpp"
#include "execution/child_process.hpp"
#include "execution/ring.hpp"
#include "results/recorder.hpp"

namespace tutti {
namespace {

using api::Drain;
using api::RoutedLog;
using api::RunSetup;
using master::Monitor;

/// Of a run that has not started.
RunReport empty_report(const RunSetup& setup) {
  RunReport report;
  report.statistics.model = setup.model;
  report.statistics.version = setup.version;
  report.statistics.initial_evaluations = setup.initial_evaluations;
  report.statistics.start = setup.time.grid.start();
  report.statistics.stop = setup.time.grid.stop();
  report.statistics.step = setup.time.grid.is_uniform() ? setup.step : 0;
  report.end.time = setup.time.grid.start();
  report.end.started = false;
  return report;
}

void count_calls(const master::Island& island, RunStatistics& statistics) {
  master::StepTimes times = island.step_times();
  // Times are measured in some steps and scaled up; more than was there cannot have been spent.
  const double spent = std::max(0.0, statistics.step_seconds - statistics.output_seconds);
  const double excess = times.total > spent ? spent / times.total : 1;
  times.total *= excess;
  for (double& seconds : times.seconds) seconds *= excess;
  for (std::size_t i = 0; i < island.instance_count(); ++i) {
    const models::Instance& instance = island.instance(i);
    const fmi::CallCounts& calls = instance.counts();
    statistics.do_step += calls.do_step;
    statistics.get += calls.get;
    statistics.set += calls.set;
    statistics.event_updates += calls.event_updates;
    statistics.warnings += calls.warnings;
    if (island.single() == nullptr)
      statistics.components.push_back({instance.name(), calls.do_step, calls.get, calls.set,
                                       calls.get_state, calls.set_state, calls.event_updates,
                                       times.seconds[i], instance.solver_statistics()});
  }
  if (island.single() != nullptr) statistics.solver = island.single()->solver_statistics();
  double in_components = 0;
  for (const double seconds : times.seconds) in_components += seconds;
  statistics.method_seconds = std::max(0.0, times.total - in_components);
  for (const master::CycleReport& report : island.cycle_reports())
    statistics.cycles.push_back({report.components, report.method, report.steps, report.iterations,
                                 report.limit_hits, report.fallbacks});
}

/// A control that cannot take steps back says how good they were.
void report_what_stayed(const master::ControlCounts& counts, std::uint64_t steps, const Log& log) {
  if (counts.accepted_without_return == 0) return;
  log.warning("",
              fmt::format("{} of {} steps had an error above the tolerance, up to {:.3g} times, "
                          "and stayed, because not all components can go back. Try a smaller "
                          "first step or simulation.control.max.",
                          counts.accepted_without_return, steps, counts.worst_without_return));
}

/// Loads the FMUs and steps them. Answers false if that must be done again, with states saved.
bool run_once(execution::Ring& ring, Monitor& monitor, RunSetup& setup, bool record,
              results::Recorder::Recorded& recorded, const Log& log, RunReport& report) {
  RunStatistics& statistics = report.statistics;
  monitor.phase = Monitor::Phase::loading;
  const auto load_start = Clock::now();
  const std::unique_ptr<master::Island> island =
      setup.make_island(std::span(monitor.called).first(setup.threads), setup.needs);
  statistics.load_seconds = seconds_since(load_start);

  results::Recorder recorder(ring, setup.choose(*island));
  recorder.skip(recorded, setup.time.control.has_value());
  master::Simulation simulation(*island, setup.time, record ? &recorder : nullptr, monitor);
  const auto initialize_start = Clock::now();
  simulation.initialize();
  statistics.initialize_seconds = seconds_since(initialize_start);

  const auto step_start = Clock::now();
  try {
    report.end = simulation.run();
  } catch (const models::RunAgain& again) {
    if (!again.change(setup.needs)) throw;
    log.warning("", again.what());
    if (setup.needs.one_thread) setup.threads = 1;
    recorded.extend_to(recorder.recorded());
    return false;
  }
  statistics.step_seconds = seconds_since(step_start);
  statistics.steps = simulation.step_count();
  // Measured in some steps and scaled up, like the times of count_calls().
  statistics.output_seconds = std::min(simulation.record_seconds(), statistics.step_seconds);
  if (const master::StepController* controller = simulation.controller()) {
    statistics.convergence_failures = controller->counts().convergence_failures;
    statistics.error_test_failures = controller->counts().error_test_failures;
    statistics.accepted_at_min = controller->counts().accepted_at_min;
    statistics.accepted_without_return = controller->counts().accepted_without_return;
    report_what_stayed(controller->counts(), simulation.step_count(), log);
  }
  count_calls(*island, statistics);
  if (island->parallel_phases() > 0) statistics.threads = static_cast<std::uint32_t>(setup.threads);
  return true;
  // Here the models are freed; a crash in that is still the FMUs'.
}

/// The run itself, with everything that happens put into the ring. With own_process this is in the
/// child.
void run_into(execution::Ring& ring, Monitor& monitor, RunSetup& setup, bool record,
              const Log& log) {
  RunReport report = empty_report(setup);
  try {
    results::Recorder::Recorded recorded;
    while (!run_once(ring, monitor, setup, record, recorded, log, report)) continue;
  } catch (const Error& error) {
    report.end.kind = RunEnd::Kind::failed;
    report.end.error = error;
  } catch (const std::exception& error) {
    report.end.kind = RunEnd::Kind::failed;
    report.end.started = monitor.phase.load() >= Monitor::Phase::stepping;
    report.end.error = Error(ErrorCode::fmu, fmt::format("internal error: {}", error.what()));
  }
  monitor.phase = Monitor::Phase::finished;
  api::send_report(ring, report);
}

/// Sleeps longer and longer while nothing happens.
class Patience {
 public:
  void reset() { next_ = std::chrono::microseconds(50); }
  /// Answers how long it slept, without the time in which this process was stopped.
  template <typename Sleep>
  double wait(const Sleep& sleep_for) {
    const auto before = Clock::now();
    sleep_for(next_);
    const double slept = std::min(seconds_since(before), 0.1);
    next_ = std::min(next_ * 2, std::chrono::microseconds(5000));
    return slept;
  }

 private:
  std::chrono::microseconds next_{50};
};

/// How long nothing has happened: within a step, and within a call of a component.
class Pulse {
 public:
  void look(const Monitor& monitor, bool news, double slept) {
    const bool stepped = monitor.time != time_ || monitor.phase != phase_;
    time_ = monitor.time;
    phase_ = monitor.phase;
    bool called = false;
    for (std::size_t k = 0; k < called_.size(); ++k) {
      const std::uint32_t now = monitor.called[k];
      called |= std::exchange(called_[k], now) != now;
    }
    in_step = news || stepped ? 0 : in_step + slept;
    in_call = news || stepped || called ? 0 : in_call + slept;
  }
  double in_step = 0, in_call = 0;  ///< seconds

 private:
  double time_ = 0;
  Monitor::Phase phase_ = Monitor::Phase::loading;
  std::array<std::uint32_t, Monitor::most_threads> called_{};
};

/// Calls the user's progress function a few times a second.
class ProgressCaller {
 public:
  ProgressCaller(const RunControl& options, const RunSetup& setup)
      : options_(options),
        start_(setup.time.grid.start()),
        span_(setup.time.grid.stop() - setup.time.grid.start()) {}
  void tell(const Monitor& monitor) {
    if (!options_.progress || seconds_since(last_) < 0.1) return;
    last_ = Clock::now();
    const double time = monitor.phase == Monitor::Phase::loading ? start_ : monitor.time.load();
    options_.progress(time, (time - start_) / span_);
  }

 private:
  const RunControl& options_;
  double start_, span_;
  Clock::time_point last_ = Clock::now();
};

/// The members that are being called: one, or one of each thread.
std::vector<const RunSetup::Member*> called_members(const RunSetup& setup, const Monitor& monitor) {
  std::vector<const RunSetup::Member*> members;
  for (std::size_t k = 0; k < setup.threads; ++k)
    if (const std::uint32_t c = monitor.called[k].load(); c < setup.members.size())
      members.push_back(&setup.members[c]);
  if (members.empty()) members.push_back(&setup.members.front());
  return members;
}

/// FMUs that are the front of a tool wait for it, or for a licence, before time starts.
std::string_view what_it_may_wait_for(const RunSetup& setup, const Monitor& monitor) {
  if (monitor.phase >= Monitor::Phase::stepping) return "";
  return called_members(setup, monitor).front()->needs_tool
             ? ". It needs an external tool: is it installed, and its licence at hand?"
             : ". Perhaps it waits for a licence or for another program.";
}

/// Seconds that the present call may take; 0: for ever.
double patience_with(const RunSetup& setup, const Monitor& monitor, double usual) {
  double longest = 0;
  for (const RunSetup::Member* member : called_members(setup, monitor)) {
    const double its = member->timeout.value_or(usual);
    if (its <= 0) return 0;
    longest = std::max(longest, its);
  }
  return longest;
}

bool is_stop_requested(const RunControl& options) {
  return options.stop_request != nullptr && options.stop_request->load();
}

bool has_started(const Monitor& monitor) {
  return monitor.phase.load() >= Monitor::Phase::stepping;
}

/// A report for a run that could not make one itself.
RunReport report_of_victim(const RunSetup& setup, const Monitor& monitor, RunEnd::Kind kind,
                           ErrorCode code, const std::string& what) {
  RunReport report = empty_report(setup);
  report.end.kind = kind;
  report.end.started = has_started(monitor);
  report.end.time = report.end.started ? monitor.time.load() : setup.time.grid.start();
  // It cannot tell how many steps it took; this is how many lead so far.
  const TimeGrid& grid = setup.time.grid;
  const std::uint64_t beyond = grid.first_point_from(report.end.time);
  report.statistics.steps = beyond - (beyond > 0 && grid.point(beyond) > report.end.time ? 1 : 0);
  std::string who;
  for (const RunSetup::Member* member : called_members(setup, monitor))
    who += fmt::format("{}\"{}\"", who.empty() ? "component " : " or ", member->name);
  report.end.error = Error(code, fmt::format("t = {} s: {} {}", report.end.time, who, what));
  return report;
}

RunReport run_in_own_process(const RunControl& options, RunSetup& setup, RecordSink* sink,
                             const Log& log, RoutedLog& routed, execution::Ring& ring) {
  constexpr double grace = 2;  // seconds that an FMU gets to end its step after an interruption
  api::SharedMonitor shared;
  Monitor& monitor = *shared;
  execution::ChildProcess child([&] {
    routed.detour(ring);
    run_into(ring, monitor, setup, sink != nullptr, routed.log());
  });
  Drain drain(ring, setup.columns, sink, log);
  Patience patience;
  ProgressCaller progress(options, setup);
  Pulse idle;
  std::optional<RunReport> early;

  while (!early) {
    progress.tell(monitor);
    const bool ended = child.has_ended();  // asked before the last draining, so nothing is missed
    const bool any = drain.take_some();
    if (ended && !any) break;
    if (any) patience.reset();
    const double slept = any ? 0 : patience.wait([&](auto time) { child.wait_at_most(time); });
    idle.look(monitor, any, slept);

    if (drain.failed() || is_stop_requested(options)) {
      if (!monitor.stop_requested.exchange(true)) idle.in_step = 0;
      if (idle.in_step > grace)
        early = report_of_victim(
            setup, monitor, RunEnd::Kind::interrupted, ErrorCode::interrupted,
            fmt::format("was interrupted {} and did not return", api::activity(monitor.phase)));
    } else if (const double limit = patience_with(setup, monitor, options.step_timeout);
               limit > 0 && idle.in_call > limit) {
      early = report_of_victim(
          setup, monitor, RunEnd::Kind::failed, ErrorCode::timeout,
          fmt::format("did not return within {} s {} (--step-timeout sets another limit, 0 none){}",
                      limit, api::activity(monitor.phase), what_it_may_wait_for(setup, monitor)));
    }
  }
  if (early) {
    child.kill();
    drain.take_all();
  }
  if (early) return drain.finish(*early);
  if (drain.report() && child.ended_well()) return drain.finish(*drain.report());
  return drain.finish(report_of_victim(
      setup, monitor, RunEnd::Kind::failed, ErrorCode::crash,
      fmt::format("{} {}: {}", child.was_killed() ? "crashed" : "ended the process",
                  api::activity(monitor.phase), child.how_it_ended())));
}

RunReport run_here(const RunControl& options, RunSetup& setup, RecordSink* sink, const Log& log,
                   RoutedLog& routed, execution::Ring& ring) {
  Monitor monitor;
  Drain drain(ring, setup.columns, sink, log);
  std::atomic<bool> done{false};
  std::thread watcher([&] {
    Patience patience;
    ProgressCaller progress(options, setup);
    for (bool last = false; !last;) {
      last = done;
      progress.tell(monitor);
      if (drain.take_some())
        patience.reset();
      else
        patience.wait([](auto time) { std::this_thread::sleep_for(time); });
      if (drain.failed() || is_stop_requested(options)) monitor.stop_requested = true;
    }
  });
  const auto stop_watching = [&] {
    done = true;
    watcher.join();
  };
  try {
    routed.detour(ring);
    run_into(ring, monitor, setup, sink != nullptr, routed.log());
  } catch (...) {
    stop_watching();
    throw;
  }
  stop_watching();
  drain.take_all();
  return drain.finish(*drain.report());
}

}  // namespace

namespace api {

RunReport execute(const RunControl& options, RunSetup& setup, RecordSink* sink, const Log& log,
                  RoutedLog& routed) {
  // Only the memory that is used is taken; texts may make a row as long as a quarter of it.
  const bool has_text = std::any_of(setup.columns.begin(), setup.columns.end(),
                                    [](const Column& c) { return is_text(c.type); });
  const std::size_t usual_ring = std::size_t{has_text ? 256u : 16u} << 20;
  execution::Ring ring(
      std::max(usual_ring, 8 * results::Recorder::row_bytes(setup.columns.size())));
  RunReport report = options.own_process
                         ? run_in_own_process(options, setup, sink, log, routed, ring)
                         : run_here(options, setup, sink, log, routed, ring);
  report.statistics.model_exchange = setup.model_exchange;
  report.statistics.tolerance = setup.time.tolerance;
  report.statistics.controlled =
      setup.time.control && setup.time.control->name != StepControl::fixed;
  report.statistics.component_count = setup.members.size();
  report.columns = std::move(setup.columns);
  return report;
}

}  // namespace api
}  // namespace tutti
