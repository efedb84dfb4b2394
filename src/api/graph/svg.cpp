// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "api/graph/sheet.hpp"
#include "results/plot/canvas.hpp"

namespace tutti {
namespace {

using api::Sheet;
using results::Point;
using results::Polyline;

constexpr results::Color ink = 0x22303c, grey = 0x7a8794, frame_fill = 0xf3f6f9,
                         frame_line = 0xb8c4ce, box_line = 0x35689d, forward = 0x35689d,
                         backward = 0xc0392b, dependency = 0x9aa5b0, white = 0xffffff;
constexpr results::TextStyle name_style{ink, 13, results::Anchor::middle, true};
constexpr results::TextStyle detail_style{grey, 10.5, results::Anchor::middle, false};
constexpr results::TextStyle title_style{grey, 10.5, results::Anchor::start, false};
constexpr double box_height = 42, box_gap = 22, frame_gap = 30, frame_title = 22, margin = 28,
                 column_gap = 84, heading = 34;

struct Rectangle {
  double x = 0, y = 0, width = 0, height = 0;
};

Polyline outline(const Rectangle& r, double radius) {
  Polyline points;
  const Point corners[] = {{r.x + r.width - radius, r.y + radius},
                           {r.x + r.width - radius, r.y + r.height - radius},
                           {r.x + radius, r.y + r.height - radius},
                           {r.x + radius, r.y + radius}};
  for (int corner = 0; corner < 4; ++corner)
    for (int i = 0; i <= 4; ++i) {
      const double angle = (corner - 1 + i / 4.0) * 1.5707963267948966;
      points.push_back({corners[corner].x + radius * std::cos(angle),
                        corners[corner].y + radius * std::sin(angle)});
    }
  points.push_back(points.front());
  return points;
}

Polyline bend(Point a, Point pull_a, Point pull_b, Point b) {
  Polyline points;
  constexpr int pieces = 24;
  for (int i = 0; i <= pieces; ++i) {
    const double s = static_cast<double>(i) / pieces, r = 1 - s;
    const auto mix = [&](double p, double q, double u, double v) {
      return r * r * r * p + 3 * r * r * s * q + 3 * r * s * s * u + s * s * s * v;
    };
    points.push_back({mix(a.x, pull_a.x, pull_b.x, b.x), mix(a.y, pull_a.y, pull_b.y, b.y)});
  }
  return points;
}

/// Layers from left to right; inside a frame one box above the other, arrows in the order on the
/// right of them and arrows against it on the left.
class Drawing {
 public:
  explicit Drawing(const Sheet& sheet) : sheet_(sheet), ruler_(0, 0, "") {}

  std::string draw() {
    arrange();
    results::SvgCanvas canvas(std::max(width_, 240.0), height_, sheet_.title);
    canvas.text(margin, margin, sheet_.title, {ink, 15, results::Anchor::start, true});
    for (std::size_t f = 0; f < sheet_.frames.size(); ++f) draw_frame(canvas, f);
    attach();
    for (std::size_t a = 0; a < sheet_.arrows.size(); ++a) draw_arrow(canvas, a);
    for (std::size_t b = 0; b < boxes_.size(); ++b) draw_box(canvas, b);
    return canvas.finish();
  }

 private:
  /// Room beside the boxes of a frame for arrows between them.
  double side_room(const Sheet::Frame& frame) const {
    return frame.title.empty()
               ? 0
               : 20 + std::min(60.0, 12.0 * static_cast<double>(frame.boxes.size()));
  }

  void arrange() {
    boxes_.resize(sheet_.boxes.size());
    frames_.resize(sheet_.frames.size());
    std::uint32_t layers = 0;
    for (const Sheet::Frame& frame : sheet_.frames) layers = std::max(layers, frame.layer + 1);
    std::vector<std::vector<std::size_t>> columns(layers);
    for (std::size_t f = 0; f < sheet_.frames.size(); ++f)
      columns[sheet_.frames[f].layer].push_back(f);
    double x = margin;
    for (std::vector<std::size_t>& column : columns) {
      sort_by_sources(column);
      x = place_column(column, x) + column_gap;
    }
    width_ = x - column_gap + margin;
    height_ += margin;
    for (const std::vector<std::size_t>& column : columns) center(column);
  }

  /// Frames near what feeds them: by the mean height of their sources.
  void sort_by_sources(std::vector<std::size_t>& column) {
    if (sources_.empty()) {
      sources_.resize(sheet_.frames.size());
      for (const Sheet::Arrow& arrow : sheet_.arrows)
        if (sheet_.boxes[arrow.from].frame != sheet_.boxes[arrow.to].frame)
          sources_[sheet_.boxes[arrow.to].frame].push_back(arrow.from);
    }
    std::vector<double> wish(sheet_.frames.size());
    for (const std::size_t f : column) {
      double sum = 0;
      for (const std::uint32_t from : sources_[f]) sum += boxes_[from].y;
      wish[f] = sources_[f].empty() ? 0 : sum / static_cast<double>(sources_[f].size());
    }
    std::stable_sort(column.begin(), column.end(),
                     [&](std::size_t a, std::size_t b) { return wish[a] < wish[b]; });
  }

