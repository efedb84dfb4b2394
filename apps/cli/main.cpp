// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <map>
#include <tutti/solvers.hpp>
#include <tutti/version.hpp>

#include "check.hpp"
#include "compare.hpp"
#include "console.hpp"
#include "examples.hpp"
#include "graph.hpp"
#include "info.hpp"
#include "plot.hpp"
#include "run.hpp"
#include "simulate.hpp"

namespace {

using tutti::cli::CheckCommand;
using tutti::cli::CompareCommand;
using tutti::cli::Console;
using tutti::cli::GraphCommand;
using tutti::cli::PlotCommand;
using tutti::cli::SimulateCommand;

constexpr int refused = 2;

template <typename T>
void optional_number(CLI::App& app, const std::string& name, std::optional<T>& value,
                     const std::string& text) {
  app.add_option(name, value, text);
}

/// An option for which 0 is as good as none: files of options of other tools often say so.
void optional_unless_zero(CLI::App& app, const std::string& name, std::optional<double>& value,
                          const std::string& text) {
  app.add_option_function<double>(
      name, [&value](double number) { value = number == 0 ? std::nullopt : std::optional(number); },
      text);
}

/// An option that takes one of a few words.
template <typename Enum>
void add_choice(CLI::App& app, const std::string& name, Enum& value, const std::string& text,
                const std::map<std::string, Enum>& choices) {
  std::vector<std::string> words;
  for (const auto& [word, meaning] : choices) words.push_back(word);
  app.add_option_function<std::string>(
         name, [&value, choices](const std::string& word) { value = choices.at(word); }, text)
      ->check(CLI::IsMember(words));
}

template <typename Predicate>
CLI::Validator number_check(const Predicate& is_fine, const std::string& what) {
  return CLI::Validator(
      [is_fine, what](std::string& text) -> std::string {
        char* end = nullptr;
        const double number = std::strtod(text.c_str(), &end);
        const bool whole = !text.empty() && *end == '\0' && std::isfinite(number);
        return whole && is_fine(number) ? "" : fmt::format("\"{}\" is not {}", text, what);
      },
      "");
}
const CLI::Validator number_from_zero =
    number_check([](double x) { return x >= 0; }, "a number from 0 on");
const CLI::Validator positive_number =
    number_check([](double x) { return x > 0; }, "a positive number");

/// A limit takes no sign: as an unsigned number, -1 would be none at all.
const CLI::Validator unsigned_number(
    [](std::string& text) -> std::string {
      const bool begins_well = !text.empty() && text.front() >= '0' && text.front() <= '9';
      return begins_well ? "" : fmt::format("\"{}\" is not a number from 0 on", text);
    },
    "");

void add_limit(CLI::App& app, const std::string& name, std::uint64_t& value,
               const std::string& text, const std::string& standard) {
  app.add_option(name, value, text)
      ->transform(CLI::AsSizeValue(false))
      ->transform(unsigned_number)  // the last one added looks first
      ->default_str(standard);
}

void add_archive_options(CLI::App& app, tutti::ArchiveLimits& limits) {
  add_limit(app, "--max-unpacked", limits.total_bytes,
            "Refuse an FMU that unpacks to more bytes than this", "8 GiB");
  add_limit(app, "--max-ratio", limits.ratio,
            "Refuse an FMU in which a large file is packed more tightly than this", "250");
  add_limit(app, "--max-description", limits.description_bytes,
            "Refuse an FMU whose modelDescription.xml has more bytes than this", "512 MiB");
  add_limit(app, "--max-elements", limits.description_elements,
            "Refuse an FMU whose modelDescription.xml has more XML elements than this",
            "3 million");
}

void add_compile_options(CLI::App& app, tutti::CompileOptions& compile) {
  app.add_flag("--compile", compile.allowed,
               "Compile the FMU's sources (with $CC or cc) if it has no binary for this machine");
  app.add_option("--compile-timeout", compile.timeout,
                 "Seconds after which a compiler is ended; 0 waits for ever")
      ->check(number_from_zero)
      ->capture_default_str();
}

void add_console_options(CLI::App& app, Console::Options& console) {
  app.add_flag("-q,--quiet", console.quiet, "Show errors only");
  app.add_flag("-v,--verbose", console.verbose, "Show every message");
  app.add_option("--log-file", console.log_file, "Write every message to this file");
}

std::string solver_help() {
  std::string text = "For model exchange:";
  for (const tutti::SolverInfo& solver : tutti::ode_solvers())
    text += fmt::format("\n{}: {}", solver.name, solver.summary);
  return text;
}

void add_simulate_options(CLI::App& app, SimulateCommand& command) {
  using tutti::EventMode;
  using tutti::FmuKind;
  tutti::SimulateOptions& run = command.run;
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
                  "Longest step of the solver [with event indicators or no states: --step]");
  optional_number(app, "--interval", run.interval,
                  "Time between recorded points, a multiple of the step [every step]");
  optional_number(app, "--per-decade", run.per_decade,
                  "Space the points logarithmically, so many to each factor of ten");
  optional_number(app, "--first", run.first,
                  "With --per-decade: the first point after the start [the start]");
  app.add_option("--input", run.input,
                 "CSV file with the time first and one column per input; '' for none");
  app.add_option("--set", command.set,
                 "NAME=VALUE: parameter or start value; arrays \"1 2 3\" or NAME[2]=VALUE; "
                 "enumerations by name; may be repeated")
      ->allow_extra_args(false);
  app.add_option("-o,--output", command.output, "Result file, or none [<fmu>.csv]");
  app.add_option("--variables", run.variables,
                 "Record the variables that match (* and ?); may be repeated [all outputs]")
      ->allow_extra_args(false);
  app.add_option("--variables-file", command.variables_file,
                 "Record the variables named in this file, one a line");
  add_choice<FmuKind>(
      app, "--type", run.kind,
      "Interface of the FMU: cs or me [cs if it has it, me with --solver, --atol or --max-step]",
      {{"cs", FmuKind::co_simulation}, {"me", FmuKind::model_exchange}});
  add_choice<EventMode>(
      app, "--event-mode", run.event_mode,
      "FMI 3.0 event mode: auto (where inputs jump), on or off [auto]",
      {{"auto", EventMode::automatic}, {"on", EventMode::on}, {"off", EventMode::off}});
  app.add_flag("--early-return", run.early_return, "FMI 3.0: let steps end at events of the FMU");
  app.add_flag("--fmu-log", run.fmu_logging, "Switch the FMU's debug messages on");
  app.add_option("--step-timeout", run.step_timeout,
                 "Seconds after which an FMU that does not return is ended; 0 waits for ever")
      ->check(number_from_zero)
      ->capture_default_str();
  app.add_flag("!--in-process", run.own_process,
               "Run the FMU in this process: a crash of the FMU is then a crash of tutti");
  app.add_flag("--plot", command.plot, "Draw the results in the terminal");
  app.add_flag("--json", command.json, "Print the statistics as JSON");
  add_compile_options(app, run.open.compile);
  add_archive_options(app, run.open.limits);
}

