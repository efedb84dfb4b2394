// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <tutti/solvers.hpp>

#include "options_shared.hpp"
#include "simulate.hpp"
#include "solvers.hpp"

namespace tutti::cli {
namespace {

/// An option whose value 0 means its default, as in option files of other tools.
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
  return fmt::format("Solver for model exchange: {}. `tutti solvers` describes them", names);
}

void add_simulate_options(CLI::App& app, SimulateCommand& command) {
  SimulateOptions& run = command.run;
  app.add_option("FMU", run.fmu, "FMU file or unpacked folder")->required();
  optional_number(app, "--start", run.start, "Start time [the FMU's, or 0]");
  optional_number(app, "--stop", run.stop, "Stop time [the FMU's, or start + 1]");
  optional_unless_zero(app, "--step", run.step,
                       "Communication step; 0: the default [the FMU's, or span/500]");
  optional_unless_zero(
      app, "--rtol", run.tolerance,
      "Relative tolerance of the FMU and the solver; 0: the default [the FMU's; me: or 1e-6]");
  optional_number(app, "--atol", run.absolute_tolerance,
                  "Absolute tolerance of the solver, scaled by nominal values [rtol/100]");
  app.add_option("--solver", run.solver, solver_help())->capture_default_str();
  optional_number(app, "--max-step", run.max_step,
                  "Maximum step size of the solver [with event indicators or no states: --step]");
  optional_number(app, "--first-step", run.first_step,
                  "First step size of the solver, at the start and after each event [chosen]");
  app.add_option("--solver-option", command.solver_options,
                 "Set an option of the solver (`tutti solvers NAME`), NAME=VALUE; may be repeated")
      ->allow_extra_args(false);
  optional_number(app, "--interval", run.interval,
                  "Time between recorded points, a multiple of the step [every step]");
  optional_number(app, "--per-decade", run.per_decade,
                  "Number of communication points per decade, logarithmically spaced");
  optional_number(app, "--first", run.first,
                  "First of the points of --per-decade, after the start [the start]");
  app.add_option("--input", run.input,
                 "Read inputs from a CSV file, the time first, one column per input; '' for none");
  add_assignments(
      app, command.set,
      "Set a parameter or start value, NAME=VALUE; arrays \"1 2 3\" or NAME[2]=VALUE; may be "
      "repeated");
  add_start_from(app, command.start_from);
  app.add_option("-o,--output", command.output,
                 "Write results to this file; none: no results [<fmu>.csv]");
  app.add_option("--variables", run.variables,
                 "Record matching variables (* and ?); may be repeated [all outputs]")
      ->allow_extra_args(false);
  app.add_option("--variables-file", command.variables_file,
                 "Record the variables named in this file, one per line");
  add_choice<FmuKind>(
      app, "--type", run.kind,
      "Use this interface of the FMU, cs or me [cs if available; me with solver options]",
      {{std::string(interface_word(false)), FmuKind::co_simulation},
       {std::string(interface_word(true)), FmuKind::model_exchange}});
  add_choice<EventMode>(
      app, "--event-mode", run.event_mode,
      "Use event mode of FMI 3.0: auto (where inputs jump), on or off [auto]",
      {{"auto", EventMode::automatic}, {"on", EventMode::on}, {"off", EventMode::off}});
  app.add_flag("--early-return", run.early_return, "Let steps end at events of the FMU (FMI 3.0)");
  app.add_flag("--fmu-log", run.fmu_logging, "Log the FMU's debug messages");
  app.add_option("--step-timeout", run.step_timeout,
                 "Maximum wall-clock seconds of one FMU call; 0: no limit")
      ->check(number_from_zero())
      ->capture_default_str();
  app.add_flag("!--in-process", run.own_process,
               "Run the FMU in this process, where its crash ends tutti");
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
