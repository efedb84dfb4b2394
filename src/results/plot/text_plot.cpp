// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>
#include <tutti/plot.hpp>
#include <tutti/results.hpp>

#include "results/plot/axis.hpp"

namespace tutti {
namespace {

using results::Axis;
using results::Tick;

// Cyan, yellow, green, magenta, blue, red, white: readable on dark and on light terminals.
constexpr int colors[] = {36, 33, 32, 35, 34, 31, 37};

/// A field of dots, 2 x 4 of them in each character (Unicode braille patterns, U+2800).
class DotField {
 public:
  struct Brush {
    int color = 0;        ///< an SGR parameter
    bool dashed = false;  ///< gaps in the line
  };

  DotField(std::size_t columns, std::size_t rows)
      : columns_(columns), rows_(rows), dots_(columns * rows, 0), colors_(columns * rows, 0) {}
  std::ptrdiff_t width() const { return static_cast<std::ptrdiff_t>(columns_ * 2); }
  std::ptrdiff_t height() const { return static_cast<std::ptrdiff_t>(rows_ * 4); }

  void set(std::ptrdiff_t x, std::ptrdiff_t y, const Brush& brush);
  void line(std::ptrdiff_t x0, std::ptrdiff_t y0, std::ptrdiff_t x1, std::ptrdiff_t y1,
            const Brush& brush);
  /// One row of characters, without blanks at its end.
  std::string text_row(std::size_t row, bool color) const;

