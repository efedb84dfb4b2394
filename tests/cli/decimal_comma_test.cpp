// SPDX-License-Identifier: BSD-2-Clause
// Decimal commas in tables whose cells are separated by semicolons.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

// Texts pass through Feedthrough as they are, numbers become numbers.
TEST(DecimalComma, IsOneInNumbersAndACommaInTexts) {
  const Workplace work;
  work.write("in.csv", "time;string_in;real_in\n0,0;1,5;2,5\n1,0;1,5;2,5\n");
  const Answer answer = work.tutti({"simulate", fmu("3.0", "Feedthrough"), "--input", "in.csv",
                                    "--variables", "string_out", "--variables", "real_out",
                                    "--stop", "1", "--step", "1", "-o", "r.csv"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(work.read("r.csv"), HasSubstr("\"1,5\""));
  EXPECT_THAT(work.read("r.csv"), HasSubstr(",2.5"));
}

// A column with a cell that is no number is one of texts, in all of its cells.
TEST(DecimalComma, StaysInTextsOfResultsThatAreCompared) {
  const Workplace work;
  work.write("a.csv", "time;s\n0;1,5\n1;none\n");
  work.write("b.csv", "time;s\n0;1.5\n1;none\n");
  EXPECT_EQ(work.tutti({"compare", "a.csv", "a.csv"}).status, 0);
  EXPECT_EQ(work.tutti({"compare", "a.csv", "b.csv"}).status, 1);
}

}  // namespace
}  // namespace tutti::testing
