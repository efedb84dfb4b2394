// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tutti/model_description.hpp>
#include <tutti/ode.hpp>
#include <vector>

#include "fmi/shape.hpp"

namespace tutti::models {

/// The continuous states of a model description, element by element: those of an array follow each
/// other in the order of its values.
struct StateElements {
  struct Array {
    std::int32_t state = -1, derivative = -1;  ///< variables
    std::size_t first = 0, count = 0;          ///< of its elements
    std::vector<std::uint64_t> shape{};        ///< empty: a scalar
  };
  std::vector<Array> arrays;  ///< scalars, too
  std::size_t count = 0;
};

/// Nothing: the description does not name the state of every derivative, or not its size.
std::optional<StateElements> find_state_elements(const ModelDescription& description,
                                                 const fmi::StructuralValues& structure = {});

/// By array of states, those that its derivative depends on, as ModelStructure lists them: each
/// element on all elements. Nothing: ModelStructure states nothing of any derivative.
std::optional<std::vector<std::vector<std::size_t>>> described_dependencies(
    const ModelDescription& description, const StateElements& states);

/// Number of elements of the Jacobian that dependencies between arrays make; without the diagonal.
std::uint64_t entry_count(const StateElements& states,
                          const std::vector<std::vector<std::size_t>>& dependencies);

/// The same as a pattern of the Jacobian, with its diagonal.
SparsityPattern pattern_of_arrays(const StateElements& states,
                                  const std::vector<std::vector<std::size_t>>& dependencies);

}  // namespace tutti::models
