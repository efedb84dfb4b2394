// SPDX-License-Identifier: BSD-2-Clause
#include "session/run_into.hpp"

#include <fmt/format.h>

#include <new>

#include "results/recorder.hpp"
#include "session/messages.hpp"
#include "session/running_system.hpp"

namespace tutti::session {

using execution::Monitor;

RunReport run_into(execution::Ring& ring, Monitor& monitor, RunSetup& setup, bool record,
                   const Log& log) {
  RunReport report = setup.outline.report;
  const auto fail = [&](const Error& error) {
    report.end.kind = RunEnd::Kind::failed;
    report.end.started = monitor.phase.load() >= Monitor::Phase::stepping;
    if (report.end.started) report.end.time = monitor.time;
    report.end.error = error;
  };
  try {
    for (bool is_done = false; !is_done;) {
      RunningSystem running(setup, monitor, log, report);
      results::Recorder recorder(ring, setup.choose(running.island()), code(Sent::row));
      is_done = running.run(record ? &recorder : nullptr);
      if (!is_done) ring.send(code(Sent::restart), {});
      // Here the models are freed; a crash in that is still the FMUs'.
    }
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
  return report;
}

void send_checkpoints_to(execution::Ring& ring, double every, RunSetup& setup) {
  setup.checkpoint_every = every;
  setup.write_checkpoint = [&ring](double time, const std::string& state) {
    ring.send(code(Sent::checkpoint), Packer()(time, state).bytes());
  };
}

}  // namespace tutti::session
