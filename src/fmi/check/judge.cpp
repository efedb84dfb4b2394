// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/check/judge.hpp"

#include "fmi/check/reporter.hpp"

namespace tutti::fmi {

bool judge(const std::filesystem::path& fmu, const FmuOptions& options, Findings& findings,
           CheckReport& report) {
  const Subject subject(fmu, options, findings);
  report.version = subject.version;
  report.model = subject.description.model_name;
  report.variables = subject.description.variables.size();
  for (const CheckRule& rule : all_rules()) {
    if (rule.needs_run() || rule.section(subject.version).empty()) continue;
    if (rule.function != nullptr && !rule.raw && !subject.readable) continue;
    ++report.rules;
    if (rule.function == nullptr) continue;  // the reader has told
    Reporter reporter(subject, rule, findings);
    rule.function(subject, reporter);
  }
  return subject.readable;
}

}  // namespace tutti::fmi
