// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tutti/run_summary.hpp>

#include "api/run_text.hpp"
#include "base/text.hpp"

namespace tutti {
namespace {

/// `completed`, `component "a" asked to end the run`.
std::string end_text(const RunReport& report) {
  const std::string& component = report.end.component;
  if (report.end.kind != RunEnd::Kind::terminated_by_fmu)
    return std::string(to_string(report.end.kind));
  const bool is_named = !component.empty() && !report.statistics.components.empty();
  return fmt::format("{} asked to end the run",
                     is_named ? fmt::format("component \"{}\"", component) : "the FMU");
}

double wall_seconds(const RunStatistics& s) {
  return s.load_seconds + s.initialize_seconds + s.step_seconds;
}

/// `4000 steps of 0.001 s`; events and islands shorten steps. For adaptive steps the mean.
std::string steps_text(const RunReport& report) {
  const RunStatistics& s = report.statistics;
  const std::string count = counted(s.steps, "step");
  const double span = report.end.time - s.start, steps = static_cast<double>(s.steps);
  if (s.steps == 0 || (!s.controlled && s.step == 0)) return count;
  if (s.controlled) return fmt::format("{} of {:.3g} s on average", count, span / steps);
  const bool are_equal = std::abs(steps * s.step - span) < s.step / 2;
  return fmt::format("{} of {}{:.13g} s", count, are_equal ? "" : "at most ", s.step);
}

std::string headline(const RunReport& report) {
  const RunStatistics& s = report.statistics;
  const bool is_whole = report.end.kind == RunEnd::Kind::completed;
  return fmt::format("{} ({}), {}: t = {:.13g} to {:.13g} s{}, {} in {} of wall time\n",
                     printable(s.model), api::model_kind(s), end_text(report), s.start,
                     report.end.time, is_whole ? "" : fmt::format(" of {:.13g} s", s.stop),
                     steps_text(report), api::duration_text(wall_seconds(s)));
}

/// The iterations of the cycle; empty: it has none, or it is not found.
std::string iterations_text(const RunStatistics& s, const CycleCoupling& coupling) {
  std::uint64_t steps = 0, iterations = 0, limit_hits = 0, fallbacks = 0;
  for (const CycleStatistics& cycle : s.cycles) {
    if (!std::is_permutation(cycle.components.begin(), cycle.components.end(),
                             coupling.components.begin(), coupling.components.end()))
      continue;
    steps += cycle.steps;
    iterations += cycle.iterations;
    limit_hits += cycle.limit_hits;
    fallbacks += cycle.fallbacks;
  }
  if (steps == 0) return "";
  const std::string mean =
      fmt::format("{:.3g}", static_cast<double>(iterations) / static_cast<double>(steps));
  std::string text = fmt::format(", {} iteration{} per step", mean, mean == "1" ? "" : "s");
  if (limit_hits > 0) text += fmt::format(", limit reached {}", counted(limit_hits, "time"));
  if (fallbacks > 0) text += fmt::format(", {}", counted(fallbacks, "fallback"));
  return text;
}

/// The methods of the cycles, with reasons.
std::string couplings_text(const RunStatistics& s) {
  constexpr std::size_t most_shown = 5;
  if (s.couplings.empty())
    return s.automatic.empty() ? "" : "  auto: no cycle, so one pass per step is enough\n";
  std::string text;
  for (std::size_t i = 0; i < std::min(s.couplings.size(), most_shown); ++i) {
    const CycleCoupling& coupling = s.couplings[i];
    text += fmt::format("  cycle {{{}}}: {}{}{}\n", list_some(coupling.components),
                        coupling.reason.empty() ? "" : "auto chose ", coupling.method,
                        iterations_text(s, coupling));
    if (!coupling.reason.empty()) text += fmt::format("    because {}\n", coupling.reason);
  }
  if (s.couplings.size() > most_shown)
    text += fmt::format("  and {}\n", counted(s.couplings.size() - most_shown, "more cycle"));
  return text;
}

std::string worst_error_text(const RunStatistics& s) {
  const auto worst = std::ranges::max_element(s.estimated_errors, {}, [](const auto& output) {
    return std::pair(output.tolerances, output.error.value_or(-1));
  });
  // 0: of outputs that no step can make wrong, which are no measure for the others.
  if (worst == s.estimated_errors.end() || !(worst->error > 0)) return "";
  return fmt::format(", estimated error of {} at most {:.2g}", worst->name, *worst->error);
}

/// For adaptive steps.
std::string control_text(const RunStatistics& s) {
  if (!s.controlled) return "";
  const std::uint64_t accepted = s.accepted_at_min + s.accepted_without_rollback;
  const std::uint64_t failed = s.convergence_failures + s.error_test_failures;
  return fmt::format("  step control {}: {} rejected{}{}\n", s.control,
                     counted(failed - std::min(failed, accepted), "step"),
                     accepted > 0 ? fmt::format(", {} above the tolerance accepted", accepted) : "",
                     worst_error_text(s));
}

/// For a lone FMU, the work of its solver; for components, those whose solvers made a choice.
std::string solvers_text(const RunStatistics& s) {
  if (s.solver)
    return fmt::format("  solver {}: {}, {} rejected, {}{}\n", s.solver->name,
                       counted(s.solver->steps, "step"),
                       s.solver->error_test_failures + s.solver->convergence_failures,
                       counted(s.solver->state_events + s.solver->time_events +
                                   s.solver->step_events + s.solver->input_events,
                               "event"),
                       s.solver->note.empty() ? "" : "; " + printable(s.solver->note));
  std::string text;
  for (const ComponentStatistics& component : s.components) {
    if (component.members.empty() || !component.solver) continue;
    std::vector<std::string> members;
    for (const ComponentStatistics& member : component.members) members.push_back(member.name);
    text +=
        fmt::format("  cluster {{{}}}: {}, {}, {} rejected\n", list_some(members),
                    component.solver->name, counted(component.solver->steps, "step"),
                    component.solver->error_test_failures + component.solver->convergence_failures);
  }
  std::map<std::string, std::vector<std::string>> by_choice;
  for (const ComponentStatistics& component : s.components)
    if (component.solver && !component.solver->note.empty())
      by_choice[fmt::format("{}: {}", component.solver->name, printable(component.solver->note))]
          .push_back(component.name);
  for (const auto& [choice, components] : by_choice)
    text += fmt::format("  solver of {}: {}\n", list_some(components), choice);
  return text;
}

std::string verified_text(const Verification& v) {
  std::string text = fmt::format("  verification with {}: {}", v.change, to_string(v.outcome));
  if (!v.variables.empty())
    text += fmt::format(", largest deviation {:.3g} tolerances ({})",
                        v.variables.front().tolerances, v.variables.front().name);
  return text + "\n";
}

}  // namespace

std::string summary_text(const RunReport& report, const std::filesystem::path& results,
                         const std::filesystem::path& ports) {
  const RunStatistics& s = report.statistics;
  std::string text = headline(report) + couplings_text(s) + control_text(s) + solvers_text(s);
  if (report.verification) text += verified_text(*report.verification);
  if (results.empty() || s.rows == 0) return text;
  text += fmt::format("  results in \"{}\"", results.string());
  if (!ports.empty()) text += fmt::format(", of ports in \"{}\"", ports.string());
  return text + fmt::format(", {}\n", counted(s.rows, "row"));
}

}  // namespace tutti
