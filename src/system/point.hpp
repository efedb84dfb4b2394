// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <compare>
#include <cstdint>

namespace tutti::system {

/// One scalar of one component: a scalar variable, or an element of an array.
struct Point {
  std::uint32_t component = 0;
  std::int32_t variable = 0;  ///< index in the component's model description
  std::uint64_t element = 0;  ///< row-major, from 0
  auto operator<=>(const Point&) const = default;
};

}  // namespace tutti::system
