// SPDX-License-Identifier: BSD-2-Clause
#include "studies/failure_kind.hpp"

#include <gtest/gtest.h>

namespace tutti::studies {
namespace {

TEST(FailureKind, IsTheTextWithoutNumbers) {
  EXPECT_EQ(failure_kind("fmi2DoStep failed from t = 0.25 s to 1e-05 s"),
            "fmi2DoStep failed from t = # s to # s");
  EXPECT_EQ(failure_kind("x is -2.5e3"), failure_kind("x is 17"));
  EXPECT_EQ(failure_kind("tank2.x1 is NaN"), "tank2.x1 is NaN");
  EXPECT_NE(failure_kind("tank2 fails"), failure_kind("tank3 fails"));
  EXPECT_EQ(failure_kind(""), "");
}

}  // namespace
}  // namespace tutti::studies
