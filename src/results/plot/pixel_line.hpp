// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <vector>

namespace tutti::results {

struct Point {
  double x = 0, y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};
using Polyline = std::vector<Point>;

/// Collects a curve in coordinates of a picture and keeps what its pixels can show: of all points
/// in one column of pixels the first, the lowest, the highest and the last, so that no peak is lost
/// and a picture of a million rows stays small.
class PixelLine {
 public:
  explicit PixelLine(double pixel) : pixel_(pixel) {}
  /// @pre x does not decrease
  void add(Point point);
  /// Interrupts the line: the next point is not joined to the last one.
  void interrupt();
  /// The lines, without points that lie on the line between their neighbours (to 0.05).
  std::vector<Polyline> take();

 private:
  void flush();

  double pixel_;
  double column_ = 0;
  struct Kept {
    Point point;
    std::size_t order = 0;
  };
  Kept first_, low_, high_, last_;
  std::size_t count_ = 0;  // in this column
  Polyline line_;
  std::vector<Polyline> lines_;
};

/// Leaves out the points that are nearer than `tolerance` to the line drawn without them (Ramer,
/// Douglas and Peucker).
Polyline simplified(const Polyline& line, double tolerance);

}  // namespace tutti::results
