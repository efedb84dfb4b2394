// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/clocks.hpp"

#include <algorithm>

namespace tutti::fmi {

const Variable* find_clocked(const ModelDescription& description) {
  if (!description.has_clocks()) return nullptr;
  const auto& variables = description.variables;
  const auto is_clock = [&](std::int32_t index) {
    return index >= 0 && variables[static_cast<std::size_t>(index)].type == Type::clock;
  };
  // A clock that another clock triggers is used only if something belongs to it.
  for (const Variable& variable : variables)
    if (variable.type != Type::clock && !variable.clocks.empty()) return &variable;
  const ModelStructure& structure = description.structure;
  for (const auto* rows : {&structure.outputs, &structure.derivatives, &structure.discrete_states,
                           &structure.clocked_states, &structure.event_indicators})
    for (const Unknown& row : *rows)
      if (!is_clock(row.variable) && row.variable >= 0 && row.dependencies &&
          std::any_of(row.dependencies->begin(), row.dependencies->end(), is_clock))
        return &variables[static_cast<std::size_t>(row.variable)];
  return nullptr;
}

}  // namespace tutti::fmi
