// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/ode/runge_kutta.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace tutti::solvers {
namespace {

using States = std::vector<double>;
using StateView = std::span<const double>;
using StateSpan = std::span<double>;

/// y' = -2 t y^2 with y = 1 / (1 + t^2): not linear, not autonomous, no symmetry in [0, 1].
std::unique_ptr<OdeProblem> witch() {
  return make_problem(
      {.size = 1, .rhs = [](double t, StateView y, StateSpan f) { f[0] = -2 * t * y[0] * y[0]; }});
}

/// Two bodies, in units in which a revolution takes 2 pi, from the pericentre.
std::unique_ptr<OdeProblem> kepler() {
  return make_problem({.size = 4, .rhs = [](double, StateView y, StateSpan f) {
                         const double r = std::hypot(y[0], y[1]);
                         f[0] = y[2], f[1] = y[3];
                         f[2] = -y[0] / (r * r * r), f[3] = -y[1] / (r * r * r);
                       }});
}
States kepler_start(double eccentricity) {
  return {1 - eccentricity, 0, 0, std::sqrt((1 + eccentricity) / (1 - eccentricity))};
}

struct Solved {
  States y;
  OdeStatistics statistics;
  bool was_stiff = false;
};

Solved run_explicit(const char* name, OdeProblem& problem, const States& start, double end,
                    OdeOptions options) {
  options.atol.resize(problem.size(), options.rtol);
  const auto integrator = find_ode_integrator(name)->make(problem, options);
  integrator->start(0, start);
  Solved run{start, {}, false};
  for (double t = 0; t < end;) {
    t = integrator->step(end).t;
    run.was_stiff |= integrator->seems_stiff();
  }
  integrator->interpolate(end, run.y);
  run.statistics = integrator->statistics();
  return run;
}

/// So loose that all steps have the size h.
OdeOptions steps_of(double h) { return {.rtol = 1e6, .atol = {}, .max_step = h, .first_step = h}; }

// The global error is C h^p + O(h^(p+1)), so halving h divides it by 2^p.
double order_of_solution(const char* name, double h) {
  const auto problem = witch();
  const auto error = [&](double size) {
    return std::abs(run_explicit(name, *problem, {1}, 1, steps_of(size)).y[0] - 0.5);
  };
  return std::log2(error(h) / error(h / 2));
}

TEST(ExplicitRungeKutta, SolutionsConvergeWithTheirOrders) {
  // 0.3: the O(h^(p+1)) term at these sizes, which stay above rounding errors.
  EXPECT_NEAR(order_of_solution("rk34", 1. / 32), 4, 0.3);
  EXPECT_NEAR(order_of_solution("dopri5", 1. / 32), 5, 0.3);
  EXPECT_NEAR(order_of_solution("dop853", 1. / 8), 8, 0.5);
}

/// Four coupled equations of which no elementary differential vanishes.
std::unique_ptr<OdeProblem> mixture() {
  return make_problem({.size = 4, .rhs = [](double t, StateView y, StateSpan f) {
                         f[0] = 2 * t * std::pow(y[1], 0.2) * y[3];
                         f[1] = 10 * t * std::exp(5 * (y[2] - 1)) * y[3];
                         f[2] = 2 * t * y[3];
                         f[3] = -2 * t * std::log(y[0]);
                       }});
}
States mixture_at(double t) {
  const double sine = std::sin(t * t);
  return {std::exp(sine), std::exp(5 * sine), sine + 1, std::cos(t * t)};
}

// The error inside the first step of size h is C h^(q+1) for an interpolant of order q.
double order_of_interpolant(const char* name, double from, double h) {
  const auto problem = mixture();
  const auto error = [&](double size) {
    OdeOptions options = steps_of(size);
    options.atol.assign(4, 1e6);
    const auto integrator = find_ode_integrator(name)->make(*problem, options);
    integrator->start(from, mixture_at(from));
    integrator->step(from + size);
    double worst = 0;
    States y(4);
    for (const double theta : {0.2, 0.4, 0.6, 0.8}) {
      integrator->interpolate(from + theta * size, y);
      for (std::size_t i = 0; i < 4; ++i)
        worst = std::max(worst, std::abs(y[i] - mixture_at(from + theta * size)[i]));
    }
    return worst;
  };
  return std::log2(error(h) / error(h / 2)) - 1;
}

TEST(ExplicitRungeKutta, InterpolantsConvergeWithTheirOrders) {
  // 0.3: the next term of the error.
  EXPECT_NEAR(order_of_interpolant("rk34", 0.3, 1. / 32), 3, 0.3);
  EXPECT_NEAR(order_of_interpolant("dopri5", 0.3, 1. / 32), 4, 0.3);
  EXPECT_NEAR(order_of_interpolant("dop853", 0.3, 1. / 8), 7, 0.3);
}

TEST(ExplicitRungeKutta, InterpolantsMeetTheEndsOfTheStepWithTheirDegree) {
  for (const auto& [name, degree] : {std::pair{"rk34", 3}, {"dopri5", 4}, {"dop853", 7}}) {
    const auto problem = witch();
    OdeOptions options = steps_of(0.25);
    options.atol = {1e6};
    const auto integrator = find_ode_integrator(name)->make(*problem, options);
    integrator->start(0, States{1});
    integrator->step(0.25);
    double start = 0, end = 0, near_end = 0;
    integrator->interpolate(0, {&start, 1});
    integrator->interpolate(0.25, {&end, 1});
    integrator->interpolate(std::nextafter(0.25, 0), {&near_end, 1});
    EXPECT_EQ(start, 1) << name;
    EXPECT_NEAR(near_end, end, 4e-16) << name;  // rounding errors of sums near 1
    EXPECT_EQ(integrator->interpolation_degree(), degree);
  }
}

TEST(ExplicitRungeKutta, StepsShareTheirLastEvaluation) {
  const auto problem = witch();
  const auto work = [&](const char* name) {
    const OdeStatistics did = run_explicit(name, *problem, {1}, 1, steps_of(0.125)).statistics;
    EXPECT_EQ(did.steps, 8u) << name;
    return did.evaluations;
  };
  EXPECT_EQ(work("rk34"), 1 + 8 * 5u);  // the start, then five new stages
  EXPECT_EQ(work("dopri5"), 1 + 8 * 6u);
  EXPECT_EQ(work("dop853"), 1 + 8 * 12u);  // eleven stages and the slope at the end
}

TEST(ExplicitRungeKutta, ARejectedStepOfDop853CostsElevenEvaluations) {
  const auto problem = kepler();
  const OdeStatistics did =
      run_explicit("dop853", *problem, kepler_start(0.9), 20, {.rtol = 1e-8, .atol = {}})
          .statistics;
  ASSERT_GT(did.error_test_failures, 0u);
  EXPECT_EQ(did.evaluations, 2 + 12 * did.steps + 11 * did.error_test_failures);
}

TEST(ExplicitRungeKutta, OnlyStepsThatAreInterpolatedPayForTheInterpolantOfDop853) {
  const auto problem = witch();
  OdeOptions options = steps_of(0.25);
  options.atol = {1e6};
  const auto integrator = find_ode_integrator("dop853")->make(*problem, options);
  integrator->start(0, States{1});
  double y = 0;
  integrator->step(1);
  integrator->step(1);
  EXPECT_EQ(integrator->statistics().evaluations, 1 + 2 * 12u);
  for (const double t : {0.3, 0.4, 0.45}) integrator->interpolate(t, {&y, 1});
  EXPECT_EQ(integrator->statistics().evaluations, 1 + 2 * 12 + 3u);
  integrator->step(1);
  EXPECT_EQ(integrator->statistics().evaluations, 1 + 3 * 12 + 3u);
}

TEST(ExplicitRungeKutta, KeplersOrbitsCloseWithinTheTolerance) {
  const States start = kepler_start(0.5);
  for (const char* name : {"dopri5", "dop853"})
    for (const double rtol : {1e-6, 1e-9}) {
      const auto problem = kepler();
      const Solved run =
          run_explicit(name, *problem, start, 2 * std::numbers::pi, {.rtol = rtol, .atol = {}});
      // Errors of 20 to 300 steps add up, and those of the period turn into errors of the place.
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_NEAR(run.y[i], start[i], 500 * rtol) << name << " " << rtol;
    }
}

TEST(ExplicitRungeKutta, FewerStepsOfDop853ReachTightTolerances) {
  const auto work = [](const char* name) {
    const auto problem = kepler();
    return run_explicit(name, *problem, kepler_start(0.5), 2 * std::numbers::pi,
                        {.rtol = 1e-11, .atol = {}})
        .statistics.evaluations;
  };
  EXPECT_LT(2 * work("dop853"), work("dopri5"));  // (1e-11)^(1/8 - 1/5) = 6.7 in steps, 2 in stages
}

/// Van der Pol's oscillator with mu = 2000 in the thesis of C. Andersson, 8.6.1.
std::unique_ptr<OdeProblem> van_der_pol() {
  return make_problem({.size = 2, .rhs = [](double, StateView y, StateSpan f) {
                         f[0] = y[1];
                         f[1] = 2000 * ((1 - y[0] * y[0]) * y[1] - y[0]);
                       }});
}

TEST(ExplicitRungeKutta, VanDerPolIsRightAndFoundStiff) {
  for (const auto& [name, steps] : {std::pair{"dopri5", 2888u}, {"dop853", 1500u}}) {
    const auto problem = van_der_pol();
    const Solved run = run_explicit(name, *problem, {2, -0.6}, 2, {.rtol = 1e-6, .atol = {}});
    // Its reference solution, whose last digit is 1e-8; stability keeps errors below the tolerance.
    EXPECT_NEAR(run.y[0], 1.74249243, 1e-6) << name;
    EXPECT_NEAR(run.y[1], -0.85551919, 1e-6) << name;
    EXPECT_TRUE(run.was_stiff) << name;
    // ARKODE needs 2888 steps of the same method of order 5; steps are those of stability.
    EXPECT_LT(run.statistics.steps, steps) << name;
  }
}

TEST(ExplicitRungeKutta, SmoothProblemsAreNotFoundStiff) {
  for (const char* name : {"dopri5", "dop853"}) {
    const auto problem = kepler();
    EXPECT_FALSE(
        run_explicit(name, *problem, kepler_start(0.6), 50, {.rtol = 1e-6, .atol = {}}).was_stiff)
        << name;
  }
}

TEST(ExplicitRungeKutta, RungeKutta34RejectsNothingAndAdaptsTheNextStep) {
  const auto problem = kepler();
  const States start = kepler_start(0.5);
  const Solved run =
      run_explicit("rk34", *problem, start, 2 * std::numbers::pi, {.rtol = 1e-8, .atol = {}});
  EXPECT_EQ(run.statistics.error_test_failures, 0u);
  EXPECT_EQ(run.statistics.evaluations, 1 + 5 * run.statistics.steps);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(run.y[i], start[i], 5e-6);  // 500 rtol, as above
}

TEST(ExplicitRungeKutta, RungeKutta34DoublesItsStepAtMost) {
  const auto problem = make_problem(
      {.size = 1, .rhs = [](double, StateView, StateSpan f) { f[0] = 1; }});  // no error at all
  OdeOptions options{.rtol = 1e-6, .atol = {1e-6}};
  const auto integrator = find_ode_integrator("rk34")->make(*problem, options);
  integrator->start(0, States{0});
  EXPECT_DOUBLE_EQ(integrator->step(10).t, 0.01);
  EXPECT_DOUBLE_EQ(integrator->step(10).t, 0.03);
  EXPECT_DOUBLE_EQ(integrator->step(10).t, 0.07);
}

TEST(ExplicitRungeKutta, SettingsOfTheStepControlAreOptions) {
  const auto steps = [](SolverOptions own) {
    const auto problem = kepler();
    return run_explicit("dopri5", *problem, kepler_start(0.5), 6,
                        {.rtol = 1e-6, .atol = {}, .own = std::move(own)})
        .statistics.steps;
  };
  EXPECT_GT(steps({{"safe", 0.5}}), 1.5 * static_cast<double>(steps({})));  // 0.9 / 0.5 = 1.8
  EXPECT_NE(steps({{"beta", 0.0}}), steps({}));
  EXPECT_GT(steps({{"fac2", 1.0}}), steps({}));
}

std::unique_ptr<OdeProblem> falling_ball() {
  return make_problem({.size = 2,
                       .rhs =
                           [](double, StateView y, StateSpan f) {
                             f[0] = y[1];
                             f[1] = -9.81;
                           },
                       .root_count = 1,
                       .root_directions = {-1},
                       .roots = [](double, StateView y, StateView, StateSpan g) { g[0] = y[0]; }});
}

// Between bounces the solution is a parabola, which all these methods and cubic Hermite
// interpolation follow exactly: only the locator and rounding errors remain.
TEST(ExplicitRungeKutta, ABouncingBallHitsTheFloorInTime) {
  for (const auto& [name, own] : {std::pair{"dopri5", SolverOptions{}},
                                  {"dop853", {}},
                                  {"rk34", {}},
                                  {"rk4", {{"h", 0.05}}}}) {
    const auto problem = falling_ball();
    const auto integrator =
        find_ode_integrator(name)->make(*problem, {.rtol = 1e-6, .atol = {1e-6, 1e-6}, .own = own});
    States y{1, 0};
    integrator->start(0, y);
    double expected = std::sqrt(2 / 9.81), flight = 2 * expected;
    int hits = 0;
    while (hits < 6) {
      const OdeIntegrator::Step step = integrator->step(10);
      ASSERT_LT(step.t, 10) << name;
      if (!step.root) continue;
      EXPECT_NEAR(step.t, expected, 1e-11)
          << name << " " << hits;  // six times 1e-13 of the locator
      EXPECT_EQ(integrator->roots()[0], -1);
      integrator->interpolate(step.t, y);
      y[1] *= -0.7;
      integrator->start(step.t, y);
      expected += flight *= 0.7;
      ++hits;
    }
  }
}

TEST(FixedSteps, WithASizeOfTheirOwnTheyConvergeWithTheirOrders) {
  for (const auto& [name, order] : {std::pair{"euler", 1}, {"rk4", 4}}) {
    const auto error = [&, name = name](double h) {
      const auto problem = witch();
      const Solved run =
          run_explicit(name, *problem, {1}, 1, {.rtol = 1, .atol = {}, .own = {{"h", h}}});
      EXPECT_EQ(run.statistics.steps, static_cast<std::uint64_t>(std::lround(1 / h)));
      return std::abs(run.y[0] - 0.5);
    };
    EXPECT_NEAR(std::log2(error(1. / 64) / error(1. / 128)), order, 0.1) << name;  // O(h^(p+1))
  }
}

TEST(FixedSteps, WithASizeOfTheirOwnTheyLocateRootsAndGoOnBehindThem) {
  const auto problem = make_problem(
      {.size = 1,
       .rhs = [](double, StateView, StateSpan f) { f[0] = 1; },
       .root_count = 1,
       .roots = [](double, StateView y, StateView, StateSpan g) { g[0] = y[0] - 0.45; }});
  for (const char* name : {"euler", "rk4"}) {
    const auto integrator =
        find_ode_integrator(name)->make(*problem, {.rtol = 1, .atol = {1}, .own = {{"h", 0.1}}});
    integrator->start(0, States{0});
    OdeIntegrator::Step step;
    while (!step.root) step = integrator->step(1);
    EXPECT_NEAR(step.t, 0.45, 1e-13);  // the locator
    step = integrator->step(1);
    EXPECT_FALSE(step.root);
    EXPECT_NEAR(step.t, 0.5, 1e-15);  // the sum of five 0.1
  }
}

TEST(FixedSteps, WithASizeOfTheirOwnTheyDoNotTryASmallerOne) {
  const auto problem = make_problem(
      {.size = 1, .rhs = [](double t, StateView, StateSpan f) { f[0] = t > 0.5 ? NAN : 1; }});
  const auto integrator =
      find_ode_integrator("rk4")->make(*problem, {.rtol = 1, .atol = {1}, .own = {{"h", 0.2}}});
  integrator->start(0, States{0});
  integrator->step(1);
  integrator->step(1);
  EXPECT_THROW(integrator->step(1), OdeFailure);
  EXPECT_EQ(integrator->statistics().evaluations, 1 + 4 * 2 + 3u);  // the fourth stage fails
}

}  // namespace
}  // namespace tutti::solvers
