// SPDX-License-Identifier: BSD-2-Clause
#include "master/tlm/wave_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "base/infinity.hpp"

namespace tutti::master::tlm {
namespace {

constexpr double nearness = 1e-9;

/// A table of one column.
class Column {
 public:
  void add(double t, double value) { table.append(t, std::span(&value, 1)); }
  void add(double t, double value, double slope) {
    table.append(t, std::span(&value, 1), std::span(&slope, 1));
  }
  double at(double t, bool before = false) {
    double value = 0;
    table.read(t, std::span(&value, 1), before);
    return value;
  }
  double slope_at(double t) {
    double slope = 0;
    table.read_slopes(t, std::span(&slope, 1));
    return slope;
  }
  WaveTable table{1, nearness, 1};
};

TEST(WaveTable, InterpolatesLinearlyBetweenSamples) {
  Column wave;
  wave.add(0, 1);
  wave.add(1, 3);
  wave.add(3, -1);
  wave.table.publish(3);
  EXPECT_EQ(wave.at(0.5), 2);
  EXPECT_EQ(wave.at(1), 3);
  EXPECT_EQ(wave.at(2), 1);
  EXPECT_EQ(wave.at(0.25), 1.5);  // and back again
  EXPECT_EQ(wave.slope_at(0.5), 2);
  EXPECT_EQ(wave.slope_at(1), 2);  // of the line that leads to the sample
}

TEST(WaveTable, IsConstantBeforeTheFirstSampleAndBehindTheLastOne) {
  Column wave;
  wave.add(2, 5);
  wave.add(3, 6);
  wave.table.publish(4);
  EXPECT_EQ(wave.at(-1), 5);
  EXPECT_EQ(wave.at(2), 5);
  EXPECT_EQ(wave.slope_at(1), 0);
  EXPECT_EQ(wave.at(4), 6);
  EXPECT_EQ(wave.slope_at(3), 1);
}

double cubic(double t) { return 2 - t + 3 * t * t - 0.5 * t * t * t; }
double slope_of_cubic(double t) { return -1 + 6 * t - 1.5 * t * t; }

// Cubic polynomials are their own Hermite interpolation.
TEST(WaveTable, InterpolatesByCubicsWhereBothSamplesHaveSlopes) {
  Column wave;
  for (const double t : {0.0, 1.0, 4.0}) wave.add(t, cubic(t), slope_of_cubic(t));
  wave.add(5, cubic(5));
  wave.table.publish(5);
  for (const double t : {0.0, 0.3, 0.9, 1.0, 2.5, 3.7}) {
    EXPECT_NEAR(wave.at(t), cubic(t), 1e-14 * 32);  // rounding of terms up to 32
    EXPECT_NEAR(wave.slope_at(t), slope_of_cubic(t), 1e-14 * 32);
  }
  // One of both has none.
  EXPECT_NEAR(wave.at(4.5), (cubic(4) + cubic(5)) / 2, 1e-14 * 32);
}

TEST(WaveTable, JumpsWhereTwoSamplesHaveOneTime) {
  Column wave;
  wave.add(0, 0);
  wave.add(1, 1);
  wave.add(1, 5);
  wave.add(2, 6);
  wave.table.publish(2);
  EXPECT_EQ(wave.at(0.5), 0.5);
  EXPECT_EQ(wave.at(1, true), 1);
  EXPECT_EQ(wave.at(1), 5);
  EXPECT_EQ(wave.at(1.5), 5.5);
  EXPECT_EQ(wave.slope_at(1.5), 1);
  EXPECT_EQ(wave.at(2, true), 6);  // no jump
  EXPECT_EQ(wave.table.next_jump(-1), 1);
  EXPECT_EQ(wave.table.next_jump(0.5), 1);
  EXPECT_EQ(wave.table.next_jump(1), infinity);
}

TEST(WaveTable, JumpsAtTheFirstSampleToo) {
  Column wave;
  wave.add(0, 1);
  wave.add(0, 2);
  wave.table.publish(0);
  EXPECT_EQ(wave.at(0, true), 1);
  EXPECT_EQ(wave.at(0), 2);
  EXPECT_EQ(wave.at(-1), 1);
}

// Which thread is ahead must not show: a look-up next to a sample, from either side, does not
// interpolate to one that may or may not have been sent.
TEST(WaveTable, ReturnsASampleExactlyIfTheTimeIsNearIt) {
  Column wave;
  wave.add(0, 0);
  wave.add(1, 0.1);
  wave.table.publish(1);
  const double times[] = {1 - 0.9 * nearness, 1, 1 + 0.9 * nearness};
  for (const double t : times) EXPECT_EQ(wave.at(t), 0.1) << t - 1;
  wave.add(2, 1e6);
  wave.table.publish(2);
  for (const double t : times) EXPECT_EQ(wave.at(t), 0.1) << t - 1;
  EXPECT_NE(wave.at(1 + 2 * nearness), 0.1);
}

// The spacing of doubles at 1e9 is 1.2e-7, more than the nearness.
TEST(WaveTable, TakesTimesThatDifferByRoundingForOne) {
  Column wave;
  const double t = 1e9, next = std::nextafter(t, infinity);
  wave.add(t, 1);
  wave.add(t + 1, 2);
  wave.table.publish(t + 1);
  EXPECT_EQ(wave.at(next), 1);
  EXPECT_EQ(wave.at(std::nextafter(t, 0)), 1);
}

TEST(WaveTable, ListsTheTimesOfSamplesStrictlyBetween) {
  Column wave;
  for (const double t : {0.0, 1.0, 2.0, 2.0, 3.0, 4.0}) wave.add(t, t);
  wave.table.publish(4);
  double times[2] = {};
  EXPECT_EQ(wave.table.sample_times(0, 4, times), 3u);  // more than fit
  EXPECT_EQ(times[0], 1);
  EXPECT_EQ(times[1], 2);
  EXPECT_EQ(wave.table.sample_times(1, 3, times), 1u);
  EXPECT_EQ(times[0], 2);
  EXPECT_EQ(wave.table.sample_times(2, 3, times), 0u);
}

TEST(WaveTable, ShowsNothingThatIsNotPublished) {
  Column wave;
  wave.add(0, 1);
  wave.table.publish(0);
  wave.add(1, 2);
  EXPECT_EQ(wave.at(1), 1);
  EXPECT_EQ(wave.table.published(), 0);
  EXPECT_EQ(wave.table.known_until(), nearness);
  wave.table.publish(1);
  EXPECT_EQ(wave.at(1), 2);
}

// 100 samples lie between the reader and the sender, and they are removed in small groups.
TEST(WaveTable, KeepsNoMoreThanTheReaderNeeds) {
  Column wave;
  for (int i = 0; i < 10'000; ++i) {
    wave.add(i, i);
    wave.table.publish(i);
    wave.table.forget_before(i - 100);
    ASSERT_LE(wave.table.sample_count(), 100u + 2 * 32) << i;
    ASSERT_EQ(wave.at(i - 100), std::max(0, i - 100));  // still there
  }
}

TEST(WaveTable, IsTheSameAfterItWasRestored) {
  Column wave;
  for (int i = 0; i <= 100; ++i) wave.add(0.1 * i, std::sin(i), std::cos(i));
  wave.add(10, 7);
  wave.table.publish(10);
  wave.table.forget_before(3.05);
  std::vector<double> saved;
  save(wave.table, saved);
  std::vector<double> before;
  for (double t = 3.05; t < 10; t += 0.01) before.push_back(wave.at(t));

  for (int i = 101; i < 200; ++i) wave.add(0.1 * i, 0);
  wave.table.publish(19.9);
  wave.table.forget_before(15);
  restore(wave.table, saved);
  EXPECT_EQ(wave.table.published(), 10);
  EXPECT_EQ(wave.table.read_until(), 3.05);
  std::size_t i = 0;
  for (double t = 3.05; t < 10; t += 0.01) ASSERT_EQ(wave.at(t), before[i++]);
  EXPECT_EQ(wave.at(10, true), std::sin(100));
  EXPECT_EQ(wave.at(10), 7);
  EXPECT_EQ(wave.table.next_jump(3.05), 10);

  Column other;
  restore(other.table, saved);
  EXPECT_EQ(other.at(5.55), wave.at(5.55));
}

// The reader asks for what is published only, and drops what it has read.
TEST(WaveTable, HasOneWriterAndOneReaderAtOnce) {
  WaveTable table(2, nearness);
  constexpr int samples = 20'000;
  const auto value = [](double t) { return 3 * t + 1; };  // linear: interpolation is exact
  const double first[] = {value(0), 0};
  table.append(0, first);
  table.publish(0);
  std::thread writer([&] {
    for (int i = 1; i <= samples; ++i) {
      const double row[] = {value(i), static_cast<double>(-i)};
      table.append(i, row);
      if (i % 3 == 0 || i == samples) table.publish(i);
    }
  });
  double t = 0;
  int wrong = 0;
  while (t < samples) {
    const double until = table.published();
    for (; t <= until && t < samples; t += 0.5) {
      double row[2] = {};
      table.read(t, row);
      if (row[0] != value(t) || row[1] != -t) ++wrong;
      table.forget_before(t);
    }
    if (t > until) std::this_thread::yield();
  }
  writer.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(table.sample_count(), 2u * 32);
}

}  // namespace
}  // namespace tutti::master::tlm
