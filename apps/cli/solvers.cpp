// SPDX-License-Identifier: BSD-2-Clause
#include "solvers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "text_table.hpp"

namespace tutti::cli {
namespace {

std::string events_of(const SolverInfo& solver) {
  return solver.fixed_step ? "at step ends" : "located";
}

std::string forms_of(const SolverInfo& solver) {
  std::string text;
  for (const OdeForm form : solver.forms)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", form_name(form));
  return text;
}

std::string value_text(const SolverOption& value) {
  return std::visit([](const auto& one) { return fmt::format("{}", one); }, value);
}

std::string range_of(const SolverOptionInfo& option) {
  if (!option.words.empty()) return fmt::format("one of: {}", fmt::join(option.words, ", "));
  if (option.minimum == option.maximum) return "";
  return fmt::format("from {:g} to {:g}", option.minimum, option.maximum);
}

std::string all_solvers_text(const std::vector<SolverInfo>& all) {
  TextTable table({{"solver", 20}, {"order", 5}, {"events", 12}, {"sparse", 6}, {"problems", 40}});
  std::string text;
  for (const SolverInfo& solver : all)
    table.add({solver.name, solver.order > 0 ? std::to_string(solver.order) : "", events_of(solver),
               solver.sparse ? "yes" : "no", forms_of(solver)});
  text += table.text(0);
  text += '\n';
  for (const SolverInfo& solver : all) text += fmt::format("{}: {}\n", solver.name, solver.summary);
  text +=
      "\nSolvers for explicit problems can solve model-exchange FMUs.\n"
      "`tutti solvers NAME` lists the options of a solver, `tutti explain NAME` describes its "
      "use.\n";
  return text;
}

std::string solver_text(const SolverInfo& solver) {
  std::string text = fmt::format("{}: {}\n  order {}, events {}{}\n  problems: {}\n", solver.name,
                                 solver.summary, solver.order, events_of(solver),
                                 solver.sparse ? ", sparse Jacobians" : "", forms_of(solver));
  if (solver.options.empty()) return text + "  no options\n";
  std::size_t width = 0;
  for (const SolverOptionInfo& option : solver.options) width = std::max(width, option.name.size());
  text += '\n';
  for (const SolverOptionInfo& option : solver.options) {
    const std::string range = range_of(option), default_text = value_text(option.default_value);
    text +=
        fmt::format("  {:<{}}  {}, default {}{}\n  {:{}}  {}\n", option.name, width,
                    option_type(option.default_value), default_text.empty() ? "none" : default_text,
                    range.empty() ? "" : ", " + range, "", width, option.summary);
  }
  return text;
}

}  // namespace

bool solves_fmus(const SolverInfo& solver) {
  return std::ranges::find(solver.forms, OdeForm::explicit_ode) != solver.forms.end();
}

std::string form_name(OdeForm form) {
  switch (form) {
    case OdeForm::explicit_ode:
      return "explicit";
    case OdeForm::mass_matrix:
      return "mass matrix";
    case OdeForm::implicit:
      return "implicit";
    case OdeForm::split:
      return "split";
  }
  return "";
}

std::string option_type(const SolverOption& value) {
  constexpr const char* names[] = {"boolean", "integer", "number", "string"};
  return names[value.index()];
}

int solvers(const SolversCommand& command, Console&) {
  const std::vector<SolverInfo> all = ode_solvers();
  const std::vector<SolverInfo> shown =
      command.name.empty() ? all : std::vector{ode_solver(command.name)};
  const bool written = command.json
                           ? put(stdout, solvers_json(shown) + "\n")
                           : print_text(stdout, command.name.empty() ? all_solvers_text(all)
                                                                     : solver_text(shown.front()));
  return written && std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace tutti::cli
