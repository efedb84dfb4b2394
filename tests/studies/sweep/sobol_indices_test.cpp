// SPDX-License-Identifier: BSD-2-Clause
#include "studies/sweep/sobol_indices.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "studies/sweep/keyed_random.hpp"
#include "studies/sweep/sobol_sequence.hpp"

namespace tutti::studies {
namespace {

using Function = std::function<double(const std::vector<double>&)>;

/// A function of `dimensions` uniform numbers, as a sweep samples it.
struct Sampled {
  std::size_t dimensions;
  Function function;
  std::uint64_t samples = 4096;
  bool is_random = false;
  std::uint64_t seed = 1;

  std::vector<SobolIndex> indices(std::uint64_t* used = nullptr) const {
    std::uint64_t count = 0;
    const auto each = [&](const std::function<void(SampleValues)>& action) {
      SobolSequence sequence(2 * dimensions, seed);
      std::vector<double> u(2 * dimensions), y(dimensions + 2);
      for (std::uint64_t k = 0; k < samples; ++k) {
        sequence.point(k, u);
        for (std::size_t i = 0; is_random && i < u.size(); ++i)
          u[i] = unit_number(random_bits(seed, i, k));
        const std::vector<double> a(u.begin(), u.begin() + std::ptrdiff_t(dimensions));
        const std::vector<double> b(u.begin() + std::ptrdiff_t(dimensions), u.end());
        y[0] = function(a);
        y[1] = function(b);
        for (std::size_t i = 0; i < dimensions; ++i) {
          std::vector<double> c = a;
          c[i] = b[i];
          y[2 + i] = function(c);
        }
        action(y);
      }
    };
    std::vector<SobolIndex> all = sobol_indices(dimensions, each, count);
    if (used != nullptr) *used = count;
    return all;
  }
};

/// Ishigami and Homma 1990 with a = 7, b = 0.1.
double ishigami(const std::vector<double>& u) {
  const auto x = [&](std::size_t i) { return std::numbers::pi * (2 * u[i] - 1); };
  return std::sin(x(0)) + 7 * std::pow(std::sin(x(1)), 2) +
         0.1 * std::pow(x(2), 4) * std::sin(x(0));
}
constexpr double ishigami_first[] = {0.3139, 0.4424, 0},
                 ishigami_total[] = {0.5576, 0.4424, 0.2437};

// 0.01: three times the largest error of seeds 1 to 5.
TEST(SobolIndices, OfIshigamiAreTheAnalyticOnes) {
  const std::vector<SobolIndex> indices = Sampled{3, ishigami}.indices();
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(indices[i].first, ishigami_first[i], 0.01);
    EXPECT_NEAR(indices[i].total, ishigami_total[i], 0.01);
  }
}

// Sobol's g-function: the product of (|4 x - 2| + a)/(1 + a); each factor has mean 1 and variance
// v = 1/(3 (1 + a)^2), so the variance is D = product of (1 + v) - 1, S = v/D, and
// T = v product of the other (1 + v) / D.
TEST(SobolIndices, OfTheGFunctionAreTheAnalyticOnes) {
  const std::vector<double> a = {0, 1, 4.5, 99};
  const auto g = [&](const std::vector<double>& u) {
    double product = 1;
    for (std::size_t i = 0; i < a.size(); ++i)
      product *= (std::abs(4 * u[i] - 2) + a[i]) / (1 + a[i]);
    return product;
  };
  double all = 1;
  for (const double one : a) all *= 1 + 1 / (3 * (1 + one) * (1 + one));
  const std::vector<SobolIndex> indices = Sampled{4, g}.indices();
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double v = 1 / (3 * (1 + a[i]) * (1 + a[i]));
    EXPECT_NEAR(indices[i].first, v / (all - 1), 0.01);  // as above
    EXPECT_NEAR(indices[i].total, v * all / (1 + v) / (all - 1), 0.01);
  }
}

// Of 60 seeds, random samples: the deviation of an estimate from the exact index is the reported
// standard error, up to the 1/sqrt(2 60) = 9 % of such an estimate, three times.
TEST(SobolIndices, HaveStandardErrorsThatHold) {
  constexpr int seeds = 60;
  std::vector<double> squares(3), reported(3), total_squares(3), total_reported(3);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const std::vector<SobolIndex> indices = Sampled{3, ishigami, 256, true, seed}.indices();
    for (std::size_t i = 0; i < 3; ++i) {
      squares[i] += std::pow(indices[i].first - ishigami_first[i], 2) / seeds;
      total_squares[i] += std::pow(indices[i].total - ishigami_total[i], 2) / seeds;
      reported[i] += indices[i].first_error / seeds;
      total_reported[i] += indices[i].total_error / seeds;
    }
  }
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(std::sqrt(squares[i]) / reported[i], 1, 0.3);
    EXPECT_NEAR(std::sqrt(total_squares[i]) / total_reported[i], 1, 0.3);
  }
}

TEST(SobolIndices, LeaveOutSamplesThatFailed) {
  std::uint64_t used = 0;
  const auto partly = [](const std::vector<double>& u) {
    return u[0] < 0.01 ? std::numeric_limits<double>::quiet_NaN() : ishigami(u);
  };
  const std::vector<SobolIndex> indices = Sampled{3, partly}.indices(&used);
  EXPECT_LT(used, 4096u);
  EXPECT_GT(used, 3900u);
  EXPECT_NEAR(indices[1].first, 0.4424, 0.02);  // about 1 % of the range is left out
}

TEST(SobolIndices, OfAConstantAreUnknown) {
  const auto indices = Sampled{2, [](const std::vector<double>&) { return 3.0; }, 16}.indices();
  EXPECT_TRUE(std::isnan(indices[0].first));
  EXPECT_TRUE(std::isnan(indices[0].total));
}

TEST(SobolIndices, OfRoundingErrorsAreUnknown) {
  const auto nearly = [](const std::vector<double>& u) { return u[0] < 0.5 ? 0.1 + 0.2 : 0.3; };
  EXPECT_TRUE(std::isnan(Sampled{2, nearly, 16}.indices()[0].first));
}

}  // namespace
}  // namespace tutti::studies
