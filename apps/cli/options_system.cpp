// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <tutti/system_file.hpp>

#include "advise.hpp"
#include "convert.hpp"
#include "graph.hpp"
#include "options_shared.hpp"

namespace tutti::cli {
namespace {

/// `.ssd, .toml`
std::string extensions(bool written_only) {
  std::string all;
  for (const SystemFormat& format : system_formats())
    if (!written_only || format.is_written)
      all += fmt::format("{}{}", all.empty() ? "" : ", ", format.extension);
  return all;
}

/// `text`: the word behind --verify, which may be the system; empty: the tolerance of the run.
void set_verify(CLI::App& app, RunCommand& command, const std::string& text) {
  VerifyOptions& verify = command.options.verify.emplace();
  if (text.empty()) return;
  std::string number = text;
  const std::string problem = positive_number()(number);
  if (problem.empty()) {
    verify.tolerance = std::stod(number);
    return;
  }
  CLI::Option* const system = app.get_option_no_throw("SYSTEM");
  if (system == nullptr || system->count() > 0) throw CLI::ValidationError("--verify", problem);
  system->add_result(text);
  system->run_callback();
}

void add_run_options(CLI::App& app, RunCommand& command) {
  app.add_option("SYSTEM", command.system, fmt::format("System file: {}", extensions(false)));
  add_structure_option(app, command.options.open);
  add_system_run_options(app, command);
  CLI::Option* const checkpoint =
      app.add_option("--checkpoint", command.checkpoint,
                     "Write checkpoints to this file, from which the run can be resumed")
          ->type_name("FILE");
  CLI::Option* const every =
      app.add_option("--every", command.every, "Simulated seconds between checkpoints");
  checkpoint->needs(every);
  every->needs(checkpoint);
  app.add_option("--resume", command.resume,
                 "Resume from this checkpoint, instead of SYSTEM; --set changes inputs and tunable "
                 "parameters, -o the result file [the same, continued]")
      ->type_name("FILE");
}

void add_graph_options(CLI::App& app, GraphCommand& command) {
  app.add_option("SYSTEM", command.system, fmt::format("System file: {}", extensions(false)))
      ->required();
  add_choice<GraphFormat>(app, "--format", command.format,
                          "Print text, dot (for Graphviz), svg or json [by the extension, text]",
                          {{"text", GraphFormat::text},
                           {"dot", GraphFormat::dot},
                           {"svg", GraphFormat::svg},
                           {"json", GraphFormat::json}});
  app.add_flag("--variables", command.variables,
               "Show the coupled variables and their dependencies at initialization");
  add_assignments(
      app, command.set,
      "Set component.variable or a key of the system file, NAME=VALUE; may be repeated");
  add_monolithic(app, command.set);
  app.add_option("-o,--output", command.output, "Write to this file [standard output]");
  add_structure_option(app, command.open);
  add_archive_options(app, command.open.limits);
}

void add_advise_options(CLI::App& app, AdviseCommand& command) {
  app.add_option("SYSTEM", command.system, fmt::format("System file: {}", extensions(false)))
      ->required();
  add_assignments(
      app, command.set,
      "Set COMPONENT.VARIABLE=VALUE or SECTION.KEY=VALUE, e.g. simulation.step=0.01; may "
      "be repeated");
  add_monolithic(app, command.set);
  app.add_option("--points", command.options.points,
                 "Run the system, and analyse the loops at this number of later points, too [0]")
      ->check(CLI::Range(0, 10'000));
  app.add_flag("--json", command.json, "Print everything as JSON");
  app.add_option(
      "--plot", command.picture,
      "Draw the spectral radii over the step size: FILE.svg, FILE.png, or - for the terminal");
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

void add_convert_options(CLI::App& app, ConvertCommand& command) {
  std::string formats = "Format of the output of a system, if the extension does not determine it:";
  std::vector<std::string> names;
  for (const SystemFormat& format : system_formats()) {
    if (!format.is_written) continue;
    names.push_back(format.name);
    formats += fmt::format("\n{}: {}", format.name, format.summary);
  }
  app.add_option("FILE", command.input,
                 fmt::format("System file ({}) or result file", extensions(false)))
      ->required();
  app.add_option("OUTPUT", command.output,
                 fmt::format("File to write: {}; results: .csv, .h5, .mat", extensions(true)))
      ->required();
  app.add_option("--to", command.format, formats)->check(CLI::IsMember(names));
  app.add_flag("--compress", command.compress, "Compress results, if their format can (.h5)");
  add_assignments(
      app, command.set,
      "Set component.variable or a key of the system file, NAME=VALUE; may be repeated");
  add_structure_option(app, command.open);
  add_archive_options(app, command.open.limits);
}

int perform_convert(const CLI::App&, ConvertCommand& command, Console& console) {
  prepare_opening(command.open);
  return convert(command, console);
}

int perform_run(const CLI::App&, RunCommand& command, Console& console) {
  return run(std::move(command), console);
}
int perform_advise(const CLI::App&, AdviseCommand& command, Console& console) {
  return advise(std::move(command), console);
}
int perform_graph(const CLI::App&, GraphCommand& command, Console& console) {
  prepare_opening(command.open);
  return graph(command, console);
}

}  // namespace

void add_system_run_options(CLI::App& app, RunCommand& command) {
  add_assignments(
      app, command.set,
      "Set COMPONENT.VARIABLE=VALUE or SECTION.KEY=VALUE, e.g. simulation.method=newton; may be "
      "repeated");
  add_monolithic(app, command.set);
  add_start_from(app, command.start_from);
  optional_number(app, "--start", command.start, "Start time [simulation.start]");
  optional_number(app, "--stop", command.stop, "Stop time [simulation.stop]");
  optional_number(app, "--step", command.step, "Communication step [simulation.step]");
  app.add_option("-o,--output", command.output,
                 "Write results to this file; none: no results [results.file, or <system>.csv]");
  app.add_option("--step-timeout", command.options.step_timeout,
                 "Maximum wall-clock seconds of one FMU call; 0: no limit")
      ->check(number_from_zero())
      ->capture_default_str();
  app.add_flag("!--in-process", command.options.own_process,
               "Run the FMUs in this process, where a crash ends tutti");
  app.add_flag("--profile", command.options.profile,
               "Time every step, for exact times in the statistics [some steps]");
  app.add_option_function<std::string>(
         "--verify", [&](const std::string& text) { set_verify(app, command, text); },
         "Compare with a second, more accurate run; status 1 above 10 TOL [the run's tolerance]")
      ->expected(0, 1)
      ->type_name("[TOL]");
  add_diagnose_option(app, command.diagnosis, "SYSTEM");
  app.add_flag("--plot", command.plot, "Draw the results in the terminal");
  app.add_flag("--gnuplot", command.gnuplot,
               "Also write <result>.gnuplot, a script that plots the results");
  add_statistics_option(app, command.statistics);
  app.add_flag("--json", command.json, "Print statistics and findings as JSON");
  add_compile_options(app, command.options.open.compile);
  add_archive_options(app, command.options.open.limits);
}

void add_run(CommandLine& line) {
  CLI::App& app = add_command(line, "run", "Run a coupled system", add_run_options, perform_run);
  add_console_options(app, line.console);
}

void add_graph(CommandLine& line) {
  CLI::App& app =
      add_command(line, "graph", "Show the components, connections, cycles and order of a system",
                  add_graph_options, perform_graph);
  add_console_options(app, line.console);
}

void add_advise(CommandLine& line) {
  CLI::App& app = add_command(
      line, "advise",
      "Report whether a system is stable, up to which step size, and which coupling method fits",
      add_advise_options, perform_advise);
  add_console_options(app, line.console);
}

void add_convert(CommandLine& line) {
  CLI::App& app = add_command(line, "convert", "Write a system in another format",
                              add_convert_options, perform_convert);
  add_console_options(app, line.console);
}

}  // namespace tutti::cli
