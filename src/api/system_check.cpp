// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tutti/check.hpp>
#include <tutti/system_check.hpp>

#include "api/graph/lines.hpp"
#include "api/open_inputs.hpp"
#include "fmi/check/findings.hpp"
#include "fmi/file_cache.hpp"
#include "master/coupling/coupling_method.hpp"
#include "session/join_clusters.hpp"
#include "session/planned_actions.hpp"
#include "session/supported.hpp"
#include "session/system_models.hpp"
#include "session/system_setup.hpp"
#include "session/trial/check_run.hpp"
#include "system/make_plan.hpp"
#include "system/package_paths.hpp"
#include "system/patterns.hpp"

namespace tutti {

CheckReport check(const CheckOptions& options) {
  CheckReport report;
  fmi::Findings findings(options.max_per_rule);
  const bool can_run = fmi::judge(options.fmu, options.open, findings, report);
  if (options.run && can_run) {
    session::check_by_running(options, findings);
    for (const fmi::CheckRule& rule : fmi::all_rules()) {
      if (rule.needs_run() && !rule.section(report.version).empty()) ++report.rules;
    }
  }
  findings.finish(report);
  return report;
}

std::vector<RuleInfo> check_rules() {
  std::vector<RuleInfo> list;
  for (const fmi::CheckRule& rule : fmi::all_rules()) {
    list.push_back(
        {rule.id,
         rule.severity,
         rule.text,
         rule.advice,
         {rule.section(FmiVersion::v1), rule.section(FmiVersion::v2), rule.section(FmiVersion::v3)},
         rule.needs_run()});
  }
  return list;
}

SystemReport check_system(const System& written, const FmuOptions& given) {
  const FmuOptions options = fmi::with_cache(given);
  const system::PackagePaths paths(written);
  SystemReport report;
  report.components = written.components.size();
  report.connections = written.connections.size();
  report.actions = written.actions.size();
  const Log log =
      Log([&](const LogRecord& record) {
        auto& list = record.severity == Severity::info ? report.notes : report.warnings;
        const std::string text = paths.shown(record.text);
        list.push_back(record.component.empty() ? text
                                                : fmt::format("{}: {}", record.component, text));
      }).once();
  system::Problems problems;
  session::check_supported(written, problems);
  session::note_idle_settings(written, log);
  System joined = written;
  if (problems.empty())
    problems.attempt([&] { joined = session::join_clusters(written, options, log); });
  const System& system = joined;
  const session::SystemModels models = session::read_models(system, options, problems, log);
  session::note_idle_solvers(system, models, log);
  const auto& descriptions = models.descriptions;
  const bool complete =
      std::find(descriptions.begin(), descriptions.end(), nullptr) == descriptions.end();
  if (complete) {
    bool fits = true;
    for (std::size_t i = 0; i < descriptions.size(); ++i)
      fits &=
          problems.attempt([&] { system::interface_of(system.components[i], *descriptions[i]); });
    if (fits) problems.attempt([&] { session::check_solvers(system, models); });
    problems.attempt([&] {
      const system::Plan plan =
          system::make_plan(system, descriptions, models.structures, log, models.input_columns);
      if (const auto open = system::open_inputs(system, descriptions, models.structures, plan);
          !open.empty())
        log.info("", api::open_inputs_text(open));
      report.cycles = static_cast<std::size_t>(
          std::count_if(plan.stages.begin(), plan.stages.end(),
                        [](const system::Stage& stage) { return stage.is_cycle; }));
      const system::ConnectionPatterns patterns(system, descriptions);
      report.connections =
          plan.expanded.size() +
          static_cast<std::size_t>(std::count_if(
              system.connections.begin(), system.connections.end(),
              [&](const Connection& connection) { return !patterns.is_pattern(connection); }));
      report.lines = plan.lines.lines.size();
      const std::vector<SystemGraph::Delay> delays = api::delays_of(system, plan.lines);
      report.delays = delays.size();
      report.islands = plan.lines.islands.size();
      for (const SystemGraph::Line& line : api::lines_of(system, plan.lines))
        log.info("", "line " + line_text(line));
      problems.attempt([&] { session::recorded_variables(system, models, plan); });
      if (!fits) return;
      system::check_rollback(system, plan, descriptions, master::needs_rollback);
      session::check_abilities(system, models, plan);
      session::RunSetup setup;
      session::resolve_time(system, models, setup, log);
      session::find_substeps(system, setup.step);
      session::plan_actions(system, models, plan, setup.time.grid, log);
    });
    if (fits) session::open_fmus(system, models, options, problems, log);
  }
  // Where clusters cannot be made, the parts of the system are checked again without them.
  std::set<std::string> known;
  for (const Error& error : problems.all())
    if (known.insert(error.what()).second) report.errors.push_back(paths.shown(error));
  return report;
}

}  // namespace tutti
