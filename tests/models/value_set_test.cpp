// SPDX-License-Identifier: BSD-2-Clause
#include "models/value_set.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <tutti/error.hpp>

#include "models/start_values.hpp"
#include "support/small_description.hpp"

namespace tutti::models {
namespace {

using testing::SmallDescription;

TEST(ElementName, CountsFromOneInRowMajorOrder) {
  const std::uint64_t shape[] = {2, 3};
  EXPECT_EQ(element_name("A", shape, 0), "A[1,1]");
  EXPECT_EQ(element_name("A", shape, 4), "A[2,2]");
  EXPECT_EQ(element_name("x", {}, 0), "x");
}

TEST(ShapeOf, FollowsStructuralParameters) {
  SmallDescription small;
  small.add("n", Type::uint64, Causality::structural_parameter, Variability::fixed, {"3"});
  Variable& array = small.add("x", Type::float64, Causality::output);
  array.dimensions = {{.size = {}, .size_variable = 0}, {.size = 2, .size_variable = {}}};
  EXPECT_EQ(shape_of(small.description, array, {}), (std::vector<std::uint64_t>{3, 2}));
  EXPECT_EQ(shape_of(small.description, array, {{0, 5}}), (std::vector<std::uint64_t>{5, 2}));
}

TEST(ShapeOf, RefusesAbsurdSizesInsteadOfAllocating) {
  SmallDescription small;
  Variable& array = small.add("x", Type::float64, Causality::output);
  array.dimensions = {{.size = 1ull << 40, .size_variable = {}},
                      {.size = 1ull << 40, .size_variable = {}}};
  EXPECT_THROW(shape_of(small.description, array, {}), Error);
}

TEST(ValueSet, EveryTypeReadsBackWhatWasAssigned) {
  SmallDescription small;
  std::vector<std::int32_t> all;
  const std::vector<std::pair<Type, std::string>> cases = {{Type::float32, "0.5"},
                                                           {Type::float64, "-1e300"},
                                                           {Type::int8, "-128"},
                                                           {Type::uint8, "255"},
                                                           {Type::int16, "-32768"},
                                                           {Type::uint16, "65535"},
                                                           {Type::int32, "-7"},
                                                           {Type::uint32, "4294967295"},
                                                           {Type::int64, "-9223372036854775808"},
                                                           {Type::boolean, "true"},
                                                           {Type::uint64, "18446744073709551615"}};
  for (const auto& [type, text] : cases) {
    all.push_back(static_cast<std::int32_t>(all.size()));
    small.add(text, type, Causality::input);
  }
  ValueSet values(small.description, all, {});
  for (const Scalar& scalar : values.scalars())
    values.assign(scalar, scalar.name, small.description);
  const auto cell = [&](std::size_t i) { return values.read(values.scalars()[i]); };
  EXPECT_EQ(cell(0).real, 0.5);
  EXPECT_EQ(cell(1).real, -1e300);
  EXPECT_EQ(cell(2).integer, -128);
  EXPECT_EQ(cell(3).natural, 255u);
  EXPECT_EQ(cell(4).integer, -32768);
  EXPECT_EQ(cell(5).natural, 65535u);
  EXPECT_EQ(cell(6).integer, -7);
  EXPECT_EQ(cell(7).natural, 4294967295u);
  EXPECT_EQ(cell(8).integer, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(cell(9).natural, 1u);
  EXPECT_EQ(cell(10).natural, std::numeric_limits<std::uint64_t>::max());
}

TEST(ValueSet, FindsValuesThatAreNotFiniteOrOnlyThoseThatAreNotANumber) {
  SmallDescription small;
  small.add("a", Type::float64, Causality::output);
  small.add("i", Type::int32, Causality::output);
  small.add("b", Type::float32, Causality::output);
  const std::vector<std::int32_t> all = {0, 1, 2};
  ValueSet values(small.description, all, {});
  EXPECT_FALSE(values.any_beyond(ValueSet::largest));
  values.write_real(values.scalars()[2], NAN);
  EXPECT_TRUE(values.any_beyond(ValueSet::largest));
  EXPECT_TRUE(values.any_beyond(INFINITY));
  values.write_real(values.scalars()[2], 0);
  for (const double value : {INFINITY, -INFINITY}) {
    values.write_real(values.scalars()[0], value);
    EXPECT_TRUE(values.any_beyond(ValueSet::largest));
    EXPECT_FALSE(values.any_beyond(INFINITY));
  }
  values.write_real(values.scalars()[0], -ValueSet::largest);
  EXPECT_FALSE(values.any_beyond(ValueSet::largest));
}

std::string refusal(const SmallDescription& small, const std::string& name,
                    const std::string& value) {
  try {
    StartValues(small.description, {{name, value}});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(StartValues, AreCheckedAgainstNameTypeRangeAndCausality) {
  SmallDescription small;
  Variable& e = small.add("e", Type::float64, Causality::parameter, Variability::tunable, {"0.7"});
  e.attributes.min = 0.5;
  e.attributes.max = 1;
  small.add("y", Type::float64, Causality::output).initial = Initial::calculated;
  EXPECT_EQ(refusal(small, "e", "0.8"), "");
  EXPECT_EQ(refusal(small, "e", "3"), "cannot set \"e\" to \"3\": 3 is above the maximum 1");
  EXPECT_EQ(refusal(small, "e", "nan"),
            "cannot set \"e\" to \"nan\": nan is below the minimum 0.5");
  EXPECT_EQ(refusal(small, "e", "fast"),
            "cannot set \"e\" to \"fast\": \"fast\" is not a valid number");
  EXPECT_EQ(refusal(small, "E1", "0"),
            "there is no variable \"E1\" in model \"small\". Did you mean \"e\"?");
  EXPECT_EQ(refusal(small, "y", "0"),
            "\"y\" cannot be set: the model calculates it. Parameters, inputs and variables with "
            "initial = \"exact\" or \"approx\" can.");
}

TEST(StartValues, TakeEnumerationsByNameOrNumber) {
  SmallDescription small;
  TypeDefinition gear;
  gear.name = "Gear";
  gear.type = Type::enumeration;
  gear.items = {{"low", 1, ""}, {"high", 2, ""}};
  small.description.types.push_back(gear);
  small.add("gear", Type::enumeration, Causality::parameter, Variability::fixed, {"1"})
      .declared_type = 0;
  EXPECT_EQ(refusal(small, "gear", "high"), "");
  EXPECT_EQ(refusal(small, "gear", "2"), "");
  EXPECT_EQ(refusal(small, "gear", "hihg"),
            "cannot set \"gear\" to \"hihg\": \"hihg\" is not an item of enumeration \"Gear\": "
            "\"low\" (1), \"high\" (2). Did you mean \"high\"?");
  EXPECT_NE(refusal(small, "gear", "3"), "");
}

TEST(StartValues, TakeWholeArraysAndSingleElements) {
  SmallDescription small;
  small.add("n", Type::uint64, Causality::structural_parameter, Variability::fixed, {"3"});
  Variable& x =
      small.add("x", Type::float64, Causality::parameter, Variability::fixed, {"1", "2", "3"});
  x.dimensions = {{.size = {}, .size_variable = 0}};
  EXPECT_EQ(refusal(small, "x", "4 5 6"), "");
  EXPECT_EQ(refusal(small, "x", "[4, 5, 6]"), "");
  EXPECT_EQ(refusal(small, "x[2]", "7"), "");
  EXPECT_EQ(refusal(small, "x", "4 5"),
            "cannot set \"x\" to \"4 5\": 2 values given, but the array has 3 elements");
  EXPECT_EQ(refusal(small, "x[4]", "7"), "cannot set \"x[4]\" to \"7\": there is no element [4]");
  const StartValues longer(small.description, {{"n", "2"}, {"x", "8 9"}});
  EXPECT_EQ(longer.structure().at(0), 2u);
}

}  // namespace
}  // namespace tutti::models
