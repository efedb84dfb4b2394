// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <tutti/simulation.hpp>

#include "api/run_text.hpp"
#include "base/text.hpp"

namespace tutti {
namespace {

std::string solver_text(const SolverStatistics& s) {
  std::string text = fmt::format(
      "  {:<14}{:>12}  {}: right-hand sides {}, error-test failures {}, convergence failures {}\n",
      "solver steps", s.steps, s.name, s.evaluations, s.error_test_failures,
      s.convergence_failures);
  if (s.jacobians > 0)
    text += fmt::format("  {:<14}{:>12}  right-hand sides for them {}\n", "Jacobians", s.jacobians,
                        s.jacobian_evaluations);
  std::string work;
  for (const auto& [name, count] : {std::pair("factorizations", s.factorizations),
                                    {"Newton iterations", s.newton_iterations},
                                    {"Jacobian products", s.jacobian_products}})
    if (count > 0) work += fmt::format("{}{} {}", work.empty() ? "" : ", ", name, count);
  if (!work.empty()) text += fmt::format("  {:<28}{}\n", "linear algebra", work);
  if (!s.note.empty()) text += fmt::format("  {:<28}{}\n", "chosen solver", printable(s.note));
  text += fmt::format("  {:<14}{:>12}  state {}, time {}, step {}, input {}\n", "events",
                      s.state_events + s.time_events + s.step_events + s.input_events,
                      s.state_events, s.time_events, s.step_events, s.input_events);
  if (s.chattering > 0) text += fmt::format("  {:<14}{:>12}\n", "chattering", s.chattering);
  return text;
}

std::string component_text(const std::vector<ComponentStatistics>& components) {
  constexpr std::size_t most_shown = 20;
  if (components.empty()) return "";
  std::string text = fmt::format("  {:<26}{:>10}{:>10}{:>10}{:>10}{:>10}{:>12}\n", "component",
                                 "doStep", "get", "set", "getState", "setState", "seconds");
  for (std::size_t i = 0; i < components.size() && i < most_shown; ++i) {
    const ComponentStatistics& c = components[i];
    text += fmt::format("  {:<26}{:>10}{:>10}{:>10}{:>10}{:>10}{:>12.6f}\n", c.name, c.do_step,
                        c.get, c.set, c.get_state, c.set_state, c.seconds);
    for (std::size_t m = 0; m < c.members.size() && m < most_shown; ++m)
      text += fmt::format("    {:<24}{:>10}{:>10}{:>10}{:>10}{:>10}\n", c.members[m].name, "",
                          c.members[m].get, c.members[m].set, c.members[m].get_state,
                          c.members[m].set_state);
    if (c.members.size() > most_shown)
      text += fmt::format("    and {} more\n", c.members.size() - most_shown);
  }
  if (components.size() > most_shown)
    text += fmt::format("  and {} more\n", components.size() - most_shown);
  for (const ComponentStatistics& c : components)
    if (c.solver)
      text += fmt::format("  {:<26}{}: {} steps, {} right-hand sides, {} error-test failures\n",
                          c.name, c.solver->name, c.solver->steps, c.solver->evaluations,
                          c.solver->error_test_failures);
  return text;
}

/// The largest first, then the unknown ones.
std::string estimate_text(std::vector<EstimatedError> outputs) {
  constexpr std::size_t most_shown = 5;
  if (outputs.empty()) return fmt::format("  {:<26}{:>16}\n", "estimated error", "not estimated");
  std::stable_sort(outputs.begin(), outputs.end(),
                   [](const auto& one, const auto& other) { return one.error > other.error; });
  std::string text = fmt::format("  {:<26}{:>16}\n", "output", "estimated error");
  for (std::size_t i = 0; i < outputs.size() && i < most_shown; ++i)
    text +=
        fmt::format("  {:<26}{:>16}\n", outputs[i].name,
                    outputs[i].error ? fmt::format("{:.2g}", *outputs[i].error) : "not estimated");
  if (outputs.size() > most_shown)
    text += fmt::format("  and {} more with smaller errors or not estimated\n",
                        outputs.size() - most_shown);
  return text;
}

std::string verification_text(const Verification& v) {
  constexpr std::size_t most_shown = 5;
  std::string text =
      fmt::format("  {:<14}{:>12}  with {}\n", "verification", to_string(v.outcome), v.change);
  if (v.variables.empty()) return text;
  text += fmt::format("  {:<26}{:>12}{:>12}{:>14}\n", "variable", "tolerances", "deviation", "t");
  for (std::size_t i = 0; i < v.variables.size() && i < most_shown; ++i) {
    const Deviation& d = v.variables[i];
    text += fmt::format("  {:<26}{:>12.3g}{:>12.3g}{:>14.6g}\n", d.name, d.tolerances, d.largest,
                        d.time);
  }
  if (v.variables.size() > most_shown)
    text += fmt::format("  and {} more with smaller deviations\n", v.variables.size() - most_shown);
  return text;
}

}  // namespace

std::string statistics_text(const RunReport& report) {
  const RunStatistics& s = report.statistics;
  std::string text =
      fmt::format("{} ({}), {}: t = {:.13g} to {:.13g} s, {}\n", s.model, api::model_kind(s),
                  to_string(report.end.kind), s.start, report.end.time,
                  s.step > 0 ? fmt::format("{}step {:.13g} s", s.controlled ? "first " : "", s.step)
                             : "logarithmic steps");
  text += fmt::format("  {:<14}{:>12}\n", "steps", s.steps);
  if (s.controlled)
    text +=
        fmt::format("  {:<14}{:>12}  convergence {}, error test {}, accepted at the minimum {}{}\n",
                    "failures", s.convergence_failures + s.error_test_failures,
                    s.convergence_failures, s.error_test_failures, s.accepted_at_min,
                    s.accepted_without_rollback > 0
                        ? fmt::format(", without rollback {}", s.accepted_without_rollback)
                        : "");
  text += fmt::format("  {:<14}{:>12}\n", "rows", s.rows);
  if (s.actions > 0) text += fmt::format("  {:<14}{:>12}\n", "timed actions", s.actions);
  if (s.model_exchange)
    text += fmt::format("  {:<14}{:>12}  set {}, event updates {}\n", "get calls", s.get, s.set,
                        s.event_updates);
  else
    text += fmt::format("  {:<14}{:>12}  get {}, set {}, event updates {}\n", "doStep calls",
                        s.do_step, s.get, s.set, s.event_updates);
  if (s.solver) text += solver_text(*s.solver);
  text += component_text(s.components);
  for (const CycleStatistics& c : s.cycles)
    text += fmt::format("  cycle {{{}}}: {}, {} in {}, limit reached {}, fallbacks {}\n",
                        list_some(c.components), c.method, counted(c.iterations, "iteration"),
                        counted(c.steps, "step"), c.limit_hits, c.fallbacks);
  if (s.warnings > 0) text += fmt::format("  {:<14}{:>12}\n", "FMU warnings", s.warnings);
  text += fmt::format("  {:<14}{:>12.6f}  load {:.6f}, initialize {:.6f}, steps {:.6f}\n",
                      "seconds", s.load_seconds + s.initialize_seconds + s.step_seconds,
                      s.load_seconds, s.initialize_seconds, s.step_seconds);
  if (!s.components.empty())
    text += fmt::format("  {:<14}{:>12}  method {:.6f}, output {:.6f}{}\n", "of the steps", "",
                        s.method_seconds, s.output_seconds,
                        s.threads > 1 ? fmt::format(", {} threads", s.threads) : "");
  if (s.controlled && !s.components.empty()) text += estimate_text(s.estimated_errors);
  if (report.verification) text += verification_text(*report.verification);
  return text;
}

}  // namespace tutti