/// Which of the options that belong to one interface were given.
void note_interface_options(const CLI::App& app, SimulateCommand& command) {
  for (const char* const name : {"--solver", "--atol", "--max-step"})
    if (app.count(name) > 0) command.me_options.emplace_back(name);
  if (command.run.event_mode != tutti::EventMode::automatic)
    command.cs_options.emplace_back("--event-mode");
  if (command.run.early_return) command.cs_options.emplace_back("--early-return");
}

void add_check_options(CLI::App& app, CheckCommand& command) {
  tutti::CheckOptions& options = command.options;
  app.add_option("FILE", options.fmu,
                 "An FMU file, the folder of an unpacked one, or a system file");
  app.add_flag("--run", options.run,
               "Run the FMU too, in a process of its own: instantiate, initialize, step, save and "
               "restore the state, reset, free, twice");
  app.add_option("--step", options.step, "With --run: communication step [the FMU's, or span/500]")
      ->check(positive_number);
  app.add_option("--timeout", options.timeout,
                 "With --run: seconds after which a call that does not return is a finding; 0 "
                 "waits for ever")
      ->check(number_from_zero)
      ->capture_default_str();
  app.add_flag("--all", command.all, "Every finding, however many there are of a rule");
  app.add_flag("--json", command.json, "Findings, or rules, as JSON");
  app.add_flag("--rules", command.rules, "List the rules for FMUs instead");
  app.add_option(
         "--set", command.set,
         "For a system, NAME=VALUE: component.variable, or a key of the system file; may be "
         "repeated")
      ->allow_extra_args(false);
  app.add_flag("--keys", command.keys, "List the keys of system files instead");
  add_compile_options(app, options.open.compile);
  add_archive_options(app, options.open.limits);
}

