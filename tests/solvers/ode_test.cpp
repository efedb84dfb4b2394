// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/ode/ode.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <stdexcept>

namespace tutti::solvers {
namespace {

using View = std::span<const double>;

/// A problem written down in a test.
class Written : public OdeProblem {
 public:
  using Function = std::function<bool(double t, View y, std::span<double> result)>;
  Written(std::size_t size, Function f) : size_(size), f_(std::move(f)) {}
  std::size_t size() const override { return size_; }
  bool evaluate(double t, View y, std::span<double> f) override {
    ++evaluations;
    return f_(t, y, f);
  }
  std::size_t root_count() const override { return roots ? root_number : 0; }
  bool evaluate_roots(double t, View y, View, std::span<double> g) override {
    return roots(t, y, g);
  }
  const SparsityPattern* jacobian_pattern() const override {
    return pattern.column_start.empty() ? nullptr : &pattern;
  }
  bool has_directional_derivatives() const override { return bool{directional}; }
  bool differentiate(double, View y, View seed, std::span<double> result) override {
    return directional(y, seed, result);
  }
  bool has_time_derivative() const override { return is_autonomous; }
  bool time_derivative(double, View, std::span<double> result) override {
    std::ranges::fill(result, 0.0);
    return true;
  }
  /// For methods that need exact derivatives: df/dy is the number `rate`, df/dt zero.
  void knows_its_derivatives(double rate) {
    is_autonomous = true;
    directional = [rate](View, View seed, std::span<double> result) {
      for (std::size_t i = 0; i < seed.size(); ++i) result[i] = rate * seed[i];
      return true;
    };
  }

  bool is_autonomous = false;
  std::size_t root_number = 1;
  Function roots;
  std::function<bool(View y, View seed, std::span<double> result)> directional;
  SparsityPattern pattern;
  std::uint64_t evaluations = 0;

 private:
  std::size_t size_;
  Function f_;
};

Written decay() {
  return Written(1, [](double, View y, std::span<double> f) {
    f[0] = -y[0];
    return true;
  });
}

OdeOptions options_for(const OdeProblem& problem, double rtol = 1e-8) {
  OdeOptions options;
  options.rtol = rtol;
  options.atol.assign(problem.size(), rtol / 100);
  return options;
}

/// The solution at `end`, with fixed steps of h.
std::vector<double> solve(const char* name, OdeProblem& problem, std::vector<double> y, double end,
                          double h, double rtol = 1e-8, OdeStatistics* statistics = nullptr) {
  const OdeEntry& entry = *find_ode_integrator(name);
  const auto integrator = entry.make(problem, options_for(problem, rtol));
  integrator->start(0, y);
  double t = 0;
  for (double n = 1; t < end; ++n) do {
      t = integrator->step(std::min(end, entry.fixed_step ? n * h : end)).t;
    } while (!entry.fixed_step && t < end);
  integrator->interpolate(end, y);
  if (statistics != nullptr) *statistics = integrator->statistics();
  return y;
}

class EveryIntegrator : public ::testing::TestWithParam<OdeEntry> {};
INSTANTIATE_TEST_SUITE_P(Ode, EveryIntegrator,
                         ::testing::ValuesIn(ode_integrators().begin(), ode_integrators().end()),
                         [](const auto& tested) {
                           std::string name = tested.param.name;
                           std::erase(name, '-');
                           return name;
                         });

TEST_P(EveryIntegrator, EndsAtTheLimitExactly) {
  Written problem = decay();
  problem.knows_its_derivatives(-1);
  const auto integrator = GetParam().make(problem, options_for(problem));
  integrator->start(0, std::vector{1.0});
  const double limit = 0.1 * 3;  // not a number that steps of binary fractions hit
  OdeIntegrator::Step step;
  while (step.t < limit) step = integrator->step(limit);
  EXPECT_EQ(step.t, limit);
}

TEST(Ode, MethodsOfOursEvaluateNothingBehindTheLimit) {
  for (const char* name :
       {"dop853", "dopri5", "euler", "implicit-euler", "radau5", "rk34", "rk4", "rodas"}) {
    double latest = 0;
    Written problem(1, [&](double t, View y, std::span<double> f) {
      latest = std::max(latest, t);
      f[0] = -y[0];
      return true;
    });
    problem.knows_its_derivatives(-1);
    const auto integrator = find_ode_integrator(name)->make(problem, options_for(problem, 1e-3));
    for (const bool starts_anew : {false, true}) {
      integrator->start(0, std::vector{1.0});
      latest = 0;
      double t = 0;
      for (int n = 1; n <= 300; ++n) {
        // t + (limit - t) is not always the limit.
        const double limit = n * 0.1 + n * n * 1e-3 / 7;
        while (t < limit) t = integrator->step(limit).t;
        EXPECT_LE(latest, limit) << name << " by " << latest - limit;
        if (starts_anew) integrator->start(t, std::vector{1.0});
      }
    }
  }
}

TEST_P(EveryIntegrator, PassesOnWhatTheProblemThrows) {
  Written problem(1, [](double t, View, std::span<double> f) {
    if (t > 0.5) throw std::runtime_error("half time");
    f[0] = 1;
    return true;
  });
  problem.knows_its_derivatives(0);
  EXPECT_THROW(solve(GetParam().name, problem, {0}, 1, 0.1), std::runtime_error);
}

TEST_P(EveryIntegrator, SaysWhenItCannotGoOn) {
  Written problem(1, [](double t, View, std::span<double> f) {
    f[0] = 1;
    return t <= 0.5;
  });
  problem.knows_its_derivatives(0);
  EXPECT_THROW(solve(GetParam().name, problem, {0}, 1, 0.1), OdeFailure);
}

TEST_P(EveryIntegrator, NoticesARootAndStopsThere) {
  Written problem(1, [](double, View, std::span<double> f) {
    f[0] = 1;
    return true;
  });
  problem.knows_its_derivatives(0);
  problem.roots = [](double, View y, std::span<double> g) {
    g[0] = y[0] - 0.45;
    return true;
  };
  const auto integrator = GetParam().make(problem, options_for(problem));
  integrator->start(0, std::vector{0.0});
  OdeIntegrator::Step step;
  for (double n = 1; !step.root && step.t < 1; ++n)
    step = integrator->step(GetParam().fixed_step ? n * 0.1 : 1);
  ASSERT_TRUE(step.root);
  // A fixed step ends behind the root; CVODE locates it to some rounding errors of its step.
  EXPECT_GE(step.t, 0.45 - 1e-15);  // the solution itself has rounding errors
  EXPECT_LT(step.t, GetParam().fixed_step ? 0.55 : 0.45 + 1e-12);
}

/// The times of roots of g(t), steps of 0.1 s at most.
std::vector<double> roots_of(const OdeEntry& solver, const std::function<double(double t)>& g) {
  Written problem(1, [](double, View, std::span<double> f) {
    f[0] = 1;
    return true;
  });
  problem.knows_its_derivatives(0);
  problem.roots = [&](double t, View, std::span<double> values) {
    values[0] = g(t);
    return true;
  };
  const auto integrator = solver.make(problem, options_for(problem));
  integrator->start(0, std::vector{0.0});
  std::vector<double> found;
  double t = 0;
  for (int n = 1; n <= 10; ++n)
    while (t < 0.1 * n) {
      const OdeIntegrator::Step step = integrator->step(0.1 * n);
      t = step.t;
      if (step.root) found.push_back(t);
    }
  return found;
}

TEST_P(EveryIntegrator, AnEventFunctionThatIsZeroAtTheStartIsInactiveUntilItHasLeftZero) {
  for (const double slope : {1, -1})
    EXPECT_TRUE(roots_of(GetParam(), [=](double t) { return slope * t; }).empty()) << slope;
  // It leaves upward and comes back at 0.55.
  const auto found = roots_of(GetParam(), [](double t) { return t * (0.55 - t); });
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0], 0.55, 0.05 + 1e-9);  // a fixed step ends behind it
}

