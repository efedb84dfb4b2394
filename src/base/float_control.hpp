// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace tutti {

/// How a thread computes with floating-point numbers: rounding, precision, traps, the treatment of
/// denormal numbers. Foreign code that changes it changes the results of everything after it.
/// Exceptions that were raised (the sticky flags) are no part of it.
class FloatControl {
 public:
  /// That of this thread.
  static FloatControl now() {
    FloatControl control;
#if defined(__x86_64__)
    __asm__ volatile("stmxcsr %0" : "=m"(control.vector_));
    __asm__ volatile("fnstcw %0" : "=m"(control.x87_));
#elif defined(__aarch64__)
    std::uint64_t word = 0;
    __asm__ volatile("mrs %0, fpcr" : "=r"(word));
    control.vector_ = static_cast<std::uint32_t>(word);
#endif
    return control;
  }
  /// Does this thread compute so? A look of about a nanosecond, for after each call of foreign
  /// code: at the control word of the x87, which the functions of <cfenv> always change too, and at
  /// what the rounding mode of the vector unit does. Reading the register of the vector unit takes
  /// 6 ns on some processors.
  bool holds() const {
#if defined(__x86_64__)
    std::uint16_t word = 0;
    __asm__ volatile("fnstcw %0" : "=m"(word));
    if (((word ^ x87_) & static_cast<int>(x87_mask)) != 0) return false;
    return (vector_ & vector_rounding) != 0 || rounds_to_nearest();
#else
    return holds_exactly();
#endif
  }
  /// In one of `often` calls, by their count, an exact look.
  bool holds(std::uint64_t count) const {
    constexpr std::uint64_t often = 64;
    return count % often == 0 ? holds_exactly() : holds();
  }
  /// Looks at everything.
  bool holds_exactly() const {
    const FloatControl present = now();
    return (((present.vector_ ^ vector_) & vector_mask) | ((present.x87_ ^ x87_) & x87_mask)) == 0;
  }
  /// Makes this thread compute so, and names what was different: "the rounding mode".
  std::vector<std::string> restore() const;

 private:
#if defined(__x86_64__)
  /// Every other rounding mode changes 1 by adding or subtracting less than half of its last bit.
  static bool rounds_to_nearest() {
    constexpr double tiny = 0x1p-60;
    double one = 1;
    __asm__ volatile("" : "+x"(one));  // or the compiler would compute the sums
    return one + tiny == one && one - tiny == one;
  }

  // The sum of the bits in float_control.cpp.
  static constexpr std::uint32_t vector_mask = 0xffc0, x87_mask = 0x0f3f, vector_rounding = 0x6000;
#else
  static constexpr std::uint32_t vector_mask = 0x01c09f00, x87_mask = 0;
#endif
  std::uint32_t vector_ = 0;  ///< x86: MXCSR; ARM: FPCR
  std::uint16_t x87_ = 0;     ///< its control word
};

/// "a, b and c"
std::string list_changes(std::span<const std::string> changes);

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
