// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <tutti/run_summary.hpp>

#include "api/open_inputs.hpp"
#include "master/coupling/coupling_method.hpp"

namespace tutti {
namespace {

using Kind = RunFinding::Kind;

double share(double part, double all) { return all > 0 ? part / all : 0; }
double share(std::uint64_t part, std::uint64_t all) {
  return share(static_cast<double>(part), static_cast<double>(all));
}

std::string cycle_name(const CycleStatistics& cycle) {
  return fmt::format("cycle {{{}}}", list_some(cycle.components));
}

void find_open_inputs(const RunStatistics& s, std::vector<RunFinding>& found) {
  if (s.open_inputs.empty()) return;
  found.push_back({Kind::open_inputs, false, "", api::open_inputs_text(s.open_inputs),
                   "Connect it, drive it from a table, or set its value."});
  if (s.open_inputs.size() > 1)
    found.back().hint = "Connect them, drive them from a table, or set their values.";
}

void find_unsolved_loops(const RunStatistics& s, std::vector<RunFinding>& found) {
  for (const CycleCoupling& coupling : s.couplings)
    if (!coupling.unsolved.empty())
      found.push_back(
          {Kind::unsolved_loop, false, "",
           fmt::format("cycle {{{}}}: {} does not solve the algebraic loop of {}, so values in it "
                       "are up to a step late",
                       list_some(coupling.components), coupling.method,
                       list_some(coupling.unsolved)),
           "Try method = \"newton\" or simulation.inputs.correct = \"linear\"."});
}

void find_not_finite(const RunStatistics& s, std::vector<RunFinding>& found) {
  if (s.not_finite.empty()) return;
  const NonFiniteColumn& first =
      *std::ranges::min_element(s.not_finite, {}, &NonFiniteColumn::time);
  std::string text = fmt::format("\"{}\" is {} in {} of {} of the results, first at t = {:.6g} s",
                                 first.name, first.is_nan ? "NaN" : "infinite", first.rows,
                                 counted(s.rows, "row"), first.time);
  if (s.not_finite.size() > 1)
    text += fmt::format("; so {} {}", s.not_finite.size() == 2 ? "is" : "are",
                        counted(s.not_finite.size() - 1, "other column"));
  found.push_back({Kind::not_finite, true, "", std::move(text),
                   "Check the inputs and parameters of its component at that time."});
}

constexpr double often = 0.2;  // of the steps

/// Steps whose errors were too large and that were accepted count as failures, too.
void find_rejected_steps(const RunStatistics& s, std::vector<RunFinding>& found) {
  constexpr std::uint64_t matters = 10;
  const std::uint64_t accepted = s.accepted_at_min + s.accepted_without_rollback;
  const std::uint64_t inaccurate =
      s.error_test_failures - std::min(s.error_test_failures, accepted);
  const std::uint64_t rejected = s.convergence_failures + inaccurate;
  if (rejected < matters || share(rejected, s.steps + rejected) <= often) return;
  found.push_back(
      {Kind::rejected_steps, true, "",
       fmt::format("{} of {} attempted steps were rejected ({} by the error test, {} because an "
                   "iteration did not converge)",
                   rejected, s.steps + rejected, inaccurate, s.convergence_failures),
       s.convergence_failures > inaccurate
           ? "Try method = \"newton\" or a smaller simulation.control.max."
           : "Try a smaller simulation.control.max or control.safety, or larger tolerances."});
}

void find_rejected_steps(const SolverStatistics& s, const std::string& component,
                         std::vector<RunFinding>& found) {
  constexpr std::uint64_t matters = 20;
  const std::uint64_t rejected = s.error_test_failures + s.convergence_failures;
  if (rejected < matters || share(rejected, s.steps + rejected) <= often) return;
  found.push_back(
      {Kind::rejected_steps, true, component,
       fmt::format("solver {}{} rejected {} of {} attempted steps ({} by the error test, {} "
                   "because its iteration did not converge)",
                   s.name, component.empty() ? "" : fmt::format(" of \"{}\"", component), rejected,
                   s.steps + rejected, s.error_test_failures, s.convergence_failures),
       "Try another solver or a smaller maximum step; solver.diagnose shows which states limit "
       "the steps."});
}

void find_exceeded_tolerance(const RunStatistics& s, std::vector<RunFinding>& found) {
  constexpr double matters = 3;  // tolerances of a step
  if (s.accepted_without_rollback > 0)
    found.push_back(
        {Kind::tolerance_exceeded, s.effect_without_rollback > matters, "",
         fmt::format("{} of {} steps exceeded the error tolerance (by up to a factor of {:.3g}) "
                     "and were accepted, because some components cannot roll back. The estimated "
                     "effect is {:.2g} times the tolerance of a step",
                     s.accepted_without_rollback, s.steps, s.worst_without_rollback,
                     s.effect_without_rollback),
         "Try a smaller first step or control.max."});
  if (s.accepted_at_min > 0) {
    constexpr std::uint64_t few = 5;  // a jump takes one or two
    constexpr double many = 0.01;
    found.push_back({Kind::tolerance_exceeded,
                     s.accepted_at_min > few && share(s.accepted_at_min, s.steps) > many, "",
                     fmt::format("{} of {} steps exceeded the error tolerance and were accepted, "
                                 "because they had the minimum size",
                                 s.accepted_at_min, s.steps),
                     "Try a smaller control.min; at jumps, such steps are harmless."});
  }
}

void find_accumulated_errors(const RunStatistics& s, std::vector<RunFinding>& found) {
  constexpr double matters = 10;
  if (s.estimated_errors.empty()) return;
  const EstimatedError& worst =
      *std::ranges::max_element(s.estimated_errors, {}, &EstimatedError::tolerances);
  if (!(worst.tolerances > matters) || !worst.error) return;
  found.push_back(
      {Kind::accumulated_errors, true, worst.name.substr(0, worst.name.find('.')),
       fmt::format("the errors of steps accumulate: the estimated error of {} over the run is "
                   "{:.2g}, {:.2g} times its tolerance (abs + rel * largest magnitude)",
                   worst.name, *worst.error, worst.tolerances),
       fmt::format("Try smaller tolerances (simulation.{}): the error is proportional to them.",
                   s.automatic.empty() ? "control.atol and rtol" : "tolerance")});
}

void find_iteration_limit(const CycleStatistics& cycle, const RunReport& report,
                          std::vector<RunFinding>& found) {
  constexpr std::uint64_t matters = 10, least = 5;
  const master::CouplingEntry* const method =
      master::find_coupling_method(cycle.method.substr(0, cycle.method.find(',')));
  const bool is_robust = method != nullptr && method->is_robust;
  const std::string hint = fmt::format("Try {}a smaller step or a larger tolerance.iterations.",
                                       is_robust ? "" : "method = \"newton\", ");
  const bool has_failed = report.end.kind == RunEnd::Kind::failed;  // its error reports the last
  if (!report.statistics.controlled && cycle.limit_hits > (has_failed ? 1u : 0u)) {
    found.push_back({Kind::iteration_limit, true, "",
                     fmt::format("{}: {} of {} steps reached the limit of {} and were accepted "
                                 "without convergence",
                                 cycle_name(cycle), cycle.limit_hits, cycle.steps,
                                 counted(cycle.limit, "iteration")),
                     hint});
  } else if (cycle.limit >= least && cycle.near_limit >= matters &&
             share(cycle.near_limit, cycle.steps) > often) {
    found.push_back(
        {Kind::iteration_limit, true, "",
         fmt::format("{}: {} of {} steps took at least 80 % of the {} allowed", cycle_name(cycle),
                     cycle.near_limit, cycle.steps, counted(cycle.limit, "iteration")),
         hint});
  }
}

/// A fallback remains for 20 steps.
void find_fallbacks(const CycleStatistics& cycle, std::vector<RunFinding>& found) {
  constexpr std::uint64_t matters = 3, stays = 20;
  const std::size_t comma = cycle.method.find(", ");
  if (comma == std::string::npos || cycle.fallbacks < matters ||
      share(cycle.fallbacks * stays, cycle.steps) <= often)
    return;
  const std::string others = cycle.method.substr(comma + 2);
  const std::string second = others.substr(0, others.find(','));
  found.push_back({Kind::fallbacks, true, "",
                   fmt::format("{}: {} did not converge {} times in {} and was replaced by {} for "
                               "the next {} steps each time",
                               cycle_name(cycle), cycle.method.substr(0, comma), cycle.fallbacks,
                               counted(cycle.steps, "step"), second, stays),
                   fmt::format("Try method = \"{}\" from the start.", second)});
}

/// One that takes much more than its share, if the run is long enough to matter.
void find_slow_parts(const RunStatistics& s, std::vector<RunFinding>& found) {
  constexpr double worth = 1, most = 0.6, parts = 1.5;  // s of wall time, part, of equal parts
  if (s.step_seconds < worth) return;
  if (share(s.output_seconds, s.step_seconds) > most / 2)
    found.push_back({Kind::slow_output, false, "",
                     fmt::format("recording takes {:.0f} % of the time",
                                 100 * share(s.output_seconds, s.step_seconds)),
                     "Record fewer variables (results.variables) or points (results.interval)."});
  if (s.components.size() < 2) return;
  double all = 0;
  for (const ComponentStatistics& component : s.components) all += component.seconds;
  const ComponentStatistics& slowest =
      *std::ranges::max_element(s.components, {}, &ComponentStatistics::seconds);
  const double part = share(slowest.seconds, std::max(all, s.step_seconds));
  if (part <= std::max(most, parts / static_cast<double>(s.components.size()))) return;
  found.push_back(
      {Kind::slow_component, false, slowest.name,
       fmt::format("component \"{}\" takes {:.0f} % of the time", slowest.name, 100 * part),
       slowest.solver
           ? fmt::format("Another solver than {} or a larger tolerance may make it "
                         "faster; more threads do not.",
                         slowest.solver->name)
           : "Fewer or larger communication steps make the run faster, more threads do not."});
}

void find_warnings(std::uint64_t warnings, const std::string& component,
                   std::vector<RunFinding>& found) {
  constexpr std::uint64_t many = 100;
  if (warnings < many) return;
  found.push_back(
      {Kind::fmu_warnings, true, component,
       fmt::format("{} warned {} times",
                   component.empty() ? "the FMU" : fmt::format("the FMU of \"{}\"", component),
                   warnings),
       "Check its messages for the causes."});
}

}  // namespace

std::vector<RunFinding> find_in(const RunReport& report) {
  const RunStatistics& s = report.statistics;
  std::vector<RunFinding> found;
  if (!report.end.started) return found;
  find_not_finite(s, found);
  find_rejected_steps(s, found);
  if (s.solver) find_rejected_steps(*s.solver, "", found);
  for (const ComponentStatistics& component : s.components)
    if (component.solver) find_rejected_steps(*component.solver, component.name, found);
  find_exceeded_tolerance(s, found);
  find_accumulated_errors(s, found);
  for (const CycleStatistics& cycle : s.cycles) {
    find_iteration_limit(cycle, report, found);
    find_fallbacks(cycle, found);
  }
  if (s.components.empty()) find_warnings(s.warnings, "", found);
  for (const ComponentStatistics& component : s.components)
    find_warnings(component.warnings, component.name, found);
  find_unsolved_loops(s, found);
  find_open_inputs(s, found);
  find_slow_parts(s, found);
  return found;
}

}  // namespace tutti
