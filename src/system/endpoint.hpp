// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <tutti/model_description.hpp>
#include <tutti/system.hpp>
#include <vector>

#include "fmi/shape.hpp"

namespace tutti::system {

/// A variable of a component, or one element of an array.
struct Selection {
  const Variable* variable = nullptr;
  std::int32_t index = -1;           ///< of the variable in the model description
  std::vector<std::uint64_t> shape;  ///< of what is selected: empty for a scalar or an element
  std::uint64_t first = 0;           ///< element, row-major
  std::uint64_t count = 1;
};

/// An exact name of a variable takes precedence; else `y[2]` is an element of the array `y`.
/// @throws Error(usage) that names component, variable and similar names
Selection select(const Component& component, const ModelDescription& description,
                 const fmi::StructuralValues& structure, const std::string& name);

/// `y[1]`, `matrix[1,1]`: how an element of an array of this shape is written, for messages.
std::string first_element(const std::string& array, std::span<const std::uint64_t> shape);

/// What a component is, for messages: `wheel.fmu`, `gain`, `C++ class`
std::string source_of(const Component& component);
/// `wheel.fmu, FMI 2.0`
std::string source_of(const Component& component, const ModelDescription& description);
/// `fmus/wheel.fmu`, `gain`, `C++ class`
std::string path_of(const Component& component);
/// `component "wheel" (wheel.fmu)`
std::string called(const Component& component);

/// Whether every value of one type can be represented in the other. SSP leaves connections between
/// types to the implementation: booleans become numbers, 0 and 1; integers become enumerations,
/// each value checked during the run (make_enumeration_check); strings and binaries convert to
/// their own type only. An enumeration counts as an integer if all its items fit.
bool widens(const ModelDescription& from_model, const Variable& from, const Variable& to);

/// @throws Error(usage) if it cannot be the source, or the target, of a connection (the table of
/// allowed connections of SSP 1.0, plus parameters as sources)
void check_source(const Component& component, const Variable& variable);
void check_target(const Component& component, const Variable& variable);
/// The same for a column of a table, which may also drive a tunable parameter (FMI 2.0, 2.2.7).
void check_column_target(const Component& component, const Variable& variable);

}  // namespace tutti::system
