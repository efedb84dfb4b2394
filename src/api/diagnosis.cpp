// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tutti/diagnosis.hpp>

#include "base/text.hpp"

namespace tutti {
namespace {

struct DiagnosedSolver {
  std::string component;  ///< empty: the FMU was alone
  const SolverStatistics* solver;
};

std::vector<DiagnosedSolver> diagnosed_solvers(const RunReport& report) {
  std::vector<DiagnosedSolver> all;
  const RunStatistics& statistics = report.statistics;
  if (statistics.solver && statistics.solver->diagnosis) all.push_back({"", &*statistics.solver});
  for (const ComponentStatistics& component : statistics.components)
    if (component.solver && component.solver->diagnosis)
      all.push_back({component.name, &*component.solver});
  return all;
}

std::string share_text(std::uint64_t part, std::uint64_t all) {
  return fmt::format("{:.1f} %", 100 * static_cast<double>(part) / static_cast<double>(all));
}

/// The indices of the states, in descending order of limited steps.
std::vector<std::size_t> by_importance(const std::vector<SolverDiagnosis::State>& states) {
  std::vector<std::size_t> order(states.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(states[a].limited, states[a].rejected) >
           std::pair(states[b].limited, states[b].rejected);
  });
  return order;
}

std::string state_table(const SolverDiagnosis& diagnosis) {
  constexpr std::size_t most_shown = 20, widest = 60;
  std::uint64_t known = 0;
  std::size_t involved = 0, width = 5;
  for (const SolverDiagnosis::State& state : diagnosis.states) {
    known += state.limited + state.rejected;
    if (state.limited + state.rejected == 0) continue;
    ++involved;
    width = std::clamp(state.name.size(), width, widest);
  }
  if (known == 0) return "  it is unknown which states limited the steps\n";
  std::string text = fmt::format("  {:>6}  {:<{}}{:>12}{:>10}{:>12}\n", "number", "state", width,
                                 "limited", "", "rejected");
  std::size_t shown = 0;
  for (const std::size_t i : by_importance(diagnosis.states)) {
    const SolverDiagnosis::State& state = diagnosis.states[i];
    if (shown == std::min(involved, most_shown)) break;
    ++shown;
    text += fmt::format("  {:>6}  {:<{}}{:>12}{:>10}{:>12}\n", i + 1, printable(state.name), width,
                        state.limited,
                        diagnosis.accepted > 0 ? share_text(state.limited, diagnosis.accepted) : "",
                        state.rejected);
  }
  if (shown < involved) text += fmt::format("  and {} more\n", involved - shown);
  if (involved < diagnosis.states.size())
    text += fmt::format("  {} of {} states never limited a step\n",
                        diagnosis.states.size() - involved, diagnosis.states.size());
  return text;
}

double logarithm(double h) {
  return h > 0 ? std::log10(h) : std::numeric_limits<double>::quiet_NaN();
}

/// A curve over the steps of a solver: constant over each step; NaN is a gap.
template <class ValueOf>
FigureCurve step_curve(const SolverDiagnosis& diagnosis, std::string name, const ValueOf& value) {
  FigureCurve curve;
  curve.name = printable(name);
  curve.discrete = true;
  for (const SolverDiagnosis::Step& step : diagnosis.steps) {
    curve.times.push_back(step.t - step.h);
    curve.values.push_back(value(step));
  }
  curve.times.push_back(diagnosis.steps.back().t);
  curve.values.push_back(curve.values.back());
  return curve;
}

void add_curve(FigurePanel& panel, FigureCurve curve) {
  for (const double value : curve.values) {
    if (!std::isfinite(value)) continue;
    const bool is_first = panel.low > panel.high;
    panel.low = is_first ? value : std::min(panel.low, value);
    panel.high = is_first ? value : std::max(panel.high, value);
  }
  curve.color = panel.curves.size();
  panel.curves.push_back(std::move(curve));
}

void add_panel(Figure& figure, FigurePanel panel, bool whole_numbers) {
  if (panel.low > panel.high) panel.low = panel.high = 0;  // no values
  panel.is_switch = whole_numbers && panel.high - panel.low <= 4;
  figure.panels.push_back(std::move(panel));
}

FigurePanel empty_panel() {
  FigurePanel panel;
  panel.low = 1, panel.high = 0;
  return panel;
}

/// A line for each of the most limiting states, at the height of its index.
FigurePanel state_panel(const SolverDiagnosis& diagnosis) {
  constexpr std::size_t most_shown = 7;  // colours
  FigurePanel panel = empty_panel();
  for (const std::size_t i : by_importance(diagnosis.states)) {
    if (diagnosis.states[i].limited == 0 || panel.curves.size() == most_shown) break;
    add_curve(panel, step_curve(diagnosis, diagnosis.states[i].name, [&](const auto& step) {
                return step.state == static_cast<std::int32_t>(i)
                           ? static_cast<double>(i + 1)
                           : std::numeric_limits<double>::quiet_NaN();
              }));
  }
  return panel;
}

void add_solver(Figure& figure, const DiagnosedSolver& diagnosed) {
  const SolverDiagnosis& diagnosis = *diagnosed.solver->diagnosis;
  if (diagnosis.steps.empty()) return;
  const std::string of =
      diagnosed.component.empty() ? "" : fmt::format("{}: ", diagnosed.component);
  const double from = diagnosis.steps.front().t - diagnosis.steps.front().h;
  figure.from = figure.panels.empty() ? from : std::min(figure.from, from);
  figure.to = std::max(figure.panels.empty() ? from : figure.to, diagnosis.steps.back().t);
  FigurePanel sizes = empty_panel();
  add_curve(sizes, step_curve(diagnosis, of + "lg of the step size in s",
                              [](const auto& step) { return logarithm(step.h); }));
  add_panel(figure, std::move(sizes), false);
  if (diagnosis.steps.back().order > 0) {
    FigurePanel orders = empty_panel();
    add_curve(orders, step_curve(diagnosis, of + "order",
                                 [](const auto& step) { return static_cast<double>(step.order); }));
    add_panel(figure, std::move(orders), true);
  }
  FigurePanel states = state_panel(diagnosis);
  if (!states.curves.empty()) add_panel(figure, std::move(states), true);
}

}  // namespace