void add_compare_options(CLI::App& app, CompareCommand& command) {
  using Measure = tutti::CompareOptions::Measure;
  tutti::CompareOptions& options = command.options;
  app.add_option("RESULT", command.result, "A result file (CSV, the time first)")->required();
  app.add_option("REFERENCE", command.reference, "What it is held against")->required();
  app.add_option("VARIABLE", options.variables, "Only those that match (* and ?) [all]");
  app.add_option("--tolerance", options.tolerance, "Largest normalised error that is fine")
      ->check(number_from_zero)
      ->capture_default_str();
  app.add_option("--absolute", options.absolute,
                 "Differences up to this, in the variable's own unit, are fine too")
      ->check(number_from_zero)
      ->capture_default_str();
  add_choice<Measure>(app, "--measure", options.measure,
                      "Judge by rms (mean over time) or max (at any one time) [rms]",
                      {{"rms", Measure::rms}, {"max", Measure::largest}});
  app.add_flag("--common", options.common,
               "Leave columns and times aside that only the reference has");
  app.add_flag("--all", command.all, "Show every variable, not only the worst 20");
  app.add_flag("--json", command.json, "Print everything as JSON");
}

void add_plot_options(CLI::App& app, PlotCommand& command) {
  using tutti::cli::ColorChoice;
  tutti::FigureOptions& figure = command.figure;
  app.add_option("RESULT", command.result, "A result file (CSV, the time first)")->required();
  app.add_option("VARIABLE", figure.variables, "Those that match (* and ?) [the first ones]");
  app.add_option("-o,--output", command.output, "A picture, .svg or .png [the terminal]");
  app.add_option("--with", command.with, "A second result, drawn dashed over the first");
  optional_number(app, "--from", figure.from, "Begin at this time");
  optional_number(app, "--to", figure.to, "End at this time");
  app.add_flag("--log-x", figure.log_x, "Logarithmic time");
  app.add_flag("--log-y", figure.log_y, "Logarithmic values");
  app.add_flag("--apart", figure.apart, "A panel for every variable [one per unit and magnitude]");
  app.add_option("--title", command.title, "Above the plot; '' for none [the file's name]");
  app.add_option("--size", command.size, "WIDTHxHEIGHT of a picture in pixels");
  add_choice<ColorChoice>(app, "--color", command.color,
                          "Colours in the terminal: auto, always or never [auto]",
                          {{"auto", ColorChoice::automatic},
                           {"always", ColorChoice::always},
                           {"never", ColorChoice::never}});
}

void add_system_run_options(CLI::App& app, tutti::cli::RunCommand& command) {
  app.add_option("--set", command.set,
                 "COMPONENT.VARIABLE=VALUE, or SECTION.KEY=VALUE such as simulation.method=newton; "
                 "may be repeated")
      ->allow_extra_args(false);
  app.add_option("-o,--output", command.output,
                 "Result file, or none [results.file, or <system>.csv]");
  app.add_option("--step-timeout", command.options.step_timeout,
                 "Seconds after which an FMU that does not return is ended; 0 waits for ever")
      ->check(number_from_zero)
      ->capture_default_str();
  app.add_flag("!--in-process", command.options.own_process,
               "Run the FMUs in this process: a crash of one is then a crash of tutti");
  app.add_flag("--plot", command.plot, "Draw the results in the terminal");
  app.add_flag("--json", command.json, "Print the statistics as JSON");
  add_archive_options(app, command.options.open.limits);
}

void add_run_options(CLI::App& app, tutti::cli::RunCommand& command) {
  app.add_option("SYSTEM", command.system, "A system file")->required();
  add_system_run_options(app, command);
}

void add_examples_options(CLI::App& app, tutti::cli::ExamplesCommand& command) {
  using Action = tutti::cli::ExamplesCommand::Action;
  const auto add = [&](const char* name, const char* text, Action action) {
    CLI::App& one = *app.add_subcommand(name, text);
    one.callback([&command, action] { command.action = action; });
    return &one;
  };
  app.require_subcommand(1);
  add("list", "Name the examples and what they show", Action::list);
  CLI::App& copy = *add("copy", "Copy one, to change it", Action::copy);
  copy.add_option("NAME", command.name, "An example")->required();
  copy.add_option("FOLDER", command.folder, "Where to [NAME]");
  CLI::App& run = *add("run", "Run one; results go to NAME.csv", Action::run);
  run.add_option("NAME", command.name, "An example")->required();
  add_system_run_options(run, command.run);
  CLI::App& check = *add("check",
                         "Hold runs against the expected figures; exit status 1 if one is "
                         "wrong",
                         Action::check);
  check.add_option("NAME", command.names, "Examples [all]");
  check.add_flag("--all", command.all, "Show every figure, not only those that are wrong");
  add("verdicts", "Judge the EAS master's examples as its authors did, beside their table",
      Action::verdicts);
}

