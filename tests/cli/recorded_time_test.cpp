// SPDX-License-Identifier: BSD-2-Clause
// The time of results: alone, and in several units.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

TEST(RecordedTime, IsAllThatAnEmptyListOfVariablesRecords) {
  const Workplace place;
  place.write("s.toml", fmt::format("[components.a]\nfmu = \"{}\"\n[simulation]\nstop = 1\nstep = "
                                    "0.5\n[results]\nvariables = []\n",
                                    fmu("2.0", "Gain")));
  const Answer answer = place.tutti({"run", "s.toml", "-o", "r.csv"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  EXPECT_EQ(place.read("r.csv"), "time\n0\n0.5\n1\n");
  ASSERT_EQ(place.tutti({"convert", "s.toml", "t.toml"}).status, 0);
  EXPECT_THAT(place.read("t.toml"), HasSubstr("variables = []"));
}

// The same line x = 2 t, once over seconds and once over minutes.
TEST(RecordedTime, IsComparedAcrossUnits) {
  const Workplace place;
  place.write("s.csv", "time,x\n0,0\n60,120\n90,180\n120,240\n");
  place.write("min.csv", "time [min],x\n0,0\n1,120\n2,240\n");
  for (const auto& pair : {std::pair("s.csv", "min.csv"), std::pair("min.csv", "s.csv")}) {
    const Answer answer = place.tutti({"compare", pair.first, pair.second});
    EXPECT_EQ(answer.status, 0) << answer.out << answer.err;
    EXPECT_THAT(answer.err, HasSubstr("is converted from"));
  }
  place.write("wrong.csv", "time [min],x\n0,0\n1,2\n2,4\n");
  EXPECT_EQ(place.tutti({"compare", "wrong.csv", "s.csv"}).status, 1);
}

TEST(RecordedTime, InAnUnknownUnitIsTakenAsItIsWithANote) {
  const Workplace place;
  place.write("a.csv", "time [ticks],x\n0,0\n1,2\n");
  place.write("b.csv", "time [s],x\n0,0\n1,2\n");
  const Answer answer = place.tutti({"compare", "a.csv", "b.csv"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("nothing is converted"));
}

TEST(RecordedTime, OfTwoResultsIsDrawnInTheUnitOfTheFirst) {
  const Workplace place;
  place.write("s.csv", "time [s],x\n0,0\n120,240\n");
  place.write("min.csv", "time [min],x\n0,0\n2,240\n");
  const Answer answer = place.tutti({"plot", "s.csv", "--with", "min.csv"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("\"min.csv\" is converted from min to s"));
}

}  // namespace
}  // namespace tutti::testing
