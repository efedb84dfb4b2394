// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tutti/error.hpp>
#include <tutti/plot.hpp>

#include "results/plot/axis.hpp"
#include "results/plot/canvas.hpp"

namespace tutti {
namespace results {
namespace {

// Okabe and Ito's colours, which are distinct for every colour vision, without the yellow, which is
// invisible on white; the last is a grey.
constexpr Color palette[] = {0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0x595959};
constexpr Color ink = 0x222222, pale_ink = 0x555555, axis_color = 0x888888, grid_color = 0xE6E6E6;

constexpr TextStyle title_style{ink, 14, Anchor::start, true};
constexpr TextStyle legend_style{ink, 12, Anchor::start, false};
constexpr TextStyle tick_style{pale_ink, 11, Anchor::end, false};
constexpr double edge = 14;           // around everything
constexpr double legend_line = 18;    // height of one line of names
constexpr double sample_length = 20;  // of a line in the legend
constexpr double axis_room = 40;      // below the last panel: numbers and the name of the time
constexpr double panel_gap = 12;
constexpr double curve_width = 1.6, thin = 1;
constexpr double mark_radius = 2.4;

/// The minus sign of typography, as wide as the plus.
std::string typographic(std::string text) {
  if (text.starts_with('-')) text.replace(0, 1, "−");
  return text;
}

struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;
  double x(double position) const { return left + position * (right - left); }
  double y(double position) const { return bottom - position * (bottom - top); }
};

/// The layout of one panel.
struct Layout {
  const FigurePanel* panel = nullptr;
  Axis axis;
  std::string unit;  // with the power of ten by which the numbers are multiplied
  double legend_top = 0;
  std::size_t legend_lines = 1;
  double weight = 1;  // of its height
  Box box;
};

std::string file_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

std::string unit_text(const std::string& unit, int exponent) {
  if (exponent == 0) return unit;
  return fmt::format("×{}{}{}", power_of_ten(exponent), unit.empty() ? "" : " ", unit);
}

/// Switches between a few levels need less height than curves.
double weight_of(const FigurePanel& panel) { return panel.is_switch ? 0.55 : 1; }

class Picture {
 public:
  Picture(const Figure& figure, PictureSize size, Canvas& canvas)
      : figure_(figure), size_(size), canvas_(canvas) {}

  void draw() {
    place();
    draw_head();
    for (const Layout& layout : layouts_) draw_panel(layout, &layout == &layouts_.back());
  }

 private:
  bool has_head() const { return !figure_.title.empty() || !figure_.second_name.empty(); }

  /// Left margin first (it needs the numbers of all axes), then legends (they need the width), then
  /// heights.
  void place() {
    double total_weight = 0;
    for (const FigurePanel& panel : figure_.panels) {
      layouts_.emplace_back().panel = &panel;
      layouts_.back().weight = weight_of(panel);
      total_weight += layouts_.back().weight;
    }
    const double rough = (size_.height - axis_room) / total_weight;
    double labels = 0;
    for (Layout& layout : layouts_) {
      set_axis(layout, rough * layout.weight - legend_line - panel_gap);
      for (const Tick& tick : layout.axis.ticks)
        labels = std::max(labels, canvas_.text_width(typographic(tick.label), tick_style));
      labels = std::max(labels, canvas_.text_width(layout.unit, tick_style));
    }
    left_ = edge + labels + 8;
    right_ = size_.width - edge - 8;
    double used = edge + (has_head() ? 26 : 0) + axis_room + edge / 2;
    for (Layout& layout : layouts_) {
      layout.legend_lines = lay_legend(layout, false);
      used += static_cast<double>(layout.legend_lines) * legend_line + panel_gap;
    }
    const double height = (size_.height - used + panel_gap) / total_weight;
    if (height < 30 || right_ - left_ < 60)
      throw Error(
          ErrorCode::usage,
          fmt::format(
              "{:g} x {:g} is too small for {} panels: use a larger %key% or fewer variables",
              size_.width, size_.height, layouts_.size()),
          {.key = "size"});
    double y = edge + (has_head() ? 26 : 0);
    for (Layout& layout : layouts_) {
      layout.legend_top = y;
      y += static_cast<double>(layout.legend_lines) * legend_line;
      layout.box = {left_, y, right_, y + height * layout.weight};
      set_axis(layout, height * layout.weight);
      y = layout.box.bottom + panel_gap;
    }
    time_ = make_axis(figure_.from, figure_.to, figure_.log_x, (right_ - left_) / 75);
  }

