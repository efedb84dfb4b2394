// SPDX-License-Identifier: BSD-2-Clause
#include "models/initial_values.hpp"

#include <algorithm>

namespace tutti::models {

void set_part(fmi::FmuInstance& instance, const ValueSet& inputs,
              std::span<const std::int32_t> variables, const StructuralValues& structure) {
  inputs.part(instance.description(), variables, structure).set_to(instance);
}

void get_part(fmi::FmuInstance& instance, ValueSet& outputs,
              std::span<const std::int32_t> variables, const StructuralValues& structure) {
  ValueSet some(instance.description(), variables, structure);
  some.get_from(instance);
  outputs.copy_from(some);
}

bool differentiate_part(fmi::FmuInstance& instance, std::span<const std::int32_t> unknowns,
                        std::span<const std::int32_t> knowns, std::span<const double> seed,
                        std::span<double> sensitivity) {
  if (!instance.capabilities().provides_directional_derivatives) return false;
  const ModelDescription& description = instance.description();
  const auto references = [&](std::span<const std::int32_t> variables) {
    std::vector<ValueReference> result;
    for (const std::int32_t index : variables)
      result.push_back(description.variables[static_cast<std::size_t>(index)].value_reference);
    return result;
  };
  instance.directional_derivative(references(unknowns), references(knowns), seed, sensitivity);
  return true;
}

}  // namespace tutti::models
