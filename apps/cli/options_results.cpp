// SPDX-License-Identifier: BSD-2-Clause
#include "compare.hpp"
#include "options_shared.hpp"
#include "plot.hpp"

namespace tutti::cli {
namespace {

void add_compare_options(CLI::App& app, CompareCommand& command) {
  using Measure = CompareOptions::Measure;
  CompareOptions& options = command.options;
  app.add_option("RESULT", command.result, "A result file (CSV, the time first)")->required();
  app.add_option("REFERENCE", command.reference, "What it is held against")->required();
  app.add_option("VARIABLE", options.variables, "Only those that match (* and ?) [all]");
  app.add_option("--map", command.map,
                 "A=B: compare column A of the result with column B of the reference")
      ->allow_extra_args(false);
  app.add_option("--tolerance", options.tolerance, "Largest normalised error that is fine")
      ->check(number_from_zero())
      ->capture_default_str();
  app.add_option("--absolute", options.absolute,
                 "Differences up to this, in the variable's own unit, are fine too")
      ->check(number_from_zero())
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
  FigureOptions& figure = command.figure;
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
}

int perform_compare(const CLI::App&, CompareCommand& command, Console& console) {
  return compare(command, console);
}
int perform_plot(const CLI::App&, PlotCommand& command, Console& console) {
  return plot(command, console);
}

}  // namespace

void add_compare(CommandLine& line) {
  CLI::App& app = add_command(line, "compare",
                              "Tell how far a result is from a reference, variable by variable; "
                              "exit status 1 beyond the tolerance",
                              add_compare_options, perform_compare);
  add_console_options(app, line.console);
}

void add_plot(CommandLine& line) {
  CLI::App& app = add_command(line, "plot", "Draw a result, as a picture or in the terminal",
                              add_plot_options, perform_plot);
  add_console_options(app, line.console);
}

}  // namespace tutti::cli
