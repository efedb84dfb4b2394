// SPDX-License-Identifier: BSD-2-Clause
#include "options_shared.hpp"
#include "solvers.hpp"

namespace tutti::cli {
namespace {

void add_solvers_options(CLI::App& app, SolversCommand& command) {
  app.add_option("SOLVER", command.name, "Name of a solver, to list its options [a table of all]");
  app.add_flag("--json", command.json, "Print everything as JSON");
}

int perform_solvers(const CLI::App&, SolversCommand& command, Console& console) {
  return solvers(command, console);
}

}  // namespace

void add_solvers(CommandLine& line) {
  CLI::App& app = add_command(line, "solvers", "List the solvers of differential equations",
                              add_solvers_options, perform_solvers);
  add_console_options(app, line.console);
}

}  // namespace tutti::cli
