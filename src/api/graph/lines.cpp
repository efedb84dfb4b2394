// SPDX-License-Identifier: BSD-2-Clause
#include "api/graph/lines.hpp"

#include <fmt/format.h>

#include "system/line_parameters.hpp"

namespace tutti {
namespace {

/// SI units of impedance, stiffness and mass, or their equivalents.
struct LineUnits {
  const char *impedance, *stiffness_name, *stiffness, *mass_name, *mass;
};
constexpr LineUnits of_force{"N.s/m", "stiffness", "N/m", "mass", "kg"};
constexpr LineUnits of_torque{"N.m.s", "stiffness", "N.m", "moment of inertia", "kg.m2"};
constexpr LineUnits of_voltage{"Ohm", "stiffness", "1/F", "inductance", "H"};
constexpr LineUnits of_pressure{"Pa.s/m3", "stiffness", "Pa/m3", "inertance", "kg/m4"};

const LineUnits& units_of(PortDomain domain, std::size_t direction) {
  if (domain == PortDomain::electric) return of_voltage;
  if (domain == PortDomain::hydraulic || domain == PortDomain::thermofluid) return of_pressure;
  const bool is_angle =
      domain == PortDomain::rotational || (domain == PortDomain::planar && direction == 2);
  return is_angle ? of_torque : of_force;
}

std::string direction_text(const SystemGraph::Line& line, std::size_t direction) {
  const SystemGraph::LineDirection& d = line.directions[direction];
  if (d.impedance == 0) return "free";
  const LineUnits& units = units_of(line.domain, direction);
  return fmt::format("impedance {:.6g} {}, {} {:.6g} {}, {} {:.6g} {}", d.impedance,
                     units.impedance, units.stiffness_name, d.stiffness, units.stiffness,
                     units.mass_name, d.mass, units.mass);
}

std::string end_text(const SystemGraph::LineEnd& end) {
  return fmt::format("{} ({}{})", end.port, to_string(end.input),
                     end.has_feed_through ? ", feed-through" : "");
}

}  // namespace

std::string line_text(const SystemGraph::Line& line) {
  std::string text = fmt::format("{} -- {}: {}, delay {:.6g} s, ", end_text(line.ends[0]),
                                 end_text(line.ends[1]), to_string(line.domain), line.delay);
  if (line.damping != 0) text += fmt::format("damping {:.6g}, ", line.damping);
  if (line.directions.size() == 1) return text + direction_text(line, 0);
  return text +
         fmt::format("x and y: {}; angle: {}", direction_text(line, 0), direction_text(line, 2));
}

namespace api {

std::vector<SystemGraph::Line> lines_of(const System& system, const system::LinePlan& plan) {
  std::vector<SystemGraph::Line> all;
  for (const system::PlannedLine& line : plan.lines) {
    SystemGraph::Line& item = all.emplace_back();
    item.delay = line.delay;
    item.damping = line.damping;
    for (std::size_t end = 0; end < 2; ++end) {
      const system::PlannedPort& port = plan.ports[line.ports[end]];
      const Component& component = system.components[port.component];
      item.domain = port.domain;
      item.ends[end] = {port.component,
                        fmt::format("{}.{}", component.name, component.ports[port.number].name),
                        port.input, port.has_feed_through};
    }
    for (std::size_t d = 0; d < line.impedance.size(); ++d) {
      const system::LineEffects effects = system::effects_of(line, d);
      item.directions.push_back({line.impedance[d], effects.stiffness, effects.mass});
    }
  }
  return all;
}

std::vector<SystemGraph::Delay> delays_of(const System& system, const system::LinePlan& plan) {
  std::vector<SystemGraph::Delay> all;
  std::int64_t last = -1;
  for (const system::PlannedDelay& delay : plan.delays) {  // the scalars of an array are together
    if (delay.number == last) continue;
    last = delay.number;
    const DelayedSignal& given = system.delays[delay.number];
    all.push_back({delay.from.component, delay.to.component,
                   fmt::format("{}.{}", given.from.component, given.from.variable),
                   fmt::format("{}.{}", given.to.component, given.to.variable), delay.delay});
  }
  return all;
}

}  // namespace api
}  // namespace tutti