void add_graph_options(CLI::App& app, GraphCommand& command) {
  using tutti::cli::GraphFormat;
  app.add_option("SYSTEM", command.system, "A system file")->required();
  add_choice<GraphFormat>(app, "--format", command.format,
                          "text, dot (for Graphviz), svg or json [text]",
                          {{"text", GraphFormat::text},
                           {"dot", GraphFormat::dot},
                           {"svg", GraphFormat::svg},
                           {"json", GraphFormat::json}});
  app.add_flag("--variables", command.variables,
               "The coupled variables and what they depend on at initialization");
  app.add_option("--set", command.set,
                 "NAME=VALUE: component.variable, or a key of the system file; may be repeated")
      ->allow_extra_args(false);
  app.add_option("-o,--output", command.output, "Write to this file [standard output]");
  add_archive_options(app, command.open.limits);
}

}  // namespace

int main(int argc, char** argv) {
  std::setlocale(LC_ALL, "C");
  tutti::cli::prepare_process();
  CLI::App app("tutti: couples simulation models that come as FMUs and runs them together");
  app.set_version_flag("--version", [] {
    return fmt::format("tutti {}\nwith {}", tutti::version(), tutti::library_versions());
  });
  app.require_subcommand(1);
  Console::Options console_options;

  CLI::App& info = *app.add_subcommand("info", "Tell what is in an FMU");
  std::filesystem::path info_fmu;
  bool info_json = false, info_all = false;
  tutti::FmuOptions info_options;
  info.add_option("FMU", info_fmu, "An FMU file, or the folder of an unpacked one")->required();
  info.add_flag("--json", info_json, "Everything, as JSON");
  info.add_flag("--all", info_all, "Every variable, however many there are");
  add_archive_options(info, info_options.limits);
  add_console_options(info, console_options);

  CLI::App& check = *app.add_subcommand(
      "check", "Tell what is wrong with an FMU, or with a system before it runs");
  CheckCommand check_command;
  add_check_options(check, check_command);

  CLI::App& simulate = *app.add_subcommand("simulate", "Run one FMU");
  SimulateCommand command;
  add_simulate_options(simulate, command);
  add_console_options(simulate, console_options);

  CLI::App& compare = *app.add_subcommand("compare",
                                          "Tell how far a result is from a reference, variable by "
                                          "variable; exit status 1 beyond the tolerance");
  CompareCommand compare_command;
  add_compare_options(compare, compare_command);
  add_console_options(compare, console_options);

  CLI::App& plot = *app.add_subcommand("plot", "Draw a result, as a picture or in the terminal");
  PlotCommand plot_command;
  add_plot_options(plot, plot_command);
  add_console_options(plot, console_options);

  CLI::App& run = *app.add_subcommand("run", "Run a coupled system");
  tutti::cli::RunCommand run_command;
  add_run_options(run, run_command);
  add_console_options(run, console_options);

  CLI::App& graph = *app.add_subcommand(
      "graph", "Show what is coupled with what in a system, its cycles and its order");
  GraphCommand graph_command;
  add_graph_options(graph, graph_command);
  add_console_options(graph, console_options);

  CLI::App& examples =
      *app.add_subcommand("examples", "The library of examples: list, copy, run, check, verdicts");
  tutti::cli::ExamplesCommand examples_command;
  add_examples_options(examples, examples_command);
  add_console_options(examples, console_options);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    const bool named = !app.get_subcommands().empty();
    const std::string asked =
        named ? fmt::format(" {}", app.get_subcommands().front()->get_name()) : "";
    const bool unknown = !named && argc > 1 && argv[1][0] != '-';
    tutti::cli::put(
        stderr,
        fmt::format("tutti: error: {}\nRun `tutti{} --help` for what there is.\n",
                    unknown ? fmt::format("there is no command \"{}\"", argv[1]) : error.what(),
                    asked));
    return refused;
  }

  try {
    Console console(console_options);
    try {
      if (info.parsed()) {
        info_options.stop = &tutti::cli::interrupted();
        return tutti::cli::info(info_fmu, info_json, info_all, info_options, console.log());
      }
      if (check.parsed()) return tutti::cli::check(std::move(check_command));
      if (compare.parsed()) return tutti::cli::compare(compare_command, console);
      if (examples.parsed()) return tutti::cli::examples(std::move(examples_command), console);
      if (run.parsed()) return tutti::cli::run(std::move(run_command), console);
      if (graph.parsed()) {
        graph_command.open.stop = &tutti::cli::interrupted();
        return tutti::cli::graph(graph_command, console.log());
      }
      if (plot.parsed()) return tutti::cli::plot(plot_command, console);
      note_interface_options(simulate, command);
      return tutti::cli::simulate(std::move(command), console);
    } catch (const tutti::Error& error) {
      console.finish();
      console.error(error.what());
      return error.code() == tutti::ErrorCode::interrupted ? 130 : refused;
    }
  } catch (const std::exception& error) {
    tutti::cli::put(stderr, fmt::format("tutti: error: {}\n", error.what()));
    return refused;
  }
}
