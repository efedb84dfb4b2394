// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <tutti/model_description.hpp>
#include <tutti/tlm.hpp>

namespace tutti::system {

/// The physical quantity of an effort or flow of a direction.
struct PortQuantity {
  const char* name;  ///< `force`
  const char* unit;  ///< the SI unit, as messages show it
  /// Of kg, m, s, A. The radian does not count: tools do not agree on it.
  int exponents[4];
};

const PortQuantity& effort_quantity(PortDomain domain, std::size_t direction);
const PortQuantity& flow_quantity(PortDomain domain, std::size_t direction, bool is_mass_flow);

/// Of mechanical ports; null: not defined for other domains.
const PortQuantity* state_quantity(PortDomain domain, std::size_t direction);

/// SI units in a unit of the variable; 1 if it has no unit. A unit without base units and with an
/// unknown name counts as 1, too, with a `note`.
/// @throws Error(usage) if the unit measures something else, or has an offset
double si_units_in(const ModelDescription& description, const Variable& variable,
                   const PortQuantity& quantity, std::string& note);

}  // namespace tutti::system
