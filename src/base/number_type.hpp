// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <tutti/model_description.hpp>
#include <type_traits>

namespace tutti {

inline bool is_float(Type type) { return type == Type::float32 || type == Type::float64; }

/// Calls `action` with a number (or a boolean) of the C++ type that stores values of `type`.
/// @pre the values are not strings or binaries
template <class Action>
auto with_number_type(Type type, const Action& action) {
  switch (type) {
    case Type::float32:
      return action(float{});
    case Type::int8:
      return action(std::int8_t{});
    case Type::uint8:
      return action(std::uint8_t{});
    case Type::int16:
      return action(std::int16_t{});
    case Type::uint16:
      return action(std::uint16_t{});
    case Type::int32:
      return action(std::int32_t{});
    case Type::uint32:
      return action(std::uint32_t{});
    case Type::int64:
    case Type::enumeration:
      return action(std::int64_t{});
    case Type::uint64:
      return action(std::uint64_t{});
    case Type::boolean:
    case Type::clock:
      return action(bool{});
    default:
      return action(double{});
  }
}

/// Cells store such values as integers.
inline bool is_signed_integer(Type type) {
  return !is_float(type) &&
         with_number_type(type, [](auto number) { return std::is_signed_v<decltype(number)>; });
}

}  // namespace tutti
