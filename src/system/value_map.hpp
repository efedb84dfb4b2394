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

/// How a value in the unit of one variable becomes one in the unit of another.
struct UnitConversion {
  enum class Kind {
    none,     ///< the same unit, or none is known
    linear,   ///< to = factor * from + offset
    unclear,  ///< different names, and it is not said what they mean
    clash     ///< of another quantity
  };
  Kind kind = Kind::none;
  double factor = 1, offset = 0;
};

/// By the base units that the two model descriptions give (FMI 2.0, 2.2.2; FMI 3.0, 2.4.4). A
/// relative quantity, as a difference of temperatures, has no offset.
UnitConversion convert_units(const ModelDescription& from_model, const Variable& from,
                             const ModelDescription& to_model, const Variable& to);

/// Values of a boolean, whole number or enumeration that become others; what is not listed stays
/// (SSP 1.0, section 4.5.2).
using ValueMap = std::vector<std::pair<std::int64_t, std::int64_t>>;

inline std::int64_t mapped(const ValueMap& map, std::int64_t value) {
  for (const auto& [from, to] : map)
    if (from == value) return to;
  return value;
}

/// What a connection to an enumeration must bring, checked while time runs where the source can
/// hold other values.
struct EnumerationCheck {
  std::vector<std::int64_t> items;  ///< sorted
  std::string connection;           ///< `a.y -> b.mode`, for messages
  std::string expected;             ///< `off (1), on (2)`, for messages

  bool contains(std::int64_t value) const { return std::ranges::binary_search(items, value); }
};

/// The check of what `from`, mapped, brings to the enumeration `to`. Nothing: every value fits, or
/// the enumeration lists no items.
std::optional<EnumerationCheck> make_enumeration_check(const ModelDescription& from_model,
                                                       const Variable& from, const ValueMap& map,
                                                       const ModelDescription& to_model,
                                                       const Variable& to);

/// The map of a connection, in numbers. @throws Error(usage) for types that have no such map, and
/// for what is no value of them
ValueMap make_value_map(const Connection& connection, const ModelDescription& from_model,
                        const Variable& from, const ModelDescription& to_model, const Variable& to);

}  // namespace tutti::system
