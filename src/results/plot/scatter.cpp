// SPDX-License-Identifier: BSD-2-Clause
#include <tutti/scatter.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tutti/error.hpp>

#include "results/plot/axis.hpp"
#include "results/plot/canvas.hpp"

namespace tutti {
namespace results {
namespace {

constexpr Color point_color = 0x0072B2, scatter_ink = 0x222222, scatter_numbers = 0x555555,
                scatter_frame = 0x888888, scatter_grid = 0xE6E6E6;
constexpr TextStyle matrix_title{scatter_ink, 14, Anchor::start, true};
constexpr TextStyle name_style{scatter_ink, 12, Anchor::start, false};
constexpr TextStyle number_style{scatter_numbers, 11, Anchor::end, false};
constexpr double sheet_border = 14, cell_gap = 14, name_line = 20, number_room = 36;
constexpr double point_size = 3;
/// A picture with more points is larger, but not clearer.
constexpr std::size_t most_points = 20'000, least_in_cell = 100;

std::string with_minus_sign(std::string text) {
  if (text.starts_with('-')) text.replace(0, 1, "−");
  return text;
}

/// `wheel.k [×10³ N/m]`
std::string title_of(const ScatterAxis& axis, int exponent) {
  std::string unit = axis.unit;
  if (exponent != 0)
    unit = fmt::format("×{}{}{}", power_of_ten(exponent), unit.empty() ? "" : " ", unit);
  return unit.empty() ? axis.name : fmt::format("{} [{}]", axis.name, unit);
}

Axis scale_of(const ScatterAxis& axis, double length) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : axis.values)
    if (std::isfinite(value) && (!axis.log || value > 0)) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  if (!(low <= high)) {
    low = axis.log ? 1 : 0;
    high = axis.log ? 10 : 0;
  }
  return make_axis(low, high, axis.log, std::clamp(length / 45, 2.0, 8.0), 0.05);
}

class ScatterPicture {
 public:
  ScatterPicture(const ScatterMatrix& matrix, PictureSize size, Canvas& canvas)
      : matrix_(matrix), size_(size), canvas_(canvas) {}

  void draw() {
    place();
    if (!matrix_.title.empty()) canvas_.text(left_, sheet_border + 14, matrix_.title, matrix_title);
    for (std::size_t row = 0; row < y_.size(); ++row)
      for (std::size_t column = 0; column < x_.size(); ++column) draw_cell(row, column);
    for (std::size_t row = 0; row < y_.size(); ++row) draw_name(row);
    for (std::size_t column = 0; column < x_.size(); ++column) draw_numbers_below(column);
  }

 private:
  void place() {
    top_ = sheet_border + (matrix_.title.empty() ? 0 : 26) + name_line;
    const auto rows = static_cast<double>(matrix_.rows.size());
    const auto columns = static_cast<double>(matrix_.columns.size());
    height_ = (size_.height - top_ - number_room - sheet_border + cell_gap + name_line) / rows -
              cell_gap - name_line;
    for (const ScatterAxis& axis : matrix_.rows) {
      y_.push_back(scale_of(axis, height_));
      for (const Tick& tick : y_.back().ticks)
        left_ = std::max(left_, canvas_.text_width(with_minus_sign(tick.label), number_style));
    }
    left_ += sheet_border + 8;
    width_ = (size_.width - left_ - sheet_border + cell_gap) / columns - cell_gap;
    if (height_ < 30 || width_ < 40)
      throw Error(ErrorCode::usage,
                  fmt::format("{:g} x {:g} is too small for {} x {} panels", size_.width,
                              size_.height, matrix_.columns.size(), matrix_.rows.size()));
    for (const ScatterAxis& axis : matrix_.columns) x_.push_back(scale_of(axis, width_));
  }
  double left_of(std::size_t column) const {
    return left_ + static_cast<double>(column) * (width_ + cell_gap);
  }
  double bottom_of(std::size_t row) const {
    return top_ + static_cast<double>(row) * (height_ + cell_gap + name_line) + height_;
  }