  double place_column(const std::vector<std::size_t>& column, double x) {
    double widest = 0;
    for (const std::size_t f : column) {
      double box = 0;
      for (const std::uint32_t b : sheet_.frames[f].boxes)
        box = std::max({box, ruler_.text_width(sheet_.boxes[b].name, name_style) + 24,
                        ruler_.text_width(sheet_.boxes[b].detail, detail_style) + 24, 84.0});
      frames_[f].width = box + 2 * side_room(sheet_.frames[f]);
      widest = std::max(widest, frames_[f].width);
    }
    double y = margin + heading;
    for (const std::size_t f : column) {
      const Sheet::Frame& frame = sheet_.frames[f];
      Rectangle& place = frames_[f];
      const double top = frame.title.empty() ? 0 : frame_title;
      place.x = x + (widest - place.width) / 2;
      place.y = y;
      double next = y + top;
      for (const std::uint32_t b : frame.boxes) {
        boxes_[b] = {place.x + side_room(frame), next, place.width - 2 * side_room(frame),
                     box_height};
        next += box_height + box_gap;
      }
      place.height = next - box_gap - y + (frame.title.empty() ? 0 : 14);
      y += place.height + frame_gap;
    }
    height_ = std::max(height_, y - frame_gap);
    return x + widest;
  }

  void center(const std::vector<std::size_t>& column) {
    if (column.empty()) return;
    const Rectangle& last = frames_[column.back()];
    const double shift = (height_ - margin - last.y - last.height) / 2;
    for (const std::size_t f : column) {
      frames_[f].y += shift;
      for (const std::uint32_t b : sheet_.frames[f].boxes) boxes_[b].y += shift;
    }
  }

  bool inside(const Sheet::Arrow& arrow) const {
    return sheet_.boxes[arrow.from].frame == sheet_.boxes[arrow.to].frame;
  }

  /// Spreads the ends of the arrows over the sides of the boxes.
  void attach() {
    struct End {
      std::size_t arrow;
      bool start;
      double other;
    };
    std::vector<std::vector<End>> left(boxes_.size()), right(boxes_.size());
    for (std::size_t a = 0; a < sheet_.arrows.size(); ++a) {
      const Sheet::Arrow& arrow = sheet_.arrows[a];
      const bool on_left = inside(arrow) && arrow.back;
      (on_left ? left : right)[arrow.from].push_back({a, true, boxes_[arrow.to].y});
      (inside(arrow) && !arrow.back ? right : left)[arrow.to].push_back(
          {a, false, boxes_[arrow.from].y});
    }
    ends_.resize(sheet_.arrows.size());
    for (auto* sides : {&left, &right})
      for (std::size_t b = 0; b < boxes_.size(); ++b) {
        auto& ends = (*sides)[b];
        std::stable_sort(ends.begin(), ends.end(),
                         [](const End& p, const End& q) { return p.other < q.other; });
        for (std::size_t i = 0; i < ends.size(); ++i) {
          const double y = boxes_[b].y + box_height * static_cast<double>(i + 1) /
                                             static_cast<double>(ends.size() + 1);
          const double x = boxes_[b].x + (sides == &right ? boxes_[b].width : 0);
          (ends[i].start ? ends_[ends[i].arrow].first : ends_[ends[i].arrow].second) = {x, y};
        }
      }
  }

  void draw_frame(results::SvgCanvas& canvas, std::size_t f) {
    if (sheet_.frames[f].title.empty()) return;
    canvas.area(outline(frames_[f], 8), frame_fill);
    canvas.line(outline(frames_[f], 8), {frame_line, 1, false});
    canvas.text(frames_[f].x + 10, frames_[f].y + 15, sheet_.frames[f].title, title_style);
  }

  void draw_box(results::SvgCanvas& canvas, std::size_t b) {
    const Rectangle& r = boxes_[b];
    canvas.area(outline(r, 6), white);
    canvas.line(outline(r, 6), {box_line, 1.5, false});
    canvas.text(r.x + r.width / 2, r.y + 18, sheet_.boxes[b].name, name_style);
    canvas.text(r.x + r.width / 2, r.y + 33, sheet_.boxes[b].detail, detail_style);
  }

  void draw_arrow(results::SvgCanvas& canvas, std::size_t a) {
    const Sheet::Arrow& arrow = sheet_.arrows[a];
    const auto [start, end] = ends_[a];
    double reach = std::max(30.0, std::abs(end.x - start.x) / 2);
    double out = 1, in = -1;  // directions of leaving and arriving
    if (inside(arrow)) {
      reach = std::min(64.0, 20 + std::abs(end.y - start.y) / 6);
      out = in = arrow.back ? -1 : 1;
    }
    const results::Color color = arrow.back ? backward : arrow.within ? dependency : forward;
    std::string words;
    for (const std::string& text : arrow.texts) words += (words.empty() ? "" : "; ") + text;
    canvas.begin_group(words.empty() ? fmt::format("{} -> {}", sheet_.boxes[arrow.from].name,
                                                   sheet_.boxes[arrow.to].name)
                                     : words);
    const Polyline line = bend(start, {start.x + out * reach, start.y},
                               {end.x + in * (reach + 7), end.y}, {end.x + in * 7, end.y});
    canvas.line(line, {color, arrow.is_line ? 3.0 : 1.4, arrow.back || arrow.is_delayed});
    if (arrow.is_line)
      canvas.line({line.back(), end}, {color, 3, false});
    else
      canvas.area({end, {end.x + in * 9, end.y - 4}, {end.x + in * 9, end.y + 4}}, color);
    if (arrow.texts.size() > 1) {
      const Point middle = line[line.size() / 2];
      canvas.text(middle.x, middle.y - 4, std::to_string(arrow.texts.size()), detail_style);
    }
    canvas.end_group();
  }

  const Sheet& sheet_;
  results::SvgCanvas ruler_;
  std::vector<Rectangle> boxes_, frames_;
  std::vector<std::vector<std::uint32_t>> sources_;  // boxes, by frame
  std::vector<std::pair<Point, Point>> ends_;        // of the arrows
  double width_ = 0, height_ = 0;
};

}  // namespace

std::string graph_svg(const SystemGraph& graph, GraphOf what) {
  const Sheet sheet = api::make_sheet(graph, what);
  return Drawing(sheet).draw();
}

}  // namespace tutti
