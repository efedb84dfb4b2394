// SPDX-License-Identifier: BSD-2-Clause
#include "check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <tutti/error.hpp>
#include <tutti/system_file.hpp>

#include "console.hpp"
#include "error_text.hpp"
#include "file_kind.hpp"
#include "text_table.hpp"

namespace tutti::cli {
namespace {

/// Texts from FMUs must not control the terminal.
std::string printable(std::string text) {
  for (char& c : text) {
    if ((c >= 0 && c < ' ') || c == 127) c = ' ';
  }
  return text;
}

std::string finding_text(const Finding& finding, std::size_t line_width) {
  const std::string line = finding.line > 0 ? std::to_string(finding.line) : "";
  return fmt::format("  {:>{}}{}{:<7}  {}{}{}  [{} ({})]\n", line, line_width,
                     line_width > 0 ? "  " : "", to_string(finding.severity),
                     printable(finding.variable), finding.variable.empty() ? "" : ": ",
                     printable(finding.text), finding.rule, finding.section);
}

std::string summary(const CheckReport& report) {
  std::string text =
      fmt::format("checked {} on {}: {}, {}", counted(report.rules, "rule"),
                  counted(report.variables, "variable"), counted(report.errors, "error"),
                  counted(report.warnings, "warning"));
  if (report.notes > 0) text += ", " + counted(report.notes, "note");
  return text + "\n";
}

/// One block per file of the FMU, the findings in it by line.
std::string check_text(const CheckReport& report) {
  std::string text;
  const auto& findings = report.findings;
  for (auto first = findings.begin(); first != findings.end();) {
    const auto last = std::find_if(
        first, findings.end(), [&](const Finding& finding) { return finding.file != first->file; });
    std::uint32_t most = 0;
    for (auto it = first; it != last; ++it) most = std::max(most, it->line);
    const std::size_t width = most > 0 ? std::to_string(most).size() : 0;
    text += (first->file.empty() ? "the FMU" : printable(first->file)) + "\n";
    for (; first != last; ++first) text += finding_text(*first, width);
  }
  for (const CheckReport::LeftOut& more : report.left_out) {
    text += fmt::format("and {} more of the rule {} (--all shows them)\n", with_commas(more.count),
                        more.rule);
  }
  text += summary(report);
  if (!findings.empty())
    text +=
        fmt::format("`tutti explain {}` describes a rule and what to do\n", findings.front().rule);
  return text;
}

std::string rules_text() {
  TextTable table({{"rule", 30},
                   {"severity", 8},
                   {"requirement", 84},
                   {"FMI 1.0", 20},
                   {"FMI 2.0", 16},
                   {"FMI 3.0", 16}});
  for (const RuleInfo& rule : check_rules()) {
    std::vector<std::string> row{std::string(rule.id), std::string(to_string(rule.severity)),
                                 std::string(rule.text)};
    for (const std::string_view section : rule.sections) {
      row.emplace_back(section.empty() ? "-" : section);
    }
    table.add(std::move(row));
  }
  return table.text(0, 200);
}

}  // namespace

int check(CheckCommand command) {
  if (command.keys || is_system_file(command.options.fmu)) return check_system(command);
  std::string text;
  int status = 0;
  if (command.rules) {
    text = command.json ? rules_json() : rules_text();
  } else {
    if (command.options.fmu.empty()) {
      throw Error(ErrorCode::usage, "nothing to check: name the file of an FMU or a system");
    }
    expect_kind("check", FileKind::fmu, command.options.fmu);
    command.options.open.stop = &interrupted();
    command.options.key_name = [](const ErrorDetails& details) { return option_of(details); };
    command.options.stop_request = &interrupted();
    if (command.all || command.json) command.options.max_per_rule = 0;
    const CheckReport report = tutti::check(command.options);
    text = command.json ? check_json(report) : check_text(report);
    status = report.errors > 0 ? 1 : 0;
  }
  const bool written = command.json ? put(stdout, text) : print_text(stdout, text);
  return written && std::fflush(stdout) == 0 ? status : 1;
}

}  // namespace tutti::cli
