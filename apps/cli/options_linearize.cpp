// SPDX-License-Identifier: BSD-2-Clause
#include "linearize.hpp"
#include "options_shared.hpp"

namespace tutti::cli {
namespace {

void add_linearize_options(CLI::App& app, LinearizeCommand& command) {
  app.add_option("FILE", command.model, "FMU or system file")->required();
  optional_number(app, "--at", command.options.at,
                  "Time of the point, to which the model runs [the start, after initialization]");
  app.add_option("--inputs", command.options.inputs,
                 "Inputs of the linear model, names or patterns [all without a connection]")
      ->type_name("NAME ...");
  app.add_option("--outputs", command.options.outputs,
                 "Outputs of the linear model, names or patterns [all outputs]")
      ->type_name("NAME ...");
  app.add_option("-o,--output", command.output, "Write the model: FILE.json, FILE.csv or FILE.mat");
  app.add_option("--bode", command.picture,
                 "Draw the frequency response: FILE.svg, FILE.png, or - for the terminal");
  app.add_option("--frequencies", command.frequencies,
                 "Range of --bode in Hz [a decade around the poles]")
      ->type_name("MIN:MAX");
  app.add_flag("--json", command.json, "Print everything as JSON");
  add_assignments(app, command.set,
                  "Set a parameter or start value, or a key of the system file, NAME=VALUE; may be "
                  "repeated");
  add_start_from(app, command.start_from);
  optional_number(app, "--start", command.start, "Start time [simulation.start, or the FMU's]");
  optional_number(app, "--stop", command.stop, "Stop time [simulation.stop, or the FMU's]");
  optional_number(app, "--step", command.step,
                  "Communication step [simulation.step, or the FMU's]");
  add_choice<FmuKind>(app, "--type", command.kind,
                      "Use this interface of an FMU, cs or me [me if available]",
                      {{std::string(interface_word(false)), FmuKind::co_simulation},
                       {std::string(interface_word(true)), FmuKind::model_exchange}});
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

int perform_linearize(const CLI::App& /*app*/, LinearizeCommand& command, Console& console) {
  return linearize(std::move(command), console);
}

}  // namespace

void add_linearize(CommandLine& line) {
  CLI::App& app = add_command(
      line, "linearize", "Write an FMU or a system as a linear model, with poles and a Bode plot",
      add_linearize_options, perform_linearize);
  add_console_options(app, line.console);
}

}  // namespace tutti::cli
