// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <tutti/advice.hpp>

#include "base/text.hpp"

namespace tutti {
namespace {

constexpr std::size_t most_shown = 20;  // components of a cycle

std::string quoted(const std::string& text) { return fmt::format("\"{}\"", text); }

std::string limit_text(const SchemeAdvice& scheme) {
  if (!scheme.limit_radius) return "may be unstable";
  const double radius = *scheme.limit_radius;
  const std::string number =
      fmt::format("{}{}", scheme.limit_estimated ? "~" : "",
                  radius < 1e4 ? fmt::format("{:.3f}", radius) : fmt::format("{:.0e}", radius));
  switch (scheme.limit) {
    case Stability::stable:
      return "stable " + number;
    case Stability::marginal:
      return "border " + number;
    default:
      return "unstable " + number;
  }
}

std::string radius_text(const SchemeAdvice& scheme) {
  if (!scheme.radius) return "";
  if (!std::isfinite(*scheme.radius)) return "no solution";
  return *scheme.radius < 1e4 ? fmt::format("{:.5f}", *scheme.radius)
                              : fmt::format("{:.3g}", *scheme.radius);
}

std::string step_text(const SchemeAdvice& scheme, bool known) {
  if (!known) return "";
  if (!scheme.largest_step) return "none";
  return fmt::format("{}{:.3g} s", scheme.beyond_range ? "over " : "", *scheme.largest_step);
}

void add_table(std::string& text, const CycleAdvice& cycle, double step) {
  std::size_t width = 0;
  for (const SchemeAdvice& scheme : cycle.schemes) width = std::max(width, scheme.name.size());
  const std::string at = fmt::format("at {:.4g} s", step);
  text += fmt::format("\n  {:<{}}  {:<15}", "coupling method", width + 2, "short steps");
  if (cycle.linearized) text += fmt::format("  {:<11}  largest step", at);
  text += '\n';
  for (std::size_t i = 0; i < cycle.schemes.size(); ++i) {
    const SchemeAdvice& scheme = cycle.schemes[i];
    const bool is_present = cycle.present && i == *cycle.present;
    std::string line = fmt::format("  {} {:<{}}  {:<15}", is_present ? '*' : ' ', scheme.name,
                                   width, limit_text(scheme));
    if (cycle.linearized)
      line += fmt::format("  {:<11}  {:<12}", radius_text(scheme), step_text(scheme, true));
    if (!scheme.missing.empty()) line += fmt::format("  lacks {}", scheme.missing);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  text += cycle.present ? "  * method of the system file\n"
                        : "  the method of the system file is not listed\n";
}

void add_cycle(std::string& text, const CycleAdvice& cycle, std::size_t number, double step) {
  std::vector<std::string> names;
  for (const LinearizedComponent& component : cycle.components) names.push_back(component.name);
  text += fmt::format("\ncycle {}: {}\n", number, list_some(names));
  const auto shown =
      std::span(cycle.components).first(std::min(cycle.components.size(), most_shown));
  for (const LinearizedComponent& component : shown) {
    text += fmt::format("  {}: {}{}\n", component.name, component.source,
                        component.linearized ? fmt::format(", {} state{}", component.states,
                                                           component.states == 1 ? "" : "s")
                                             : "");
    for (const std::string& note : component.notes)
      text += fmt::format("    {}\n", printable(note));
  }
  if (shown.size() < cycle.components.size())
    text += fmt::format("  ... ({} in all; --json has them)\n", cycle.components.size());
  for (const LoopAdvice& loop : cycle.loops)
    text += fmt::format("  loop: {}\n", list_some(loop.variables, " -> "));
  text += '\n';
  for (const std::string& finding : cycle.findings) text += fmt::format("  - {}\n", finding);
  add_table(text, cycle, step);
  text += '\n';
  if (cycle.can_be_cluster) {
    std::vector<std::string> quoted_names;
    for (const std::string& name : names) quoted_names.push_back(quoted(name));
    text +=
        fmt::format("  take  [[clusters]] of = [{}]\n        because {}\n", list_some(quoted_names),
                    "its components can be solved together; the couplings below are for "
                    "co-simulation");
  }
  for (std::size_t i = 0; i < cycle.choices.size(); ++i)
    text += fmt::format("  {}  {}\n        because {}\n",
                        i > 0              ? "then"
                        : cycle.linearized ? "take"
                                           : "try ",
                        to_string(cycle.choices[i].choice), cycle.choices[i].reason);
  if (cycle.choices.empty()) text += "  no stable method found: see above\n";
}

}  // namespace

std::string to_string(const CouplingChoice& choice) {
  std::string text = "method = ";
  if (choice.methods.size() == 1) {
    text += quoted(choice.methods.front());
  } else {
    std::vector<std::string> names;
    for (const std::string& method : choice.methods) names.push_back(quoted(method));
    text += fmt::format("[{}]", fmt::join(names, ", "));
  }
  std::vector<std::string> inputs;
  const CouplingChoice usual;
  if (choice.inside != usual.inside)
    inputs.push_back(fmt::format("inside = {}", quoted(choice.inside)));
  if (choice.order != usual.order) inputs.push_back(fmt::format("order = {}", choice.order));
  if (choice.derivatives != usual.derivatives)
    inputs.push_back(fmt::format("derivatives = {}", quoted(choice.derivatives)));
  if (choice.smooth) inputs.emplace_back("smooth = true");
  if (choice.correct != usual.correct)
    inputs.push_back(fmt::format("correct = {}", quoted(choice.correct)));
  if (!inputs.empty()) text += fmt::format(", inputs = {{ {} }}", fmt::join(inputs, ", "));
  return text;
}

std::string advice_text(const Advice& advice) {
  std::string text = advice.cycles.empty()
                         ? fmt::format("{}\n", advice.system)
                         : fmt::format("{}: linearized at t = {:.13g} s, step {:.13g} s\n",
                                       advice.system, advice.time, advice.step);
  for (const std::string& finding : advice.findings) text += fmt::format("  - {}\n", finding);
  for (std::size_t k = 0; k < advice.cycles.size(); ++k)
    add_cycle(text, advice.cycles[k], k + 1, advice.step);
  return text;
}

Figure advice_figure(const Advice& advice, bool apart) {
  ResultTable table;
  table.time_name = "step";
  table.times = advice.steps;
  for (std::size_t k = 0; k < advice.cycles.size(); ++k)
    for (const SchemeAdvice& scheme : advice.cycles[k].schemes) {
      if (scheme.radii.empty() || !scheme.missing.empty()) continue;
      ResultColumn column;
      column.name =
          advice.cycles.size() == 1 ? scheme.name : fmt::format("{}: {}", k + 1, scheme.name);
      column.is_stated = true;
      // The relevant limit is 1.
      constexpr double most = 2;
      for (const double radius : scheme.radii) column.numbers.push_back(std::min(radius, most));
      table.columns.push_back(std::move(column));
    }
  if (table.columns.empty())
    throw Error(ErrorCode::usage,
                "there are no spectral radii to draw: the system has no cycle whose components "
                "could all be linearized");
  FigureOptions options;
  options.title = fmt::format("{}: spectral radius over the step", advice.system);
  options.log_x = true;
  options.apart = apart;
  options.max_curves = 24;
  return make_figure(table, nullptr, options);
}

}  // namespace tutti
