// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <chrono>

namespace tutti {

/// Wall time, independent of changes of the system clock.
using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace tutti
