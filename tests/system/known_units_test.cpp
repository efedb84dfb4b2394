// SPDX-License-Identifier: BSD-2-Clause
#include "system/known_units.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

namespace tutti::system {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

TEST(KnownUnits, HaveFactorsAndOffsets) {
  const auto factor = [](std::string_view unit) {
    const auto base = known_unit(unit);
    return base ? base->factor : 0;
  };
  EXPECT_DOUBLE_EQ(factor("cm"), 0.01);
  EXPECT_DOUBLE_EQ(factor("kN"), 1e3);
  EXPECT_DOUBLE_EQ(factor("kg"), 1);
  EXPECT_DOUBLE_EQ(factor("min"), 60);  // no milli-inch
  EXPECT_DOUBLE_EQ(factor("km/h"), 1 / 3.6);
  EXPECT_DOUBLE_EQ(factor("mm2"), 1e-6);
  EXPECT_DOUBLE_EQ(factor("mm^2"), 1e-6);
  EXPECT_DOUBLE_EQ(factor("ms-1"), 1e3);
  EXPECT_DOUBLE_EQ(factor("J/(g.K)"), 1e3);
  EXPECT_DOUBLE_EQ(factor("kW.h"), 3.6e6);
  EXPECT_DOUBLE_EQ(factor("deg/s"), std::numbers::pi / 180);
  EXPECT_DOUBLE_EQ(factor("rpm"), std::numbers::pi / 30);
  EXPECT_DOUBLE_EQ(factor("mbar"), 100);
  EXPECT_DOUBLE_EQ(known_unit("degC")->offset, 273.15);
  EXPECT_DOUBLE_EQ(known_unit("W/degC")->offset, 0);  // a difference
}

TEST(KnownUnits, HaveExponentsOfBaseUnits) {
  // kg, m, s, A, K, mol, cd, rad
  EXPECT_THAT(known_unit("N.m")->exponents, ElementsAre(1, 2, -2, 0, 0, 0, 0, 0));
  EXPECT_THAT(known_unit("m/s2")->exponents, ElementsAre(0, 1, -2, 0, 0, 0, 0, 0));
  EXPECT_THAT(known_unit("1/s")->exponents, ElementsAre(0, 0, -1, 0, 0, 0, 0, 0));
  EXPECT_THAT(known_unit("rad/s")->exponents, ElementsAre(0, 0, -1, 0, 0, 0, 0, 1));
  EXPECT_THAT(known_unit("V")->exponents, ElementsAreArray(known_unit("W/A")->exponents));
  EXPECT_THAT(known_unit("%")->exponents, ElementsAre(0, 0, 0, 0, 0, 0, 0, 0));
}

TEST(KnownUnits, AreNotGuessed) {
  for (const char* const unit : {"", "furlong", "m/", "/s", "m//s", "m/s/s", "(m)", "m^", "m^x",
                                 "J/(kg.K", "2", "m-", "N,m", "kmin", "\xff"})
    EXPECT_FALSE(known_unit(unit)) << unit;
}

}  // namespace
}  // namespace tutti::system
