// SPDX-License-Identifier: BSD-2-Clause
#include "session/run_here.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <system_error>
#include <thread>

#include "execution/worker_memory.hpp"
#include "fmi/temporary_folder.hpp"
#include "results/recorder.hpp"
#include "session/drain.hpp"
#include "session/messages.hpp"
#include "session/running_system.hpp"
#include "session/worker_call.hpp"

namespace tutti::session {

using execution::Monitor;
namespace {

/// A run in this process. If an FMU calls exit(), or does not return although the run must be
/// killed, the run cannot return: then the report goes to RunControl::abandoned.
class RunHere {
 public:
  RunHere(const RunControl& options, RunSetup& setup, const RowTarget& target, const Log& log,
          execution::Ring& ring)
      : options_(options), setup_(setup), ring_(ring), drain_(ring, log) {
    target.add_to(drain_, setup.outline);
    try {
      watcher_ = std::thread([this] { watch(); });
    } catch (const std::system_error& error) {
      throw Error(ErrorCode::capability,
                  fmt::format("cannot start a thread for the results: {}", error.code().message()),
                  {.key = "in-process",
                   .hint = "Raise the limits of processes and memory (ulimit -u, ulimit -v), or "
                           "leave out %key%."});
    }
    static const bool registered = std::atexit(report_exit) == 0;
    static_cast<void>(registered);
    present_ = this;
  }
  ~RunHere() { stop_watching(); }
  RunHere(const RunHere&) = delete;
  RunHere& operator=(const RunHere&) = delete;

  execution::Monitor& monitor() { return monitor_; }
  RunReport finish(RunReport report) {
    stop_watching();
    if (failure_) std::rethrow_exception(failure_);
    drain_.take_all();
    return drain_.finish(std::move(report));
  }

 private:
  /// Exceptions of the log, an observer or the progress function of the caller end the run, and
  /// finish() rethrows them.
  void watch() {
    try {
      watch_until_done();
    } catch (...) {
      failure_ = std::current_exception();
      monitor_.stop_requested = true;
      while (!done_) {
        ring_.discard();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    }
  }
  void watch_until_done() {
    Patience patience;
    ProgressCaller progress(options_);
    for (bool last = false; !last;) {
      last = done_;
      progress.call(monitor_, setup_.outline);
      if (drain_.take_some())
        patience.reset();
      else
        std::this_thread::sleep_for(patience.next());
      if (drain_.has_failed() || is_requested(options_.stop_request))
        monitor_.stop_requested = true;
      if (options_.abandoned && is_requested(options_.kill_request) && present_.exchange(nullptr))
        abandon(RunEnd::Kind::interrupted, ErrorCode::interrupted,
                fmt::format("was interrupted {} and did not return", activity(monitor_.phase)));
    }
  }
  void stop_watching() {
    present_ = nullptr;
    done_ = true;
    if (watcher_.joinable()) watcher_.join();
  }
  void abandon(RunEnd::Kind kind, ErrorCode code, const std::string& what) {
    const RunReport report = drain_.finish(report_for(setup_.outline, monitor_, kind, code, what));
    fmi::remove_temporary_folders();
    if (options_.abandoned) options_.abandoned(report);
  }
  static void report_exit() {
    RunHere* const run = present_.exchange(nullptr);
    if (run == nullptr) return;
    run->done_ = true;
    run->watcher_.join();
    run->drain_.take_all();
    run->abandon(
        RunEnd::Kind::failed, ErrorCode::crash,
        fmt::format("ended the process {}: it called exit()", activity(run->monitor_.phase)));
  }

  static inline std::atomic<RunHere*> present_{nullptr};
  const RunControl& options_;
  RunSetup& setup_;
  execution::Ring& ring_;
  Drain drain_;
  execution::Monitor monitor_;
  std::exception_ptr failure_;
  std::atomic<bool> done_{false};
  std::thread watcher_;
};

}  // namespace

namespace {

constexpr std::uint32_t port_observer = 1;  // of the drain

void record_ports(execution::Ring& ring, const RunSetup& setup, master::Ensemble& system) {
  if (setup.outline.port_columns.empty()) return;
  master::tlm::PortRows::Setup rows = setup.ports;
  rows.sink = [&ring, cells = std::vector<Cell>()](double t,
                                                   std::span<const double> values) mutable {
    cells.clear();
    for (const double value : values) cells.push_back({.real = value});
    results::send_row(ring, code(Sent::row, port_observer), {t, cells, {}});
  };
  system.record_ports(std::move(rows));
}

}  // namespace

RunReport run_attempts(RunSetup& setup, Monitor& monitor, const Log& log,
                       const std::function<bool(RunningSystem&)>& attempt) {
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
      is_done = attempt(running);
      // The models are freed here; a crash is still attributed to the FMUs.
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

RunReport run_into(execution::Ring& ring, Monitor& monitor, RunSetup& setup, bool record,
                   const Log& log) {
  return run_attempts(setup, monitor, log, [&](RunningSystem& running) {
    results::Recorder recorder(ring, setup.choose(running.system()), code(Sent::row));
    if (record && setup.records_ports) record_ports(ring, setup, running.system());
    const bool is_done = running.run(record ? &recorder : nullptr);
    if (!is_done) ring.send(code(Sent::restart), {});
    return is_done;
  });
}

void send_checkpoints_to(execution::Ring& ring, double every, RunSetup& setup) {
  setup.checkpoint_every = every;
  setup.write_checkpoint = [&ring](double time, const std::string& state) {
    ring.send(code(Sent::checkpoint), Packer()(time, state).bytes());
  };
}

void RowTarget::add_to(Drain& drain, const RunOutline& outline) const {
  if (checkpoints != nullptr) {
    checkpoints->start(outline, resumed == nullptr);
    drain.write_checkpoints_with(checkpoints);
  }
  if (observer == nullptr) return;
  RowStream& stream = drain.add(outline.report.columns, *observer);
  if (resumed != nullptr && resumed->rows > 0)
    stream.continue_after(resumed->rows, resumed->last_row);
  if (ports != nullptr && !outline.port_columns.empty()) drain.add(outline.port_columns, *ports);
}

RunReport run_here(const RunControl& options, RunSetup& setup, const RowTarget& target,
                   const Log& log, RoutedLog& routed) {
  execution::WorkerMemory memory(execution::WorkerMemory::make());
  execution::Ring& ring = memory.messages;
  RunHere run(options, setup, target, log, ring);
  if (target.checkpoints != nullptr) send_checkpoints_to(ring, setup.checkpoint_every, setup);
  routed.redirect(ring);
  return run.finish(run_into(ring, run.monitor(), setup, target.observer != nullptr, routed.log()));
}

}  // namespace tutti::session
