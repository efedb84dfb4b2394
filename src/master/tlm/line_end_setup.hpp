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

/// What the component gets of the line, and what it sends.
/// Notation: c wave that arrives, w wave that is sent, e effort, f flow into the line, Z impedance,
/// D delay. In a line e = c + Z f, w = e + Z f, c(t) = r w_peer(t - D), r = 1 or -1.
struct LineEndSetup {
  const system::PlannedPort* port = nullptr;
  std::string name;               ///< of the port
  std::vector<double> impedance;  ///< by direction, as used in the law
  double scale = 1;               ///< of these, against those of the line
  double delay = 0;               ///< of look-ups
  double reflection = 1;          ///< r
  double damping = 0;
  bool exact_wave = false;  ///< w = c + 2 Z f, whatever effort acted in the FMU
  /// What is carried is constant over a step with its value in the middle, not at the start.
  bool centres_carried = false;
  double window = 0;  ///< over which the slope of a wave is taken; 0: the step
  /// Between two points where the island waits, it may take several steps, and repeat them.
  bool divides_steps = false;
  WaveTable* arriving = nullptr;
  WaveTable* sent = nullptr;
  /// Whether the numerical work of the line grows is noted there, by the number of the line; null:
  /// the other end looks.
  LineFindings* findings = nullptr;
  std::size_t line = 0;
};

/// As far as others have got, enough of what arrives is known for steps that start and end there at
/// the latest.
struct Horizon {
  double starts = std::numeric_limits<double>::infinity();
  double ends = std::numeric_limits<double>::infinity();
};

}  // namespace tutti::master::tlm
