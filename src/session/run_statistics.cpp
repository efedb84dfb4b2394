// SPDX-License-Identifier: BSD-2-Clause
#include "session/run_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "session/automatic.hpp"

namespace tutti::session {
namespace {

void count_all(const master::Island& island, bool is_lone, RunStatistics& statistics) {
  master::StepTimes times = island.step_times();
  // Times are measured in some steps and scaled up; more than was there cannot have been spent.
  const double spent = std::max(0.0, statistics.step_seconds - statistics.output_seconds);
  const double excess = times.total > spent ? spent / times.total : 1;
  times.total *= excess;
  for (double& seconds : times.seconds) seconds *= excess;
  for (std::size_t i = 0; i < island.instance_count(); ++i) {
    const models::Instance& instance = island.instance(i);
    const CallCounts& calls = instance.counts();
    count_calls(calls, statistics);
    statistics.warnings += calls.warnings;
    if (!is_lone)
      statistics.components.push_back({instance.name(), calls.do_step, calls.get, calls.set,
                                       calls.get_state, calls.set_state, calls.event_updates,
                                       times.seconds[i], instance.solver_statistics()});
  }
  if (is_lone) statistics.solver = island.instance(0).solver_statistics();
  double in_components = 0;
  for (const double seconds : times.seconds) in_components += seconds;
  statistics.method_seconds = std::max(0.0, times.total - in_components);
  for (const master::CycleReport& report : island.cycle_reports())
    statistics.cycles.push_back({report.components, report.method, report.steps, report.iterations,
                                 report.limit_hits, report.fallbacks});
}

void report_inaccurate_steps(const master::Loop& loop, const Log& log) {
  constexpr double matters = 3;
  const master::ControlCounts& counts = loop.controller().counts();
  if (counts.accepted_without_rollback == 0) return;
  const std::string what = fmt::format(
      "{} of {} steps exceeded the error tolerance (by up to a factor of {:.3g}) and were "
      "accepted, "
      "because some components cannot roll back. The estimated effect is {:.2g} times the "
      "tolerance of a step",
      counts.accepted_without_rollback, loop.step_count(), counts.worst_without_rollback,
      loop.inaccuracy());
  if (loop.inaccuracy() > matters)
    log.warning("", what + ". Try a smaller first step or control.max.");
  else
    log.info("", what);
}

void report_large_error(const master::Island& island, const Log& log) {
  constexpr double matters = 10;
  if (island.global_error() == nullptr) return;
  const auto worst = island.global_error()->worst();
  if (!worst) return;
  const bool automatic = island.is_coupled_automatically();
  const double tolerances = automatic ? of_steps * worst->tolerances : worst->tolerances;
  if (!(tolerances > matters)) return;
  log.warning("", fmt::format("the errors of steps accumulate: the estimated error of {} over the "
                              "run is {:.2g}, {:.2g} times its tolerance (abs + rel * largest "
                              "magnitude). Try smaller tolerances (simulation.{}): the error is "
                              "proportional to them.",
                              worst->name, worst->error, tolerances,
                              automatic ? "tolerance" : "control.atol and rtol"));
}

}  // namespace

void count_calls(const CallCounts& calls, RunStatistics& statistics) {
  statistics.do_step += calls.do_step;
  statistics.get += calls.get;
  statistics.set += calls.set;
  statistics.event_updates += calls.event_updates;
}

void collect_statistics(const master::Island& island, const master::Loop& loop,
                        const RunSetup& setup, RunStatistics& statistics) {
  statistics.steps = loop.step_count();
  // Measured in some steps and scaled up, like the times of count_all().
  statistics.output_seconds = std::min(loop.record_seconds(), statistics.step_seconds);
  const master::ControlCounts& counts = loop.controller().counts();
  statistics.convergence_failures = counts.convergence_failures;
  statistics.error_test_failures = counts.error_test_failures;
  statistics.accepted_at_min = counts.accepted_at_min;
  statistics.accepted_without_rollback = counts.accepted_without_rollback;
  if (const master::GlobalError* const error = island.global_error())
    statistics.estimated_errors = error->outputs();
  count_all(island, setup.is_lone, statistics);
  if (island.parallel_phases() > 0)
    statistics.threads = static_cast<std::uint32_t>(setup.outline.threads);
}

void report_accuracy(const master::Island& island, const master::Loop& loop, const Log& log) {
  report_inaccurate_steps(loop, log);
  report_large_error(island, log);
}

}  // namespace tutti::session
