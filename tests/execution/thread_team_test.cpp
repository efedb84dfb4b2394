// SPDX-License-Identifier: BSD-2-Clause
#include "execution/thread_team.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace tutti::execution {
namespace {

TEST(ThreadTeam, EveryThreadDoesEveryJobOnce) {
  ThreadTeam team(3);
  ASSERT_EQ(team.size(), 3u);
  std::vector<int> done(3);
  for (int n = 0; n < 1000; ++n) team.run([&](unsigned k) { ++done[k]; });
  EXPECT_EQ(done, (std::vector<int>{1000, 1000, 1000}));
}

// Each job reads what all threads wrote in the one before: without order between jobs, the sums
// would differ (and the thread sanitizer would tell).
TEST(ThreadTeam, AJobSeesWhatTheJobBeforeItWrote) {
  ThreadTeam team(2);
  std::vector<std::uint64_t> values = {1, 1}, next(2);
  for (int n = 0; n < 50; ++n) {
    team.run([&](unsigned k) {
      next[k] = std::accumulate(values.begin(), values.end(), std::uint64_t{k});
    });
    std::swap(values, next);
  }
  // The difference stays 1, the sum s becomes 2 s + 1, from 2: 3 * 2^50 - 1.
  EXPECT_EQ(values[0] + values[1], (std::uint64_t{3} << 50) - 1);
}

TEST(ThreadTeam, WakesThreadsThatFellAsleep) {
  ThreadTeam team(2);
  int done = 0;
  for (int n = 0; n < 3; ++n) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    team.run([&](unsigned k) {
      if (k == 1) ++done;
    });
  }
  EXPECT_EQ(done, 3);
}

TEST(ThreadTeam, OfOneIsTheCallerAlone) {
  ThreadTeam team(1);
  int done = 0;
  team.run([&](unsigned k) { done += k == 0 ? 1 : 0; });
  EXPECT_EQ(done, 1);
}

}  // namespace
}  // namespace tutti::execution
