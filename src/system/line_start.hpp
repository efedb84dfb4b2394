// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "system/line_plan.hpp"

namespace tutti::system {

/// A scalar and the value that it starts with, in the units of its FMU; or the first of several
/// scalars in a row.
struct PortValue {
  Point point;
  std::vector<double> values;
};

/// What follows for one end of a line from what is given of it: impedances, and efforts or waves
/// where the effort in the line is given, at the start time. A steady line has c = e - Z f.
std::vector<PortValue> start_values(const PlannedLine& line, std::size_t end,
                                    const PlannedPort& port, double start);

/// At one end, by direction: flows that are measured in the same direction at both ends, as in
/// mechanics, belong to opposite efforts. None: it is not given.
std::vector<double> initial_effort(const PlannedLine& line, std::size_t end);

/// The FMU's wave has the sign that makes effort = wave + impedance * flow in terms of the line.
inline double wave_sign(const PlannedLine& line, const PlannedPort& port) {
  return line.reflection * port.sign;
}

}  // namespace tutti::system
