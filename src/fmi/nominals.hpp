// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <span>

namespace tutti::fmi {

/// The standard wants nominals above zero; a negative one gives its size, and zero or what is not
/// finite gives the "unknown" of the standard, 1.
inline void make_nominals_usable(std::span<double> nominals) {
  for (double& nominal : nominals) {
    nominal = std::abs(nominal);
    if (!std::isfinite(nominal) || nominal == 0) nominal = 1;
  }
}

}  // namespace tutti::fmi
