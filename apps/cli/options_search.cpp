// SPDX-License-Identifier: BSD-2-Clause
#include "estimate.hpp"
#include "options_shared.hpp"

namespace tutti::cli {
namespace {

void add_search_options(CLI::App& app, SearchCommand& command) {
  app.add_option("STUDY", command.study, "Study file (TOML)")->required();
  app.add_option("-o,--output", command.output,
                 "Write the values to this file, for `tutti run --start-from`; none: nothing [as "
                 "in the study]");
  app.add_option("-j,--jobs", command.control.jobs, "Number of runs at the same time [all cores]")
      ->check(CLI::Range(1, 4096));
  app.add_option("--method", command.method, "Search with this method [as in the study]");
  app.add_option("--tolerance", command.tolerance,
                 "Relative tolerance of the parameters [as in the study]")
      ->check(positive_number());
  app.add_option("--max-runs", command.max_runs,
                 "Maximum number of runs of an experiment [as in the study]")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000}));
  add_assignments(app, command.control.set,
                  "Set a value of all runs, NAME=VALUE, after those of the study; may be repeated");
  app.add_option("--step-timeout", command.control.step_timeout,
                 "Maximum wall-clock seconds of one FMU call; 0: no limit")
      ->check(number_from_zero())
      ->capture_default_str();
  app.add_flag("--json", command.json, "Print everything as JSON");
  add_structure_option(app, command.control.open);
  add_compile_options(app, command.control.open.compile);
  add_archive_options(app, command.control.open.limits);
}

void add_estimate_options(CLI::App& app, SearchCommand& command) {
  add_search_options(app, command);
  app.add_option("--plot", command.picture,
                 "Draw measurements and runs with the result: FILE.svg or FILE.png");
}

int perform_estimate(const CLI::App&, SearchCommand& command, Console& console) {
  return estimate(std::move(command), console);
}
int perform_optimize(const CLI::App&, SearchCommand& command, Console& console) {
  return optimize(std::move(command), console);
}

}  // namespace

void add_estimate(CommandLine& line) {
  CLI::App& app = add_command(line, "estimate", "Fit parameters of a system to measurements",
                              add_estimate_options, perform_estimate);
  add_console_options(app, line.console);
}

void add_optimize(CommandLine& line) {
  CLI::App& app =
      add_command(line, "optimize", "Minimize a formula of the results of a system over parameters",
                  add_search_options, perform_optimize);
  add_console_options(app, line.console);
}

}  // namespace tutti::cli
