// SPDX-License-Identifier: BSD-2-Clause
#include "options_shared.hpp"
#include "steady.hpp"

namespace tutti::cli {
namespace {

void add_steady_options(CLI::App& app, SteadyCommand& command) {
  app.add_option("FILE", command.model, "System file or FMU")->required();
  app.add_option("--free", command.options.free,
                 "Input or tunable parameter whose value is unknown, or a pattern; may be repeated")
      ->type_name("NAME")
      ->allow_extra_args(false);
  app.add_option("--fix", command.fix,
                 "Value that a state or output must have, one for each free input; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  add_assignments(app, command.set,
                  "Set a parameter, input or start value of the search, NAME=VALUE; may be "
                  "repeated");
  add_start_from(app, command.start_from);
  optional_number(app, "--start", command.start,
                  "Time of inputs and equations [simulation.start, or that of the FMU]");
  app.add_option("-o,--output", command.output,
                 "Write the values to this TOML file, for --start-from");
  app.add_option("--tolerance", command.options.tolerance,
                 "Accuracy of values, relative to their magnitude + nominal")
      ->check(positive_number())
      ->capture_default_str();
  app.add_option("--iterations", command.options.iterations,
                 "Maximum number of iterations of Newton's method")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  app.add_option("--steps", command.options.steps,
                 "Maximum number of steps of the pseudo-transient that follows if it fails")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  app.add_flag("--json", command.json, "Print everything as JSON");
  app.add_option("--step-timeout", command.options.step_timeout,
                 "Maximum wall-clock seconds of one FMU call; 0: no limit")
      ->check(number_from_zero())
      ->capture_default_str();
  app.add_flag("!--in-process", command.options.own_process,
               "Load the FMUs in this process, where a crash ends tutti");
  add_structure_option(app, command.options.open);
  add_compile_options(app, command.options.open.compile);
  add_archive_options(app, command.options.open.limits);
}

int perform_steady(const CLI::App&, SteadyCommand& command, Console& console) {
  return steady(std::move(command), console);
}

}  // namespace

void add_steady(CommandLine& line) {
  CLI::App& app = add_command(
      line, "steady", "Find values of states and inputs for which nothing changes over time",
      add_steady_options, perform_steady);
  add_console_options(app, line.console);
}

}  // namespace tutti::cli
