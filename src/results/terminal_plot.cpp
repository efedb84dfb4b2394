// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tutti/results.hpp>

namespace tutti {
namespace {

constexpr std::size_t axis_width = 11;  // characters left of the plot: a number and the axis
constexpr int colors[] = {36, 33, 32, 35};

/// A field of dots, 2 x 4 of them in each character (Unicode braille patterns, U+2800).
class DotField {
 public:
  DotField(std::size_t columns, std::size_t rows)
      : columns_(columns), rows_(rows), cells_(columns * rows, 0) {}
  std::ptrdiff_t width() const { return static_cast<std::ptrdiff_t>(columns_ * 2); }
  std::ptrdiff_t height() const { return static_cast<std::ptrdiff_t>(rows_ * 4); }

  void set(std::ptrdiff_t x, std::ptrdiff_t y) {
    if (x < 0 || y < 0 || x >= width() || y >= height()) return;
    static constexpr unsigned char bits[4][2] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    cells_[static_cast<std::size_t>(y / 4) * columns_ + static_cast<std::size_t>(x / 2)] |=
        bits[y % 4][x % 2];
  }
  void line(std::ptrdiff_t x0, std::ptrdiff_t y0, std::ptrdiff_t x1, std::ptrdiff_t y1) {
    const std::ptrdiff_t steps =
        std::max({std::abs(x1 - x0), std::abs(y1 - y0), std::ptrdiff_t{1}});
    for (std::ptrdiff_t i = 0; i <= steps; ++i)
      set(x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps);
  }
  std::string text_row(std::size_t row) const {
    std::string text;
    for (std::size_t column = 0; column < columns_; ++column) {
      const unsigned char dots = cells_[row * columns_ + column];
      // UTF-8 of U+2800 + dots; no dots: a blank, so that lines can be trimmed and searched.
      if (dots == 0) {
        text += ' ';
      } else {
        text += '\xE2';
        text += static_cast<char>(0xA0 | (dots >> 6));
        text += static_cast<char>(0x80 | (dots & 0x3F));
      }
    }
    while (text.ends_with(' ')) text.pop_back();
    return text;
  }

 private:
  std::size_t columns_, rows_;
  std::vector<unsigned char> cells_;
};

std::string axis_number(double value) {
  std::string text = fmt::format("{:.4g}", value == 0 ? 0.0 : value);
  return fmt::format("{:>9}", text);
}

double as_real(Type type, Cell cell) {
  switch (type) {
    case Type::float32:
    case Type::float64:
      return cell.real;
    case Type::int8:
    case Type::int16:
    case Type::int32:
    case Type::int64:
    case Type::enumeration:
      return static_cast<double>(cell.integer);
    default:
      return static_cast<double>(cell.natural);
  }
}

}  // namespace

void TerminalPlot::begin(std::span<const Column> columns) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].type == Type::string || columns[i].type == Type::binary) continue;
    if (curves_.size() < options_.panels)
      curves_.push_back({columns[i], i, {}});
    else
      ++left_out_;
  }
}

void TerminalPlot::row(const Row& row) {
  times_.push_back(row.time);
  for (Curve& curve : curves_)
    curve.values.push_back(as_real(curve.column.type, row.cells[curve.index]));
}

std::string TerminalPlot::draw() const {
  if (times_.empty() || curves_.empty()) return "(nothing to plot)\n";
  const std::size_t height = std::max<std::size_t>(3, options_.height / curves_.size());
  std::string text;
  for (std::size_t i = 0; i < curves_.size(); ++i)
    text += draw_panel(curves_[i], height, colors[i % std::size(colors)]);
  const std::string first = fmt::format("{:.4g}", times_.front());
  const std::string last = fmt::format("{:.4g}", times_.back());
  const std::size_t plot_width = options_.width - axis_width;
  const std::string middle = "time [s]";
  const std::size_t used = first.size() + last.size() + middle.size();
  const std::size_t gap = plot_width > used + 2 ? (plot_width - used) / 2 : 1;
  text += std::string(axis_width, ' ') + first + std::string(gap, ' ') + middle +
          std::string(plot_width > used + gap ? plot_width - used - gap : 1, ' ') + last + '\n';
  if (left_out_ > 0)
    text += fmt::format("({} more columns are in the results but not in this plot)\n", left_out_);
  return text;
}

std::string TerminalPlot::draw_panel(const Curve& curve, std::size_t height, int color) const {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : curve.values) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (low > high) low = high = 0;
  const double margin = high > low ? 0 : std::max(1.0, std::abs(low) * 0.1);
  low -= margin;
  high += margin;

  DotField field(options_.width - axis_width, height);
  const double span = times_.back() > times_.front() ? times_.back() - times_.front() : 1;
  const auto x_of = [&](double t) {
    return std::lround((t - times_.front()) / span * static_cast<double>(field.width() - 1));
  };
  const auto y_of = [&](double value) {
    return std::lround((high - value) / (high - low) * static_cast<double>(field.height() - 1));
  };
  for (std::size_t i = 0; i < times_.size(); ++i) {
    if (!std::isfinite(curve.values[i])) continue;
    const std::ptrdiff_t x = x_of(times_[i]), y = y_of(curve.values[i]);
    if (i == 0 || !std::isfinite(curve.values[i - 1])) {
      field.set(x, y);
      continue;
    }
    const std::ptrdiff_t x0 = x_of(times_[i - 1]), y0 = y_of(curve.values[i - 1]);
    if (curve.column.discrete) {
      field.line(x0, y0, x, y0);
      field.line(x, y0, x, y);
    } else {
      field.line(x0, y0, x, y);
    }
  }

  const std::string unit = curve.column.unit.empty() ? "" : fmt::format(" [{}]", curve.column.unit);
  std::string text = fmt::format("{}{}{}\n", std::string(axis_width, ' '), curve.column.name, unit);
  for (std::size_t row = 0; row < height; ++row) {
    const bool labelled = row == 0 || row + 1 == height || (row == height / 2 && height > 6);
    const double value =
        high - (high - low) * static_cast<double>(row) / static_cast<double>(height - 1);
    text += labelled ? axis_number(value) + " ┤" : std::string(10, ' ') + "│";
    const std::string dots = field.text_row(row);
    text += options_.color ? fmt::format("\x1b[{}m{}\x1b[0m\n", color, dots) : dots + "\n";
  }
  return text;
}

}  // namespace tutti
