// SPDX-License-Identifier: BSD-2-Clause
#include "stability/identification.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "stability/scheme.hpp"
#include "stability/spectrum.hpp"

namespace tutti::stability {
namespace {

/// A linear system as a plant: exact steps, from x = x_start and u = 0, with noise in the outputs.
class LinearPlant final : public Plant {
 public:
  explicit LinearPlant(Subsystem system, double noise = 0, double curvature = 0)
      : system_(std::move(system)),
        noise_(noise),
        curvature_(curvature),
        x_start(system_.states(), 0.5) {}

  std::vector<double> start() override {
    return outputs(x_start, std::vector<double>(system_.inputs()));
  }
  std::vector<double> run(std::span<const double> steps, std::span<const double> moves,
                          std::size_t reverse_every) override {
    std::vector<double> x = x_start, u(moves.begin(), moves.end()), values;
    double time = 0;
    for (std::size_t k = 0; k < steps.size() && time + steps[k] <= longest; ++k) {
      if (reverse_every > 0 && k > 0 && k % reverse_every == 0)
        for (double& value : u) value = -value;
      advance(x, u, steps[k]);
      time += steps[k];
      ++taken;
      const std::vector<double> y = outputs(x, u);
      values.insert(values.end(), y.begin(), y.end());
    }
    return values;
  }

  double longest = 1e300;
  std::size_t taken = 0;

 private:
  /// One part that feeds nothing: its step map has phi and gamma.
  void advance(std::vector<double>& x, const std::vector<double>& u, double h) {
    const std::size_t n = system_.states(), m = system_.inputs();
    // States that follow from constant ones are constant inputs.
    Subsystem joint{Matrix(n + m, n + m), Matrix(n + m, 1), Matrix(1, n + m), Matrix(1, 1)};
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < n; ++k) joint.a(i, k) = system_.a(i, k);
      for (std::size_t j = 0; j < m; ++j) joint.a(i, n + j) = system_.b(i, j);
    }
    const Matrix map = step_map({{joint}, SparseMatrix(1, 1)}, {}, h);
    std::vector<double> next(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < n; ++k) next[i] += map(i, k) * x[k];
      for (std::size_t j = 0; j < m; ++j) next[i] += map(i, n + j) * u[j];
    }
    x = next;
  }
  std::vector<double> outputs(const std::vector<double>& x, const std::vector<double>& u) {
    std::vector<double> y(system_.outputs());
    for (std::size_t i = 0; i < y.size(); ++i) {
      for (std::size_t k = 0; k < x.size(); ++k) y[i] += system_.c(i, k) * x[k];
      for (std::size_t j = 0; j < u.size(); ++j) y[i] += system_.d(i, j) * u[j];
      y[i] += curvature_ * y[i] * y[i] + noise_ * normal_(random_);
    }
    return y;
  }

  Subsystem system_;
  double noise_, curvature_;
  std::mt19937 random_{1};
  std::normal_distribution<double> normal_;

 public:
  std::vector<double> x_start;
};

IdentificationOptions options_of(const Subsystem& system) {
  IdentificationOptions options;
  options.input_sizes.assign(system.inputs(), 1);
  options.duration = 2.5;
  options.shortest_step = 1e-8;
  options.least_duration = 1e-2;
  return options;
}

Subsystem single(std::vector<double> a, std::vector<double> b, std::vector<double> c, double d) {
  const std::size_t n = b.size();
  return {Matrix(n, n, std::move(a)), Matrix(n, 1, std::move(b)), Matrix(1, n, std::move(c)),
          Matrix(1, 1, {d})};
}

/// What decides about coupling: the map of a step with all outputs fed back.
void expect_same_maps(const Subsystem& exact, const Subsystem& found, double tolerance) {
  SparseMatrix l(exact.inputs(), exact.outputs());
  for (std::size_t j = 0; j < exact.inputs(); ++j)
    l.entries.push_back({j, j % exact.outputs(), -0.3});
  for (const double h : {1e-6, 1e-4, 1e-2, 0.1, 1.0})
    for (const Sequence sequence : {Sequence::parallel, Sequence::solved}) {
      const Scheme scheme{sequence, Prediction::hold, false, false};
      const double expected = spectral_radius(step_map({{exact}, l}, scheme, h));
      EXPECT_NEAR(spectral_radius(step_map({{found}, l}, scheme, h)), expected,
                  tolerance * std::max(expected, 1.0))
          << "h = " << h;
    }
}

struct NamedSystem {
  const char* name;
  Subsystem system;
};
std::vector<NamedSystem> known_systems() {
  std::vector<NamedSystem> all = {
      {"a lag", single({-1}, {1}, {1}, 0)},
      {"feed-through", single({-3}, {1}, {2}, 0.5)},
      {"an integrator", single({0}, {1}, {1}, 0)},
      {"a fast lag", single({-1e5}, {1e5}, {1}, 0)},
      {"rates of ratio 1e5", single({-1, 0, 0, -1e5}, {1, 1e5}, {1, 1}, 0)},
      {"a frictionless oscillator", single({0, 1, -4, 0}, {0, 1}, {1, 0}, 0)},
      {"a stiff spring", single({0, 1, -1e6, -1}, {0, 1}, {0, 1}, 0)},
      {"a double integrator", single({0, 1, 0, 0}, {0, 1}, {1, 0}, 0)},
      {"a double pole", single({-1, 1, 0, -1}, {0, 1}, {1, 0}, 0)},
      {"an unstable pole", single({0.5, 1, 0, -2}, {0, 1}, {1, 0}, 0)},
      {"nothing but a gain", single({}, {}, {}, 2)},
  };
  all.push_back(
      {"two inputs, two outputs",
       {Matrix(3, 3, {0, 1, 0, -100, -0.5, 10, 0, -10, -1e4}), Matrix(3, 2, {0, 0, 1, 0, 0, 1}),
        Matrix(2, 3, {1, 0, 0, 0, 1, 1}), Matrix(2, 2, {0, 0, 0, 0.1})}});
  return all;
}

