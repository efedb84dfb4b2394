// SPDX-License-Identifier: BSD-2-Clause
#include "options_shared.hpp"
#include "sweep.hpp"

namespace tutti::cli {
namespace {

constexpr const char* plot_text =
    "Draw the outputs over the parameters: FILE.svg, FILE.png, or - for the terminal";

void add_sweep_options(CLI::App& app, SweepCommand& command) {
  SweepOptions& options = command.options;
  app.add_option("STUDY", command.study, "Study file with a section [sweep]")->required();
  add_assignments(app, options.set,
                  "Set COMPONENT.VARIABLE=VALUE or SECTION.KEY=VALUE in all runs; may be repeated");
  app.add_option("-o,--output", options.results,
                 "Write the table to this file [sweep.results, or <study>.csv]");
  app.add_option("-j,--jobs", options.jobs, "Number of runs at the same time [one per core]")
      ->check(CLI::Range(1, 10'000));
  CLI::Option* const resume = app.add_flag("--continue", options.resume,
                                           "Run what the table of an interrupted sweep lacks");
  app.add_flag("--retry-failed", options.retry_failed, "With --continue: also runs that failed")
      ->needs(resume);
  app.add_flag("--restart", options.restart, "Replace the table of an interrupted or another sweep")
      ->excludes(resume);
  app.add_option("--part", command.part,
                 "Run every N-th run from run I on, into <table>.part-I-of-N.csv (tutti merge)")
      ->type_name("I/N");
  app.add_flag("--dry-run", command.dry_run, "Print the number of runs and the first ones only");
  app.add_option("--plot", command.plot, plot_text);
  app.add_option("--step-timeout", options.step_timeout,
                 "Maximum wall-clock seconds of one FMU call; 0: no limit")
      ->check(number_from_zero())
      ->capture_default_str();
  app.add_flag("!--no-reset", options.reuse,
               "Instantiate the FMUs for each run, instead of resetting them");
  app.add_flag("!--in-process", options.own_process,
               "Run one after the other in this process, where a crash ends tutti");
  app.add_flag("--json", command.json, "Print the summary as JSON");
  add_structure_option(app, options.open);
  add_compile_options(app, options.open.compile);
  add_archive_options(app, options.open.limits);
}

void add_merge_options(CLI::App& app, MergeCommand& command) {
  app.add_option("TABLE", command.tables, "Tables of all parts of a sweep")->required();
  app.add_option("-o,--output", command.output, "Write the table to this file")->required();
  app.add_option("--plot", command.plot, plot_text);
  app.add_flag("--json", command.json, "Print the summary as JSON");
}

int perform_sweep(const CLI::App&, SweepCommand& command, Console& console) {
  return sweep(std::move(command), console);
}
int perform_merge(const CLI::App&, MergeCommand& command, Console& console) {
  return merge(command, console);
}

}  // namespace

void add_sweep(CommandLine& line) {
  CLI::App& app = add_command(line, "sweep",
                              "Run a system many times with different values, as in a study file",
                              add_sweep_options, perform_sweep);
  add_console_options(app, line.console);
}

void add_merge(CommandLine& line) {
  CLI::App& app = add_command(line, "merge", "Join the tables of the parts of a sweep",
                              add_merge_options, perform_merge);
  add_console_options(app, line.console);
}

}  // namespace tutti::cli
