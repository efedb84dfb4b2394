// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <limits>

namespace tutti {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace tutti
