// SPDX-License-Identifier: BSD-2-Clause
#include "system/line_start.hpp"

#include <algorithm>

namespace tutti::system {

std::vector<double> initial_effort(const PlannedLine& line, std::size_t end) {
  std::vector<double> efforts = line.initial_effort;
  if (end > 0)
    for (double& effort : efforts) effort *= line.reflection;
  return efforts;
}

std::vector<PortValue> start_values(const PlannedLine& line, std::size_t end,
                                    const PlannedPort& port, double start) {
  std::vector<PortValue> values;
  const std::vector<double> efforts = initial_effort(line, end);
  for (std::size_t d = 0; d < port.directions.size(); ++d) {
    const PortDirection& direction = port.directions[d];
    const double z = line.impedance[d];
    if (direction.impedance)
      values.push_back({*direction.impedance, {z * direction.flow_unit / direction.effort_unit}});
    if (efforts.empty() && port.kind != PortKind::table) continue;
    const double e = efforts.empty() ? 0 : efforts[d];
    if (port.kind == PortKind::effort) {
      values.push_back({direction.input, {port.sign * e / direction.effort_unit}});
      continue;
    }
    const double f = line.initial_flow[end].empty() ? 0 : line.initial_flow[end][d];
    const double wave = wave_sign(line, port) * (e - z * f) / direction.effort_unit;
    values.push_back(
        {direction.input, std::vector<double>(std::max<std::size_t>(port.table_size, 1), wave)});
  }
  if (port.times) {
    PortValue& times = values.emplace_back(PortValue{*port.times, {}});
    for (std::uint64_t i = 0; i < port.table_size; ++i)
      times.values.push_back(start + line.delay * static_cast<double>(i) /
                                         static_cast<double>(port.table_size - 1));
  }
  return values;
}

}  // namespace tutti::system
