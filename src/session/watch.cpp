// SPDX-License-Identifier: BSD-2-Clause
#include "session/watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace tutti::session {

using execution::Monitor;

void ProgressCaller::call(const Monitor& monitor, const RunOutline& outline) {
  if (!control_.progress || seconds_since(last_) < 0.1) return;
  last_ = Clock::now();
  const RunStatistics& run = outline.report.statistics;
  if (!(run.stop > run.start)) return;
  const bool runs = monitor.phase > Monitor::Phase::loading;
  const double time = runs ? monitor.time.load() : run.start;
  control_.progress(time, (time - run.start) / (run.stop - run.start));
}

void Watchdog::feel(const Monitor& monitor) {
  // Without the time in which this process was stopped.
  const double passed = std::min(seconds_since(std::exchange(last_look_, Clock::now())), 0.1);
  const auto time = std::bit_cast<std::uint64_t>(monitor.time.load());  // or whatever stands there
  const bool stepped = time != time_ || monitor.phase != phase_ || monitor.looks != looks_;
  time_ = time;
  looks_ = monitor.looks;
  phase_ = monitor.phase;
  bool called = false;
  for (std::size_t k = 0; k < called_.size(); ++k) {
    const std::uint32_t now = monitor.called[k];
    called |= std::exchange(called_[k], now) != now;
  }
  in_step_ = stepped ? 0 : in_step_ + passed;
  in_call_ = stepped || called ? 0 : in_call_ + passed;
}

std::optional<RunReport> Watchdog::look(Monitor& monitor, bool stops, std::string_view stepping) {
  constexpr double grace = 2;  // seconds that an FMU gets to end its step after an interruption
  const RunControl& control = control_;
  feel(monitor);
  stops |= is_requested(control.stop_request);
  if (stops && !monitor.stop_requested.exchange(true)) in_step_ = 0;
  if (is_requested(control.kill_request) || (stops && in_step_ > grace))
    return report_for(
        outline_, monitor, RunEnd::Kind::interrupted, ErrorCode::interrupted,
        fmt::format("was interrupted {} and did not return", activity(monitor.phase, stepping)));
  if (stops || phase_ == Monitor::Phase::opening) return {};
  const double limit = patience_with(outline_, monitor, control.step_timeout);
  if (limit <= 0 || in_call_ <= limit) return {};
  return report_for(
      outline_, monitor, RunEnd::Kind::failed, ErrorCode::timeout,
      fmt::format("did not return within {} s {} (%key% sets another limit, 0 none){}", limit,
                  activity(monitor.phase, stepping), what_it_may_wait_for(outline_, monitor)),
      "step-timeout");
}

RunReport report_of_crash(const RunOutline& outline, const Monitor& monitor, bool was_killed,
                          const std::string& how, std::string_view stepping) {
  return report_for(outline, monitor, RunEnd::Kind::failed, ErrorCode::crash,
                    fmt::format("{} {}: {}", was_killed ? "crashed" : "ended the process",
                                activity(monitor.phase, stepping), how));
}

}  // namespace tutti::session
