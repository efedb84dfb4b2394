// SPDX-License-Identifier: BSD-2-Clause

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "stability/coupling_limit.hpp"

namespace tutti::stability {
namespace {

struct Link {
  std::size_t from, to;
};

/// Components of one output without states, in calling sequence: each adds what it reads, times
/// its gain.
CoupledSystem network(const std::vector<double>& gains, std::vector<Link> links) {
  std::sort(links.begin(), links.end(), [](const Link& a, const Link& b) { return a.to < b.to; });
  CoupledSystem system;
  system.l = SparseMatrix(links.size(), gains.size());
  for (std::size_t k = 0; k < links.size(); ++k) system.l.entries.push_back({k, links[k].from, 1});
  for (std::size_t i = 0; i < gains.size(); ++i) {
    const auto inputs = static_cast<std::size_t>(
        std::count_if(links.begin(), links.end(), [&](const Link& link) { return link.to == i; }));
    system.parts.push_back({Matrix(0, 0), Matrix(0, inputs), Matrix(1, 0),
                            Matrix(1, inputs, std::vector<double>(inputs, gains[i]))});
  }
  return system;
}

CoupledSystem ring(const std::vector<double>& gains) {
  std::vector<Link> links;
  for (std::size_t i = 0; i < gains.size(); ++i) links.push_back({i, (i + 1) % gains.size()});
  return network(gains, links);
}

/// Each reads two others, so that ways around have all lengths.
CoupledSystem tangle(std::size_t size) {
  std::minstd_rand generator(7);
  std::vector<double> gains;
  std::vector<Link> links;
  for (std::size_t i = 0; i < size; ++i) {
    gains.push_back(generator() % 2 == 0 ? 0.5 : -0.6);
    links.push_back({(i + size - 1) % size, i});
    links.push_back({generator() % size, i});
  }
  return network(gains, links);
}

// mu^n = product of the gains; one sweep multiplies by all of them.
TEST(LoopSpectrum, OfARingOfAThousandIsExact) {
  std::vector<double> gains(1000, 0.9);
  gains[17] = -1.8;
  const CoupledSystem system = ring(gains);
  const double product = 999 * std::log(0.9) + std::log(1.8);
  const LoopSpectrum gain = gain_spectrum(system), sweep = sweep_spectrum(system);
  EXPECT_FALSE(gain.is_estimated);
  ASSERT_EQ(gain.values.size(), 1000u);
  for (const Complex mu : gain.values) {
    EXPECT_NEAR(std::abs(mu), std::exp(product / 1000), 1e-12);  // rounding
    // Turned once around a thousand times an angle that is exact to 1e-16: half a turn is left.
    EXPECT_NEAR(std::cos(1000 * std::arg(mu)), -1, 1e-12);
  }
  EXPECT_FALSE(sweep.is_estimated);
  EXPECT_NEAR(sweep.radius / std::exp(product), 1, 1e-12);  // rounding of 1000 factors
}

// 3^1000 is no number, but its thousandth root is.
TEST(LoopSpectrum, SurvivesProductsThatAreNoNumbers) {
  EXPECT_NEAR(gain_spectrum(ring(std::vector<double>(1000, 3.0))).radius, 3, 1e-12);  // rounding
  EXPECT_NEAR(gain_spectrum(ring(std::vector<double>(1000, 0.1))).radius, 0.1, 1e-12);
  const LoopSpectrum sweep = sweep_spectrum(ring(std::vector<double>(1000, 3.0)));
  for (const Prediction prediction : {Prediction::hold, Prediction::linear_differences})
    EXPECT_EQ(judge(limit_radius({Sequence::sequential, prediction, false, false}, sweep)),
              CouplingVerdict::unstable);
}

// Two rings of 60 and 90 with one member in common: ways around are multiples of 30.
TEST(LoopSpectrum, WithClassesIsThatOfTheFullMatrix) {
  std::vector<Link> links;
  for (std::size_t i = 0; i < 60; ++i) links.push_back({i, (i + 1) % 60});
  links.push_back({0, 60});
  for (std::size_t i = 60; i < 149; ++i) links.push_back({i, i + 1 < 149 ? i + 1 : 0});
  const CoupledSystem system = network(std::vector<double>(149, -0.97), links);
  const LoopSpectrum spectrum = gain_spectrum(system);
  EXPECT_FALSE(spectrum.is_estimated);
  EXPECT_NEAR(spectrum.radius, spectral_radius(input_loop_gain(system)),
              1e-9);  // 30th roots; rounding
}

// Every gain of zero eigenvalues: nothing comes around, though a computed spectrum would differ.
TEST(LoopSpectrum, OfAChainIsZero) {
  std::vector<Link> links;
  for (std::size_t i = 0; i + 1 < 500; ++i) links.push_back({i, i + 1});
  EXPECT_EQ(gain_spectrum(network(std::vector<double>(500, 3.0), links)).radius, 0);
  EXPECT_EQ(sweep_spectrum(network(std::vector<double>(500, 3.0), links)).radius, 0);
}

TEST(LoopSpectrum, IsExactUpToThreeHundredVariablesAndEstimatedBeyond) {
  EXPECT_FALSE(gain_spectrum(tangle(largest_exact_loop)).is_estimated);
  const CoupledSystem large = tangle(largest_exact_loop + 20);
  const LoopSpectrum gain = gain_spectrum(large);
  EXPECT_TRUE(gain.is_estimated);
  EXPECT_TRUE(gain.values.empty());
  // A hundredth is what estimates are said to be good for.
  EXPECT_NEAR(gain.radius / spectral_radius(input_loop_gain(large)), 1, 0.01);
}

// Everyone reads itself and the next: all outputs are read before they are computed. With
// z = l / 0.4 - 1, where y_(i+1) = z y_i, the eigenvalues have z^n = l, and the largest is next to
// z = 1: l = 0.8 less 0.4 log(0.8) / 320.
TEST(LoopSpectrum, OfASweepIsEstimatedWhereManyAreReadEarly) {
  std::vector<Link> links;
  constexpr std::size_t size = largest_exact_loop + 20;
  for (std::size_t i = 0; i < size; ++i) {
    links.push_back({i, i});
    links.push_back({(i + 1) % size, i});
  }
  const LoopSpectrum sweep = sweep_spectrum(network(std::vector<double>(size, 0.4), links));
  EXPECT_TRUE(sweep.is_estimated);
  EXPECT_NEAR(sweep.radius, 0.8, 0.008);  // a hundredth
}

// The worst eigenvalue of a magnitude is the negative one.
TEST(LoopSpectrum, EstimatedGivesDifferencesTheirWorstCase) {
  const LoopSpectrum estimated{{}, 0.3, true};
  for (const Prediction prediction :
       {Prediction::hold, Prediction::linear_differences, Prediction::quadratic_backward,
        Prediction::quadratic_differences}) {
    const Scheme scheme{Sequence::parallel, prediction, false, false};
    const double most = limit_radius(scheme, estimated);
    for (double angle = 0; angle < 6.3; angle += 0.1) {
      const std::vector<Complex> mu = {std::polar(0.3, angle)};
      EXPECT_LE(limit_radius(scheme, mu), most * (1 + 1e-12)) << angle;  // rounding
    }
  }
}

// The polynomials of a sweep are the characteristic ones of the map of a system without states.
TEST(LoopSpectrum, OfASweepHasTheLimitsOfGaussSeidel) {
  const CoupledSystem system = tangle(12);
  for (const Prediction prediction : {Prediction::hold, Prediction::linear_differences}) {
    const Scheme scheme{Sequence::sequential, prediction, false, false};
    EXPECT_NEAR(limit_radius(scheme, system), spectral_radius(step_map(system, scheme, 0.3)),
                1e-9);  // rounding of 24 eigenvalues, of which some are 0
  }
}

}  // namespace
}  // namespace tutti::stability
