// SPDX-License-Identifier: BSD-2-Clause
#include "explain.hpp"
#include "options_shared.hpp"

namespace tutti::cli {
namespace {

void add_explain_options(CLI::App& app, ExplainCommand& command) {
  app.add_option("TOPIC", command.words,
                 "Key of system files (or its last part), coupling method, step control, solver, "
                 "rule of `tutti check`, error code, ... [a list of all]");
  app.add_flag("--json", command.json, "Print everything as JSON");
}

int perform_explain(const CLI::App&, ExplainCommand& command, Console& console) {
  return explain(command, console);
}

}  // namespace

void add_explain(CommandLine& line) {
  CLI::App& app =
      add_command(line, "explain", "Explain a key, a method, a solver, a rule or an error code",
                  add_explain_options, perform_explain);
  add_console_options(app, line.console);
}

}  // namespace tutti::cli
