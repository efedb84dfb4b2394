// SPDX-License-Identifier: BSD-2-Clause
#include "studies/search/search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tutti/error.hpp>
#include <tutti/search.hpp>

#include "studies/search/box_step.hpp"

namespace tutti::studies {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr double unbounded = std::numeric_limits<double>::infinity();
using Residuals = std::vector<double> (*)(const Point&);

/// Rosenbrock's valley: minimum 0 at (1, 1).
std::vector<double> rosenbrock(const Point& x) { return {10 * (x[1] - x[0] * x[0]), 1 - x[0]}; }

double sum_of_squares(const std::vector<double>& r) {
  double sum = 0;
  for (const double value : r) sum += value * value;
  return sum;
}

SearchProblem least_squares(Residuals residuals, Point start, Point lower = {}, Point upper = {}) {
  SearchProblem problem;
  problem.start = std::move(start);
  const std::size_t n = problem.start.size();
  problem.lower = lower.empty() ? Point(n, -unbounded) : lower;
  problem.upper = upper.empty() ? Point(n, unbounded) : upper;
  for (std::size_t j = 0; j < n; ++j) problem.names.push_back("p" + std::to_string(j));
  problem.evaluate = [residuals](std::span<const Point> points) {
    std::vector<Evaluation> all;
    for (const Point& x : points) {
      const std::vector<double> r = residuals(x);
      const double sum = sum_of_squares(r);
      all.push_back({std::isfinite(sum), sum, {}, r});
    }
    return all;
  };
  return problem;
}

SearchResult solve(std::string_view method, const SearchProblem& problem,
                   const SearchOptions& options = {}) {
  return search(find_search_method(method), problem, options);
}

class EverySearchMethod : public testing::TestWithParam<SearchMethodInfo> {};
INSTANTIATE_TEST_SUITE_P(Table, EverySearchMethod, testing::ValuesIn(search_methods()),
                         [](const auto& row) {
                           std::string name(row.param.name);
                           std::erase(name, '-');
                           return name;
                         });

TEST_P(EverySearchMethod, FindsTheMinimumOfRosenbrocksValley) {
  const SearchMethodInfo& method = GetParam();
  SearchOptions options;
  options.tolerance = 1e-8;
  if (method.is_global) options.max_evaluations = 20'000;
  const SearchResult found =
      solve(method.name, least_squares(rosenbrock, {-1.2, 1}, {-2, -1}, {2.2, 3}), options);
  // A global method ends anywhere in the flat valley, and linear models follow it slowly; others
  // end where steps are below 1e-8, along a valley whose curvature is 1/2500 of that across it.
  const double near = method.is_global ? 0.2 : method.name == "cobyla" ? 0.02 : 1e-4;
  EXPECT_NEAR(found.x[0], 1, near);
  EXPECT_NEAR(found.x[1], 1, 2 * near);
  if (!method.is_global && method.name != "cobyla") {
    EXPECT_EQ(found.end, SearchEnd::converged);
  }
  EXPECT_LE(found.evaluations, options.max_evaluations);
  EXPECT_EQ(found.failed, 0u);
}

TEST_P(EverySearchMethod, StaysWithinBoundsAndFindsAMinimumOnOne) {
  // With x <= 0.5 the minimum is (0.5, 0.25), and its value 0.25.
  const SearchMethodInfo& method = GetParam();
  SearchOptions options;
  if (method.is_global) options.max_evaluations = 20'000;
  SearchProblem problem = least_squares(rosenbrock, {-1.2, 1}, {-2, -1}, {0.5, 3});
  const Evaluate inner = problem.evaluate;
  problem.evaluate = [&problem, inner](std::span<const Point> points) {
    for (const Point& x : points)
      for (std::size_t j = 0; j < x.size(); ++j)
        if (!(x[j] >= problem.lower[j] && x[j] <= problem.upper[j])) ADD_FAILURE() << x[j];
    return inner(points);
  };
  const SearchResult found = solve(method.name, problem, options);
  const double near = method.is_global ? 0.05 : 1e-4;
  EXPECT_NEAR(found.x[0], 0.5, near);
  EXPECT_NEAR(found.x[1], 0.25, 2 * near);
}

TEST_P(EverySearchMethod, GivesTheSameResultAgain) {
  SearchOptions options;
  options.max_evaluations = 500;
  options.seed = 7;
  const SearchProblem problem = least_squares(rosenbrock, {-1.2, 1}, {-2, -1}, {2.2, 3});
  EXPECT_EQ(solve(GetParam().name, problem, options).x, solve(GetParam().name, problem, options).x);
}

TEST_P(EverySearchMethod, PassesThePointsThatFail) {
  // Left of x = -1 nothing can be computed; the start is on the other side.
  const auto residuals = [](const Point& x) {
    std::vector<double> r = rosenbrock(x);
    if (x[0] < -1) r[0] = NAN;
    return r;
  };
  SearchOptions options;
  if (GetParam().is_global) options.max_evaluations = 20'000;
  const SearchResult found =
      solve(GetParam().name, least_squares(residuals, {-0.95, 1.2}, {-2, -1}, {2.2, 3}), options);
  if (GetParam().name == "cobyla") {  // stops at the edge, and the count of failures shows it
    EXPECT_GT(found.failed, 0u);
    return;
  }
  EXPECT_NEAR(found.x[0], 1, GetParam().is_global ? 0.2 : 2e-2);
  if (GetParam().is_global) {
    EXPECT_GT(found.failed, 0u);
  }
}

TEST_P(EverySearchMethod, EndsAtTheLimitOfEvaluations) {
  SearchOptions options;
  options.tolerance = 1e-14;
  options.max_evaluations = 40;
  const SearchResult found =
      solve(GetParam().name, least_squares(rosenbrock, {-1.2, 1}, {-2, -1}, {2.2, 3}), options);
  EXPECT_EQ(found.end, SearchEnd::limit);
  EXPECT_LE(found.evaluations, 40u);
  EXPECT_LE(found.at_x.objective, sum_of_squares(rosenbrock({-1.2, 1})));
}

TEST_P(EverySearchMethod, LetsExceptionsThrough) {
  SearchProblem problem = least_squares(rosenbrock, {-1.2, 1}, {-2, -1}, {2.2, 3});
  int calls = 0;
  const Evaluate inner = problem.evaluate;
  problem.evaluate = [&](std::span<const Point> points) {
    if (++calls == 3) throw Error(ErrorCode::interrupted, "stopped by the user");
    return inner(points);
  };
  EXPECT_THROW(solve(GetParam().name, problem), Error);
  EXPECT_EQ(calls, 3);
}

TEST_P(EverySearchMethod, KeepsConstraintsOrRefusesThem) {
  // The nearest point to (2, 1) in the unit disc is (2, 1)/sqrt(5).
  SearchProblem problem = least_squares(
      [](const Point& x) {
        return std::vector<double>{x[0] - 2, x[1] - 1};
      },
      {0.1, 0.1}, {-2, -2}, {2, 2});
  problem.constraints = 1;
  const Evaluate inner = problem.evaluate;
  problem.evaluate = [inner](std::span<const Point> points) {
    std::vector<Evaluation> all = inner(points);
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i].constraints = {sum_of_squares(points[i]) - 1};
    return all;
  };
  if (!GetParam().takes_constraints) {
    EXPECT_THROW(solve(GetParam().name, problem), Error);
    return;
  }
  const SearchResult found = solve(GetParam().name, problem);
  EXPECT_TRUE(found.is_feasible);
  const double near = GetParam().is_global ? 0.01 : 1e-5;
  EXPECT_NEAR(found.x[0], 2 / std::sqrt(5.0), near);
  EXPECT_NEAR(found.x[1], 1 / std::sqrt(5.0), near);
}

