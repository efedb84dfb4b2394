// SPDX-License-Identifier: BSD-2-Clause
// Connections between variables of different types: integers to enumerations, booleans to numbers.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Component b has inputs of all types; its enumeration has the items low 1, middle 2, high 3.
class ConnectedTypes : public ::testing::TestWithParam<const char*> {
 protected:
  std::string system(const std::string& a, const std::string& connection,
                     const std::string& more = "") const {
    return fmt::format(
        "[components.a]\nfmu = \"{}\"\n[components.b]\nfmu = \"{}\"\n"
        "[connections]\nlist = [{}]\n[simulation]\nstop = 4\nstep = 0.5\n{}"
        "[results]\nvariables = [\"b.int32_out\", \"b.option_out\", \"b.real_out\"]\n",
        a, fmu(GetParam(), "Feedthrough"), connection, more);
  }
  Answer run(const std::string& text) const {
    place.write("s.toml", text);
    return place.tutti({"run", "s.toml", "-o", "r.csv"});
  }
  std::string last(const std::string& column) const {
    const auto rows = csv_rows(place.read("r.csv"));
    for (std::size_t i = 0; i < rows[0].size(); ++i)
      if (rows[0][i] == column) return rows.back()[i];
    return "no such column";
  }
  Workplace place;
};
INSTANTIATE_TEST_SUITE_P(Cli, ConnectedTypes, ::testing::Values("2.0", "3.0"),
                         [](const auto& tested) { return std::string("Fmi") + tested.param[0]; });

// The counter is 1, 2 from t = 1 on, 3 from t = 2 on.
TEST_P(ConnectedTypes, AnIntegerDrivesAnEnumeration) {
  place.write("s.toml", system(fmu("2.0", "Stair"), "\"a.counter -> b.option_in\""));
  const Answer answer =
      place.tutti({"run", "s.toml", "-o", "r.csv", "--set", "simulation.stop=2.5"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  EXPECT_EQ(last("b.option_out"), "3");
}

TEST_P(ConnectedTypes, AnIntegerThatIsNoItemEndsTheRunNamingConnectionValueAndTime) {
  const Answer answer = run(system(fmu("2.0", "Stair"), "\"a.counter -> b.option_in\""));
  EXPECT_EQ(answer.status, 1);
  EXPECT_THAT(answer.err, HasSubstr("t = 2.5 s: connection \"a.counter -> b.option_in\": the value "
                                    "4 is no item of the enumeration"));
  EXPECT_THAT(answer.err, HasSubstr("low (1), middle (2), high (3)"));
}

TEST_P(ConnectedTypes, AnIntegerThatIsNoItemAtTheStartRefusesTheRun) {
  const Answer answer =
      run(system(fmu("2.0", "Feedthrough"), "\"a.int32_out -> b.option_in\""));  // 0
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("t = 0 s: connection \"a.int32_out -> b.option_in\""));
}

TEST_P(ConnectedTypes, AMapMakesItemsOfIntegers) {
  const Answer answer = run(system(
      fmu("2.0", "Stair"),
      "{ from = \"a.counter\", to = \"b.option_in\", map = { 4 = \"low\", 5 = \"middle\" } }"));
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_EQ(last("b.option_out"), "2");
}

TEST_P(ConnectedTypes, ABooleanDrivesAnIntegerAsZeroOrOne) {
  for (const char* const value : {"true", "false"}) {
    const Answer answer = run(system(fmu("2.0", "Feedthrough"), "\"a.boolean_out -> b.int32_in\"",
                                     fmt::format("[inputs.set]\n\"a.boolean_in\" = {}\n", value)));
    ASSERT_EQ(answer.status, 0) << answer.err;
    EXPECT_EQ(last("b.int32_out"), std::string(value) == "true" ? "1" : "0");
  }
}

TEST_P(ConnectedTypes, ABooleanDrivesARealAsZeroOrOne) {
  for (const char* const value : {"true", "false"}) {
    const Answer answer = run(system(fmu("2.0", "Feedthrough"), "\"a.boolean_out -> b.real_in\"",
                                     fmt::format("[inputs.set]\n\"a.boolean_in\" = {}\n", value)));
    ASSERT_EQ(answer.status, 0) << answer.err;
    EXPECT_EQ(last("b.real_out"), std::string(value) == "true" ? "1" : "0");
  }
}

TEST_P(ConnectedTypes, AnIntegerDrivesNoBooleanAndABooleanNoEnumeration) {
  for (const char* const pair : {"a.int32_out -> b.boolean_in", "a.boolean_out -> b.option_in"}) {
    const Answer answer = run(system(fmu("2.0", "Feedthrough"), fmt::format("\"{}\"", pair)));
    EXPECT_EQ(answer.status, 2) << pair;
    EXPECT_THAT(answer.err, HasSubstr("cannot go into")) << pair;
  }
}

}  // namespace
}  // namespace tutti::testing
