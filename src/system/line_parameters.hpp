// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "system/line_plan.hpp"

namespace tutti::system {

/// Sets delay, impedance, damping, initial values and reflection of a line from its given
/// parameters. @throws Error(usage)
void set_parameters(const TlmLine& line, PortDomain domain, PlannedLine& planned);

/// The factor by which damping increases the delay at low frequencies: 1 + 1.5 a / (1 - a).
double damping_factor(double damping);

/// Stiffness and mass that a line adds to the system, by direction: with D_eff = D *
/// damping_factor(a), K = Z / D_eff and m = Z D_eff.
struct LineEffects {
  double stiffness = 0, mass = 0;
};
LineEffects effects_of(const PlannedLine& line, std::size_t direction);

}  // namespace tutti::system
