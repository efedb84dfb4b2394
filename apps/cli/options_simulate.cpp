// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <tutti/solvers.hpp>

#include "options_shared.hpp"
#include "simulate.hpp"
#include "solvers.hpp"

namespace tutti::cli {
namespace {

/// An option for which 0 is as good as none: files of options of other tools often say so.
void optional_unless_zero(CLI::App& app, const std::string& name, std::optional<double>& value,
                          const std::string& text) {
  app.add_option_function<double>(
      name, [&value](double number) { value = number == 0 ? std::nullopt : std::optional(number); },
      text);
}

std::string solver_help() {
  std::string names;
  for (const SolverInfo& solver : ode_solvers())
    if (solves_fmus(solver)) names += fmt::format("{}{}", names.empty() ? "" : ", ", solver.name);
  return fmt::format("For model exchange: {}. `tutti solvers` describes them", names);
}

void add_simulate_options(CLI::App& app, SimulateCommand& command) {
  SimulateOptions& run = command.run;
  app.add_option("FMU", run.fmu, "An FMU file, or the folder of an unpacked one")->required();
  optional_number(app, "--start", run.start, "Start time [the FMU's, or 0]");
  optional_number(app, "--stop", run.stop, "Stop time [the FMU's, or start + 1]");
  optional_unless_zero(app, "--step", run.step,
                       "Communication step; 0: the default [the FMU's, or span/500]");
  optional_unless_zero(app, "--rtol", run.tolerance,
                       "Relative tolerance, given to the FMU and the solver; 0: the default [the "
                       "FMU's; me: or 1e-6]");
  optional_number(app, "--atol", run.absolute_tolerance,
                  "Absolute tolerance of the solver, times nominal values [rtol/100]");
  app.add_option("--solver", run.solver, solver_help())->capture_default_str();
  optional_number(app, "--max-step", run.max_step,
                  "Maximum step of the solver [with event indicators or no states: --step]");
  optional_number(app, "--first-step", run.first_step,
                  "First step of the solver, at the start and after each event [chosen]");
  app.add_option("--solver-option", command.solver_options,
                 "NAME=VALUE: option of the solver, see `tutti solvers NAME`; may be repeated")
      ->allow_extra_args(false);
  optional_number(app, "--interval", run.interval,
                  "Time between recorded points, a multiple of the step [every step]");
  optional_number(app, "--per-decade", run.per_decade,
                  "Space the points logarithmically, so many to each factor of ten");
  optional_number(app, "--first", run.first,
                  "With --per-decade: the first point after the start [the start]");
  app.add_option("--input", run.input,
                 "CSV file with the time first and one column per input; '' for none");
  add_assignments(app, command.set,
                  "NAME=VALUE: parameter or start value; arrays \"1 2 3\" or NAME[2]=VALUE; "
                  "enumerations by name; may be repeated");
  app.add_option("-o,--output", command.output, "Result file, or none [<fmu>.csv]");
  app.add_option("--variables", run.variables,
                 "Record the variables that match (* and ?); may be repeated [all outputs]")
      ->allow_extra_args(false);
  app.add_option("--variables-file", command.variables_file,
                 "Record the variables named in this file, one a line");
  add_choice<FmuKind>(
      app, "--type", run.kind,
      "Interface of the FMU: cs or me [cs if it has it, me with --solver or its options]",
      {{std::string(interface_word(false)), FmuKind::co_simulation},
       {std::string(interface_word(true)), FmuKind::model_exchange}});
  add_choice<EventMode>(
      app, "--event-mode", run.event_mode,
      "FMI 3.0 event mode: auto (where inputs jump), on or off [auto]",
      {{"auto", EventMode::automatic}, {"on", EventMode::on}, {"off", EventMode::off}});
  app.add_flag("--early-return", run.early_return, "FMI 3.0: let steps end at events of the FMU");
  app.add_flag("--fmu-log", run.fmu_logging, "Switch the FMU's debug messages on");
  app.add_option("--step-timeout", run.step_timeout,
                 "Seconds after which an FMU that does not return is ended; 0 waits for ever")
      ->check(number_from_zero())
      ->capture_default_str();
  app.add_flag("!--in-process", run.own_process,
               "Run the FMU in this process: a crash of the FMU is then a crash of tutti");
  add_diagnose_option(app, command.diagnosis, "FMU");
  app.add_flag("--plot", command.plot, "Draw the results in the terminal");
  add_statistics_option(app, command.statistics);
  app.add_flag("--json", command.json, "Print statistics and findings as JSON");
  add_compile_options(app, run.open.compile);
  add_archive_options(app, run.open.limits);
}

/// Which of the options that belong to one interface were given.
void note_interface_options(const CLI::App& app, SimulateCommand& command) {
  for (const char* const name :
       {"--solver", "--atol", "--max-step", "--first-step", "--solver-option", "--diagnose"})
    if (app.count(name) > 0) command.me_options.emplace_back(name);
  if (command.run.event_mode != EventMode::automatic)
    command.cs_options.emplace_back("--event-mode");
  if (command.run.early_return) command.cs_options.emplace_back("--early-return");
}

int perform(const CLI::App& app, SimulateCommand& command, Console& console) {
  note_interface_options(app, command);
  return simulate(std::move(command), console);
}

}  // namespace

void add_simulate(CommandLine& line) {
  CLI::App& app = add_command(line, "simulate", "Run one FMU", add_simulate_options, perform);
  add_console_options(app, line.console);
}

}  // namespace tutti::cli
