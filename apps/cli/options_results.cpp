// SPDX-License-Identifier: BSD-2-Clause
#include "compare.hpp"
#include "options_shared.hpp"
#include "plot.hpp"

namespace tutti::cli {
namespace {

void add_compare_options(CLI::App& app, CompareCommand& command) {
  using Measure = CompareOptions::Measure;
  CompareOptions& options = command.options;
  app.add_option("RESULT", command.result, "Result file: .csv, .h5, .mat")->required();
  app.add_option("REFERENCE", command.reference, "Reference result file")->required();
  app.add_option("VARIABLE", options.variables, "Compare only matching variables (* and ?) [all]");
  app.add_option("--map", command.map,
                 "Compare column A of the result with column B of the reference, A=B")
      ->allow_extra_args(false);
  app.add_option("--tolerance", options.tolerance, "Maximum normalised error")
      ->check(number_from_zero())
      ->capture_default_str();
  app.add_option("--absolute", options.absolute,
                 "Accept absolute differences up to this, in the unit of the variable")
      ->check(number_from_zero())
      ->capture_default_str();
  add_choice<Measure>(app, "--measure", options.measure,
                      "Norm of the error: rms (over time) or max [rms]",
                      {{"rms", Measure::rms}, {"max", Measure::largest}});
  app.add_flag("--common", options.common, "Ignore columns and times that only the reference has");
  app.add_flag("--all", command.all, "Show every variable, not only the worst 20");
  app.add_flag("--json", command.json, "Print everything as JSON");
}

void add_plot_options(CLI::App& app, PlotCommand& command) {
  FigureOptions& figure = command.figure;
  app.add_option("RESULT", command.result, "Result file: .csv, .h5, .mat")->required();
  app.add_option("VARIABLE", figure.variables,
                 "Plot matching variables (* and ?) [the first ones]");
  app.add_option("-o,--output", command.output, "Write a picture, .svg or .png [the terminal]");
  app.add_option("--with", command.with, "Draw a second result over the first, dashed");
  optional_number(app, "--from", figure.from, "Start at this time");
  optional_number(app, "--to", figure.to, "End at this time");
  app.add_flag("--log-x", figure.log_x, "Use a logarithmic time axis");
  app.add_flag("--log-y", figure.log_y, "Use logarithmic value axes");
  app.add_flag("--apart", figure.apart,
               "Draw a panel for every variable [one per unit and magnitude]");
  app.add_option("--title", command.title,
                 "Set the title of the plot; '' for none [the file's name]");
  app.add_option("--size", command.size, "Set the size of a picture in pixels, WIDTHxHEIGHT");
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
                              "Print the error of each variable against a reference result; "
                              "exit status 1 beyond the tolerance",
                              add_compare_options, perform_compare);
  add_console_options(app, line.console);
}

void add_plot(CommandLine& line) {
  CLI::App& app = add_command(line, "plot", "Plot a result, as a picture or in the terminal",
                              add_plot_options, perform_plot);
  add_console_options(app, line.console);
}

}  // namespace tutti::cli
