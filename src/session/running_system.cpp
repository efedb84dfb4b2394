// SPDX-License-Identifier: BSD-2-Clause
#include "session/running_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tutti/log.hpp>

#include "base/seconds.hpp"
#include "base/time_grid.hpp"
#include "session/automatic.hpp"
#include "session/run_choices.hpp"
#include "session/run_state.hpp"

namespace tutti::session {
namespace {

using master::Monitor;

/// The calls of one FMU count as those of the run.
void count_calls(const CallCounts& calls, RunStatistics& statistics) {
  statistics.do_step += calls.do_step;
  statistics.get += calls.get;
  statistics.set += calls.set;
  statistics.event_updates += calls.event_updates;
}

/// Of one island; `components` gets its components, in their order.
void count_all(const master::Island& island, bool is_single_fmu, RunStatistics& statistics,
               std::vector<ComponentStatistics>& components) {
  master::StepTimes times = island.timing().times();
  // Times are measured in some steps and scaled up, but limited by the total.
  const double spent = std::max(0.0, statistics.step_seconds - statistics.output_seconds);
  const double excess = times.total > spent ? spent / times.total : 1;
  times.total *= excess;
  for (double& seconds : times.seconds) seconds *= excess;
  for (std::size_t i = 0; i < island.instance_count(); ++i) {
    const models::Instance& instance = island.instance(i);
    const CallCounts& calls = instance.counts();
    count_calls(calls, statistics);
    statistics.warnings += calls.warnings;
    components.push_back({instance.name(), calls.do_step, calls.get, calls.set, calls.get_state,
                          calls.set_state, calls.event_updates, times.seconds[i],
                          instance.solver_statistics(), calls.warnings});
    for (const auto& [name, own] : instance.member_counts())
      components.back().members.push_back({name,
                                           own.do_step,
                                           own.get,
                                           own.set,
                                           own.get_state,
                                           own.set_state,
                                           own.event_updates,
                                           0,
                                           {},
                                           own.warnings});
  }
  if (is_single_fmu) statistics.solver = island.instance(0).solver_statistics();
  double in_components = 0;
  for (const double seconds : times.seconds) in_components += seconds;
  statistics.method_seconds += std::max(0.0, times.total - in_components);
  for (const master::CycleReport& report : island.cycle_reports())
    statistics.cycles.push_back({report.components, report.method, report.steps, report.iterations,
                                 report.limit_hits, report.fallbacks, report.limit,
                                 report.near_limit});
}

/// Of one island: how accurate its steps were.
void add_accuracy(const master::Island& island, const master::Loop& loop,
                  RunStatistics& statistics) {
  const master::ControlCounts& counts = loop.controller().counts();
  statistics.convergence_failures += counts.convergence_failures;
  statistics.error_test_failures += counts.error_test_failures;
  statistics.accepted_at_min += counts.accepted_at_min;
  statistics.accepted_without_rollback += counts.accepted_without_rollback;
  statistics.worst_without_rollback =
      std::max(statistics.worst_without_rollback, counts.worst_without_rollback);
  statistics.effect_without_rollback += loop.inaccuracy();
  const master::GlobalError* const error = island.errors().global();
  if (error == nullptr) return;
  for (EstimatedError output : error->outputs()) {
    if (island.assembly().parts.is_automatic) output.tolerances *= of_steps;
    statistics.estimated_errors.push_back(std::move(output));
  }
}

/// After method = "auto" switched to another coupling during the run.
void update_couplings(const master::CoupledParts& parts, RunStatistics& statistics) {
  if (parts.used == 0) return;
  for (const CycleCoupling& choice : parts.fallbacks[parts.used - 1].choices)
    for (CycleCoupling& coupling : statistics.couplings)
      if (have_same_components(coupling, choice)) {
        coupling.method = choice.method;
        coupling.reason = "the first choice failed, and " + choice.reason;
      }
}

/// Collects the results of the run so far. @pre statistics.step_seconds is known
void collect_statistics(const master::Ensemble& system, const RunSetup& setup,
                        RunStatistics& statistics) {
  statistics.actions = system.performed_actions();
  statistics.components.resize(setup.is_single_fmu ? 0 : system.instance_count());
  for (std::size_t i = 0; i < system.islands().size(); ++i) {
    const master::Island& island = *system.islands()[i];
    const master::Loop& loop = *system.loops()[i];
    statistics.steps += loop.step_count();
    // Measured in some steps and scaled up, like the times of count_all().
    statistics.output_seconds = std::min(loop.record_seconds(), statistics.step_seconds);
    add_accuracy(island, loop, statistics);
    update_couplings(island.assembly().parts, statistics);
    std::vector<ComponentStatistics> components;
    count_all(island, setup.is_single_fmu, statistics, components);
    for (std::size_t k = 0; k < components.size() && !setup.is_single_fmu; ++k)
      statistics.components[system.components_of(i)[k]] = std::move(components[k]);
    if (island.parallel_phases() > 0)
      statistics.threads = static_cast<std::uint32_t>(setup.outline.threads);
  }
  if (system.islands().size() > 1)
    statistics.threads = static_cast<std::uint32_t>(setup.outline.threads);
}

/// Adds the time of its lifetime, multiplied by this factor; 0: does not read the clock.
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

RunningSystem::RunningSystem(RunSetup& setup, Monitor& monitor, const Log& log, RunReport& report)
    : setup_(setup), monitor_(monitor), log_(log), report_(report) {
  monitor_.phase = Monitor::Phase::loading;
  const auto start = Clock::now();
  system_ = std::make_unique<master::Ensemble>(
      setup_.make_islands(monitor_, setup_.outline.threads, setup_.needs), setup_.time.grid,
      setup_.time.record_every, monitor_);
  report_.statistics.load_seconds = seconds_since(start);
}

void RunningSystem::initialize(master::StepObserver* observer, bool shows_every_step) {
  setup_.time.short_steps = setup_.needs.short_steps;
  setup_.time.rehearsals = setup_.needs.rehearsals;
  setup_.time.calls_before = report_.statistics.do_step;
  const auto start = Clock::now();
  system_->initialize(setup_.time, observer, shows_every_step);
  report_.statistics.initialize_seconds = seconds_since(start);
  report_.end.started = true;
}

master::Loop::End RunningSystem::advance(double target, bool one_step) {
  // Reading the clock costs more than a short step: only some are timed.
  constexpr std::uint64_t timed_every = 64;
  const double times = !one_step ? 1 : single_steps_++ % timed_every == 0 ? timed_every : 0;
  try {
    const StepClock clock(report_.statistics.step_seconds, times);
    const master::Loop::End end =
        system_->advance(std::min(target, setup_.time.grid.stop()), one_step);
    if (end == master::Loop::End::terminated) note_termination();
    return end;
  } catch (const Error& error) {
    report_.end.kind = RunEnd::Kind::failed;
    report_.end.error = error;
    throw;
  } catch (...) {  // for example of an observer: the step is half accepted
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
    master::Loop* const loop = system_->single_loop();
    const double stop = setup_.time.grid.stop();
    End end = End::paused;
    while (end == End::paused) {
      end = loop != nullptr ? loop->advance(stop) : system_->advance(stop);
      if (end == End::paused) write_checkpoint(observer);
    }
    clock.reset();
    if (end == End::terminated) note_termination();
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

void RunningSystem::check_point(double t) const {
  const TimeGrid& grid = setup_.time.grid;
  if (system_->can_vary_step() || t == grid.start()) return;
  const double tolerance = same_time(t, grid.step(0));
  const double point = grid.point(grid.first_point_from(t - tolerance));
  if (std::abs(point - t) <= tolerance) return;
  throw Error(ErrorCode::capability,
              fmt::format("t = {:.13g} s is no communication point, and some component cannot vary "
                          "its step: the next point is {:.13g} s",
                          t, point));
}

bool RunningSystem::visit(double t, const std::atomic<bool>* stop_request,
                          const std::function<void()>& action) {
  using End = master::Loop::End;
  try {
    initialize(nullptr);
    check_point(t);
    while (system_->time() < t) {
      const double before = system_->time();
      const End end = system_->advance(t, true);
      if (end == End::terminated) {
        note_termination();
        throw Error(ErrorCode::fmu,
                    fmt::format("{} asks to end the run at t = {:.13g} s, before the point",
                                report_.end.component.empty()
                                    ? "an FMU"
                                    : fmt::format("component \"{}\"", report_.end.component),
                                system_->time()),
                    {.component = report_.end.component, .time = system_->time()});
      }
      if (end == End::interrupted || (stop_request != nullptr && stop_request->load()))
        throw Error(ErrorCode::interrupted, "interrupted");
      if (system_->time() <= before) break;
    }
    action();
    return true;
  } catch (const models::RunAgain& again) {
    if (!again.change(setup_.needs)) throw;
    prepare_repetition(again);
    return false;
  }
}

/// The next one is due at a multiple of the interval.
void RunningSystem::plan_checkpoint() {
  const double every = setup_.checkpoint_every, start = setup_.time.grid.start();
  if (every <= 0) return;
  system_->pause_from(start + every * (std::floor((system_->time() - start) / every + 1e-9) + 1));
}

void RunningSystem::write_checkpoint(const master::StepObserver* observer) {
  // Rows that may become void are not yet written: the next point is used.
  if (observer != nullptr && observer->is_holding()) return;
  setup_.write_checkpoint(system_->time(), Packer()(state_of(*this, setup_.needs)).bytes());
  plan_checkpoint();
}

/// The calls of this attempt count, too.
void RunningSystem::prepare_repetition(const models::RunAgain& again) {
  if (again.is_routine())
    log_.info("", again.what());
  else
    log_.warning("", again.what());
  if (setup_.needs.one_thread) setup_.outline.threads = 1;
  report_.statistics.step_seconds = 0;
  for (std::size_t c = 0; c < system_->instance_count(); ++c)
    count_calls(system_->instance(c).counts(), report_.statistics);
  restored();
}

void RunningSystem::note_termination() {
  report_.end.kind = RunEnd::Kind::terminated_by_fmu;
  for (const auto& loop : system_->loops())
    if (!loop->terminated_by().empty()) report_.end.component = loop->terminated_by();
}

void RunningSystem::restored() {
  report_.end.kind = RunEnd::Kind::completed;
  report_.end.component.clear();
  report_.end.error.reset();
}

void RunningSystem::finish() {
  if (!has_failed()) system_->finish();
  conclude();
}

void RunningSystem::conclude() {
  report_.end.time = system_->time();
  system_->complete_ports();
  report_.statistics = statistics();
  is_concluded_ = true;
}

RunStatistics RunningSystem::statistics() const {
  RunStatistics statistics = report_.statistics;
  if (is_initialized() && !is_concluded_) collect_statistics(*system_, setup_, statistics);
  return statistics;
}

}  // namespace tutti::session