TEST_P(EveryIntegrator, ZeroCountsAsNonPositiveAfterTheStart) {
  // From above to zero is an event, from below to zero is none, nor is staying there.
  const double middle = 0.5;
  EXPECT_EQ(roots_of(GetParam(), [=](double t) { return std::max(middle - t, 0.0); }).size(), 1u);
  EXPECT_EQ(roots_of(GetParam(), [=](double t) { return std::min(t - middle, 0.0); }).size(), 0u);
}

TEST_P(EveryIntegrator, StartsAgainFromAnotherState) {
  Written problem = decay();
  problem.knows_its_derivatives(-1);
  const auto integrator = GetParam().make(problem, options_for(problem));
  integrator->start(0, std::vector{1.0});
  integrator->step(0.1);
  integrator->start(5, std::vector{2.0});
  EXPECT_GT(integrator->step(5.1).t, 5);
  EXPECT_EQ(integrator->statistics().starts, 2u);
  EXPECT_EQ(integrator->statistics().steps, 2u);
}

// The global error is C h^p + O(h^(p+1)), so halving h divides it by 2^p.
double observed_order(const char* name, double h) {
  Written problem = decay();
  const auto error = [&](double step) {
    return std::abs(solve(name, problem, {1}, 1, step)[0] - std::exp(-1.0));
  };
  return std::log2(error(h) / error(h / 2));
}

TEST(Ode, EulerIsFirstOrder) { EXPECT_NEAR(observed_order("euler", 0.01), 1, 0.01); }       // O(h)
TEST(Ode, RungeKutta4IsFourthOrder) { EXPECT_NEAR(observed_order("rk4", 0.05), 4, 0.05); }  // O(h)

TEST(Ode, EulerEvaluatesOncePerStepAndRungeKuttaFourTimes) {
  OdeStatistics statistics;
  Written problem = decay();
  solve("euler", problem, {1}, 1, 0.125, 1, &statistics);
  EXPECT_EQ(statistics.steps, 8u);
  EXPECT_EQ(statistics.evaluations, 8u);
  solve("rk4", problem, {1}, 1, 0.125, 1, &statistics);
  EXPECT_EQ(statistics.evaluations, 32u);
}

