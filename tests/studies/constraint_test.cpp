// SPDX-License-Identifier: BSD-2-Clause
#include "studies/fit/constraint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tutti/error.hpp>

namespace tutti::studies {
namespace {

TEST(Constraint, IsSplitAtItsSign) {
  const Constraint upper = parse_constraint(" max(c.x) <= 0.1 * c.y ");
  EXPECT_EQ(upper.left, "max(c.x)");
  EXPECT_EQ(upper.right, "0.1 * c.y");
  EXPECT_DOUBLE_EQ(upper.violation(3, 2), 1);
  EXPECT_LE(parse_constraint("c.x >= 0").violation(3, 2), 0);
}

TEST(Constraint, MayHaveComparisonsInParentheses) {
  const Constraint one = parse_constraint("max((c.x >= 1) + if(c.y <= 2, 1, 0)) <= 1");
  EXPECT_EQ(one.left, "max((c.x >= 1) + if(c.y <= 2, 1, 0))");
  EXPECT_EQ(one.right, "1");
}

TEST(Constraint, HasOneSign) {
  for (const char* const text : {"c.x", "c.x < 1", "0 <= c.x <= 1", "<= 1", "c.x >=", "(c.x <= 1)"})
    EXPECT_THROW(parse_constraint(text), Error) << text;
}

}  // namespace
}  // namespace tutti::studies