/// NIST, Statistical Reference Datasets, Misra1a: y = b1 (1 - exp(-b2 x)).
constexpr double misra_y[] = {10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02,
                              44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78};
constexpr double misra_x[] = {77.6,  114.9, 141.1, 190.8, 239.9, 289.0, 332.8,
                              378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0};
std::vector<double> misra1a(const Point& p) {
  std::vector<double> r;
  for (std::size_t i = 0; i < std::size(misra_x); ++i)
    r.push_back(misra_y[i] - 100 * p[0] * (1 - std::exp(-1e-4 * p[1] * misra_x[i])));
  return r;
}

TEST(LevenbergMarquardt, FindsTheCertifiedValuesOfMisra1aFromBothStarts) {
  for (const Point& start : {Point{5, 1}, Point{2.5, 5}}) {
    SearchOptions options;
    options.tolerance = 1e-8;
    const SearchResult found = solve("levenberg-marquardt", least_squares(misra1a, start), options);
    EXPECT_EQ(found.end, SearchEnd::converged);
    // Central differences with steps of 3e-4 are exact to about 1e-8.
    EXPECT_NEAR(found.x[0] * 100, 2.3894212918e+02, 2e-6 * 239);
    EXPECT_NEAR(found.x[1] * 1e-4, 5.5015643181e-04, 2e-6 * 5.5e-4);
    EXPECT_NEAR(found.at_x.objective, 1.2455138894e-01, 1e-10);
    EXPECT_LE(found.iterations, 40u);
  }
}

