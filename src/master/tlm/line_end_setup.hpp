// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "master/tlm/line_work.hpp"
#include "master/tlm/wave_table.hpp"
#include "system/line_plan.hpp"

namespace tutti::master::tlm {

/// Setup of a line end.
/// Notation: c wave that arrives, w wave that is sent, e effort, f flow into the line, Z impedance,
/// D delay. In a line e = c + Z f, w = e + Z f, c(t) = r w_peer(t - D), r = 1 or -1.
struct LineEndSetup {
  const system::PlannedPort* port = nullptr;
  std::string name;               ///< of the port
  std::vector<double> impedance;  ///< by direction, used in the law
  double scale = 1;               ///< of these, relative to those of the line
  double delay = 0;               ///< of look-ups
  double reflection = 1;          ///< r
  double damping = 0;
  bool exact_wave = false;  ///< w = c + 2 Z f, whichever effort acted in the FMU
  /// Carried quantities are constant over a step with their value in the middle, not at the start.
  bool centres_carried = false;
  double window = 0;  ///< over which the slope of a wave is taken; 0: the step
  /// The island may make and repeat several steps between two points where it waits.
  bool divides_steps = false;
  WaveTable* arriving = nullptr;
  WaveTable* sent = nullptr;
  /// Receives instabilities from the numerical work of the line, by line number; null: the other
  /// end monitors.
  LineFindings* findings = nullptr;
  std::size_t line = 0;
};

/// With the present times of the others, enough arriving samples are known for steps up to this
/// time.
struct Horizon {
  double starts = std::numeric_limits<double>::infinity();
  double ends = std::numeric_limits<double>::infinity();
};

}  // namespace tutti::master::tlm
