// SPDX-License-Identifier: BSD-2-Clause
#include "system/endpoint.hpp"

#include <gtest/gtest.h>

#include <set>

#include "fmi/shape.hpp"
#include "system/dependencies.hpp"

namespace tutti::system {
namespace {

bool fits(Type from, Type to) {
  ModelDescription model;
  Variable a, b;
  a.type = from;
  b.type = to;
  return widens(model, a, b);
}

TEST(Types, WidenWhereNoValueIsLost) {
  EXPECT_TRUE(fits(Type::float32, Type::float64));
  EXPECT_FALSE(fits(Type::float64, Type::float32));
  EXPECT_TRUE(fits(Type::int32, Type::float64));
  EXPECT_FALSE(fits(Type::int64, Type::float64)) << "a double has 53 bits";
  EXPECT_TRUE(fits(Type::uint16, Type::float32));
  EXPECT_FALSE(fits(Type::int32, Type::float32)) << "a float has 24 bits";
  EXPECT_TRUE(fits(Type::uint8, Type::int16));
  EXPECT_FALSE(fits(Type::uint8, Type::int8));
  EXPECT_FALSE(fits(Type::int8, Type::uint64));
  EXPECT_FALSE(fits(Type::float64, Type::int64));
}

TEST(Types, OtherThanNumbersGoToTheirOwn) {
  for (const Type type : {Type::boolean, Type::string, Type::binary, Type::enumeration})
    EXPECT_TRUE(fits(type, type));
  EXPECT_FALSE(fits(Type::boolean, Type::enumeration));
  EXPECT_FALSE(fits(Type::int32, Type::boolean));
  EXPECT_FALSE(fits(Type::float64, Type::boolean));
  EXPECT_FALSE(fits(Type::float64, Type::enumeration));
  EXPECT_FALSE(fits(Type::string, Type::binary));
  EXPECT_FALSE(fits(Type::clock, Type::clock));
}

TEST(Types, BooleansGoToNumbersAndIntegersToEnumerations) {
  EXPECT_TRUE(fits(Type::boolean, Type::float32));
  EXPECT_TRUE(fits(Type::boolean, Type::float64));
  for (const Type type : {Type::int8, Type::uint8, Type::int32, Type::uint64}) {
    EXPECT_TRUE(fits(Type::boolean, type));
    EXPECT_TRUE(fits(type, Type::enumeration)) << "each value is checked while time runs";
  }
}

TEST(Types, AnEnumerationCountsAsAnIntegerThatHoldsItsItems) {
  ModelDescription model;
  model.types.resize(1);
  model.types[0].items = {{"low", 1, ""}, {"high", 2, ""}};
  Variable from, to;
  from.type = Type::enumeration;
  from.declared_type = 0;
  to.type = Type::int32;
  EXPECT_TRUE(widens(model, from, to));
  model.types[0].items[1].value = std::int64_t{1} << 40;
  EXPECT_FALSE(widens(model, from, to));
  to.type = Type::int64;
  EXPECT_TRUE(widens(model, from, to));
}

TEST(Elements, AreCountedByRowsFromOne) {
  const std::vector<std::uint64_t> shape = {2, 3};
  EXPECT_EQ(fmi::element_at(shape, "1,1"), 0u);
  EXPECT_EQ(fmi::element_at(shape, "2, 3"), 5u);
  for (const char* wrong : {"0,1", "3,1", "1,4", "1", "1,1,1", "", "a,1", "1,"})
    EXPECT_FALSE(fmi::element_at(shape, wrong)) << wrong;
}

/// Inputs 0, 1; state 2; output 3.
ModelDescription with_state() {
  ModelDescription model;
  model.version = FmiVersion::v2;
  model.variables.resize(4);
  model.variables[0].causality = model.variables[1].causality = Causality::input;
  model.variables[3].causality = Causality::output;
  return model;
}

using Indices = std::vector<std::int32_t>;

TEST(InitialDependencies, AreThoseOfTheInitialUnknowns) {
  ModelDescription model = with_state();
  model.structure.outputs = {{3, Indices{0, 1}, {}}};
  model.structure.initial_unknowns = {{3, Indices{1, 2}, {}}};
  EXPECT_EQ(InitialDependencies(model).inputs_of(3), Indices{1});
}

TEST(InitialDependencies, ElseThoseOfTheOutputsThroughTheStates) {
  ModelDescription model = with_state();
  model.structure.outputs = {{3, Indices{2}, {}}};
  EXPECT_EQ(InitialDependencies(model).inputs_of(3), Indices{}) << "the state has its start";
  model.structure.initial_unknowns = {{2, Indices{1}, {}}};
  EXPECT_EQ(InitialDependencies(model).inputs_of(3), Indices{1});
  model.structure.initial_unknowns = {{2, std::nullopt, {}}};
  EXPECT_EQ(InitialDependencies(model).inputs_of(3), std::nullopt);
}

TEST(InitialDependencies, AreUnknownWhereNothingIsSaid) {
  ModelDescription model = with_state();
  EXPECT_EQ(InitialDependencies(model).inputs_of(3), std::nullopt);
  EXPECT_EQ(InitialDependencies(model).inputs_of(2), std::nullopt);
  model.variables[3].initial = Initial::exact;
  EXPECT_EQ(InitialDependencies(model).inputs_of(3), Indices{});
  model.version = FmiVersion::v1;
  EXPECT_EQ(InitialDependencies(model).inputs_of(3), std::nullopt);
}

}  // namespace
}  // namespace tutti::system
