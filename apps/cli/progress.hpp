// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace tutti::cli {

/// The speed of a run, from simulated over wall time. The window is the last seconds, and in long
/// runs the last quarter, because step sizes vary.
class RunSpeed {
 public:
  struct Point {
    double wall = 0;      ///< s since the program started
    double time = 0;      ///< simulated, s
    double fraction = 0;  ///< of the simulated time
  };
  /// Points are in order of wall time. Simulated time before that of the last point: a restart.
  void add(const Point& point);
  const Point& last() const { return points_.back(); }
  /// Simulated seconds per second; nothing: unknown yet.
  std::optional<double> speed() const;
  /// Seconds until the end; nothing: unknown yet.
  std::optional<double> remaining() const;

 private:
  std::deque<Point> points_;  ///< those of the window, and the last one
};

/// `8 s`, `2 min 5 s`, `3 h 20 min`, `2 d 4 h`
std::string duration_text(double seconds);

/// One line of at most `width` columns: a bar, percent, simulated time, speed, remaining time;
/// in a narrow terminal only the first of them. @pre a point was added
std::string progress_line(const RunSpeed& run, std::size_t width);
/// The same of many runs, whose number is the time of the points: a bar, percent, remaining time,
/// number of runs, runs per second.
std::string progress_line_of_runs(const RunSpeed& runs, std::uint64_t all, std::size_t width);

}  // namespace tutti::cli
