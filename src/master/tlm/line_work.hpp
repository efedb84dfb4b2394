// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

#include "base/infinity.hpp"
#include "master/memory.hpp"

namespace tutti::master::tlm {

/// The numerical work of a line: the work of components on it according to its waves, minus their
/// actual work,
///   W = integral of (w^2 - c^2)/(4 Z) - e f  over both ends,  e: the effort that acted in the FMU.
/// It is zero where the law of the line is satisfied inside steps. If it exceeds a quarter of the
/// largest energy stored in the line,
///   E = integral over a delay of w^2/(4 Z)  over both ends,
/// the coupling generates energy: an instability. The first ten delays are no state of the line
/// yet; there, work that exceeds the energy must also double from delay to delay, three times in a
/// row.
///
/// Each end computes its own share, and sends it to the other with its waves.
class LineWork {
 public:
  explicit LineWork(double delay) : delay_(delay) {}

  /// The interval between two samples at one end, in one direction.
  struct Sample {
    double wave = 0;           ///< w
    double arriving = 0;       ///< c
    double effort = 0;         ///< that acts in the FMU until the sample
    double effort_before = 0;  ///< the same at the start of the interval
    double flow = 0;
    double quarter = 0;  ///< 1/(4 Z); 0: no impedance
  };
  static constexpr std::size_t most_directions = 6;
  /// All directions at t, after those of the sample before. After an event there is a second sample
  /// at the same time.
  void add(double t, std::size_t direction, const Sample& sample);
  void end_sample(double t);
  double work() const { return work_; }
  double energy() const { return energy_; }

  struct Finding {
    double time = 0, ratio = 0;  ///< work over the largest energy
  };
  /// With the received share of the other end. Returns an instability when it is detected.
  std::optional<Finding> judge(double t, double other_work, double other_energy);

  void keep(Memory& memory);

 private:
  double delay_;
  double work_ = 0;
  double energy_ = 0;  ///< over the last whole delay
  double sent_ = 0;    ///< integral of w^2/(4 Z) since the start
  double period_start_ = 0, sent_at_period_ = 0;
  double last_time_ = 0;
  bool has_last_ = false;
  struct Last {
    double power = 0, density = 0, flow = 0;
    void keep(Memory& memory) { memory(power, density, flow); }
  };
  std::array<Last, most_directions> last_;
  double largest_ = 0;
  double first_wave_ = 0;  ///< time of the first nonzero wave in the line
  bool has_wave_ = false;
  double next_look_ = -infinity,
         seen_ = 0;    ///< time of the next check of the work, once a delay, and its last value
  int doublings_ = 0;  ///< in a row
  bool is_reported_ = false;
};

/// Instabilities of lines, passed from the threads of their islands to the calling thread.
class LineFindings {
 public:
  struct Found {
    std::size_t line = 0;
    LineWork::Finding finding;
  };
  void add(std::size_t line, const LineWork::Finding& finding);
  /// Since the last call.
  std::vector<Found> take();

 private:
  std::atomic<bool> is_empty_{true};
  std::mutex mutex_;
  std::vector<Found> found_;
};

}  // namespace tutti::master::tlm
