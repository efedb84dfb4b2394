// SPDX-License-Identifier: BSD-2-Clause
#include "api/run_into.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "api/run_reports.hpp"
#include "api/run_statistics.hpp"
#include "api/wire.hpp"
#include "base/seconds.hpp"
#include "results/recorder.hpp"

namespace tutti::api {

using master::Monitor;

namespace {

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

/// Loads the FMUs and steps them. Returns false if that must be done again, with other needs.
bool run_once(execution::Ring& ring, Monitor& monitor, RunSetup& setup, bool record, const Log& log,
              RunReport& report) {
  RunStatistics& statistics = report.statistics;
  monitor.phase = Monitor::Phase::loading;
  const auto load_start = Clock::now();
  const std::unique_ptr<master::Island> island =
      setup.make_island(monitor, setup.threads, setup.needs);
  statistics.load_seconds = seconds_since(load_start);

  results::Recorder recorder(ring, setup.choose(*island));
  setup.time.short_steps = setup.needs.short_steps;
  setup.time.rehearsals = setup.needs.rehearsals;
  setup.time.calls_before = statistics.do_step;
  master::Loop loop(*island, setup.time, record ? &recorder : nullptr, monitor);
  const auto initialize_start = Clock::now();
  auto step_start = initialize_start;
  try {
    loop.initialize();
    step_start = Clock::now();
    statistics.initialize_seconds = seconds_since(initialize_start);
    report.end = loop.run();
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
  report_inaccurate_steps(loop, log);
  report_large_error(*island, log);
  collect_statistics(*island, loop, setup, statistics);
  return true;
  // Here the models are freed; a crash in that is still the FMUs'.
}

}  // namespace

void run_into(execution::Ring& ring, Monitor& monitor, RunSetup& setup, bool record,
              const Log& log) {
  RunReport report = empty_report(setup);
  const auto fail = [&](const Error& error) {
    report.end.kind = RunEnd::Kind::failed;
    report.end.started = monitor.phase.load() >= Monitor::Phase::stepping;
    if (report.end.started) report.end.time = monitor.time;
    report.end.error = error;
  };
  try {
    while (!run_once(ring, monitor, setup, record, log, report)) continue;
  } catch (const Error& error) {
    fail(error);
  } catch (const std::bad_alloc&) {
    fail({ErrorCode::capability,
          "there is not enough memory for the run",
          {.hint =
               "Record fewer variables, close other programs, or raise the limit (ulimit -v)."}});
  } catch (const std::exception& error) {
    fail({ErrorCode::fmu, fmt::format("internal error: {}", error.what())});
  }
  monitor.phase = Monitor::Phase::finished;
  send_report(ring, report);
}

}  // namespace tutti::api
