// SPDX-License-Identifier: BSD-2-Clause
// Who runs which units of a phase, from their costs alone.
#include "master/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tutti::master {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// One unit for each list of components.
Phase phase_of(const std::vector<std::vector<std::uint32_t>>& units) {
  Phase phase;
  for (const auto& components : units) phase.units.push_back({components, nullptr});
  return phase;
}

/// The first component of each unit, by thread.
std::vector<std::vector<std::uint32_t>> firsts(const Shares& shares) {
  std::vector<std::vector<std::uint32_t>> all;
  for (const std::vector<Unit>& units : shares) {
    all.emplace_back();
    for (const Unit& unit : units) all.back().push_back(unit.components.front());
  }
  return all;
}

TEST(WorkSharing, GivesTheCostliestUnitFirstToWhoeverHasTheLeastToDo) {
  const Phase phase = phase_of({{0}, {1}, {2}, {3}, {4}});
  const std::vector<double> seconds = {0.002, 0.003, 0.007, 0.004, 0.004};
  // 7 | 4, 4 -> the second has 8; 3 to the first (10), 2 to the second (10).
  const auto shares = share_work({&phase, 1}, seconds, 2);
  ASSERT_EQ(shares.size(), 1u);
  EXPECT_THAT(firsts(shares[0]), ElementsAre(ElementsAre(2, 1), ElementsAre(3, 4, 0)));
}

TEST(WorkSharing, CountsAllComponentsOfAUnitAndLooksAtEachPhaseOnItsOwn) {
  // Two units of 0.003 s balance; one unit cannot be shared.
  const std::vector<Phase> phases = {phase_of({{0, 1}, {2}}), phase_of({{3}})};
  const std::vector<double> seconds = {0.001, 0.002, 0.003, 0.1};
  const auto shares = share_work(phases, seconds, 3);
  ASSERT_EQ(shares.size(), 2u);
  EXPECT_THAT(firsts(shares[0]), ElementsAre(ElementsAre(0), ElementsAre(2), IsEmpty()));
  EXPECT_THAT(shares[1], IsEmpty());
}

TEST(WorkSharing, LeavesToOneThreadWhatGainsLessThanATenth) {
  const Phase phase = phase_of({{0}, {1}});
  const auto is_shared = [&](double first, double second) {
    const std::vector<double> seconds = {first, second};
    return !share_work({&phase, 1}, seconds, 2).front().empty();
  };
  EXPECT_TRUE(is_shared(0.88, 0.12));
  EXPECT_FALSE(is_shared(0.92, 0.08));
  // The job itself costs a microsecond, as much as is saved here.
  EXPECT_FALSE(is_shared(1e-6, 1e-6));
  EXPECT_TRUE(is_shared(1e-5, 1e-5));
}

TEST(WorkSharing, LeavesAllToOneThreadAsLongAsNoCostIsKnown) {
  const Phase phase = phase_of({{0}, {1}});
  const auto shares = share_work({&phase, 1}, {}, 2);
  ASSERT_EQ(shares.size(), 1u);
  EXPECT_THAT(shares[0], IsEmpty());
}

}  // namespace
}  // namespace tutti::master