std::string diagnosis_text(const RunReport& report) {
  std::string text;
  for (const auto& [component, solver] : diagnosed_solvers(report)) {
    const SolverDiagnosis& diagnosis = *solver->diagnosis;
    text += fmt::format(
        "{}{}: {}; rejected: {} by the error test, {} without convergence, {} that could not be "
        "evaluated\n",
        component.empty() ? "" : printable(component) + ": ", solver->name,
        counted(diagnosis.accepted, "step"), diagnosis.error_failures,
        diagnosis.convergence_failures, diagnosis.evaluation_failures);
    if (diagnosis.accepted > 0) {
      const auto shortest =
          std::ranges::min_element(diagnosis.steps, {}, &SolverDiagnosis::Step::h);
      text +=
          fmt::format("  shortest step {:.3g} s, up to t = {:.6g} s\n", shortest->h, shortest->t);
    }
    text += state_table(diagnosis);
  }
  return text.empty() ? "no solver of a model-exchange FMU has been diagnosed\n" : text;
}

Figure diagnosis_figure(const RunReport& report) {
  Figure figure;
  figure.title = fmt::format("{}: what limits the steps", printable(report.statistics.model));
  for (const DiagnosedSolver& diagnosed : diagnosed_solvers(report)) add_solver(figure, diagnosed);
  if (figure.panels.empty())
    throw Error(ErrorCode::usage, "there are no steps to draw: no model-exchange FMU made any");
  return figure;
}

}  // namespace tutti
