// SPDX-License-Identifier: BSD-2-Clause
#include "base/float_control.hpp"

namespace tutti {
namespace {

/// The bits of the control words that belong to one thing.
struct FloatControlBits {
  const char* name;
  std::uint32_t vector, x87;
};
#if defined(__x86_64__)
// Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, 8.1.5 and 10.2.3.
constexpr FloatControlBits float_control_bits[] = {
    {"the rounding mode", 0x6000, 0x0c00},
    {"the floating-point traps", 0x1f80, 0x003f},
    {"the treatment of denormal numbers", 0x8040, 0},
    {"the floating-point precision", 0, 0x0300},
};
#else
// Arm Architecture Reference Manual, FPCR.
constexpr FloatControlBits float_control_bits[] = {
    {"the rounding mode", 3u << 22, 0},
    {"the floating-point traps", 0x9f00, 0},
    {"the treatment of denormal numbers", 1u << 24, 0},
};
#endif

}  // namespace

std::vector<std::string> FloatControl::restore() const {
  const FloatControl present = now();
  std::vector<std::string> changes;
  for (const FloatControlBits& bits : float_control_bits)
    if ((((present.vector_ ^ vector_) & bits.vector) | ((present.x87_ ^ x87_) & bits.x87)) != 0)
      changes.emplace_back(bits.name);
  if (holds_exactly()) return changes;
#if defined(__x86_64__)
  __asm__ volatile("fnclex");  // a pending exception would trap at the next instruction
  __asm__ volatile("fldcw %0" : : "m"(x87_));
  __asm__ volatile("ldmxcsr %0" : : "m"(vector_));
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"(static_cast<std::uint64_t>(vector_)));
#endif
  return changes;
}

std::string list_changes(std::span<const std::string> changes) {
  std::string text;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (i > 0) text += i + 1 == changes.size() ? " and " : ", ";
    text += changes[i];
  }
  return text;
}

}  // namespace tutti
