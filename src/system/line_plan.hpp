// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <tutti/tlm.hpp>
#include <utility>
#include <vector>

#include "system/point.hpp"

namespace tutti::system {

/// The quantity that the FMU of a port receives from the line.
enum class PortKind : std::uint8_t { effort, wave, table };

/// One direction of a port, as scalars of its component.
struct PortDirection {
  /// The effort or the wave; of a table, its first element. The other elements follow it in the
  /// array, or are the next variables of the model description (FMI 1.0 and 2.0).
  Point input;
  Point flow;                             ///< output
  std::optional<Point> state;             ///< output
  std::optional<Point> slope, impedance;  ///< of wave-type FMUs
  double effort_unit = 1, flow_unit = 1;  ///< SI units in a unit of the FMU's variable
};

/// A port with a line.
struct PlannedPort {
  std::uint32_t component = 0;
  std::uint32_t number = 0;  ///< in Component::ports
  PortDomain domain{};
  PortKind kind{};
  PortInput input{};  ///< not automatic
  std::vector<PortDirection> directions;
  std::vector<std::pair<Point, Point>> carried;  ///< output, input
  double sign = 1;                               ///< the FMU's effort = sign * effort in the line
  double flow_sign = 1;                          ///< the flow into the line = flow_sign * the FMU's
  std::uint64_t table_size = 0;                  ///< of tables
  std::optional<Point> times;                    ///< of tables: the first element
  bool has_feed_through = false;  ///< a flow may depend on an effort or wave directly
};

/// A line with all values derived from its given parameters.
struct PlannedLine {
  std::array<std::uint32_t, 2> ports{};  ///< in LinePlan::ports
  double delay = 0;
  std::vector<double> impedance;  ///< by direction
  double damping = 0;
  /// -1: both ends measure the flow in the same direction (mechanics), so that a wave that arrives
  /// is the negated one that was sent; 1: flows are positive into the line.
  double reflection = 1;
  std::array<std::vector<double>, 2> initial_flow;  ///< by end and direction; none: the FMU's
  std::vector<double> initial_effort;               ///< by direction; none: the FMU's
  WaveRule wave{};
  std::uint32_t number = 0;  ///< in System::tlm
};

struct PlannedDelay {
  Point from, to;
  double factor = 1, offset = 0;  ///< units
  double delay = 0;
  std::optional<double> initial;  ///< of `to`
  std::uint32_t number = 0;       ///< in System::delays
};

/// Lines and delayed signals of a system, and the islands that they join: components connected by
/// ordinary connections.
struct LinePlan {
  std::vector<PlannedPort> ports;
  std::vector<PlannedLine> lines;
  std::vector<PlannedDelay> delays;
  /// Each in ascending order, ordered by their first component. One, if nothing is delayed.
  std::vector<std::vector<std::uint32_t>> islands;

  /// Inputs of ports without a line, which keep their start values; ascending.
  std::vector<Point> open_inputs;

  bool empty() const { return lines.empty() && delays.empty(); }
};

}  // namespace tutti::system