 private:
  std::size_t columns_, rows_;
  std::vector<unsigned char> dots_;
  std::vector<int> colors_;  // one per character: that of the last dot
};

void DotField::set(std::ptrdiff_t x, std::ptrdiff_t y, const Brush& brush) {
  if (x < 0 || y < 0 || x >= width() || y >= height()) return;
  if (brush.dashed && (x + y) % 6 >= 3) return;
  static constexpr unsigned char bits[4][2] = {
      {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
  const std::size_t cell =
      static_cast<std::size_t>(y / 4) * columns_ + static_cast<std::size_t>(x / 2);
  dots_[cell] |= bits[y % 4][x % 2];
  colors_[cell] = brush.color;
}

void DotField::line(std::ptrdiff_t x0, std::ptrdiff_t y0, std::ptrdiff_t x1, std::ptrdiff_t y1,
                    const Brush& brush) {
  const std::ptrdiff_t steps = std::max({std::abs(x1 - x0), std::abs(y1 - y0), std::ptrdiff_t{1}});
  for (std::ptrdiff_t i = 0; i <= steps; ++i)
    set(x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps, brush);
}

std::string DotField::text_row(std::size_t row, bool color) const {
  std::size_t end = columns_;
  while (end > 0 && dots_[row * columns_ + end - 1] == 0) --end;
  std::string text;
  int present = 0;
  for (std::size_t column = 0; column < end; ++column) {
    const unsigned char dots = dots_[row * columns_ + column];
    if (dots == 0) {  // a blank, so that lines can be searched
      text += ' ';
      continue;
    }
    const int wanted = colors_[row * columns_ + column];
    if (color && wanted != present) text += fmt::format("\x1b[{}m", wanted);
    present = wanted;
    text += '\xE2';  // UTF-8 of U+2800 + dots
    text += static_cast<char>(0xA0 | (dots >> 6));
    text += static_cast<char>(0x80 | (dots & 0x3F));
  }
  if (color && present != 0) text += "\x1b[0m";
  return text;
}

/// Characters on a terminal, one for each code point.
std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded_left(const std::string& text, std::size_t width) {
  const std::size_t used = columns_of(text);
  return std::string(used < width ? width - used : 0, ' ') + text;
}

std::string unit_text(const std::string& unit, int exponent) {
  if (exponent == 0) return unit.empty() ? "" : fmt::format(" [{}]", unit);
  return fmt::format(" [×{}{}{}]", results::power_of_ten(exponent), unit.empty() ? "" : " ", unit);
}

double weight_of(const FigurePanel& panel) { return panel.is_switch ? 0.5 : 1; }

class TextPlot {
 public:
  TextPlot(const Figure& figure, const TextPlotOptions& options)
      : figure_(figure), options_(options) {
    double total_weight = 0;
    for (const FigurePanel& panel : figure.panels) total_weight += weight_of(panel);
    for (const FigurePanel& panel : figure.panels) {
      const double share = static_cast<double>(options.height) * weight_of(panel) / total_weight;
      const std::size_t rows = static_cast<std::size_t>(std::max(4L, std::lround(share)));
      rows_.push_back(rows);
      axes_.push_back(results::make_axis(near_zero(panel.low, panel.high),
                                         near_zero(panel.high, panel.low), figure.log_y,
                                         static_cast<double>(rows) / 3.5));
      if (panel.is_switch) results::keep_whole_numbers(axes_.back());
      for (const Tick& tick : axes_.back().ticks)
        label_width_ = std::max(label_width_, columns_of(tick.label));
    }
    const std::size_t beside = label_width_ + 2;  // the numbers, a blank and the axis
    width_ = std::max<std::size_t>(10, options.width > beside ? options.width - beside : 0);
    time_ =
        results::make_axis(figure.from, figure.to, figure.log_x, static_cast<double>(width_) / 12);
  }

  std::string draw() {
    std::string text;
    if (!figure_.title.empty()) text += indent() + figure_.title + "\n";
    if (!figure_.second_name.empty())
      text += fmt::format("{}line: {}, dashed: {}\n", indent(), figure_.first_name,
                          figure_.second_name);
    for (std::size_t i = 0; i < figure_.panels.size(); ++i)
      text += head(figure_.panels[i], axes_[i]) + body(figure_.panels[i], axes_[i], rows_[i]);
    return text + time_axis();
  }

 private:
  std::string indent() const { return std::string(label_width_ + 2, ' '); }
  std::string painted(const std::string& text, int color) const {
    return options_.color ? fmt::format("\x1b[{}m{}\x1b[0m", color, text) : text;
  }
  /// Zero, if it is just outside the range: its label is worth the lost dots.
  double near_zero(double end, double other) const {
    return !figure_.log_y && std::abs(end) < 0.03 * std::abs(other) ? 0 : end;
  }
  static int color_of(const FigureCurve& curve) {
    constexpr int bright = 60;  // from 36, cyan, to 96, bright cyan
    return colors[curve.color % std::size(colors)] + (curve.second ? bright : 0);
  }

  /// The names of the curves, as many as a line takes.
  std::string head(const FigurePanel& panel, const Axis& axis) const {
    const std::string unit = unit_text(panel.unit, axis.exponent);
    std::string text = indent();
    std::size_t used = columns_of(unit);
    for (const FigureCurve& curve : panel.curves) {
      if (curve.second) continue;
      const std::size_t wanted = columns_of(curve.name) + 2;
      if (used > columns_of(unit) && used + wanted > width_) {
        text += "…";
        break;
      }
      text += (used > columns_of(unit) ? "  " : "") + painted(curve.name, color_of(curve));
      used += wanted;
    }
    return text + unit + "\n";
  }

  std::string body(const FigurePanel& panel, const Axis& axis, std::size_t rows) const {
    DotField field(width_, rows);
    for (const bool second : {false, true})  // the first variable on top, its dashes above it
      for (const FigureCurve& curve : std::views::reverse(panel.curves))
        if (curve.second == second) draw_curve(curve, axis, field);
    std::vector<const Tick*> labels(rows, nullptr);
    for (const Tick& tick : axis.ticks)
      labels[static_cast<std::size_t>(row_of(axis.position(tick.value), field) / 4)] = &tick;
    std::string text;
    for (std::size_t row = 0; row < rows; ++row) {
      text += padded_left(labels[row] != nullptr ? labels[row]->label : "", label_width_);
      text += labels[row] != nullptr ? " ┤" : " │";
      text += field.text_row(row, options_.color) + "\n";
    }
    return text;
  }

  static std::ptrdiff_t row_of(double position, const DotField& field) {
    const auto last = static_cast<double>(field.height() - 1);
    return std::clamp<std::ptrdiff_t>(std::lround((1 - position) * last), 0, field.height() - 1);
  }

  void draw_curve(const FigureCurve& curve, const Axis& axis, DotField& field) const {
    const DotField::Brush brush{color_of(curve), curve.second};
    bool joined = false;
    std::ptrdiff_t x0 = 0, y0 = 0;
    results::trace(
        curve, time_, axis,
        [&](double px, double py) {
          const std::ptrdiff_t x = std::lround(px * static_cast<double>(field.width() - 1));
          const std::ptrdiff_t y = row_of(py, field);
          if (joined && !curve.dots)
            field.line(x0, y0, x, y, brush);
          else
            field.set(x, y, brush);
          joined = true;
          x0 = x;
          y0 = y;
        },
        [&] { joined = false; });
  }

  /// The axis with its marks, the numbers below them, and the name of the time.
  std::string time_axis() const {
    std::vector<const Tick*> marks(width_, nullptr);
    for (const Tick& tick : time_.ticks) {
      const double at = time_.position(tick.value) * static_cast<double>(2 * width_ - 1) / 2;
      marks[std::min(width_ - 1, static_cast<std::size_t>(std::max(0.0, at)))] = &tick;
    }
    std::string line = std::string(label_width_, ' ') + " └";
    std::string numbers = indent();
    std::size_t end = 0;  // of the numbers, in characters right of the axis
    for (std::size_t i = 0; i < width_; ++i) {
      line += marks[i] != nullptr ? "┬" : "─";
      if (marks[i] == nullptr) continue;
      const std::size_t length = columns_of(marks[i]->label);
      const std::size_t from =
          std::min(i > length / 2 ? i - length / 2 : 0, width_ > length ? width_ - length : 0);
      if (end > 0 && from <= end) continue;
      numbers += std::string(from - end, ' ') + marks[i]->label;
      end = from + length;
    }
    const std::string name = figure_.time_name + unit_text(figure_.time_unit, time_.exponent);
    const std::size_t length = columns_of(name);
    const std::string gap(width_ > length ? (width_ - length) / 2 : 0, ' ');
    return line + "\n" + numbers + "\n" + indent() + gap + name + "\n";
  }

  const Figure& figure_;
  const TextPlotOptions& options_;
  std::vector<Axis> axes_;
  Axis time_;
  std::vector<std::size_t> rows_;  // of each panel
  std::size_t label_width_ = 1, width_ = 0;
};

}  // namespace

std::string draw_text(const Figure& figure, const TextPlotOptions& options) {
  return TextPlot(figure, options).draw();
}

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

bool TerminalPlot::resume(std::span<const Column> columns, std::uint64_t /*rows*/,
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
  options.apart = !options_.color;  // nothing else distinguishes two curves
  options.max_curves = table_.columns.size();
  const Figure figure = make_figure(table_, nullptr, options);
  std::string text = draw_text(figure, {options_.width, options_.height, options_.color});
  for (const std::string& note : figure.notes) text += fmt::format("({})\n", note);
  if (left_out_ > 0)
    text += fmt::format("({} more columns are in the results but not in this plot)\n", left_out_);
  return text;
}

}  // namespace tutti
