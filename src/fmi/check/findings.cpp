// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/check/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "fmi/check/reporter.hpp"

namespace tutti::fmi {

Findings::Findings(std::size_t max_per_rule)
    : most_(max_per_rule == 0 ? std::numeric_limits<std::size_t>::max() : max_per_rule),
      counts_(all_rules().size()) {}

bool Findings::count(const CheckRule& rule) {
  return ++counts_[static_cast<std::size_t>(&rule - all_rules().data())] <= most_;
}

void Findings::keep(const CheckRule& rule, Finding finding) {
  finding.severity = rule.severity;
  finding.rule = rule.id;
  const std::string_view section = rule.section(version_);
  finding.section =
      fmt::format("FMI {}{}{}", to_string(version_), section.empty() ? "" : ", ", section);
  kept_.push_back(std::move(finding));
}

void Findings::finish(CheckReport& report) {
  for (const CheckRule& rule : all_rules()) {
    const std::size_t count = counts_[static_cast<std::size_t>(&rule - all_rules().data())];
    std::size_t& total = rule.severity == Finding::Severity::error     ? report.errors
                         : rule.severity == Finding::Severity::warning ? report.warnings
                                                                       : report.notes;
    total += count;
    if (count > most_) report.left_out.push_back({std::string(rule.id), count - most_});
  }
  std::ranges::stable_sort(kept_, [](const Finding& a, const Finding& b) {
    const auto rank = [](const Finding& finding) {
      return finding.file == "modelDescription.xml" ? 0 : finding.file.empty() ? 2 : 1;
    };
    return std::tuple(rank(a), std::string_view(a.file), a.line) <
           std::tuple(rank(b), std::string_view(b.file), b.line);
  });
  report.findings = std::move(kept_);
}

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
    if (rule.function == nullptr) continue;  // reported by the reader
    Reporter reporter(subject, rule, findings);
    rule.function(subject, reporter);
  }
  return subject.readable;
}

}  // namespace tutti::fmi
