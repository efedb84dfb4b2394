// SPDX-License-Identifier: BSD-2-Clause
#include "session/run_into.hpp"

#include <fmt/format.h>

#include <new>

#include "results/recorder.hpp"
#include "session/run_reports.hpp"
#include "session/running_system.hpp"
#include "session/wire.hpp"

namespace tutti::session {

using master::Monitor;

namespace {

/// False: the run must be done again, with other needs.
bool run_once(execution::Ring& ring, Monitor& monitor, RunSetup& setup, bool record, const Log& log,
              RunReport& report) {
  RunningSystem running(setup, monitor, log, report);
  results::Recorder recorder(ring, setup.choose(running.island()));
  try {
    running.initialize(record ? &recorder : nullptr);
    running.run_to_end();
  } catch (const models::RunAgain& again) {
    if (!again.change(setup.needs)) throw;
    if (again.is_routine())
      log.info("", again.what());
    else
      log.warning("", again.what());
    if (setup.needs.one_thread) setup.threads = 1;
    recorder.restart();
    running.count_in_vain();
    running.restored();
    return false;
  }
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

}  // namespace tutti::session