  void set_axis(Layout& layout, double height) const {
    const FigurePanel& panel = *layout.panel;
    layout.axis = make_axis(panel.low, panel.high, figure_.log_y, std::min(height / 30, 8.0), 0.05);
    if (panel.is_switch) keep_whole_numbers(layout.axis);
    layout.unit = unit_text(panel.unit, layout.axis.exponent);
  }

  void draw_head() {
    if (!figure_.title.empty()) canvas_.text(left_, edge + 14, figure_.title, title_style);
    if (figure_.second_name.empty()) return;
    double x = right_;
    for (const bool second : {true, false}) {
      const std::string name = file_name(second ? figure_.second_name : figure_.first_name);
      x -= canvas_.text_width(name, legend_style);
      canvas_.text(x, edge + 14, name, legend_style);
      x -= sample_length + 5;
      canvas_.line({{x, edge + 10}, {x + sample_length, edge + 10}},
                   {second ? ink : axis_color, curve_width, second});
      x -= 16;
    }
  }

  /// A name that is longer than the line is cut at its start, because its end is more specific.
  std::string fitted(const std::string& name) {
    const double room = right_ - left_ - sample_length - 5;
    std::size_t from = 0;
    std::string text = name;
    while (canvas_.text_width(text, legend_style) > room && from + 1 < name.size()) {
      do ++from;
      while (from < name.size() && (name[from] & 0xC0) == 0x80);
      text = "…" + name.substr(from);
    }
    return text;
  }

  /// Places the names of a panel's curves, and draws them with `draw`. @return lines needed
  std::size_t lay_legend(const Layout& layout, bool draw) {
    double x = left_;
    std::size_t lines = 1;
    for (const FigureCurve& curve : layout.panel->curves) {
      if (curve.second) continue;
      const std::string name = fitted(curve.name);
      const double width = sample_length + 5 + canvas_.text_width(name, legend_style);
      if (x > left_ && x + width > right_) {
        x = left_;
        ++lines;
      }
      if (draw) {
        const double y = layout.legend_top + static_cast<double>(lines) * legend_line - 6;
        if (curve.dots)
          draw_mark({x + sample_length / 2, y - 4}, pen_of(curve));
        else
          canvas_.line({{x, y - 4}, {x + sample_length, y - 4}}, pen_of(curve));
        canvas_.text(x + sample_length + 5, y, name, legend_style);
      }
      x += width + 16;
    }
    return lines;
  }

  /// The second result is darker, so that its dashes are seen where both agree.
  static Pen pen_of(const FigureCurve& curve) {
    const Color color = palette[curve.color % std::size(palette)];
    if (!curve.second) return {color, curve_width, false};
    return {(color >> 1) & 0x7F7F7F, curve_width, true};
  }

  void draw_panel(const Layout& layout, bool last) {
    const Box& box = layout.box;
    canvas_.text(box.left - 8, box.top - 6, layout.unit, tick_style);
    for (const Tick& tick : layout.axis.ticks) {
      const double y = box.y(layout.axis.position(tick.value));
      canvas_.line({{box.left, y}, {box.right, y}}, {grid_color, thin, false});
      canvas_.text(box.left - 8, y + 4, typographic(tick.label), tick_style);
    }
    for (const Tick& tick : time_.ticks) {
      const double x = box.x(time_.position(tick.value));
      canvas_.line({{x, box.top}, {x, box.bottom}}, {grid_color, thin, false});
    }
    draw_time_axis(box, last);
    draw_curves(layout);
    lay_legend(layout, true);
  }

