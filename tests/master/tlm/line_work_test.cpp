// SPDX-License-Identifier: BSD-2-Clause
#include "master/tlm/line_work.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tutti::master::tlm {
namespace {

constexpr double work_delay = 0.5, work_step = 0.125;
constexpr double quarter = 1.0 / 8;  // 1/(4 Z), Z = 2

void add_sample(LineWork& work, double t, const LineWork::Sample& sample) {
  work.add(t, 0, sample);
  work.end_sample(t);
}

// (w^2 - c^2)/(4 Z) = e f with e = c + Z f and w = e + Z f.
TEST(LineWork, IsZeroWhereTheLawHolds) {
  LineWork work(work_delay);
  for (int k = 0; k < 100; ++k) {
    const double t = k * work_step, c = std::sin(t), f = std::cos(3 * t), z = 2;
    // The effort of the law also at the start of each step: that of the sample before.
    const double before = (k - 1) * work_step;
    const double e_before = std::sin(before) + z * std::cos(3 * before);
    add_sample(work, t,
               {c + 2 * z * f, c, c + z * f, k == 0 ? c + z * f : e_before, f, 1 / (4 * z)});
  }
  EXPECT_NEAR(work.work(), 0, 1e-14 * 100 * 9);  // rounding of 100 terms up to 9
  EXPECT_GT(work.energy(), 0);
}

// A wave that comes from nowhere: W = w^2/(4 Z) t, E = w^2/(4 Z) D.
TEST(LineWork, IsReportedOnceWhenItExceedsAQuarterOfTheEnergy) {
  LineWork work(work_delay);
  constexpr double power = 9.0 / 8;  // w = 3, Z = 2
  std::optional<LineWork::Finding> found;
  double first_wave = -1, t = 0;
  for (int k = 0; k < 100 && !found; ++k) {
    t = k * work_step;
    add_sample(work, t, {3, 0, 0, 0, 0, quarter});
    found = work.judge(t, 0, 0);
    if (first_wave < 0 && work.energy() > 0) first_wave = t;
    EXPECT_DOUBLE_EQ(work.work(), power * t);
  }
  EXPECT_DOUBLE_EQ(work.energy(), power * work_delay);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->time, t);
  EXPECT_EQ(found->time, first_wave + 10 * work_delay);  // what is before is not yet a state
  EXPECT_DOUBLE_EQ(found->ratio, t / work_delay);
  for (int k = 0; k < 100; ++k) {
    t += work_step;
    add_sample(work, t, {3, 0, 0, 0, 0, quarter});
    EXPECT_FALSE(work.judge(t, 0, 0));
  }
}

// A wave w = 2^(t/D) with e f = a w^2: W = D/ln 4 (4^(t/D) - 1) (1/8 - a) grows by a factor of four
// in each delay, E = D/ln 4 (3/4) 4^(t/D)/8, so W/E tends to (4 - 32 a)/3.
TEST(LineWork, ThatExceedsTheEnergyAndDoublesIsReportedAfterThreeDelays) {
  const auto noticed_at = [](double a) {
    LineWork work(work_delay);
    for (int k = 0; k < 40; ++k) {
      const double t = k * work_step, w = std::exp2(t / work_delay);
      add_sample(work, t, {w, 0, a * w, a * std::exp2((t - work_step) / work_delay), w, quarter});
      if (work.judge(t, 0, 0)) return t;
    }
    return 1e9;
  };
  EXPECT_GE(noticed_at(0), 3 * work_delay);
  EXPECT_LE(noticed_at(0), 5 * work_delay);  // the first of them starts at one delay
  EXPECT_EQ(noticed_at(0.11), 1e9);          // W = 0.16 E
}

TEST(LineWork, IsJudgedTogetherWithThatOfTheOtherEnd) {
  LineWork work(work_delay);
  for (int k = 0; k < 200; ++k) {
    const double t = k * work_step;
    add_sample(work, t, {3, 0, 0, 0, 0, quarter});
    ASSERT_FALSE(work.judge(t, -work.work(), 0));  // which has lost as much
  }
}

TEST(LineWork, IsNotReportedWhereTheCouplingTakesEnergy) {
  LineWork work(work_delay);
  for (int k = 0; k < 200; ++k) {
    const double t = k * work_step;
    add_sample(work, t, {1, 1.5, 0, 0, 0, quarter});
    ASSERT_FALSE(work.judge(t, 0, 0));
  }
  EXPECT_LT(work.work(), 0);
}

TEST(LineWork, LeavesOutDirectionsWithoutImpedance) {
  LineWork work(work_delay);
  for (int k = 0; k < 10; ++k) {
    work.add(k, 0, {3, 0, 0, 0, 0, quarter});
    work.add(k, 1, {7, 1, 1, 1, 1, 0});
    work.end_sample(k);
  }
  EXPECT_DOUBLE_EQ(work.work(), 9 * 9.0 / 8);
}

TEST(LineWork, IsTheSameAfterItWasRestored) {
  LineWork work(work_delay);
  const auto go_on = [&](int from) {
    std::optional<LineWork::Finding> found;
    for (int k = from; !found; ++k) {
      add_sample(work, k * work_step, {3, 0, 0, 0, 0, quarter});
      found = work.judge(k * work_step, 0, 0);
    }
    return found->time;
  };
  for (int k = 0; k < 21; ++k) {
    add_sample(work, k * work_step, {3, 0, 0, 0, 0, quarter});
    work.judge(k * work_step, 0, 0);
  }
  std::vector<double> saved;
  save(work, saved);
  const double at = go_on(21);
  restore(work, saved);
  EXPECT_EQ(go_on(21), at);
}

}  // namespace
}  // namespace tutti::master::tlm
