// SPDX-License-Identifier: BSD-2-Clause
#include "new_system.hpp"
#include "options_shared.hpp"

namespace tutti::cli {
namespace {

void add_new_options(CLI::App& app, NewCommand& command) {
  app.add_option("FMU", command.fmus, "FMU files or unpacked folders; may be repeated")->required();
  app.add_option("-o,--output", command.output, "Write to this .toml file [standard output]");
  app.add_flag("-y,--yes", command.yes,
               "Accept every proposed connection, also uncertain ones, without questions");
  app.add_flag("--force", command.force, "Overwrite the output if it exists");
  add_archive_options(app, command.open.limits);
}

int perform_new(const CLI::App&, NewCommand& command, Console& console) {
  prepare_opening(command.open);
  return new_system(command, console);
}

}  // namespace

void add_new(CommandLine& line) {
  CLI::App& app = add_command(
      line, "new", "Write a system file for these FMUs, with proposed connections to start from",
      add_new_options, perform_new);
  add_console_options(app, line.console);
}

}  // namespace tutti::cli