  void draw_cell(std::size_t row, std::size_t column) {
    const double left = left_of(column), right = left + width_;
    const double bottom = bottom_of(row), top = bottom - height_;
    for (const Tick& tick : x_[column].ticks) {
      const double x = left + x_[column].position(tick.value) * width_;
      canvas_.line({{x, top}, {x, bottom}}, {scatter_grid, 1, false});
    }
    for (const Tick& tick : y_[row].ticks) {
      const double y = bottom - y_[row].position(tick.value) * height_;
      canvas_.line({{left, y}, {right, y}}, {scatter_grid, 1, false});
    }
    canvas_.line({{left, top}, {left, bottom}, {right, bottom}}, {scatter_frame, 1, false});
    canvas_.begin_group(
        fmt::format("{} over {}", matrix_.rows[row].name, matrix_.columns[column].name));
    canvas_.dots(points_of(row, column, left, bottom), {point_color, point_size, false});
    canvas_.end_group();
  }

  /// Of all runs, or of some of them, evenly.
  Polyline points_of(std::size_t row, std::size_t column, double left, double bottom) const {
    const std::vector<double>&x = matrix_.columns[column].values, &y = matrix_.rows[row].values;
    const std::size_t most = std::max(least_in_cell, most_points / (x_.size() * y_.size()));
    const std::size_t count = std::min(x.size(), y.size()), shown = std::min(count, most);
    Polyline points;
    for (std::size_t k = 0; k < shown; ++k) {
      const std::size_t i = k * count / shown;
      const double px = x_[column].position(x[i]), py = y_[row].position(y[i]);
      if (std::isfinite(px) && std::isfinite(py))
        points.push_back({left + px * width_, bottom - py * height_});
    }
    return points;
  }

  /// And the numbers of its axis.
  void draw_name(std::size_t row) {
    const double bottom = bottom_of(row);
    canvas_.text(left_, bottom - height_ - 7, title_of(matrix_.rows[row], y_[row].exponent),
                 name_style);
    for (const Tick& tick : y_[row].ticks)
      canvas_.text(left_ - 8, bottom - y_[row].position(tick.value) * height_ + 4,
                   with_minus_sign(tick.label), number_style);
  }

  void draw_numbers_below(std::size_t column) {
    const double left = left_of(column), bottom = bottom_of(y_.size() - 1);
    TextStyle style = number_style;
    style.anchor = Anchor::middle;
    for (const Tick& tick : x_[column].ticks)
      canvas_.text(left + x_[column].position(tick.value) * width_, bottom + 16,
                   with_minus_sign(tick.label), style);
    TextStyle title = name_style;
    title.anchor = Anchor::middle;
    canvas_.text(left + width_ / 2, bottom + 34,
                 fitted(title_of(matrix_.columns[column], x_[column].exponent), title), title);
  }
  /// The end of a name is more specific.
  std::string fitted(const std::string& name, const TextStyle& style) {
    std::string text = name;
    for (std::size_t from = 1; canvas_.text_width(text, style) > width_ && from < name.size();
         ++from)
      if ((name[from] & 0xC0) != 0x80) text = "…" + name.substr(from);
    return text;
  }

  const ScatterMatrix& matrix_;
  PictureSize size_;
  Canvas& canvas_;
  std::vector<Axis> x_, y_;
  double left_ = 0, top_ = 0, width_ = 0, height_ = 0;
};

/// The size that suits a matrix, where none is given.
PictureSize natural_size_of(const ScatterMatrix& matrix, PictureSize size) {
  const auto columns = static_cast<double>(matrix.columns.size());
  const auto rows = static_cast<double>(matrix.rows.size());
  if (size.width == 0) size.width = std::max(480.0, 90 + 210 * columns);
  if (size.height == 0) size.height = 90 + 170 * rows;
  return size;
}

}  // namespace
}  // namespace results

std::string draw_svg(const ScatterMatrix& matrix, PictureSize size) {
  size = results::natural_size_of(matrix, size);
  results::SvgCanvas canvas(size.width, size.height, matrix.title);
  results::ScatterPicture(matrix, size, canvas).draw();
  return canvas.finish();
}

void write_png(const ScatterMatrix& matrix, PictureSize size, const std::filesystem::path& file) {
  constexpr double scale = 2;
  const PictureSize units =
      results::natural_size_of(matrix, {size.width / scale, size.height / scale});
  results::PngCanvas canvas(units.width, units.height, scale);
  results::ScatterPicture(matrix, units, canvas).draw();
  canvas.write(file);
}

}  // namespace tutti
