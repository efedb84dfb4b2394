// SPDX-License-Identifier: BSD-2-Clause
#include "base/float_control.hpp"

#include <gtest/gtest.h>

#include <cfenv>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace tutti {
namespace {

TEST(FloatControl, SeesAndUndoesWhatTheStandardLibraryChanges) {
  const FloatControl control = FloatControl::now();
  EXPECT_TRUE(control.holds());
  std::fesetround(FE_UPWARD);
  ::feenableexcept(FE_DIVBYZERO);
  EXPECT_FALSE(control.holds());
  EXPECT_EQ(list_changes(control.restore()), "the rounding mode and the floating-point traps");
  EXPECT_TRUE(control.holds_exactly());
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  EXPECT_EQ(::fegetexcept(), 0);
}

#if defined(__SSE2__)
TEST(FloatControl, SeesChangesOfTheVectorUnitAloneNowAndThen) {
  const FloatControl control = FloatControl::now();
  _mm_setcsr(_mm_getcsr() | 0x8040u);  // flush-to-zero, denormals-are-zero
  int seen = 0;
  for (std::uint64_t count = 1; count <= 64; ++count) seen += control.holds(count) ? 0 : 1;
  EXPECT_EQ(seen, 1);
  EXPECT_EQ(list_changes(control.restore()), "the treatment of denormal numbers");
}

TEST(FloatControl, SeesARoundingModeOfTheVectorUnitAloneAtOnce) {
  const FloatControl control = FloatControl::now();
  for (const unsigned mode : {_MM_ROUND_UP, _MM_ROUND_DOWN, _MM_ROUND_TOWARD_ZERO}) {
    _MM_SET_ROUNDING_MODE(mode);
    EXPECT_FALSE(control.holds());
    EXPECT_EQ(list_changes(control.restore()), "the rounding mode");
    EXPECT_TRUE(control.holds());
  }
}
#endif

TEST(FloatControl, DoesNotMindTheStickyFlags) {
  std::feclearexcept(FE_ALL_EXCEPT);
  const FloatControl control = FloatControl::now();
  std::feraiseexcept(FE_INEXACT | FE_OVERFLOW);
  EXPECT_TRUE(control.holds_exactly());
}

}  // namespace
}  // namespace tutti