TEST(Ode, CvodeHoldsItsTolerance) {
  for (const char* name : {"cvode", "cvode-adams"}) {
    Written problem = decay();
    // The tolerance is that of a step; a hundred of them is generous for the sum over the run.
    EXPECT_NEAR(solve(name, problem, {1}, 1, 0, 1e-8)[0], std::exp(-1.0), 1e-6) << name;
  }
}

TEST(Ode, CvodeInterpolatesInsideItsLastStep) {
  Written problem = decay();
  const auto integrator = find_ode_integrator("cvode")->make(problem, options_for(problem));
  integrator->start(0, std::vector{1.0});
  double before = 0;
  OdeIntegrator::Step step;
  while (step.t < 0.5) {
    before = step.t;
    step = integrator->step(1);
  }
  const double t = (before + step.t) / 2;
  double y = 0;
  integrator->interpolate(t, {&y, 1});
  EXPECT_NEAR(y, std::exp(-t), 1e-6);  // the tolerance 1e-8, summed over less than a hundred steps
}

TEST(Ode, CvodeGoesBackWhereThePointCannotBeComputed) {
  // y = (1 - t/2)^2 until t = 2; the first trial steps reach below zero.
  Written problem(1, [](double, View y, std::span<double> f) {
    f[0] = y[0] < 0 ? 0 : -std::sqrt(y[0]);
    return y[0] >= 0;
  });
  EXPECT_NEAR(solve("cvode", problem, {1}, 1.9, 0, 1e-6)[0], 0.05 * 0.05, 1e-5);  // 10 rtol
}

/// Heat in a rod of n points: a tridiagonal stiff problem whose slowest mode is known.
Written rod(std::size_t n) {
  const double factor = static_cast<double>((n + 1) * (n + 1));
  return Written(n, [n, factor](double, View y, std::span<double> f) {
    for (std::size_t i = 0; i < n; ++i)
      f[i] = factor * ((i > 0 ? y[i - 1] : 0) - 2 * y[i] + (i + 1 < n ? y[i + 1] : 0));
    return true;
  });
}
std::vector<double> slowest_mode(std::size_t n) {
  std::vector<double> y(n);
  for (std::size_t i = 0; i < n; ++i)
    y[i] = std::sin(M_PI * static_cast<double>(i + 1) / static_cast<double>(n + 1));
  return y;
}
double slowest_rate(std::size_t n) {
  const double points = static_cast<double>(n + 1);
  return (2 - 2 * std::cos(M_PI / points)) * points * points;
}
SparsityPattern tridiagonal(std::size_t n) {
  std::vector<std::vector<std::size_t>> rows(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0) rows[i].push_back(i - 1);
    if (i + 1 < n) rows[i].push_back(i + 1);
  }
  return pattern_of_rows(rows);
}

TEST(Ode, AColoredJacobianCostsThreeEvaluationsForATridiagonalProblem) {
  for (const std::size_t n : {10u, 200u}) {  // dense and sparse elimination
    Written problem = rod(n);
    problem.pattern = tridiagonal(n);
    OdeStatistics statistics;
    const auto y = solve("cvode", problem, slowest_mode(n), 0.1, 0, 1e-6, &statistics);
    EXPECT_NEAR(y[n / 2], slowest_mode(n)[n / 2] * std::exp(-0.1 * slowest_rate(n)), 1e-4);
    EXPECT_GT(statistics.jacobians, 0u);
    EXPECT_EQ(statistics.jacobian_evaluations, 3 * statistics.jacobians);
  }
}

TEST(Ode, WithoutAPatternEveryColumnIsADifference) {
  Written problem = rod(10);
  OdeStatistics statistics;
  solve("cvode", problem, slowest_mode(10), 0.1, 0, 1e-6, &statistics);
  EXPECT_EQ(statistics.jacobian_evaluations, 10 * statistics.jacobians);
}

TEST(Ode, DirectionalDerivativesReplaceDifferences) {
  Written problem = rod(200);
  problem.pattern = tridiagonal(200);
  std::uint64_t calls = 0;
  Written linear = rod(200);  // f is linear, so J seed = f(seed)
  problem.directional = [&](View, View seed, std::span<double> result) {
    ++calls;
    return linear.evaluate(0, seed, result);
  };
  OdeStatistics statistics;
  const auto y = solve("cvode", problem, slowest_mode(200), 0.1, 0, 1e-6, &statistics);
  EXPECT_NEAR(y[100], slowest_mode(200)[100] * std::exp(-0.1 * slowest_rate(200)), 1e-4);
  EXPECT_EQ(statistics.jacobian_evaluations, 0u);
  EXPECT_EQ(calls, 3 * statistics.jacobians);
}

TEST(Ode, TheTableIsSortedAndFindsItsNames) {
  const auto entries = ode_integrators();
  EXPECT_TRUE(std::is_sorted(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return std::string_view(a.name) < b.name;
  }));
  for (const OdeEntry& entry : entries) EXPECT_EQ(find_ode_integrator(entry.name), &entry);
  EXPECT_EQ(find_ode_integrator("cvod"), nullptr);
}

}  // namespace
}  // namespace tutti::solvers