TEST(Identification, FindsKnownSystems) {
  for (const auto& [name, system] : known_systems()) {
    LinearPlant plant(system);
    const Identification found = identify(plant, options_of(system));
    ASSERT_TRUE(found.system) << name << ": " << found.note;
    EXPECT_GE(found.system->states(), system.states()) << name;
    EXPECT_LE(found.system->states(), system.states() + 1) << name;  // rounding may look like one
    EXPECT_LT(found.error, 1e-3) << name;  // rounding of y over moves of 1e-3, in the first steps
    EXPECT_EQ(found.steps, plant.taken) << name;
    SCOPED_TRACE(name);
    expect_same_maps(system, *found.system, 1e-5);
  }
}

// Moves of 1e-3 with noise of 1e-10: the responses are known to 1e-7.
TEST(Identification, BearsNoise) {
  for (const auto& [name, system] : known_systems()) {
    LinearPlant plant(system, 1e-10);
    const Identification found = identify(plant, options_of(system));
    ASSERT_TRUE(found.system) << name << ": " << found.note;
    SCOPED_TRACE(name);
    expect_same_maps(system, *found.system, 3e-3);
  }
}

// Two states that one input moves alike are one; an output that does not follow has none.
TEST(Identification, HasNoStatesThatAreNotNeeded) {
  const Subsystem twice{Matrix(2, 2, {0, 0, 0, 0}), Matrix(2, 2, {1, 2, 1, 2}),
                        Matrix(2, 2, {1, 0, 0, 1}), Matrix(2, 2)};
  LinearPlant plant(twice);
  const Identification found = identify(plant, options_of(twice));
  ASSERT_TRUE(found.system);
  EXPECT_EQ(found.system->states(), 1u);
  EXPECT_EQ(found.system->a(0, 0), 0);  // an integrator, exactly
}

// Runs of half a second show little of motions that take seconds; a state that rounding adds would
// have a pole anywhere, also in the right half plane.
TEST(Identification, InventsNoGrowthInSlowMotions) {
  std::mt19937 random(10);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 20; ++k) {
    Subsystem slow{Matrix(3, 3, {0, 1, 0, -1, -0.1, 0, 0, 0, -1}), Matrix(3, 2), Matrix(2, 3),
                   Matrix(2, 2)};
    for (double& value : slow.b.values) value = normal(random);
    for (double& value : slow.c.values) value = normal(random);
    LinearPlant plant(slow);
    IdentificationOptions options = options_of(slow);
    options.duration = 0.5;
    const Identification found = identify(plant, options);
    ASSERT_TRUE(found.system) << k;
    EXPECT_LE(found.system->states(), 4u) << k;
    EXPECT_LT(spectral_abscissa(found.system->a), 0.02) << k;  // -0.05 and 0.5 s of it
  }
}

// x' = -2 x from 0.5: the output starts with a slope of -1.
TEST(Identification, KnowsHowOutputsMoveByThemselves) {
  const Subsystem lag = single({-2}, {3}, {1}, 0);
  LinearPlant plant(lag);
  const Identification found = identify(plant, options_of(lag));
  ASSERT_TRUE(found.system);
  ASSERT_EQ(found.drift.size(), 1u);
  EXPECT_NEAR(found.system->c(0, 0) * found.drift[0], -1, 1e-6);  // of the fit
}

TEST(Identification, TakesTheStepsThatThereAre) {
  const Subsystem lag = single({-2}, {3}, {1}, 0);
  LinearPlant plant(lag);
  plant.longest = 0.1;
  const Identification short_runs = identify(plant, options_of(lag));
  ASSERT_TRUE(short_runs.system);
  EXPECT_LE(short_runs.duration, 0.1);
  EXPECT_NEAR(short_runs.system->a(0, 0), -2, 1e-4);  // a tenth of its time
  plant.longest = 1e-4;                               // less than what is of use
  EXPECT_FALSE(identify(plant, options_of(lag)).system);
  EXPECT_EQ(identify(plant, options_of(lag)).note, "it does not take the steps that a fit needs");
  IdentificationOptions fixed = options_of(lag);
  fixed.only_step = 0.05;
  plant.longest = 1e300;
  const Identification of_one_step = identify(plant, fixed);
  ASSERT_TRUE(of_one_step.system);
  EXPECT_NEAR(of_one_step.system->a(0, 0), -2, 1e-6);
}

// A random walk follows nothing.
TEST(Identification, RefusesWhatDoesNotFit) {
  class Walk final : public Plant {
   public:
    std::vector<double> start() override { return {0}; }
    std::vector<double> run(std::span<const double> steps, std::span<const double> moves,
                            std::size_t) override {
      std::vector<double> y;
      double at = 0;
      for (std::size_t k = 0; k < steps.size(); ++k)
        y.push_back(at += moves[0] * std::sin(1e3 * static_cast<double>(k * k)));
      return y;
    }
  } walk;
  IdentificationOptions options;
  options.input_sizes = {1};
  options.duration = 1;
  options.shortest_step = 1e-8;
  const Identification found = identify(walk, options);
  EXPECT_FALSE(found.system);
  EXPECT_EQ(found.note, "no linear system fits its small steps");
}

}  // namespace
}  // namespace tutti::stability
