// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <tutti/model_description.hpp>
#include <variant>
#include <vector>

namespace tutti {

using Binary = std::vector<std::uint8_t>;

/// A value of any FMI type: floats as `double`, signed integers and enumerations as `std::int64_t`,
/// unsigned integers as `std::uint64_t`. An array is a vector of its elements, row by row.
using Value =
    std::variant<double, std::int64_t, std::uint64_t, bool, std::string, Binary,
                 std::vector<double>, std::vector<std::int64_t>, std::vector<std::uint64_t>,
                 std::vector<bool>, std::vector<std::string>, std::vector<Binary>>;

/// The attributes of a variable of a session.
struct VariableInfo {
  std::string name;  ///< `component.variable`, or `component.variable[1,2]` for an element
  Type type{};
  std::vector<std::uint64_t> shape;  ///< of an array; empty: a scalar, or an element
  std::string unit;
  Causality causality{};
  Variability variability{};
};

}  // namespace tutti
