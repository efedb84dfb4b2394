// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <tutti/examples.hpp>
#include <tutti/plot.hpp>

#include "studies/examples/collect.hpp"

namespace tutti {
namespace {

using examples::Collector;

/// Columns that results.steps adds.
bool is_of_steps(const std::string& name) {
  return name == "step" || name == "iterations" || name == "error";
}

const ExampleRun& find_run(const Example& example, const std::string& name) {
  for (const ExampleRun& run : example.runs)
    if (run.name == name) return run;
  throw Error(ErrorCode::usage,
              fmt::format("example \"{}\" has no run \"{}\" to draw", example.name, name));
}

/// Values of a step are in the row at its end; a plot is constant from each row on.
void move_to_starts(ResultTable& table) {
  for (ResultColumn& column : table.columns)
    if (is_of_steps(column.name) && column.numbers.size() > 1)
      std::move(column.numbers.begin() + 1, column.numbers.end(), column.numbers.begin());
}

ResultTable table_of(const Example& example, const ExamplePlot& plot, const ExampleRun& run,
                     const SystemRunOptions& options) {
  if (!run.program.empty()) return examples::run_program_of(example, run, options).table(run.name);
  System system = examples::system_of(example, run);
  system.results.variables.clear();
  for (const std::string& name : plot.variables) {
    if (is_of_steps(name))
      system.results.steps = true;
    else
      system.results.variables.push_back(name);
  }
  Collector collected;
  const RunReport report = tutti::run(system, options, &collected, {});
  if (report.end.kind == RunEnd::Kind::interrupted)
    throw Error(ErrorCode::interrupted, "interrupted");
  if (report.end.kind == RunEnd::Kind::failed)
    throw Error(ErrorCode::numeric,
                fmt::format("plot \"{}\": the run \"{}\" failed", plot.name, run.name));
  ResultTable table = collected.table(run.name);
  move_to_starts(table);
  return table;
}

/// The reference over the range of the plot, finely enough for any picture.
ResultTable reference_table(const Example& example, const ExampleRun& run, double from, double to,
                            const SystemRunOptions& options) {
  if (!example.reference.file.empty()) {
    ResultTable table = read_results(example.folder / example.reference.file);
    table.name = "reference";
    const auto end = std::upper_bound(table.times.begin(), table.times.end(), to);
    const auto rows = static_cast<std::size_t>(end - table.times.begin());
    table.times.resize(rows);
    for (ResultColumn& column : table.columns) column.numbers.resize(rows);
    return table;
  }
  constexpr int intervals = 1000;
  std::vector<double> times = {0};
  for (int i = 0; i <= intervals; ++i) {
    const double t = from + (to - from) * i / intervals;
    if (t > times.back()) times.push_back(t);
  }
  ResultTable table = examples::run_reference(example, run, times, options).table("reference");
  for (ResultColumn& column : table.columns) column.motion = motion_of(table.times, column.numbers);
  return table;
}

/// Draws another figure's curves into the panels of the first, in their own colours.
void add_curves(Figure& figure, Figure&& other) {
  for (std::size_t p = 0; p < figure.panels.size() && p < other.panels.size(); ++p) {
    FigurePanel& panel = figure.panels[p];
    const std::size_t first = panel.curves.back().color + 1;
    for (FigureCurve& curve : other.panels[p].curves) {
      if (curve.second) continue;  // the reference is already there
      curve.color += first;
      panel.curves.push_back(std::move(curve));
    }
    panel.low = std::min(panel.low, other.panels[p].low);
    panel.high = std::max(panel.high, other.panels[p].high);
    panel.is_switch = panel.is_switch && other.panels[p].is_switch;
  }
}

void label_curves(Figure& figure, const std::string& label) {
  for (FigurePanel& panel : figure.panels)
    for (FigureCurve& curve : panel.curves)
      if (!curve.second) curve.name += ", " + label;
}

double last_time(const std::vector<ResultTable>& tables) {
  double last = 0;
  for (const ResultTable& table : tables)
    if (!table.times.empty()) last = std::max(last, table.times.back());
  return last;
}

}  // namespace

std::string draw_example(const Example& example, const ExamplePlot& plot,
                         const SystemRunOptions& options) {
  std::vector<ResultTable> tables;
  for (const std::string& name : plot.runs)
    tables.push_back(table_of(example, plot, find_run(example, name), options));

  FigureOptions figure_options;
  figure_options.variables = plot.variables;
  figure_options.title = plot.title;
  figure_options.from = plot.from;
  figure_options.to = plot.to;
  figure_options.log_y = plot.log;
  // With several runs the panels of each must be the same.
  figure_options.apart = plot.apart || plot.runs.size() > 1;

  std::optional<ResultTable> reference;
  if (plot.reference || plot.runs.empty())
    reference = reference_table(
        example, plot.runs.empty() ? ExampleRun{} : find_run(example, plot.runs.front()),
        plot.from.value_or(0), plot.to.value_or(last_time(tables)), options);
  if (tables.empty()) return draw_svg(make_figure(*reference, nullptr, figure_options), {});

  Figure figure;
  for (std::size_t r = 0; r < tables.size(); ++r) {
    Figure one = make_figure(tables[r], reference ? &*reference : nullptr, figure_options);
    if (tables.size() > 1)
      label_curves(one, r < plot.labels.size() ? plot.labels[r] : plot.runs[r]);
    if (r == 0)
      figure = std::move(one);
    else
      add_curves(figure, std::move(one));
  }
  figure.first_name = "coupled";
  return draw_svg(figure, {});
}

}  // namespace tutti
