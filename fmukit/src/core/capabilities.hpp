// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmukit/info.hpp>

namespace fmukit {

/// Capabilities of the FMU: written to the model description and stored in the instance.
struct Capabilities {
  bool model_exchange = false;
  bool get_set_state = false, serialize = false;
  bool directional = false;          ///< and adjoint
  bool interpolates_inputs = false;  ///< accepts derivatives of inputs
  int output_derivatives = 0;        ///< highest order
  bool has_event_mode = false, returns_early = false;
  bool intermediate_updates = false, early_after_intermediate = false;
};

inline Capabilities capabilities(const ModelInfo& info) {
  const Abilities& can = info.abilities;
  const Promises& says = info.promises;
  bool indicators = false;
  for (const VariableInfo& v : info.variables) indicators = indicators || v.event_indicator;
  const bool equations = !can.do_step;  // the kit integrates
  const bool events = can.events || can.step_events || indicators;

  Capabilities c;
  c.model_exchange = equations || can.derivatives;
  c.get_set_state = can.copyable && !says.no_state;
  c.serialize = c.get_set_state && info.covered;
  c.directional = can.partials || (equations && can.copyable);
  c.interpolates_inputs = equations;
  c.output_derivatives = equations && can.copyable ? 2 : 0;
  c.has_event_mode = equations ? events : says.event_mode;
  c.returns_early = equations ? events : says.early_return;
  c.intermediate_updates = equations || says.intermediate_updates;
  c.early_after_intermediate = equations || (says.intermediate_updates && says.early_return);
  return c;
}

/// GUID of FMI 1.0 and 2.0, instantiation token of 3.0: a hash of the description.
std::string instantiation_token(const ModelInfo& info, const char* fmi_version);

}  // namespace fmukit
