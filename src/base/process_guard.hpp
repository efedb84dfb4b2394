// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <mutex>
#include <string>

#include "base/float_control.hpp"

namespace tutti {

/// Remembers what foreign code may change for the whole process or thread behind our back: the
/// working directory, the C locale (a decimal comma breaks every number we write) and the
/// floating-point environment (rounding, traps, denormals). It costs a few microseconds, so it
/// stands around loading and initialization, not around steps. Directory and locale belong to all
/// threads: only one of them is behind a guard at a time.
class ProcessGuard {
 public:
  ProcessGuard();
  ~ProcessGuard();  ///< restores without a word
  ProcessGuard(const ProcessGuard&) = delete;
  ProcessGuard& operator=(const ProcessGuard&) = delete;

  /// Undoes every change and names it, for example "the C locale and the rounding mode"; empty if
  /// there was none.
  std::string restore();

 private:
  std::unique_lock<std::recursive_mutex> lock_;  ///< guards may be nested
  std::string directory_;
  std::string locale_;
  FloatControl float_control_;
};

}  // namespace tutti
