// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <deque>
#include <optional>
#include <string>

namespace tutti::cli {

/// How fast a run goes, from where it was at what wall time. Steps may become shorter or longer on
/// the way: what counts are the last seconds, and of a long run its last quarter.
class RunSpeed {
 public:
  struct Point {
    double wall = 0;      ///< s since the program started
    double time = 0;      ///< simulated, s
    double fraction = 0;  ///< of the simulated time
  };
  /// Points come in order of wall time. One that lies before the last: the run starts anew.
  void add(const Point& point);
  const Point& last() const { return points_.back(); }
  /// Simulated seconds per second; nothing: not yet known.
  std::optional<double> speed() const;
  /// Seconds until the end; nothing: not yet known.
  std::optional<double> remaining() const;

 private:
  std::deque<Point> points_;  ///< those of the window, and the last one
};

/// `8 s`, `2 min 5 s`, `3 h 20 min`, `2 d 4 h`
std::string duration_text(double seconds);

/// One line of at most `width` columns: a bar, percent, simulated time, speed, time that is left;
/// of a narrow terminal only the first of them. @pre a point was added
std::string progress_line(const RunSpeed& run, std::size_t width);

}  // namespace tutti::cli
