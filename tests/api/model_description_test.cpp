// SPDX-License-Identifier: BSD-2-Clause
// <tutti/model_description.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tutti/fmu.hpp>

#include "api/systems.hpp"
#include "support/small_description.hpp"

namespace tutti::testing {
namespace {

using ::testing::ElementsAre;

TEST(ModelDescriptions, FindVariablesByNameAndReference) {
  SmallDescription small;
  small.add("a", Type::float64, Causality::input);
  small.add("b", Type::int32, Causality::output, Variability::discrete);
  const ModelDescription copy = small.description;  // a copy has what it needs
  ASSERT_NE(copy.find("b"), nullptr);
  EXPECT_EQ(copy.find("b"), &copy.variables[1]);
  EXPECT_EQ(copy.find("c"), nullptr);
  EXPECT_EQ(copy.find(ValueReference{1}), 1);
  EXPECT_EQ(copy.find(ValueReference{7}), -1);
  EXPECT_FALSE(copy.has_clocks());
  EXPECT_FALSE(copy.variables[0].is_array());
}

TEST(ModelDescriptions, FindVariablesByTheirAliasesInFmi3) {
  SmallDescription small;
  small.add("a", Type::float64, Causality::local).aliases = {{"other", "", ""}};
  small.description.build_index();
  EXPECT_EQ(small.description.find("other"), &small.description.variables[0]);
}

TEST(ModelDescriptions, ReportNamesAndReferencesThatComeTwice) {
  SmallDescription small;
  small.add("a", Type::float64, Causality::local);
  small.add("a", Type::float64, Causality::local);
  small.description.variables[1].value_reference = 0;
  const auto duplicates = small.description.build_index();
  EXPECT_THAT(duplicates.names, ElementsAre(1));
  EXPECT_THAT(duplicates.references, ElementsAre(1));
}

TEST(ModelDescriptions, KnowClocks) {
  SmallDescription small;
  small.add("tick", Type::clock, Causality::input);
  EXPECT_TRUE(small.description.has_clocks());
}

TEST(ModelDescriptions, HaveTheDeclaredTypesOfVariables) {
  const ModelDescription read = read_description(fmu_of("3.0", "Thermostat"));
  const Variable* enumeration = nullptr;
  for (const Variable& variable : read.variables)
    if (variable.type == Type::enumeration) enumeration = &variable;
  ASSERT_NE(enumeration, nullptr);
  ASSERT_NE(read.type_of(*enumeration), nullptr);
  EXPECT_FALSE(read.type_of(*enumeration)->items.empty());
  EXPECT_EQ(read.type_of(*read.find("time")), nullptr);
}

TEST(RareValues, AreCopiedWithTheirContent) {
  Rare<ClockAttributes> none, some;
  some.emplace().interval_variability = "constant";
  const Rare<ClockAttributes> copy = some;
  some->interval_variability = "changing";
  EXPECT_FALSE(none);
  ASSERT_TRUE(copy.has_value());
  EXPECT_EQ(copy->interval_variability, "constant");
  none = some;
  EXPECT_EQ((*none).interval_variability, "changing");
}

TEST(Types, OfAnyLengthAreTexts) {
  EXPECT_TRUE(is_text(Type::string));
  EXPECT_TRUE(is_text(Type::binary));
  EXPECT_FALSE(is_text(Type::enumeration));
}

}  // namespace
}  // namespace tutti::testing
