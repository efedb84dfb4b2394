// SPDX-License-Identifier: BSD-2-Clause
#include "session/run_here.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstdlib>
#include <system_error>
#include <thread>

#include "fmi/temporary_folder.hpp"
#include "session/drain.hpp"
#include "session/run_into.hpp"
#include "session/run_reports.hpp"
#include "session/shared_monitor.hpp"
#include "session/watching.hpp"

namespace tutti::session {
namespace {

/// A run in this process. An FMU that calls exit(), or that does not return although the run is to
/// be killed, takes the way back to the caller: then the report goes to RunControl::abandoned.
class RunHere {
 public:
  RunHere(const RunControl& options, RunSetup& setup, Observer* sink, const Log& log,
          execution::Ring& ring)
      : options_(options), setup_(setup), drain_(ring, setup.columns, sink, log) {
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

  master::Monitor& monitor() { return monitor_; }
  /// @pre the run has sent its report
  RunReport finish() {
    stop_watching();
    drain_.take_all();
    if (drain_.report()) return drain_.finish(*drain_.report());
    return drain_.finish(report_for(setup_, monitor_, RunEnd::Kind::failed, ErrorCode::fmu,
                                    "or another one has overwritten the report of the run"));
  }

 private:
  void watch() {
    Patience patience;
    ProgressCaller progress(options_, setup_);
    for (bool last = false; !last;) {
      last = done_;
      progress.call(monitor_);
      if (drain_.take_some())
        patience.reset();
      else
        std::this_thread::sleep_for(patience.next());
      if (drain_.failed() || is_requested(options_.stop_request)) monitor_.stop_requested = true;
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
    const RunReport report =
        completed(drain_.finish(report_for(setup_, monitor_, kind, code, what)), setup_);
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
  Drain drain_;
  master::Monitor monitor_;
  std::atomic<bool> done_{false};
  std::thread watcher_;
};

}  // namespace

RunReport run_here(const RunControl& options, RunSetup& setup, Observer* sink, const Log& log,
                   RoutedLog& routed, execution::Ring& ring) {
  RunHere run(options, setup, sink, log, ring);
  routed.detour(ring);
  run_into(ring, run.monitor(), setup, sink != nullptr, routed.log());
  return run.finish();
}

}  // namespace tutti::session