  void draw_time_axis(const Box& box, bool named) {
    const Pen pen{axis_color, thin, false};
    canvas_.line({{box.left, box.bottom}, {box.right, box.bottom}}, pen);
    for (const double value : time_.minor) {
      const double x = box.x(time_.position(value));
      canvas_.line({{x, box.bottom}, {x, box.bottom + 3}}, pen);
    }
    TextStyle style = tick_style;
    style.anchor = Anchor::middle;
    for (const Tick& tick : time_.ticks) {
      const double x = box.x(time_.position(tick.value));
      canvas_.line({{x, box.bottom}, {x, box.bottom + 5}}, pen);
      if (named) canvas_.text(x, box.bottom + 18, typographic(tick.label), style);
    }
    if (!named) return;
    const std::string unit = unit_text(figure_.time_unit, time_.exponent);
    canvas_.text((box.left + box.right) / 2, box.bottom + 35,
                 unit.empty() ? figure_.time_name : fmt::format("{} [{}]", figure_.time_name, unit),
                 style);
  }

  void draw_curves(const Layout& layout) {
    const Box& box = layout.box;
    for (const FigureCurve& curve : layout.panel->curves) {
      if (curve.dots) {
        draw_marks(layout, curve);
        continue;
      }
      PixelLine line(1 / canvas_.resolution());
      trace(
          curve, time_, layout.axis,
          [&](double x, double y) {
            line.add({box.x(x), box.y(y)});
          },
          [&] { line.interrupt(); });
      canvas_.begin_group(curve.second
                              ? fmt::format("{} ({})", curve.name, file_name(figure_.second_name))
                              : curve.name);
      for (const Polyline& part : line.take()) canvas_.line(part, pen_of(curve));
      canvas_.end_group();
    }
  }

  void draw_mark(Point at, const Pen& pen) {
    canvas_.line({{at.x - mark_radius, at.y},
                  {at.x, at.y - mark_radius},
                  {at.x + mark_radius, at.y},
                  {at.x, at.y + mark_radius},
                  {at.x - mark_radius, at.y}},
                 pen);
  }

  /// Of marks on the same pixel, one.
  void draw_marks(const Layout& layout, const FigureCurve& curve) {
    const Box& box = layout.box;
    std::set<std::pair<long, long>> drawn;
    canvas_.begin_group(curve.name);
    for (std::size_t i = 0; i < curve.times.size(); ++i) {
      const double x = time_.position(curve.times[i]);
      const double y = layout.axis.position(curve.values[i]);
      if (!std::isfinite(x) || !std::isfinite(y)) continue;
      const Point at{box.x(x), box.y(y)};
      if (drawn.emplace(std::lround(at.x), std::lround(at.y)).second) draw_mark(at, pen_of(curve));
    }
    canvas_.end_group();
  }

  const Figure& figure_;
  PictureSize size_;
  Canvas& canvas_;
  std::vector<Layout> layouts_;
  Axis time_;
  double left_ = 0, right_ = 0;
};

/// The size that suits a figure, where none is given.
PictureSize natural_size(const Figure& figure, PictureSize wish) {
  PictureSize size = wish;
  if (size.width == 0) size.width = 800;
  if (size.height == 0) {
    double weight = 0;
    for (const FigurePanel& panel : figure.panels) weight += weight_of(panel);
    const double each = figure.panels.size() == 1 ? 330 : figure.panels.size() == 2 ? 210 : 160;
    size.height = std::round(80 + weight * each + 30 * static_cast<double>(figure.panels.size()));
  }
  return size;
}

}  // namespace
}  // namespace results

std::string draw_svg(const Figure& figure, PictureSize size) {
  size = results::natural_size(figure, size);
  results::SvgCanvas canvas(size.width, size.height,
                            figure.title.empty() ? figure.first_name : figure.title);
  results::Picture(figure, size, canvas).draw();
  return canvas.finish();
}

void write_png(const Figure& figure, PictureSize size, const std::filesystem::path& file) {
  constexpr double usual_width = 800, default_scale = 2;
  const double scale = size.width == 0 ? default_scale : std::max(1.0, size.width / usual_width);
  const PictureSize units =
      results::natural_size(figure, {size.width / scale, size.height / scale});
  results::PngCanvas canvas(units.width, units.height, scale);
  results::Picture(figure, units, canvas).draw();
  canvas.write(file);
}

}  // namespace tutti