TEST(LevenbergMarquardt, ConvergesWhereParametersAreNotIdentifiable) {
  // Only the sum matters: any point with x + y = 3 is a minimum.
  const auto residuals = [](const Point& x) {
    return std::vector<double>{x[0] + x[1] - 3, 2 * (x[0] + x[1] - 3), 0.5};
  };
  const SearchResult found = solve("levenberg-marquardt", least_squares(residuals, {5, 7}));
  EXPECT_EQ(found.end, SearchEnd::converged);
  EXPECT_NEAR(found.x[0] + found.x[1], 3, 1e-6);
}

TEST(LevenbergMarquardt, SaysThatTheStartCannotBeEvaluated) {
  const auto never = [](const Point&) { return std::vector<double>{NAN}; };
  EXPECT_THROW(solve("levenberg-marquardt", least_squares(never, {1})), Error);
}

TEST(SearchMethods, AreSortedAndUnknownNamesAreRefusedWithTheNearest) {
  const std::vector<SearchMethodInfo> all = search_methods();
  EXPECT_TRUE(std::ranges::is_sorted(all, {}, &SearchMethodInfo::name));
  try {
    find_search_method("nelder-meat");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_THAT(error.what(), HasSubstr("Did you mean \"nelder-mead\"?"));
  }
}

TEST(SearchMethods, RefuseAGlobalSearchWithoutBoundsAndNameTheParameter) {
  try {
    solve("direct-l", least_squares(rosenbrock, {0, 0}, {-1, -unbounded}, {1, 1}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("\"p1\" lacks min or max"));
  }
}

TEST(BoxStep, EqualsTheBestOfAllActiveSets) {
  // A = [[2, 1], [1, 3], [0, 1]]: the unconstrained minimum for b = (4, 5, 1) is not in the box.
  BoxProblem problem{.columns = 2, .a = {2, 1, 0, 1, 3, 1}, .b = {4, 5, 1}};
  problem.lower = {-1, 0};
  problem.upper = {1, 3};
  const std::vector<double> p = solve_in_box(problem);
  // p0 = 1 is active: p1 minimizes |(2, 4, 1) - p1 (1, 3, 1)|.
  EXPECT_DOUBLE_EQ(p[0], 1);
  EXPECT_NEAR(p[1], 15.0 / 11, 1e-14);
  problem.lower = {-1, -1};
  problem.upper = {9, 0};  // at the bound at first, and stays there: p0 = (8 + 5)/5
  EXPECT_THAT(solve_in_box(problem), ElementsAre(testing::DoubleNear(13.0 / 5, 1e-14), 0));
  problem.b = {-4, -5, -1};  // leaves the bound
  const std::vector<double> negative = solve_in_box(problem);
  EXPECT_LT(negative[1], 0);
}

}  // namespace
}  // namespace tutti::studies
