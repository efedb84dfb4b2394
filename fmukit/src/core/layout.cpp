// SPDX-License-Identifier: BSD-2-Clause
#include "core/layout.hpp"

namespace fmukit {

Phases settable_phases(const VariableInfo& v, Version version) {
  using enum Phase;
  if (v.causality == Causality::structural_parameter)
    return v.variability == Variability::tunable ? phases(configuration, reconfiguration)
                                                 : phases(configuration);
  if (v.variability == Variability::constant || v.causality == Causality::independent) return 0;
  Phases allowed = 0;
  if (v.causality == Causality::input || v.initial == Initial::exact)
    allowed |= phases(instantiated, initialization);
  if (v.initial == Initial::approx) allowed |= phases(instantiated);
  if (v.causality == Causality::input || v.variability == Variability::tunable)
    allowed |= phases(event, step, discarded);
  if (v.variability == Variability::continuous && (v.causality == Causality::input || v.state))
    allowed |= phases(continuous);
  if (v.variability == Variability::continuous && v.causality == Causality::input &&
      version == Version::fmi3)
    allowed |= phases(intermediate);
  return v.causality == Causality::calculated_parameter ? Phases{0} : allowed;
}

Layout::Layout(const ModelInfo& model, Version version) : info(model) {
  for (std::size_t i = 0; i < info.variables.size(); ++i) {
    const VariableInfo& v = info.variables[i];
    first.push_back(static_cast<std::uint32_t>(slots.size()));
    Slot slot;
    slot.offset = v.offset;
    slot.count = static_cast<std::uint32_t>(v.count);
    slot.variable = static_cast<std::uint32_t>(i);
    slot.settable = settable_phases(v, version);
    slot.type = v.type;
    slot.storage = v.storage;
    slot.structural = v.causality == Causality::structural_parameter;
    if (version == Version::fmi3) {
      slot.plain_double = v.type == Type::float64 && v.storage == Storage::scalar;
      slots.push_back(slot);
      continue;
    }
    // One slot per element; an element of an array is like a scalar.
    if (v.type == Type::binary) {
      first.back() = static_cast<std::uint32_t>(-1);
      continue;
    }
    const auto size =
        with_type(v.type, []<class T>(T*) { return static_cast<std::ptrdiff_t>(sizeof(T)); });
    slot.count = 1;
    slot.single = true;
    if (slot.storage == Storage::array) slot.storage = Storage::scalar;
    slot.plain_double = v.type == Type::float64 && slot.storage == Storage::scalar;
    for (std::size_t k = 0; k < v.count; ++k) {
      slots.push_back(slot);
      if (slot.storage == Storage::scalar)
        slot.offset += size;
      else
        ++slot.index;
    }
  }
  for (std::uint32_t i = 0; i < info.variables.size(); ++i) {
    const VariableInfo& v = info.variables[i];
    if (v.event_indicator) indicators.push_back(i);
    if (v.causality == Causality::input && v.type == Type::float64) inputs.push_back(i);
    if (v.derivative_of.empty()) continue;
    derivatives.push_back(i);
    states.push_back(static_cast<std::uint32_t>(v.state_index));
  }
}

}  // namespace fmukit
