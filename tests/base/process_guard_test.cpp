// SPDX-License-Identifier: BSD-2-Clause
#include "base/float_control.hpp"

#include <gtest/gtest.h>

#include <cfenv>
#include <clocale>
#include <filesystem>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace tutti {
namespace {

TEST(ProcessGuard, HasNothingToSayWhenNothingChanged) {
  ProcessGuard guard;
  EXPECT_EQ(guard.restore(), "");
}

TEST(ProcessGuard, RestoresTheWorkingDirectory) {
  const std::filesystem::path before = std::filesystem::current_path();
  ProcessGuard guard;
  std::filesystem::current_path("/");
  EXPECT_EQ(guard.restore(), "the working directory");
  EXPECT_EQ(std::filesystem::current_path(), before);
}

TEST(ProcessGuard, RestoresTheRoundingModeAlsoWhenNobodyAsks) {
  {
    ProcessGuard guard;
    std::fesetround(FE_UPWARD);
  }
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

TEST(ProcessGuard, RestoresTheLocale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  if (before == "POSIX" || !std::setlocale(LC_ALL, "C.UTF-8")) GTEST_SKIP() << "no other locale";
  std::setlocale(LC_ALL, before.c_str());
  ProcessGuard guard;
  std::setlocale(LC_ALL, before == "C.UTF-8" ? "C" : "C.UTF-8");
  EXPECT_EQ(guard.restore(), "the C locale");
  EXPECT_EQ(std::setlocale(LC_ALL, nullptr), before);
}

#if defined(__SSE2__)
TEST(ProcessGuard, RestoresDenormalsAndNamesSeveralChanges) {
  const unsigned before = _mm_getcsr();
  ProcessGuard guard;
  std::filesystem::current_path("/");
  std::fesetround(FE_DOWNWARD);
  _mm_setcsr(_mm_getcsr() | 0x8040u);  // flush-to-zero, denormals-are-zero
  EXPECT_EQ(guard.restore(),
            "the working directory, the rounding mode and the treatment of denormal numbers");
  EXPECT_EQ(_mm_getcsr() & ~0x3fu, before & ~0x3fu);  // but for the sticky flags
}
#endif

}  // namespace
}  // namespace tutti
