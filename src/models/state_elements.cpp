// SPDX-License-Identifier: BSD-2-Clause
#include "models/state_elements.hpp"

#include <algorithm>
#include <tutti/error.hpp>
#include <unordered_map>

namespace tutti::models {
namespace {

const Variable& variable_at(const ModelDescription& description, std::int32_t index) {
  return description.variables[static_cast<std::size_t>(index)];
}

}  // namespace

std::optional<StateElements> find_state_elements(const ModelDescription& description,
                                                 const fmi::StructuralValues& structure) {
  StateElements found;
  for (const Unknown& row : description.structure.derivatives) {
    if (row.variable < 0) return {};
    const std::int32_t state = variable_at(description, row.variable).derivative_of;
    if (state < 0) return {};
    std::vector<std::uint64_t> shape;
    try {
      shape = fmi::shape_of(description, variable_at(description, state), structure);
    } catch (const Error&) {
      return {};
    }
    const auto count = static_cast<std::size_t>(fmi::element_count(shape));
    found.arrays.push_back({state, row.variable, found.count, count, std::move(shape)});
    found.count += count;
  }
  return found;
}

// A dependency may be a variable with the state's value reference.
std::optional<std::vector<std::vector<std::size_t>>> described_dependencies(
    const ModelDescription& description, const StateElements& states) {
  std::unordered_map<ValueReference, std::size_t> numbers;
  for (std::size_t a = 0; a < states.arrays.size(); ++a)
    numbers.emplace(variable_at(description, states.arrays[a].state).value_reference, a);
  std::vector<std::vector<std::size_t>> found(states.arrays.size());
  bool known = false;
  for (std::size_t row = 0; row < found.size(); ++row) {
    const auto& dependencies = description.structure.derivatives[row].dependencies;
    if (!dependencies) {
      for (std::size_t a = 0; a < found.size(); ++a) found[row].push_back(a);
      continue;
    }
    known = true;
    for (const std::int32_t index : *dependencies) {
      const Variable& variable = variable_at(description, index);
      const auto number = numbers.find(variable.value_reference);
      if (number != numbers.end() && variable.type == Type::float64)
        found[row].push_back(number->second);
    }
    std::ranges::sort(found[row]);
    found[row].erase(std::unique(found[row].begin(), found[row].end()), found[row].end());
  }
  if (!known) return {};
  return found;
}

std::uint64_t entry_count(const StateElements& states,
                          const std::vector<std::vector<std::size_t>>& dependencies) {
  std::uint64_t count = 0;
  for (std::size_t row = 0; row < dependencies.size(); ++row)
    for (const std::size_t a : dependencies[row])
      count += std::uint64_t{states.arrays[row].count} * states.arrays[a].count;
  return count;
}

SparsityPattern pattern_of_arrays(const StateElements& states,
                                  const std::vector<std::vector<std::size_t>>& dependencies) {
  std::vector<std::vector<std::size_t>> rows(states.count);
  for (std::size_t row = 0; row < dependencies.size(); ++row) {
    std::vector<std::size_t> columns;
    for (const std::size_t a : dependencies[row])
      for (std::size_t e = 0; e < states.arrays[a].count; ++e)
        columns.push_back(states.arrays[a].first + e);
    for (std::size_t e = 0; e < states.arrays[row].count; ++e)
      rows[states.arrays[row].first + e] = columns;
  }
  return pattern_of_rows(rows);
}

}  // namespace tutti::models
