// SPDX-License-Identifier: BSD-2-Clause
#include "session/running_system.hpp"

#include <algorithm>

#include "base/seconds.hpp"
#include "session/run_statistics.hpp"

namespace tutti::session {

using master::Monitor;

RunningSystem::RunningSystem(RunSetup& setup, Monitor& monitor, const Log& log, RunReport& report)
    : setup_(setup), monitor_(monitor), log_(log), report_(report) {
  monitor_.phase = Monitor::Phase::loading;
  const auto start = Clock::now();
  island_ = setup_.make_island(monitor_, setup_.threads, setup_.needs);
  report_.statistics.load_seconds = seconds_since(start);
}

void RunningSystem::initialize(master::StepObserver* observer, bool shows_every_step) {
  setup_.time.short_steps = setup_.needs.short_steps;
  setup_.time.rehearsals = setup_.needs.rehearsals;
  setup_.time.calls_before = report_.statistics.do_step;
  const auto start = Clock::now();
  auto loop = std::make_unique<master::Loop>(*island_, setup_.time, observer, monitor_);
  if (shows_every_step) loop->show_every_step();
  loop->initialize();
  loop_ = std::move(loop);
  report_.statistics.initialize_seconds = seconds_since(start);
  report_.end.started = true;
}

master::Loop::End RunningSystem::advance(double target, bool one_step) {
  // Reading the clock costs more than a short step: single ones are timed now and then.
  constexpr std::uint64_t timed_every = 64;
  const bool is_timed = !one_step || single_steps_++ % timed_every == 0;
  const auto start = is_timed ? Clock::now() : Clock::time_point();
  const auto count_time = [&] {
    if (is_timed)
      report_.statistics.step_seconds +=
          seconds_since(start) * static_cast<double>(one_step ? timed_every : 1);
  };
  try {
    const master::Loop::End end =
        loop_->advance(std::min(target, setup_.time.grid.stop()), one_step);
    if (end == master::Loop::End::terminated) report_.end.kind = RunEnd::Kind::terminated_by_fmu;
    count_time();
    return end;
  } catch (const Error& error) {
    count_time();
    report_.end.kind = RunEnd::Kind::failed;
    report_.end.error = error;
    throw;
  } catch (...) {  // of an observer, say: the step is half accepted
    report_.end.kind = RunEnd::Kind::failed;
    throw;
  }
}

void RunningSystem::run_to_end() {
  try {
    if (advance(setup_.time.grid.stop(), false) == master::Loop::End::interrupted)
      report_.end.kind = RunEnd::Kind::interrupted;
    finish();
  } catch (const models::RunAgain&) {
    throw;
  } catch (const Error& error) {
    report_.end.kind = RunEnd::Kind::failed;
    report_.end.error = error;
    conclude();
  }
}

void RunningSystem::restored() {
  report_.end.kind = RunEnd::Kind::completed;
  report_.end.error.reset();
}

void RunningSystem::finish() {
  if (!has_failed()) loop_->finish();
  conclude();
}

void RunningSystem::conclude() {
  report_.end.time = loop_->time();
  report_accuracy(*island_, *loop_, log_);
  report_.statistics = statistics();
  is_concluded_ = true;
}

RunStatistics RunningSystem::statistics() const {
  RunStatistics statistics = report_.statistics;
  if (loop_ && !is_concluded_) collect_statistics(*island_, *loop_, setup_, statistics);
  return statistics;
}

void RunningSystem::count_in_vain() {
  report_.statistics.step_seconds = 0;
  for (std::size_t i = 0; i < island_->instance_count(); ++i)
    count_calls(island_->instance(i).counts(), report_.statistics);
}

}  // namespace tutti::session
