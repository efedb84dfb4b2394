// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "system/line_plan.hpp"

namespace tutti::system {

/// A scalar and its initial value, in the units of its FMU; or the first of several consecutive
/// scalars.
struct PortValue {
  Point point;
  std::vector<double> values;
};

/// The initial values at one end of a line: impedances, and efforts or waves where the effort in
/// the line is given. A steady line has c = e - Z f.
std::vector<PortValue> start_values(const PlannedLine& line, std::size_t end,
                                    const PlannedPort& port, double start);

/// The initial effort at one end, by direction: where flows are measured in the same direction at
/// both ends, as in mechanics, the efforts have opposite signs. Empty: not given.
std::vector<double> initial_effort(const PlannedLine& line, std::size_t end);

/// The FMU's wave has the sign that makes effort = wave + impedance * flow in terms of the line.
inline double wave_sign(const PlannedLine& line, const PlannedPort& port) {
  return line.reflection * port.sign;
}

}  // namespace tutti::system
