// SPDX-License-Identifier: BSD-2-Clause
#include "check.hpp"
#include "info.hpp"
#include "options_shared.hpp"

namespace tutti::cli {
namespace {

struct InfoCommand {
  InfoRequest request;
  FmuOptions open;
};

void add_info_options(CLI::App& app, InfoCommand& command) {
  app.add_option("FILE", command.request.file, "FMU file, unpacked folder, or result file")
      ->required();
  app.add_flag("--json", command.request.json, "Print everything as JSON");
  app.add_flag("--all", command.request.all, "Show every variable, not only the first 50");
  app.add_flag("--structure", command.request.structure,
               "Draw which derivatives and outputs depend on which states and inputs instead");
  add_archive_options(app, command.open.limits);
}

int perform_info(const CLI::App&, InfoCommand& command, Console& console) {
  command.open.stop = &interrupted();
  console.open_log({command.request.file});
  return info(command.request, command.open, console);
}

void add_check_options(CLI::App& app, CheckCommand& command) {
  CheckOptions& options = command.options;
  app.add_option("FILE", options.fmu, "FMU file, unpacked folder, or system file");
  app.add_flag("--run", options.run,
               "Also run the FMU, in a separate process: steps, rollback, reset, two instances");
  app.add_option("--step", options.step, "Communication step of --run [the FMU's, or span/500]")
      ->check(positive_number());
  app.add_option("--timeout", options.timeout,
                 "Maximum wall-clock seconds of a call of --run; 0: no limit")
      ->check(number_from_zero())
      ->capture_default_str();
  app.add_flag("--all", command.all, "Show every finding of a rule");
  app.add_flag("--json", command.json, "Print findings or rules as JSON");
  app.add_flag("--rules", command.rules, "List the rules for FMUs instead");
  add_assignments(app, command.set,
                  "Set component.variable or a key of a system file, NAME=VALUE; may be repeated");
  add_monolithic(app, command.set);
  app.add_flag("--keys", command.keys, "List the keys of system files instead");
  add_structure_option(app, options.open);
  add_compile_options(app, options.open.compile);
  add_archive_options(app, options.open.limits);
}

int perform_check(const CLI::App&, CheckCommand& command, Console&) {
  return check(std::move(command));
}

}  // namespace

void add_info(CommandLine& line) {
  CLI::App& app = add_command(line, "info", "Print what is in an FMU or a result file",
                              add_info_options, perform_info);
  add_console_options(app, line.console);
}

void add_check(CommandLine& line) {
  CLI::App& app = add_command(line, "check",
                              "Report what is wrong with an FMU, or with a system before it runs",
                              add_check_options, perform_check);
  add_color_option(app, line.console);
}

}  // namespace tutti::cli
