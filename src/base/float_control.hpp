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
/// The sticky exception flags are not part of it.
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
  /// Whether this thread has these settings. Takes about a nanosecond, so it can follow each call
  /// of foreign code: it checks the control word of the x87, which the functions of <cfenv> always
  /// change too, and the effect of the rounding mode of the vector unit. Reading the register of
  /// the vector unit takes 6 ns on some processors.
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
  /// Checks exactly in one of `often` calls, by their count.
  bool holds(std::uint64_t count) const {
    constexpr std::uint64_t often = 64;
    return count % often == 0 ? holds_exactly() : holds();
  }
  /// Checks all settings.
  bool holds_exactly() const {
    const FloatControl present = now();
    return (((present.vector_ ^ vector_) & vector_mask) | ((present.x87_ ^ x87_) & x87_mask)) == 0;
  }
  /// Restores these settings in this thread and names what differed: "the rounding mode".
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

/// Records what foreign code may change for the whole process or thread unnoticed: the working
/// directory, the C locale (a decimal comma breaks every number we write) and the floating-point
/// environment (rounding, traps, denormals). It costs a few microseconds, so it guards loading and
/// initialization, not steps. Directory and locale belong to all threads: only one of them holds a
/// guard at a time.
class ProcessGuard {
 public:
  ProcessGuard();
  ~ProcessGuard();  ///< restores without a report
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
