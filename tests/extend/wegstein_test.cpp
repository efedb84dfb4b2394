// SPDX-License-Identifier: BSD-2-Clause
// The coupling method of docs/extend.md, without FMUs.
#include <gtest/gtest.h>

#include <cmath>

#include "master/coupling/coupling_method.hpp"

namespace tutti::master {
namespace {

/// y = g_1(z), z = g_2(y): two components, of which the first reads z before it is produced.
class Pair final : public InterfaceProblem {
 public:
  using Function = double (*)(double);
  Pair(Function first, Function second) : first_(first), second_(second) {}

  std::size_t size() const override { return 2; }
  double step_size() const override { return 1; }
  double tolerance(std::size_t, double) const override { return 1e-9; }
  Pass evaluate(std::span<const double> x, std::span<double> result) override {
    result[0] = first_(x[1]);
    result[1] = second_(x[0]);
    return {};
  }
  Pass sweep(std::span<double> x) override {
    ++sweeps;
    x[0] = first_(x[1]);
    x[1] = second_(x[0]);
    return {};
  }
  bool others_settled() const override { return true; }
  void sensitivities(std::span<const double>, std::span<const double>, const Store&) override {}
  double change(std::span<const double> before, std::span<const double> after) const override {
    return std::max(std::abs(after[0] - before[0]), std::abs(after[1] - before[1])) / 1e-9;
  }

  int sweeps = 0;

 private:
  Function first_, second_;
};

CouplingOutcome solve(Pair& pair, std::vector<double>& x) {
  return find_coupling_method("wegstein")->make({})->step(pair, x);
}

// y = -7 z + 1, z = 40 y + 2: a gain of -280. Two sweeps give the secant of z, which is the line
// itself, so that the third is exact. For y, which nobody reads before it is produced, the secant
// means nothing until two sweeps gave the same: the fourth. The fifth changes nothing.
TEST(Wegstein, IsExactForALinearLoop) {
  Pair pair([](double z) { return -7 * z + 1; }, [](double y) { return 40 * y + 2; });
  std::vector<double> x = {0, 0};
  const CouplingOutcome outcome = solve(pair, x);
  EXPECT_EQ(outcome.status, CouplingOutcome::Status::converged);
  EXPECT_EQ(pair.sweeps, 5);
  EXPECT_NEAR(x[0], -13.0 / 281, 1e-9);          // the tolerance; y = -7 (40 y + 2) + 1
  EXPECT_NEAR(x[1], 2 - 40 * 13.0 / 281, 4e-8);  // 40 times that
}

// z = 4 cos z has slope -3.8 at its solution 1.2524: sweeps alone run away from it.
TEST(Wegstein, ConvergesWhereSweepsDoNot) {
  Pair pair([](double z) { return std::cos(z); }, [](double y) { return 4 * y; });
  std::vector<double> x = {0, 1};
  EXPECT_EQ(solve(pair, x).status, CouplingOutcome::Status::converged);
  EXPECT_NEAR(x[1], 4 * std::cos(x[1]), 4e-9);  // the tolerance times the slope
  std::vector<double> y = {0, 1};
  EXPECT_EQ(find_coupling_method("iterated")->make({})->step(pair, y).status,
            CouplingOutcome::Status::iteration_limit);
}

}  // namespace
}  // namespace tutti::master
