// SPDX-License-Identifier: BSD-2-Clause
#include "base/float_control.hpp"

#include <unistd.h>

#include <clocale>
#include <cstdlib>
#include <vector>

namespace tutti {
namespace {

/// The bits of the control words for one setting.
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

// Empty when the directory was removed or is unreadable; then it cannot be restored.
std::string working_directory() {
  char* const text = ::getcwd(nullptr, 0);  // glibc allocates
  std::string result = text ? text : "";
  std::free(text);
  return result;
}

std::string locale() {
  const char* const text = std::setlocale(LC_ALL, nullptr);
  return text ? text : "";
}

std::recursive_mutex& process_mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

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

ProcessGuard::ProcessGuard()
    : lock_(process_mutex()),
      directory_(working_directory()),
      locale_(locale()),
      float_control_(FloatControl::now()) {}

ProcessGuard::~ProcessGuard() { restore(); }

std::string ProcessGuard::restore() {
  std::vector<std::string> changed;
  if (!directory_.empty() && working_directory() != directory_ &&
      ::chdir(directory_.c_str()) == 0) {
    changed.emplace_back("the working directory");
  }
  if (locale() != locale_ && std::setlocale(LC_ALL, locale_.c_str())) {
    changed.emplace_back("the C locale");
  }
  for (std::string& what : float_control_.restore()) changed.push_back(std::move(what));
  return list_changes(changed);
}

}  // namespace tutti
