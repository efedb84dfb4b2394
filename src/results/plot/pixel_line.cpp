// SPDX-License-Identifier: BSD-2-Clause
#include "results/plot/pixel_line.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tutti::results {
namespace {

double distance(Point p, Point a, Point b) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  const double length2 = dx * dx + dy * dy;
  const double along =
      length2 > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length2, 0.0, 1.0) : 0;
  return std::hypot(p.x - a.x - along * dx, p.y - a.y - along * dy);
}

}  // namespace

void PixelLine::add(Point point) {
  const double column = std::floor(point.x / pixel_);
  if (count_ > 0 && column != column_) flush();
  const Kept kept{point, count_};
  if (count_++ == 0) {
    column_ = column;
    first_ = low_ = high_ = last_ = kept;
    return;
  }
  if (point.y < low_.point.y) low_ = kept;
  if (point.y > high_.point.y) high_ = kept;
  last_ = kept;
}

void PixelLine::flush() {
  if (count_ == 0) return;
  std::array<Kept, 4> four = {first_, low_, high_, last_};
  std::ranges::sort(four, {}, &Kept::order);
  for (const Kept& kept : four)
    if (line_.empty() || line_.back() != kept.point) line_.push_back(kept.point);
  count_ = 0;
}

void PixelLine::interrupt() {
  flush();
  if (!line_.empty()) lines_.push_back(std::move(line_));
  line_.clear();
}

std::vector<Polyline> PixelLine::take() {
  constexpr double invisible = 0.05;  // of a pixel
  interrupt();
  for (Polyline& line : lines_) line = simplified(line, invisible);
  return std::move(lines_);
}

Polyline simplified(const Polyline& line, double tolerance) {
  if (line.size() < 3) return line;
  std::vector<bool> keep(line.size(), false);
  keep.front() = keep.back() = true;
  std::vector<std::pair<std::size_t, std::size_t>> open = {{0, line.size() - 1}};
  while (!open.empty()) {
    const auto [from, to] = open.back();
    open.pop_back();
    double farthest = tolerance;
    std::size_t split = from;
    for (std::size_t i = from + 1; i < to; ++i) {
      const double d = distance(line[i], line[from], line[to]);
      if (d <= farthest) continue;
      farthest = d;
      split = i;
    }
    if (split == from) continue;
    keep[split] = true;
    open.emplace_back(from, split);
    open.emplace_back(split, to);
  }
  Polyline result;
  for (std::size_t i = 0; i < line.size(); ++i)
    if (keep[i]) result.push_back(line[i]);
  return result;
}

}  // namespace tutti::results
