// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tutti/model_description.hpp>
#include <unordered_map>
#include <vector>

namespace tutti::fmi {

/// Values of structural parameters that differ from their start, by value reference.
using StructuralValues = std::unordered_map<ValueReference, std::uint64_t>;

/// Sizes of an array variable, outermost first; empty for a scalar.
/// @throws Error(description) where a dimension refers to nothing or the array is absurdly large
std::vector<std::uint64_t> shape_of(const ModelDescription& description, const Variable& variable,
                                    const StructuralValues& structure);

/// The number of scalars of a shape.
std::uint64_t element_count(std::span<const std::uint64_t> shape);

/// `y` for a scalar, `y[2]` and `A[1,2]` for array elements (row-major, from 1).
std::string element_name(const std::string& name, std::span<const std::uint64_t> shape,
                         std::uint64_t element);

/// The element that `1,2` between the brackets means; nothing if there is none.
std::optional<std::uint64_t> element_at(std::span<const std::uint64_t> shape,
                                        std::string_view indices);

}  // namespace tutti::fmi
