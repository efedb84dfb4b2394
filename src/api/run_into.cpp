// SPDX-License-Identifier: BSD-2-Clause
#include "api/run_into.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "api/run_reports.hpp"
#include "api/wire.hpp"
#include "base/seconds.hpp"
#include "results/recorder.hpp"

namespace tutti::api {

using master::Monitor;

namespace {

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

/// Of a run that is repeated.
void count_in_vain(const master::Island& island, RunStatistics& statistics) {
  for (std::size_t i = 0; i < island.instance_count(); ++i) {
    const fmi::CallCounts& calls = island.instance(i).counts();
    statistics.do_step += calls.do_step;
    statistics.get += calls.get;
    statistics.set += calls.set;
    statistics.event_updates += calls.event_updates;
  }
}

/// Steps that exceeded the tolerance and could not be rolled back: a warning, if they matter.
void report_what_stayed(const master::Simulation& simulation, const Log& log) {
  constexpr double matters = 3;
  const master::ControlCounts& counts = simulation.controller()->counts();
  if (counts.accepted_without_return == 0) return;
  const std::string what = fmt::format(
      "{} of {} steps exceeded the error tolerance (by up to a factor of {:.3g}) and were "
      "accepted, "
      "because some components cannot roll back. The estimated effect is {:.2g} times the "
      "tolerance of a step",
      counts.accepted_without_return, simulation.step_count(), counts.worst_without_return,
      simulation.inaccuracy());
  if (simulation.inaccuracy() > matters)
    log.warning("", what + ". Try a smaller first step or simulation.control.max.");
  else
    log.info("", what);
}

/// Loads the FMUs and steps them. Returns false if that must be done again, with other needs.
bool run_once(execution::Ring& ring, Monitor& monitor, RunSetup& setup, bool record, const Log& log,
              RunReport& report) {
  RunStatistics& statistics = report.statistics;
  monitor.phase = Monitor::Phase::loading;
  const auto load_start = Clock::now();
  const std::unique_ptr<master::Island> island =
      setup.make_island(std::span(monitor.called).first(setup.threads), setup.needs);
  statistics.load_seconds = seconds_since(load_start);

  results::Recorder recorder(ring, setup.choose(*island));
  setup.time.short_steps = setup.needs.short_steps;
  setup.time.rehearsals = setup.needs.rehearsals;
  setup.time.calls_before = statistics.do_step;
  master::Simulation simulation(*island, setup.time, record ? &recorder : nullptr, monitor);
  const auto initialize_start = Clock::now();
  simulation.initialize();
  statistics.initialize_seconds = seconds_since(initialize_start);

  const auto step_start = Clock::now();
  try {
    report.end = simulation.run();
  } catch (const models::RunAgain& again) {
    if (!again.change(setup.needs)) throw;
    if (again.is_routine())
      log.info("", again.what());
    else
      log.warning("", again.what());
    if (setup.needs.one_thread) setup.threads = 1;
    recorder.restart();
    count_in_vain(*island, statistics);
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
    report_what_stayed(simulation, log);
  }
  count_calls(*island, statistics);
  if (island->parallel_phases() > 0) statistics.threads = static_cast<std::uint32_t>(setup.threads);
  return true;
  // Here the models are freed; a crash in that is still the FMUs'.
}

}  // namespace

void run_into(execution::Ring& ring, Monitor& monitor, RunSetup& setup, bool record,
              const Log& log) {
  RunReport report = empty_report(setup);
  const auto fail = [&](ErrorCode code, const std::string& what) {
    report.end.kind = RunEnd::Kind::failed;
    report.end.started = monitor.phase.load() >= Monitor::Phase::stepping;
    if (report.end.started) report.end.time = monitor.time;
    report.end.error = Error(code, what);
  };
  try {
    while (!run_once(ring, monitor, setup, record, log, report)) continue;
  } catch (const Error& error) {
    report.end.kind = RunEnd::Kind::failed;
    report.end.error = error;
  } catch (const std::bad_alloc&) {
    fail(ErrorCode::capability,
         "there is not enough memory for the run. Record fewer variables, close other programs, "
         "or raise the limit (ulimit -v).");
  } catch (const std::exception& error) {
    fail(ErrorCode::fmu, fmt::format("internal error: {}", error.what()));
  }
  monitor.phase = Monitor::Phase::finished;
  send_report(ring, report);
}

}  // namespace tutti::api
