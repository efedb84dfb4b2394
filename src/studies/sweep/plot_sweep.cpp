// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tutti/result_table.hpp>
#include <tutti/sweep.hpp>

#include "base/file_error.hpp"
#include "base/text.hpp"
#include "studies/sweep/sweep_meta.hpp"

namespace tutti {
namespace studies {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_curves = 7;  // in a panel
constexpr std::size_t most_columns = 8, most_rows = 8, most_panels = 12;

/// An output, whose curves, or points, share a panel.
struct PlottedOutput {
  const SweepMeta::Output* output = nullptr;
  std::vector<ScatterAxis> values;  ///< for each time
};

/// The columns of a table for plots.
class SweepColumns {
 public:
  SweepColumns(const SweepMeta& meta, const ResultTable& table, std::vector<std::string>& notes)
      : table_(table) {
    for (const SweepMeta::Parameter& one : meta.parameters)
      if (std::optional<ScatterAxis> axis = axis_of(one.name, one.unit, one.log, notes))
        parameters.push_back(std::move(*axis));
    const std::vector<std::string> names = meta.columns();
    std::size_t next = meta.parameters.size();
    for (const SweepMeta::Output& output : meta.outputs) {
      PlottedOutput plotted{&output, {}};
      for (std::size_t i = 0; i < output.count(); ++i)
        if (std::optional<ScatterAxis> axis = axis_of(names[next++], output.unit, false, notes))
          plotted.values.push_back(std::move(*axis));
      if (!plotted.values.empty()) outputs.push_back(std::move(plotted));
    }
    if (outputs.empty())
      throw Error(ErrorCode::usage, fmt::format("\"{}\" has no outputs to draw", table.name));
  }

  std::vector<ScatterAxis> parameters;
  std::vector<PlottedOutput> outputs;

 private:
  std::optional<ScatterAxis> axis_of(const std::string& name, const std::string& unit, bool log,
                                     std::vector<std::string>& notes) const {
    const ResultColumn* const column = table_.find(printable(name));
    if (column != nullptr && !column->is_text) return ScatterAxis{name, unit, log, column->numbers};
    notes.push_back(fmt::format("\"{}\" has no numbers and is not drawn", printable(name)));
    return {};
  }
  const ResultTable& table_;
};

FigureCurve curve_of(const ScatterAxis& x, const ScatterAxis& y,
                     const std::vector<std::size_t>& order, bool joined) {
  FigureCurve curve;
  curve.name = printable(y.name);
  for (const std::size_t i : order) {
    if (!std::isfinite(x.values[i])) continue;
    curve.times.push_back(x.values[i]);
    curve.values.push_back(y.values[i]);
    if (joined) continue;
    curve.times.push_back(x.values[i]);
    curve.values.push_back(not_a_number);
  }
  return curve;
}

FigurePanel panel_of(const ScatterAxis& x, const PlottedOutput& output,
                     const std::vector<std::size_t>& order, bool joined) {
  FigurePanel panel;
  panel.unit = printable(output.output->unit);
  panel.low = std::numeric_limits<double>::infinity();
  panel.high = -panel.low;
  const std::size_t count = output.values.size(), shown = std::min(count, most_curves);
  for (std::size_t k = 0; k < shown; ++k) {  // evenly, the first and the last included
    const std::size_t i = shown == 1 ? 0 : k * (count - 1) / (shown - 1);
    panel.curves.push_back(curve_of(x, output.values[i], order, joined));
    panel.curves.back().color = k;
    for (const double value : panel.curves.back().values) {
      if (!std::isfinite(value)) continue;
      panel.low = std::min(panel.low, value);
      panel.high = std::max(panel.high, value);
    }
  }
  if (!(panel.low <= panel.high)) panel.low = panel.high = 0;
  return panel;
}

/// All outputs over one parameter.
Figure figure_over(const ScatterAxis& x, const std::vector<PlottedOutput>& outputs, bool joined) {
  std::vector<std::size_t> order(x.values.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return x.values[a] < x.values[b]; });
  Figure figure;
  figure.time_name = printable(x.name);
  figure.time_unit = printable(x.unit);
  figure.log_x = x.log;
  figure.from = x.values[order.front()];
  figure.to = x.values[order.back()];
  for (std::size_t i = 0; i < std::min(outputs.size(), most_panels); ++i)
    figure.panels.push_back(panel_of(x, outputs[i], order, joined));
  return figure;
}

void note_rest(std::vector<std::string>& notes, std::size_t count, std::size_t most,
               std::string_view what) {
  if (count > most)
    notes.push_back(
        fmt::format("{} more {} are in the table but not in this plot", count - most, what));
}

}  // namespace
}  // namespace studies

SweepPlot plot_sweep(const std::filesystem::path& results) {
  using namespace studies;
  const std::optional<SweepMeta> meta = read_meta(results);
  if (!meta)
    throw file_error(results, ErrorCode::file,
                     fmt::format("\"{}\" is not a table of a sweep", results.string()));
  const ResultTable table = read_results(results);
  if (table.times.empty())
    throw file_error(results, ErrorCode::usage,
                     fmt::format("\"{}\" has no rows to draw", results.string()));
  SweepPlot plot;
  SweepColumns columns(*meta, table, plot.notes);
  // Without numbers, the runs themselves are the axis.
  if (columns.parameters.empty()) columns.parameters.push_back({"run", "", false, table.times});
  const bool is_line = columns.parameters.size() == 1;
  for (const ScatterAxis& parameter : columns.parameters)
    plot.figures.push_back(figure_over(parameter, columns.outputs, is_line));
  if (is_line) {
    note_rest(plot.notes, columns.outputs.size(), most_panels, "outputs");
    for (const PlottedOutput& output : columns.outputs)
      note_rest(plot.notes, output.values.size(), most_curves,
                fmt::format("times of \"{}\"", printable(output.output->name)));
    return plot;
  }
  ScatterMatrix& points = plot.points.emplace();
  for (const PlottedOutput& output : columns.outputs)
    points.rows.insert(points.rows.end(), output.values.begin(), output.values.end());
  points.columns = columns.parameters;
  note_rest(plot.notes, points.columns.size(), most_columns, "parameters");
  note_rest(plot.notes, points.rows.size(), most_rows, "outputs");
  points.columns.resize(std::min(points.columns.size(), most_columns));
  points.rows.resize(std::min(points.rows.size(), most_rows));
  return plot;
}

}  // namespace tutti
