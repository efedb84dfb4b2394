// SPDX-License-Identifier: BSD-2-Clause
#include "session/running_system.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/seconds.hpp"
#include "session/run_state.hpp"
#include "session/run_statistics.hpp"

namespace tutti::session {

using master::Monitor;

RunningSystem::RunningSystem(RunSetup& setup, Monitor& monitor, const Log& log, RunReport& report)
    : setup_(setup), monitor_(monitor), log_(log), report_(report) {
  monitor_.phase = Monitor::Phase::loading;
  const auto start = Clock::now();
  island_ = setup_.make_island(monitor_, setup_.outline.threads, setup_.needs);
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

namespace {

/// Adds the time until it goes, so many times; 0: no clock is read.
class StepClock {
 public:
  StepClock(double& seconds, double times) : seconds_(seconds), times_(times) {
    if (times_ > 0) start_ = Clock::now();
  }
  ~StepClock() {
    if (times_ > 0) seconds_ += times_ * seconds_since(start_);
  }
  StepClock(const StepClock&) = delete;
  StepClock& operator=(const StepClock&) = delete;

 private:
  double& seconds_;
  double times_;
  Clock::time_point start_;
};

}  // namespace

master::Loop::End RunningSystem::advance(double target, bool one_step) {
  // Reading the clock costs more than a short step: single ones are timed now and then.
  constexpr std::uint64_t timed_every = 64;
  const double times = !one_step ? 1 : single_steps_++ % timed_every == 0 ? timed_every : 0;
  try {
    const StepClock clock(report_.statistics.step_seconds, times);
    const master::Loop::End end =
        loop_->advance(std::min(target, setup_.time.grid.stop()), one_step);
    if (end == master::Loop::End::terminated) report_.end.kind = RunEnd::Kind::terminated_by_fmu;
    return end;
  } catch (const Error& error) {
    report_.end.kind = RunEnd::Kind::failed;
    report_.end.error = error;
    throw;
  } catch (...) {  // of an observer, say: the step is half accepted
    report_.end.kind = RunEnd::Kind::failed;
    throw;
  }
}

bool RunningSystem::run(master::StepObserver* observer) {
  using End = master::Loop::End;
  try {
    initialize(observer);
    if (setup_.resume) {
      monitor_.phase = Monitor::Phase::resuming;
      setup_.resume(*this);
      monitor_.phase = Monitor::Phase::stepping;
    }
    std::optional<StepClock> clock(std::in_place, report_.statistics.step_seconds, 1);
    plan_checkpoint();
    End end = loop_->advance(setup_.time.grid.stop());
    for (; end == End::paused; end = loop_->advance(setup_.time.grid.stop()))
      write_checkpoint(observer);
    clock.reset();
    if (end == End::terminated) report_.end.kind = RunEnd::Kind::terminated_by_fmu;
    if (end == End::interrupted) report_.end.kind = RunEnd::Kind::interrupted;
    finish();
    return true;
  } catch (const models::RunAgain& again) {
    if (setup_.resume) throw again.without_repetition();
    if (!again.change(setup_.needs)) throw;
    prepare_repetition(again);
    return false;
  } catch (const Error& error) {
    if (!is_initialized()) throw;
    report_.end.kind = RunEnd::Kind::failed;
    report_.end.error = error;
    conclude();
    return true;
  }
}

/// The next one is due at a multiple of the interval.
void RunningSystem::plan_checkpoint() {
  const double every = setup_.checkpoint_every, start = setup_.time.grid.start();
  if (every <= 0) return;
  loop_->pause_from(start + every * (std::floor((loop_->time() - start) / every + 1e-9) + 1));
}

void RunningSystem::write_checkpoint(const master::StepObserver* observer) {
  // Rows that may prove wrong are not yet written: the next point will do.
  if (observer != nullptr && observer->is_holding()) return;
  setup_.write_checkpoint(loop_->time(), Packer()(state_of(*this, setup_.needs)).bytes());
  plan_checkpoint();
}

/// The calls of this attempt count all the same.
void RunningSystem::prepare_repetition(const models::RunAgain& again) {
  if (again.is_routine())
    log_.info("", again.what());
  else
    log_.warning("", again.what());
  if (setup_.needs.one_thread) setup_.outline.threads = 1;
  report_.statistics.step_seconds = 0;
  for (std::size_t i = 0; i < island_->instance_count(); ++i)
    count_calls(island_->instance(i).counts(), report_.statistics);
  restored();
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

}  // namespace tutti::session
