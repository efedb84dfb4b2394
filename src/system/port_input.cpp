// SPDX-License-Identifier: BSD-2-Clause
#include "system/ports.hpp"

namespace tutti::system {

PortInput choose_input(const PortAbilities& abilities, TlmRules rules) {
  if (abilities.is_model_exchange) return PortInput::equations;
  const bool is_effort = !abilities.has_wave && !abilities.has_table;
  if (rules == TlmRules::omtlm) {
    if (is_effort) return PortInput::constant;
    return abilities.has_table ? PortInput::table : PortInput::coarse;
  }
  if (abilities.has_callback) return PortInput::callback;
  if (abilities.has_table) return PortInput::table;
  if (abilities.has_wave)
    return why_not(PortInput::coarse, abilities).empty() ? PortInput::coarse
                                                         : PortInput::constant_wave;
  return abilities.follows_inputs ? PortInput::slope : PortInput::constant;
}

std::string why_not(PortInput input, const PortAbilities& abilities) {
  constexpr std::string_view interpolation =
      "the FMU cannot follow an input inside a step (canInterpolateInputs, or "
      "intermediateUpdate of FMI 3.0)";
  if (abilities.is_model_exchange && input != PortInput::automatic && input != PortInput::equations)
    return "as model exchange, the law of the line is part of the equations: use \"equations\" "
           "or \"auto\", or as = \"cs\"";
  switch (input) {
    case PortInput::automatic:
      return "";
    case PortInput::constant:
      return abilities.has_effort ? "" : "it is for ports with the key effort";
    case PortInput::slope:
      if (!abilities.has_effort) return "it is for ports with the key effort";
      return abilities.follows_inputs ? "" : std::string(interpolation);
    case PortInput::constant_wave:
      return abilities.has_wave ? "" : "it is for ports with the key wave";
    case PortInput::coarse:
      if (!abilities.has_wave) return "it is for ports with the key wave";
      return abilities.has_slope || abilities.follows_inputs
                 ? ""
                 : "the port has no wave-slope, and " + std::string(interpolation);
    case PortInput::table:
      return abilities.has_table ? "" : "it is for ports with the key wave-table";
    case PortInput::callback:
      return abilities.has_callback
                 ? ""
                 : "it needs a co-simulation FMU of FMI 3.0 with providesIntermediateUpdate, and "
                   "intermediateUpdate=\"true\" at the flow and the effort or wave of the port";
    case PortInput::equations:
      return abilities.is_model_exchange ? "" : "it is for components that run as model exchange";
  }
  return "";
}

}  // namespace tutti::system
