// SPDX-License-Identifier: BSD-2-Clause
#include "system/value_map.hpp"

#include <gtest/gtest.h>

namespace tutti::system {
namespace {

using Conversion = UnitConversion::Kind;

/// kg, m, s, A, K, mol, cd, rad
ModelDescription model() {
  ModelDescription description;
  description.units = {{"m/s", Unit::Base{{0, 1, -1}, 1, 0}, {}},
                       {"km/h", Unit::Base{{0, 1, -1}, 1 / 3.6, 0}, {}},
                       {"K", Unit::Base{{0, 0, 0, 0, 1}, 1, 0}, {}},
                       {"degC", Unit::Base{{0, 0, 0, 0, 1}, 1, 273.15}, {}},
                       {"degF", Unit::Base{{0, 0, 0, 0, 1}, 5.0 / 9, 459.67 * 5 / 9}, {}},
                       {"Hz", Unit::Base{{0, 0, -1}, 1, 0}, {}},
                       {"rad/s", Unit::Base{{0, 0, -1, 0, 0, 0, 0, 1}, 1, 0}, {}},
                       {"pieces", {}, {}}};
  return description;
}

UnitConversion convert(const std::string& from, const std::string& to, bool relative = false) {
  const ModelDescription a = model(), b = model();
  Variable x, y;
  x.attributes.unit = from;
  y.attributes.unit = to;
  x.attributes.relative_quantity = relative;
  return convert_units(a, x, b, y);
}

TEST(Units, OfOneQuantityAreConverted) {
  const UnitConversion c = convert("m/s", "km/h");
  EXPECT_EQ(c.kind, Conversion::linear);
  EXPECT_DOUBLE_EQ(c.factor, 3.6);
  EXPECT_EQ(c.offset, 0);
}

TEST(Units, WithOffsetsAreConverted) {
  const UnitConversion c = convert("degC", "degF");
  EXPECT_DOUBLE_EQ(c.factor, 1.8);
  EXPECT_NEAR(c.offset, 32, 1e-12);  // the rounding of 459.67 * 5 / 9
}

TEST(Units, ADifferenceHasNoOffset) {
  const UnitConversion c = convert("degC", "degF", true);
  EXPECT_DOUBLE_EQ(c.factor, 1.8);
  EXPECT_EQ(c.offset, 0);
  EXPECT_EQ(convert("K", "degC", true).offset, 0);
}

TEST(Units, OfOtherQuantitiesClash) {
  EXPECT_EQ(convert("K", "m/s").kind, Conversion::clash);
  EXPECT_EQ(convert("Hz", "rad/s").kind, Conversion::clash) << "the factor would be 2 pi, or 1";
}

TEST(Units, ThatAreMissingConvertNothing) {
  EXPECT_EQ(convert("", "km/h").kind, Conversion::none);
  EXPECT_EQ(convert("m/s", "").kind, Conversion::none);
  EXPECT_EQ(convert("pieces", "pieces").kind, Conversion::none);
  EXPECT_EQ(convert("pieces", "K").kind, Conversion::unclear);
}

TEST(Units, OfOneNameAreOneQuantity) {
  ModelDescription a = model(), b = model();
  b.units[6].base->exponents[7] = 0;  // a tool that does not count rad
  Variable x, y;
  x.attributes.unit = y.attributes.unit = "rad/s";
  EXPECT_EQ(convert_units(a, x, b, y).kind, Conversion::none);
}

}  // namespace
}  // namespace tutti::system
