// SPDX-License-Identifier: BSD-2-Clause
#include "api/topics/tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tutti/built_in.hpp>
#include <tutti/check.hpp>

#include "base/error_codes.hpp"
#include "base/explanation.hpp"
#include "formats/registry.hpp"
#include "formats/toml/keys.hpp"
#include "master/coupling/coupling_method.hpp"
#include "master/stepping/controllers.hpp"
#include "results/result_format.hpp"
#include "session/supported.hpp"
#include "solvers/ode/ode.hpp"
#include "studies/search/search.hpp"
#include "system/component_kind.hpp"

namespace tutti::api {
namespace {

Topic topic(TopicKind kind, std::string_view name, std::string_view summary,
            const Explanation& about, std::string_view usual_page) {
  return {.kind = kind,
          .name = std::string(name),
          .summary = std::string(summary),
          .facts = {},
          .text = std::string(about.text),
          .example = {},
          .words = {},
          .page = std::string(about.page.empty() ? usual_page : about.page)};
}

/// Adds a fact, unless it is empty.
void add_fact(Topic& to, std::string name, std::string_view value) {
  if (!value.empty()) to.facts.push_back({std::move(name), std::string(value)});
}

std::string_view yes_or_no(bool is) { return is ? "yes" : "no"; }

}  // namespace

void add_keys(Topics& all) {
  const formats::Words names = session::known_words();
  for (const formats::Key& key : formats::keys()) {
    Topic one = topic(TopicKind::key, key.path, key.text, {}, "docs/system-file.md");
    const bool is_supported = key.field.read != nullptr;
    if (!is_supported) one.text = "It is not supported yet.";
    add_fact(one, "type", formats::type_text(key, names));
    for (const std::string_view word : formats::allowed_words(key, names))
      one.words.emplace_back(word);
    if (key.path == "simulation.method") one.words.emplace_back("auto");
    if (key.field.parts) add_fact(one, "values", fmt::format("{}", fmt::join(one.words, " | ")));
    add_fact(one, "default", key.fallback);
    add_fact(one, "unit", key.unit);
    one.example = formats::example_lines(key, names);
    all.push_back(std::move(one));
  }
}

void add_coupling_methods(Topics& all) {
  const auto example = [](std::string_view name) {
    return fmt::format("[simulation]\nmethod = \"{}\"\n", name);
  };
  for (const master::CouplingEntry& row : master::coupling_methods()) {
    Topic one =
        topic(TopicKind::method, row.name, row.summary, row.about, "docs/algorithms/README.md");
    add_fact(one, "repeats steps", yes_or_no(row.needs_rollback()));
    add_fact(one, "uses linear models", yes_or_no(row.uses_models()));
    if (row.relaxes) add_fact(one, "settings", "simulation.relaxation");
    if (row.sweeps) add_fact(one, "settings", "simulation.sweeps");
    one.example = example(row.name);
    all.push_back(std::move(one));
  }
  // The automatic choice among the rows.
  Topic one = topic(TopicKind::method, "auto", "chosen for each cycle, with controlled steps",
                    {"Finds the loops of the system and what its FMUs can do, chooses method and "
                     "order of the inputs for each cycle, controls the steps so that the error "
                     "stays below simulation.tolerance, and switches to a fallback where the first "
                     "method fails. You specify only the tolerance. It is for the whole system.",
                     "docs/algorithms/auto.md"},
                    "");
  one.example = example(one.name) + "tolerance = 1e-4\n";
  all.push_back(std::move(one));
}

void add_step_controls(Topics& all) {
  for (const master::StepControlEntry& row : master::step_controls()) {
    Topic one = topic(TopicKind::control, row.name, row.summary, row.about,
                      "docs/algorithms/step-control.md");
    constexpr std::string_view rollback[] = {"never", "if all components can", "needed"};
    add_fact(one, "step sizes", row.chooses_steps ? "chosen" : "constant");
    add_fact(one, "rollback", rollback[static_cast<std::size_t>(row.rollback)]);
    add_fact(one, "tests errors", yes_or_no(row.tests_errors));
    one.example = fmt::format("[simulation]\ncontrol = \"{}\"\n", row.name);
    all.push_back(std::move(one));
  }
}

void add_solvers(Topics& all) {
  for (const solvers::OdeEntry& row : solvers::ode_integrators()) {
    Topic one = topic(TopicKind::solver, row.name, row.summary, row.about, "docs/integrate.md");
    add_fact(one, "order", std::to_string(row.order));
    add_fact(one, "events", row.fixed_step ? "at step ends" : "located");
    add_fact(one, "sparse Jacobians", yes_or_no(row.sparse));
    const bool solves_fmus = row.solves(OdeForm::explicit_ode);
    add_fact(one, "for FMUs", yes_or_no(solves_fmus));
    std::vector<std::string_view> options;
    for (const solvers::OptionRow& option : row.options) options.emplace_back(option.name);
    add_fact(one, "options", fmt::format("{}", fmt::join(options, ", ")));
    if (solves_fmus) one.example = fmt::format("[components.motor]\nsolver = \"{}\"\n", row.name);
    all.push_back(std::move(one));
  }
}

void add_search_methods(Topics& all) {
  for (const studies::SearchMethod& row : studies::search_table()) {
    Topic one =
        topic(TopicKind::search_method, row.name, row.summary, row.about, "docs/studies.md");
    add_fact(one, "for", row.least_squares ? "estimate" : "estimate, optimize");
    add_fact(one, "global", yes_or_no(row.is_global));
    add_fact(one, "constraints", yes_or_no(row.takes_constraints));
    all.push_back(std::move(one));
  }
}

void add_components(Topics& all) {
  for (const system::ComponentKind& row : system::component_kinds()) {
    Topic one =
        topic(TopicKind::component, row.name, row.summary, row.about, "docs/system-file.md");
    add_fact(one, "in system files", yes_or_no(row.origin != system::Origin::object));
    all.push_back(std::move(one));
  }
  for (const BuiltInType& row : built_in_types()) {
    Topic one = topic(TopicKind::component, row.name, row.summary, {}, "docs/components.md");
    one.text = fmt::format("A component without an FMU: {}.", row.equation);
    add_fact(one, "settings", fmt::format("{}", fmt::join(row.settings, ", ")));
    for (const BuiltInVariable& variable : row.variables)
      add_fact(one, fmt::format("{} {}", to_string(variable.causality), variable.name),
               variable.description);
    one.example = fmt::format("[components.{}]\ntype = \"{}\"\n", row.name, row.name);
    all.push_back(std::move(one));
  }
}

void add_formats(Topics& all) {
  for (const results::ResultFormat& row : results::result_formats()) {
    Topic one = topic(TopicKind::result_format, std::string_view(row.extension).substr(1),
                      row.summary, row.about, "docs/compare-and-plot.md");
    add_fact(one, "extension", row.extension);
    add_fact(one, "read by gnuplot", yes_or_no(row.gnuplot_separator != nullptr));
    one.example = fmt::format("[results]\nfile = \"results{}\"\n", row.extension);
    all.push_back(std::move(one));
  }
  for (const formats::Format& row : formats::formats()) {
    Topic one =
        topic(TopicKind::system_format, row.name, row.summary, row.about, "docs/formats.md");
    add_fact(one, "extension", row.extension);
    add_fact(one, "written", yes_or_no(row.write != nullptr));
    all.push_back(std::move(one));
  }
}

void add_rules(Topics& all) {
  for (const RuleInfo& row : check_rules()) {
    Topic one = topic(TopicKind::rule, row.id, row.text, {row.advice, {}}, "docs/check.md");
    add_fact(one, "severity", to_string(row.severity));
    for (std::size_t i = 0; i < row.sections.size(); ++i)
      add_fact(one, fmt::format("FMI {}", to_string(static_cast<FmiVersion>(i))), row.sections[i]);
    add_fact(one, "checked",
             row.run ? "with --run, by running the FMU" : "without running the FMU");
    all.push_back(std::move(one));
  }
}

void add_error_codes(Topics& all) {
  for (const ErrorCodeEntry& row : error_codes()) {
    Topic one = topic(TopicKind::error_code, row.name, row.summary, {row.text, {}},
                      "docs/use-the-library.md");
    const bool is_stopped = row.code == ErrorCode::interrupted;
    add_fact(one, "exit status", is_stopped ? "130" : "2 before time starts, 1 afterwards");
    all.push_back(std::move(one));
  }
}

void add_exit_statuses(Topics& all) {
  for (const ExitStatusEntry& row : exit_statuses())
    all.push_back(topic(TopicKind::exit_status, std::to_string(row.status), row.summary,
                        {row.text, {}}, "docs/simulate.md"));
}

}  // namespace tutti::api
