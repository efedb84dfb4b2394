// SPDX-License-Identifier: BSD-2-Clause
#include <tutti/check.hpp>

#include "fmi/check/findings.hpp"
#include "session/trial/check_run.hpp"

namespace tutti {

CheckReport check(const CheckOptions& options) {
  CheckReport report;
  fmi::Findings findings(options.most_per_rule);
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
         {rule.section(FmiVersion::v1), rule.section(FmiVersion::v2), rule.section(FmiVersion::v3)},
         rule.needs_run()});
  }
  return list;
}

}  // namespace tutti
