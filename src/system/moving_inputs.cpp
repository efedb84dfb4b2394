// SPDX-License-Identifier: BSD-2-Clause
#include "system/moving_inputs.hpp"

#include <algorithm>

#include "system/make_plan.hpp"

namespace tutti::system {
namespace {

bool moves(const Variable& variable) {
  return variable.type == Type::float64 && variable.variability == Variability::continuous;
}

}  // namespace

bool any_moves(const ModelDescription& description, std::span<const std::int32_t> inputs) {
  return std::ranges::any_of(inputs, [&](std::int32_t index) {
    return moves(description.variables[static_cast<std::size_t>(index)]);
  });
}

bool follows_inputs(const ModelDescription& description, std::span<const std::int32_t> inputs) {
  const Capabilities& capabilities = *description.co_simulation;
  if (description.version != FmiVersion::v3) return capabilities.can_interpolate_inputs;
  // FMI 3.0, 2.4.7.4: only variables with intermediateUpdate may be set there.
  return capabilities.provides_intermediate_update &&
         std::ranges::all_of(inputs, [&](std::int32_t index) {
           const Variable& v = description.variables[static_cast<std::size_t>(index)];
           return v.intermediate_update || !moves(v);
         });
}

bool follows_inputs(const Component& component, const ModelDescription& description,
                    std::span<const std::int32_t> inputs) {
  return is_model_exchange(component, description) || follows_inputs(description, inputs);
}

}  // namespace tutti::system
