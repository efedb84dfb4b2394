// SPDX-License-Identifier: BSD-2-Clause
#include "base/process_guard.hpp"

#include <fenv.h>
#include <unistd.h>

#include <clocale>
#include <cstdlib>
#include <vector>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace tutti {
namespace {

// Empty when the directory is gone or unreadable; then there is nothing to go back to.
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

// The bits that make the processor treat denormal numbers as zero.
unsigned denormal_bits() {
#if defined(__SSE2__)
  return _mm_getcsr() & 0x8040u;  // flush-to-zero, denormals-are-zero
#elif defined(__aarch64__)
  unsigned long control = 0;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  return static_cast<unsigned>(control & (1ul << 24));
#else
  return 0;
#endif
}

int enabled_traps() {
#if defined(__GLIBC__)
  return ::fegetexcept();
#else
  return 0;
#endif
}

std::string list(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += i + 1 == parts.size() ? " and " : ", ";
    text += parts[i];
  }
  return text;
}

}  // namespace

ProcessGuard::ProcessGuard()
    : directory_(working_directory()),
      locale_(locale()),
      rounding_(std::fegetround()),
      traps_(enabled_traps()),
      denormals_(denormal_bits()) {
  std::fegetenv(&environment_);
}

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
  const std::size_t before = changed.size();
  if (std::fegetround() != rounding_) changed.emplace_back("the rounding mode");
  if (enabled_traps() != traps_) changed.emplace_back("the floating-point traps");
  if (denormal_bits() != denormals_) changed.emplace_back("the treatment of denormal numbers");
  if (changed.size() > before) std::fesetenv(&environment_);
  return list(changed);
}

}  // namespace tutti
