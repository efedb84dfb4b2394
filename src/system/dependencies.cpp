// SPDX-License-Identifier: BSD-2-Clause
#include "system/dependencies.hpp"

#include <algorithm>

namespace tutti::system {
namespace {

std::vector<std::int32_t> rows_by_variable(const std::vector<Unknown>& rows, std::size_t count) {
  std::vector<std::int32_t> by_variable(count, -1);
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].variable >= 0)
      by_variable[static_cast<std::size_t>(rows[i].variable)] = static_cast<std::int32_t>(i);
  return by_variable;
}

/// What has its value before initialization depends on nothing.
bool is_given_before(const Variable& variable) {
  return variable.variability == Variability::constant ||
         variable.causality == Causality::parameter ||
         variable.causality == Causality::structural_parameter ||
         variable.causality == Causality::calculated_parameter;
}

void sort_once(std::vector<std::int32_t>& indices) {
  std::ranges::sort(indices);
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
}

}  // namespace

InitialDependencies::InitialDependencies(const ModelDescription& description)
    : description_(description),
      initial_(
          rows_by_variable(description.structure.initial_unknowns, description.variables.size())),
      output_(rows_by_variable(description.structure.outputs, description.variables.size())) {}

const Unknown* InitialDependencies::initial(std::int32_t variable) const {
  const std::int32_t row = initial_[static_cast<std::size_t>(variable)];
  return row < 0 ? nullptr
                 : &description_.structure.initial_unknowns[static_cast<std::size_t>(row)];
}

std::optional<std::vector<std::int32_t>> InitialDependencies::inputs_of(
    std::int32_t variable) const {
  const Variable& asked = description_.variables[static_cast<std::size_t>(variable)];
  std::vector<std::int32_t> inputs;
  if (is_given_before(asked) ||
      (description_.version != FmiVersion::v1 && asked.initial == Initial::exact))
    return inputs;

  const auto add = [&](const Unknown& row, bool follow) {
    if (!row.dependencies) return false;
    for (const std::int32_t index : *row.dependencies) {
      if (description_.variables[static_cast<std::size_t>(index)].causality == Causality::input) {
        inputs.push_back(index);
      } else if (const Unknown* through = follow ? initial(index) : nullptr) {
        if (!through->dependencies) return false;
        for (const std::int32_t next : *through->dependencies)
          if (description_.variables[static_cast<std::size_t>(next)].causality == Causality::input)
            inputs.push_back(next);
      }
    }
    return true;
  };
  const Unknown* row = initial(variable);
  bool known = row != nullptr && add(*row, false);
  if (const std::int32_t output = output_[static_cast<std::size_t>(variable)];
      !known && output >= 0)
    known = add(description_.structure.outputs[static_cast<std::size_t>(output)], true);
  if (!known) return std::nullopt;
  sort_once(inputs);
  return inputs;
}

RunningDependencies::RunningDependencies(const ModelDescription& description)
    : description_(description),
      rows_(description.variables.size()),
      is_state_(description.variables.size()) {
  const auto& structure = description.structure;
  for (const auto* rows : {&structure.outputs, &structure.derivatives})
    for (const Unknown& row : *rows)
      if (row.variable >= 0) rows_[static_cast<std::size_t>(row.variable)] = &row;
  for (const Unknown& row : structure.derivatives) {
    if (row.variable < 0) continue;
    const std::int32_t state =
        description.variables[static_cast<std::size_t>(row.variable)].derivative_of;
    if (state >= 0) is_state_[static_cast<std::size_t>(state)] = true;
  }
}

std::optional<std::vector<std::int32_t>> RunningDependencies::inputs_of(
    std::int32_t variable) const {
  const auto asked = static_cast<std::size_t>(variable);
  std::vector<std::int32_t> inputs;
  if (is_given_before(description_.variables[asked]) || is_state_[asked]) return inputs;
  if (rows_[asked] == nullptr || !rows_[asked]->dependencies) return std::nullopt;
  for (const std::int32_t index : *rows_[asked]->dependencies)
    if (description_.variables[static_cast<std::size_t>(index)].causality == Causality::input)
      inputs.push_back(index);
  sort_once(inputs);
  return inputs;
}

}  // namespace tutti::system
