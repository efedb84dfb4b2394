// SPDX-License-Identifier: BSD-2-Clause
#include "session/execute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tutti/simulation.hpp>
#include <utility>

#include "execution/child_process.hpp"
#include "session/drain.hpp"
#include "session/run_here.hpp"
#include "session/run_into.hpp"
#include "session/run_reports.hpp"
#include "session/shared_monitor.hpp"
#include "session/watching.hpp"

namespace tutti::session {
namespace {

using master::Monitor;

/// How long nothing has happened: within a step, and within a call of a component. What an FMU
/// says is no progress: one that hangs may talk without end.
class Pulse {
 public:
  void look(const Monitor& monitor) {
    // Without the time in which this process was stopped.
    const double passed = std::min(seconds_since(std::exchange(last_look_, Clock::now())), 0.1);
    const bool stepped =
        monitor.time != time_ || monitor.phase != phase_ || monitor.looks != looks_;
    time_ = monitor.time;
    looks_ = monitor.looks;
    phase_ = monitor.phase;
    bool called = false;
    for (std::size_t k = 0; k < called_.size(); ++k) {
      const std::uint32_t now = monitor.called[k];
      called |= std::exchange(called_[k], now) != now;
    }
    in_step = stepped ? 0 : in_step + passed;
    in_call = stepped || called ? 0 : in_call + passed;
  }
  double in_step = 0, in_call = 0;  ///< seconds

 private:
  double time_ = 0;
  std::uint32_t looks_ = 0;
  Monitor::Phase phase_ = Monitor::Phase::loading;
  std::array<std::uint32_t, Monitor::most_threads> called_{};
  Clock::time_point last_look_ = Clock::now();
};

/// Whether the run is to be ended from outside now, and why.
std::optional<RunReport> find_reason_to_kill(const RunControl& options, const RunSetup& setup,
                                             bool stops, const Pulse& idle,
                                             const Monitor& monitor) {
  constexpr double grace = 2;  // seconds that an FMU gets to end its step after an interruption
  if (is_requested(options.kill_request) || (stops && idle.in_step > grace))
    return report_for(
        setup, monitor, RunEnd::Kind::interrupted, ErrorCode::interrupted,
        fmt::format("was interrupted {} and did not return", activity(monitor.phase)));
  const double limit = stops ? 0 : patience_with(setup, monitor, options.step_timeout);
  if (limit > 0 && idle.in_call > limit)
    return report_for(
        setup, monitor, RunEnd::Kind::failed, ErrorCode::timeout,
        fmt::format("did not return within {} s {} (%key% sets another limit, 0 none){}", limit,
                    activity(monitor.phase), what_it_may_wait_for(setup, monitor)),
        "step-timeout");
  return {};
}

RunReport run_in_own_process(const RunControl& options, RunSetup& setup, Observer* sink,
                             const Log& log, RoutedLog& routed, execution::Ring& ring) {
  SharedMonitor shared;
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
    progress.call(monitor);
    const bool ended = child.has_ended();  // asked before the last draining, so nothing is missed
    const bool any = drain.take_some();
    if (ended && !any) break;
    if (any)
      patience.reset();
    else
      child.wait_at_most(patience.next());
    idle.look(monitor);
    const bool stops = drain.failed() || is_requested(options.stop_request);
    if (stops && !monitor.stop_requested.exchange(true)) idle.in_step = 0;
    early = find_reason_to_kill(options, setup, stops, idle, monitor);
  }
  if (early) {
    child.kill();
    drain.take_all();
    return drain.finish(*early);
  }
  if (drain.report() && child.ended_well()) return drain.finish(*drain.report());
  return drain.finish(
      report_for(setup, monitor, RunEnd::Kind::failed, ErrorCode::crash,
                 fmt::format("{} {}: {}", child.was_killed() ? "crashed" : "ended the process",
                             activity(monitor.phase), child.how_it_ended())));
}

}  // namespace

RunReport execute(const RunControl& options, RunSetup& setup, Observer* sink, const Log& log,
                  RoutedLog& routed) {
  // Only the memory that is used is taken; texts may make a row as long as a quarter of it.
  const bool has_text = std::any_of(setup.columns.begin(), setup.columns.end(),
                                    [](const Column& c) { return is_text(c.type); });
  const std::size_t usual_ring = std::size_t{has_text ? 256u : 16u} << 20;
  execution::Ring ring(
      std::max(usual_ring, 8 * results::Recorder::row_bytes(setup.columns.size())));
  return completed(options.own_process ? run_in_own_process(options, setup, sink, log, routed, ring)
                                       : run_here(options, setup, sink, log, routed, ring),
                   setup);
}

}  // namespace tutti::session
