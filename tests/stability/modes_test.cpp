// SPDX-License-Identifier: BSD-2-Clause
#include "stability/modes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <tutti/error.hpp>

namespace tutti::stability {
namespace {

// x'' + 2 d w x' + w^2 x = 0 has the poles w (-d +- i sqrt(1 - d^2)), in which x and x' take part
// equally: |left| |right| is the same for both.
TEST(Modes, OfAnOscillatorAreSharedByPositionAndSpeed) {
  const double w = 1e4, d = 0.1;
  const auto modes = find_modes(Matrix(2, 2, {0, 1, -w * w, -2 * d * w}));
  ASSERT_EQ(modes.size(), 2u);
  EXPECT_NEAR(modes[0].value.real(), -d * w, 1e-12 * w);  // rounding
  EXPECT_NEAR(modes[0].value.imag(), w * std::sqrt(1 - d * d), 1e-12 * w);
  EXPECT_EQ(modes[1].value, std::conj(modes[0].value));
  for (const Mode& mode : modes)
    for (const double share : mode.participation) EXPECT_NEAR(share, 0.5, 1e-12);
}

TEST(Modes, OfATriangularMatrixAreItsDiagonalAndDoNotDependOnUnits) {
  // p_ii = 1 for both states: the left vector of one is zero where the right vector is not.
  for (const double unit : {1.0, 1e9}) {
    const auto modes = find_modes(Matrix(2, 2, {-3, 7 * unit, 0, -5}));
    EXPECT_NEAR(modes[0].value.real(), -3, 1e-14);
    EXPECT_NEAR(modes[0].participation[0], 1, 1e-12);
    EXPECT_NEAR(modes[1].participation[1], 1, 1e-12);
  }
}

TEST(Modes, OfADoubleIntegratorHaveNoParticipation) {
  const auto modes = find_modes(Matrix(2, 2, {0, 1, 0, 0}));
  ASSERT_EQ(modes.size(), 2u);
  for (const Mode& mode : modes) {
    EXPECT_EQ(std::abs(mode.value), 0);
    EXPECT_TRUE(mode.participation.empty()) << "left and right vector are orthogonal";
  }
}

TEST(Modes, OfEqualPartsAreDualToEachOther) {
  const auto modes = find_modes(Matrix(2, 2, {-1, 0, 0, -1}));
  EXPECT_EQ(modes[0].participation, (std::vector<double>{1, 0}));
  EXPECT_EQ(modes[1].participation, (std::vector<double>{0, 1}));
}

TEST(Modes, OfMatricesThatAreNotFiniteAreRefused) {
  EXPECT_THROW(find_modes(Matrix(1, 1, {std::nan("")})), Error);
  EXPECT_TRUE(find_modes(Matrix()).empty());
}

}  // namespace
}  // namespace tutti::stability
