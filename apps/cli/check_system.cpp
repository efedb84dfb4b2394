// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <cstdio>
#include <tutti/error.hpp>
#include <tutti/system_file.hpp>

#include "check.hpp"
#include "console.hpp"
#include "error_text.hpp"
#include "text_table.hpp"

namespace tutti::cli {
namespace {

std::string report_text(const SystemReport& report) {
  std::string text;
  const auto list = [&](std::string_view severity, const std::vector<std::string>& lines) {
    for (const std::string& line : lines) text += fmt::format("{:<7}  {}\n", severity, line);
  };
  for (const Error& error : report.errors)
    text += fmt::format("{:<7}  {}\n", "error", message_of(error));
  list("warning", report.warnings);
  list("note", report.notes);
  text += fmt::format("checked {}, {}, {}", counted(report.components, "component"),
                      counted(report.connections, "connection"), counted(report.cycles, "cycle"));
  if (report.lines != 0) text += ", " + counted(report.lines, "transmission line");
  if (report.delays != 0) text += ", " + counted(report.delays, "delayed signal");
  if (report.actions != 0) text += ", " + counted(report.actions, "timed action");
  if (report.lines + report.delays != 0) text += ", " + counted(report.islands, "island");
  return text + fmt::format(": {}, {}\n", counted(report.errors.size(), "error"),
                            counted(report.warnings.size(), "warning"));
}

/// Errors in a file are findings; a file that cannot be read is an exception.
SystemReport look(const CheckCommand& command) {
  FmuOptions open = command.options.open;
  prepare_opening(open);
  System system;
  SystemReport read;  // findings of reading
  const Log log([&](const LogRecord& record) {
    (record.severity == Severity::info ? read.notes : read.warnings).emplace_back(record.text);
  });
  try {
    system = read_system(command.options.fmu, open, log);
    for (const std::string& assignment : command.set) assign(system, assignment, log);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::usage) throw;
    read.errors = error.parts();
    if (read.errors.empty()) read.errors.push_back(error);
    return read;
  }
  SystemReport report = tutti::check_system(system, open);
  // Reading and checking both report warnings about the FMUs of a package.
  for (const std::string& warning : report.warnings) std::erase(read.warnings, warning);
  report.warnings.insert(report.warnings.begin(), read.warnings.begin(), read.warnings.end());
  report.notes.insert(report.notes.begin(), read.notes.begin(), read.notes.end());
  return report;
}

}  // namespace

int check_system(const CheckCommand& command) {
  std::string text;
  int status = 0;
  if (command.keys) {
    text = system_keys_text();
  } else {
    if (command.options.run)
      throw Error(ErrorCode::usage, "--run is for FMUs; a system is run by tutti run");
    const SystemReport report = look(command);
    text = command.json ? system_check_json(report) : report_text(report);
    status = report.errors.empty() ? 0 : 1;
  }
  const bool written = command.json ? put_json(stdout, text) : print_text(stdout, text);
  return written && std::fflush(stdout) == 0 ? status : 1;
}

}  // namespace tutti::cli
