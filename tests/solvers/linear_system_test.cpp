// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <cmath>

#include "solvers/linear/linear_system.hpp"

namespace tutti::solvers {
namespace {

/// I - J of a ring: each unknown is the one before it times a gain.
LinearSystem ring_system(std::size_t n, double gain, double unit = 1) {
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < n; ++i) {
    entries.push_back({i, i, 1});
    const bool is_first = i == 0;  // in another unit, so its gain is, too
    const double factor = is_first ? gain * unit : i == 1 ? 1 / unit : 1;
    entries.push_back({i, (i + n - 1) % n, -factor});
  }
  return {n, entries};
}

TEST(LinearSystem, FindsTheFreeDirectionOfARingOfGainOne) {
  for (const std::size_t n : {2u, 3u, 200u})
    for (const double gain : {1.0, 1 + 1e-12}) {
      const auto free = ring_system(n, gain).free_direction(1e-9);
      ASSERT_EQ(free.size(), n) << gain;
      for (const double element : free) EXPECT_NEAR(element, free[0], 1e-6);
    }
}

TEST(LinearSystem, HasNoFreeDirectionWhereTheGainIsNotOne) {
  for (const std::size_t n : {2u, 3u, 200u})
    for (const double gain : {1 - 1e-6, 1 + 1e-6, -1.0, 0.0, 1e6, -1e6})
      EXPECT_TRUE(ring_system(n, gain).free_direction(1e-9).empty()) << n << " " << gain;
}

// Pressures in Pa and flows in m^3/s differ by many powers of ten.
TEST(LinearSystem, JudgesRingsWhateverTheirUnitsAre) {
  for (const double unit : {1e-9, 1e9}) {
    EXPECT_EQ(ring_system(3, 1, unit).free_direction(1e-9).size(), 3u) << unit;
    EXPECT_TRUE(ring_system(3, 0.5, unit).free_direction(1e-9).empty()) << unit;
  }
}

TEST(LinearSystem, FindsAFreeDirectionAmongDeterminedUnknowns) {
  // x0 = x1, x1 = x0; x2 = 0.5 x0 follows; x3 is another matter.
  const LinearSystem system(5, std::vector<Entry>{{0, 0, 1},
                                                  {0, 1, -1},
                                                  {1, 1, 1},
                                                  {1, 0, -1},
                                                  {2, 2, 1},
                                                  {2, 0, -0.5},
                                                  {3, 3, 1},
                                                  {4, 4, 1}});
  const auto free = system.free_direction(1e-9);
  ASSERT_EQ(free.size(), 5u);
  EXPECT_EQ(std::abs(free[0]), 1);
  EXPECT_NEAR(free[1], free[0], 1e-9);
  EXPECT_NEAR(free[2], free[0] / 2, 1e-9);
  EXPECT_EQ(free[3], 0);
  EXPECT_EQ(free[4], 0);
}

TEST(LinearSystem, SeesAnUnknownThatEqualsItself) {
  const LinearSystem system(1, std::vector<Entry>{{0, 0, 1}, {0, 0, -1}});
  EXPECT_EQ(system.free_direction(1e-9), std::vector<double>{1});
}

TEST(LinearSystem, HasNoSolutionIfAlmostEverythingIsZero) {
  constexpr std::size_t n = 610;
  const LinearSystem system(n, std::vector<Entry>{{0, 0, 1}, {3, 5, 1}});
  std::vector<double> x(n);
  system.solve(std::vector<double>(n, 1), x);
  EXPECT_TRUE(std::isnan(x[0]));
}

}  // namespace
}  // namespace tutti::solvers
