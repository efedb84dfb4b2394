// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <tutti/model_description.hpp>
#include <tutti/system.hpp>
#include <utility>
#include <vector>

namespace tutti::system {

/// Conversion of a value from the unit of one variable to the unit of another.
struct UnitConversion {
  enum class Kind {
    none,     ///< the same unit, or none is known
    linear,   ///< to = factor * from + offset
    unclear,  ///< different names without base units
    clash     ///< different quantities
  };
  Kind kind = Kind::none;
  double factor = 1, offset = 0;
};

/// By the base units that the two model descriptions give (FMI 2.0, 2.2.2; FMI 3.0, 2.4.4). A
/// relative quantity, as a difference of temperatures, has no offset.
UnitConversion convert_units(const ModelDescription& from_model, const Variable& from,
                             const ModelDescription& to_model, const Variable& to);

/// Mapping of values of booleans, integers or enumerations; values that are not listed are
/// unchanged (SSP 1.0, section 4.5.2).
using ValueMap = std::vector<std::pair<std::int64_t, std::int64_t>>;

inline std::int64_t mapped(const ValueMap& map, std::int64_t value) {
  for (const auto& [from, to] : map)
    if (from == value) return to;
  return value;
}

/// The valid values of a connection to an enumeration, checked during the run where the source can
/// have other values.
struct EnumerationCheck {
  std::vector<std::int64_t> items;  ///< sorted
  std::string connection;           ///< `a.y -> b.mode`, for messages
  std::string expected;             ///< `off (1), on (2)`, for messages

  bool contains(std::int64_t value) const { return std::ranges::binary_search(items, value); }
};

/// The check of the mapped values of `from` for the enumeration `to`. Nothing: every value is
/// valid, or the enumeration lists no items.
std::optional<EnumerationCheck> make_enumeration_check(const ModelDescription& from_model,
                                                       const Variable& from, const ValueMap& map,
                                                       const ModelDescription& to_model,
                                                       const Variable& to);

/// The map of a connection, in numbers. @throws Error(usage) for types without such a map, and for
/// values outside the type
ValueMap make_value_map(const Connection& connection, const ModelDescription& from_model,
                        const Variable& from, const ModelDescription& to_model, const Variable& to);

}  // namespace tutti::system
