// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <tutti/plot.hpp>
#include <tutti/results.hpp>

namespace tutti {

void TerminalPlot::begin(std::span<const Column> columns) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (is_text(columns[i].type)) continue;
    if (sources_.size() == options_.curves) {
      ++left_out_;
      continue;
    }
    ResultColumn& column = table_.columns.emplace_back();
    column.name = columns[i].name;
    column.unit = columns[i].unit;
    column.motion = columns[i].discrete ? Motion::discrete : Motion::continuous;
    sources_.push_back({i, columns[i].type});
  }
}

void TerminalPlot::row(const Row& row) {
  table_.times.push_back(row.time);
  for (std::size_t i = 0; i < sources_.size(); ++i)
    table_.columns[i].numbers.push_back(as_real(sources_[i].type, row.cells[sources_[i].cell]));
}

bool TerminalPlot::go_on(std::span<const Column> columns, std::uint64_t /*rows*/,
                         const Row& /*last*/) {
  begin(columns);
  return true;
}

bool TerminalPlot::rewind(std::uint64_t rows) {
  table_.times.resize(rows);
  for (ResultColumn& column : table_.columns) column.numbers.resize(rows);
  return true;
}

std::string TerminalPlot::draw() const {
  if (table_.times.empty() || table_.columns.empty()) return "(nothing to plot)\n";
  FigureOptions options;
  options.apart = !options_.color;  // nothing else tells two curves apart
  options.most = table_.columns.size();
  const Figure figure = make_figure(table_, nullptr, options);
  std::string text = draw_text(figure, {options_.width, options_.height, options_.color});
  for (const std::string& note : figure.notes) text += fmt::format("({})\n", note);
  if (left_out_ > 0)
    text += fmt::format("({} more columns are in the results but not in this plot)\n", left_out_);
  return text;
}

}  // namespace tutti
