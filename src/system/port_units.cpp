// SPDX-License-Identifier: BSD-2-Clause
#include "system/port_units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tutti/error.hpp>

namespace tutti::system {
namespace {

constexpr PortQuantity force{"force", "N", {1, 1, -2, 0}};
constexpr PortQuantity velocity{"velocity", "m/s", {0, 1, -1, 0}};
constexpr PortQuantity torque{"torque", "N.m", {1, 2, -2, 0}};
constexpr PortQuantity angular_velocity{"angular velocity", "rad/s", {0, 0, -1, 0}};
constexpr PortQuantity position{"position", "m", {0, 1, 0, 0}};
constexpr PortQuantity angle{"angle", "rad", {0, 0, 0, 0}};
constexpr PortQuantity voltage{"voltage", "V", {1, 2, -3, -1}};
constexpr PortQuantity current{"current", "A", {0, 0, 0, 1}};
constexpr PortQuantity pressure{"pressure", "Pa", {1, -1, -2, 0}};
constexpr PortQuantity volume_flow{"volume flow", "m3/s", {0, 3, -1, 0}};
constexpr PortQuantity mass_flow{"mass flow", "kg/s", {1, 0, -1, 0}};

/// `N.m`, `N*m` and `N m` are the same unit, and so are `m3/s` and `m^3/s`; `1/s` counts as
/// `rad/s`.
std::string plain_unit(std::string_view unit) {
  std::string plain;
  for (const char c : unit)
    if (c != '.' && c != '*' && c != ' ' && c != '^') plain += c;
  return plain == "1/s" ? "rad/s" : plain;
}

bool measures(const Unit::Base& base, const PortQuantity& quantity) {
  constexpr std::size_t own = 4, without_radian = 7;
  return std::equal(quantity.exponents, quantity.exponents + own, base.exponents) &&
         std::all_of(base.exponents + own, base.exponents + without_radian,
                     [](std::int32_t exponent) { return exponent == 0; });
}

}  // namespace

const PortQuantity& effort_quantity(PortDomain domain, std::size_t direction) {
  switch (domain) {
    case PortDomain::translational:
      return force;
    case PortDomain::rotational:
      return torque;
    case PortDomain::planar:
      return direction < 2 ? force : torque;
    case PortDomain::electric:
      return voltage;
    case PortDomain::hydraulic:
    case PortDomain::thermofluid:
      break;
  }
  return pressure;
}

const PortQuantity& flow_quantity(PortDomain domain, std::size_t direction, bool is_mass_flow) {
  switch (domain) {
    case PortDomain::translational:
      return velocity;
    case PortDomain::rotational:
      return angular_velocity;
    case PortDomain::planar:
      return direction < 2 ? velocity : angular_velocity;
    case PortDomain::electric:
      return current;
    case PortDomain::hydraulic:
    case PortDomain::thermofluid:
      break;
  }
  return is_mass_flow ? mass_flow : volume_flow;
}

const PortQuantity* state_quantity(PortDomain domain, std::size_t direction) {
  switch (domain) {
    case PortDomain::translational:
      return &position;
    case PortDomain::rotational:
      return &angle;
    case PortDomain::planar:
      return direction < 2 ? &position : &angle;
    default:
      return nullptr;
  }
}

double si_units_in(const ModelDescription& description, const Variable& variable,
                   const PortQuantity& quantity, std::string& note) {
  const std::string& name = variable.attributes.unit;
  if (name.empty()) return 1;
  const auto unit = std::ranges::find(description.units, name, &Unit::name);
  if (unit == description.units.end() || !unit->base) {
    if (plain_unit(name) != plain_unit(quantity.unit))
      note = fmt::format(
          "the unit \"{}\" of \"{}\" has no base units, so it is treated as {}; nothing is "
          "converted",
          name, variable.name, quantity.unit);
    return 1;
  }
  if (!measures(*unit->base, quantity))
    throw Error(
        ErrorCode::usage,
        fmt::format("the unit \"{}\" of \"{}\" is not a unit of {}, which is measured in {}", name,
                    variable.name, quantity.name, quantity.unit),
        {.variable = variable.name});
  if (unit->base->offset != 0 && !variable.attributes.relative_quantity)
    throw Error(ErrorCode::usage,
                fmt::format("the unit \"{}\" of \"{}\" has an offset to {}, which a port cannot "
                            "convert",
                            name, variable.name, quantity.unit),
                {.variable = variable.name});
  return unit->base->factor;
}

}  // namespace tutti::system
