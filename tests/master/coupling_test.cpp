// SPDX-License-Identifier: BSD-2-Clause
// The coupling methods on loops whose solution is known; no FMU is needed for that.
#include <gtest/gtest.h>

#include <cmath>

#include "master/coupling/coupling_method.hpp"

namespace tutti::master {
namespace {

using CouplingStatus = CouplingOutcome::Status;
using Vector = std::vector<double>;

/// x_i = s_i(x), one component per variable.
class LoopProblem : public InterfaceProblem {
 public:
  using Function = std::function<double(std::span<const double> x)>;
  explicit LoopProblem(std::vector<Function> components) : components_(std::move(components)) {}

  std::size_t size() const override { return components_.size(); }
  double step_size() const override { return h; }
  double tolerance(std::size_t, double value) const override {
    return 1e-8 + 1e-8 * std::abs(value);
  }
  Pass evaluate(std::span<const double> x, std::span<double> result) override {
    ++passes;
    for (std::size_t i = 0; i < size(); ++i) result[i] = components_[i](x);
    return ending;
  }
  Pass sweep(std::span<double> x) override {
    ++passes;
    for (std::size_t i = 0; i < size(); ++i) x[i] = components_[i](x);
    return ending;
  }
  bool others_settled() const override { return passes >= settled_after; }
  void sensitivities(std::span<const double> x, std::span<const double> result,
                     const Store& store) override {
    ++jacobians;
    Vector moved(x.begin(), x.end());
    for (std::size_t j = 0; j < size(); ++j) {
      moved[j] += 1e-7;
      for (std::size_t i = 0; i < size(); ++i)
        store(i, j, (components_[i](moved) - result[i]) / (moved[j] - x[j]));
      moved[j] = x[j];
    }
  }
  // MASTERSIM's weighted norm with both tolerances 1e-8.
  double change(std::span<const double> before, std::span<const double> after) const override {
    double sum = 0;
    for (std::size_t i = 0; i < size(); ++i)
      sum += std::pow((after[i] - before[i]) / (1e-8 + 1e-8 * std::abs(before[i])), 2);
    return std::sqrt(sum / static_cast<double>(size()));
  }

  Pass ending;
  int settled_after = 0;
  int passes = 0, jacobians = 0;
  double h = 1;

 private:
  std::vector<Function> components_;
};

/// x = A x + b
LoopProblem linear(std::vector<Vector> a, Vector b) {
  std::vector<LoopProblem::Function> components;
  for (std::size_t i = 0; i < b.size(); ++i)
    components.emplace_back([row = a[i], constant = b[i]](std::span<const double> x) {
      double sum = constant;
      for (std::size_t j = 0; j < row.size(); ++j) sum += row[j] * x[j];
      return sum;
    });
  return LoopProblem(components);
}

CouplingOutcome run(const char* name, InterfaceProblem& problem, Vector& x,
                    CouplingOptions options = {}) {
  return find_coupling_method(name)->make(options)->step(problem, x);
}

class EveryCoupling : public ::testing::TestWithParam<CouplingEntry> {
 protected:
  std::unique_ptr<CouplingMethod> make(CouplingOptions options = {}) const {
    return GetParam().make(options);
  }
  bool iterates() const { return GetParam().needs_rollback(); }
};
INSTANTIATE_TEST_SUITE_P(Coupling, EveryCoupling,
                         ::testing::ValuesIn(coupling_methods().begin(), coupling_methods().end()),
                         [](const auto& tested) {
                           std::string name(tested.param.name);
                           std::erase(name, '-');
                           return name;
                         });

// Asymmetric gains: a method that solved with the transposed matrix would miss.
TEST_P(EveryCoupling, SolvesAnAsymmetricLoopIfItIterates) {
  LoopProblem loop = linear({{0, 0.9}, {-0.3, 0}}, {1, 2});
  Vector x = {0, 0};
  CouplingOptions options;
  options.most_iterations = 50;
  const CouplingOutcome outcome = make(options)->step(loop, x);
  EXPECT_EQ(outcome.status, CouplingStatus::converged);
  if (!iterates()) return;
  // x1 = 1 + 0.9 x2, x2 = 2 - 0.3 x1 => x1 = 2.8/1.27, x2 = 1.7/1.27
  EXPECT_NEAR(x[0], 2.8 / 1.27, 1e-7);  // the tolerance over 1 - 0.27, the loop's gain
  EXPECT_NEAR(x[1], 1.7 / 1.27, 1e-7);
}

TEST_P(EveryCoupling, EndsWhereAComponentEnds) {
  LoopProblem loop = linear({{0, 0.5}, {0.5, 0}}, {1, 1});
  loop.ending = {Pass::Status::cut, 0.25};
  Vector x = {0, 0};
  EXPECT_EQ(make()->step(loop, x).status, CouplingStatus::cut);
  EXPECT_EQ(make()->step(loop, x).reached, 0.25);
  loop.ending.status = Pass::Status::terminated;
  EXPECT_EQ(make()->step(loop, x).status, CouplingStatus::terminated);
}

TEST_P(EveryCoupling, NeverCallsNanASolution) {
  LoopProblem loop({[](auto x) { return std::sqrt(-1 - x[0]); }});
  Vector x = {0};
  EXPECT_EQ(make()->step(loop, x).status, CouplingStatus::not_finite);
}

TEST_P(EveryCoupling, WaitsForValuesThatAreNotReal) {
  if (!iterates()) return;
  LoopProblem loop = linear({{0.1}}, {0.9});
  loop.settled_after = 15;
  Vector x = {1};  // the solution already
  EXPECT_EQ(make()->step(loop, x).status, CouplingStatus::converged);
  EXPECT_GE(loop.passes, 15);
}

TEST_P(EveryCoupling, SaysThatTheLimitWasReached) {
  if (!iterates()) return;
  LoopProblem loop = linear({{0.1}}, {0.9});
  loop.settled_after = 1000;
  Vector x = {1};
  CouplingOptions options;
  options.most_iterations = 7;
  const CouplingOutcome outcome = make(options)->step(loop, x);
  EXPECT_EQ(outcome.status, CouplingStatus::iteration_limit);
  EXPECT_EQ(outcome.iterations, 7u);
}

TEST_P(EveryCoupling, GivesTheSameBitsAfterGoingBack) {
  const auto method = make();
  LoopProblem loop = linear({{0, 0.5, 0.1}, {-0.5, 0, 0.2}, {0.3, 0.1, 0}}, {1, 2, 3});
  Vector x = {0, 0, 0};
  method->step(loop, x);
  Vector memory;
  save(*method, memory);
  Vector first = {x[0] + 1, x[1], x[2]}, second = first;
  method->step(loop, first);
  restore(*method, memory);
  method->step(loop, second);
  EXPECT_EQ(first, second);
}

// Gains far above 1, where sweeps diverge.
TEST(Coupling, NewtonSolvesAnyLinearLoopWithOneJacobian) {
  LoopProblem loop = linear({{0, 7}, {-40, 0}}, {1, 2});
  Vector x = {100, -100};
  const CouplingOutcome outcome = run("newton", loop, x);
  EXPECT_EQ(outcome.status, CouplingStatus::converged);
  EXPECT_NEAR(x[0], 15.0 / 281, 1e-7);
  EXPECT_NEAR(x[1], 2 - 40 * 15.0 / 281, 1e-6);
  EXPECT_EQ(loop.jacobians, 1);
}

TEST(Coupling, QuasiNewtonMethodsSolveWhatSweepsDoNot) {
  for (const char* name : {"broyden", "anderson"}) {
    LoopProblem loop = linear({{0, 3}, {-2, 0}}, {1, 2});
    Vector x = {0, 0};
    EXPECT_EQ(run(name, loop, x).status, CouplingStatus::converged) << name;
    EXPECT_NEAR(x[0], 1, 1e-6) << name;  // x1 = 1 + 3 x2, x2 = 2 - 2 x1 => 7 x1 = 7
    EXPECT_NEAR(x[1], 0, 1e-6) << name;
  }
  LoopProblem loop = linear({{0, 3}, {-2, 0}}, {1, 2});
  Vector x = {5, 5};
  EXPECT_EQ(run("iterated", loop, x).status, CouplingStatus::iteration_limit);
}

TEST(Coupling, NewtonSolvesANonlinearLoop) {
  // x = cos(3 y), y = x^2 - 1: gain beyond 1 at the solution.
  LoopProblem loop(
      {[](auto x) { return std::cos(3 * x[1]); }, [](auto x) { return x[0] * x[0] - 1; }});
  Vector x = {0.5, 0};
  EXPECT_EQ(run("newton", loop, x).status, CouplingStatus::converged);
  EXPECT_NEAR(x[0], std::cos(3 * x[1]), 1e-7);
  EXPECT_NEAR(x[1], x[0] * x[0] - 1, 1e-7);
}

TEST(Coupling, NewtonKeepsItsJacobianFromStepToStep) {
  LoopProblem loop = linear({{0, 7}, {-40, 0}}, {1, 2});
  const auto newton = find_coupling_method("newton")->make({});
  Vector x = {0, 0};
  newton->step(loop, x);
  x = {3, 4};
  EXPECT_EQ(newton->step(loop, x).status, CouplingStatus::converged);
  EXPECT_EQ(loop.jacobians, 1);
}

// The gain of a Gauss-Seidel sweep is the product of the loop's gains: 0.25 here, so each sweep
// takes the error down to a quarter, and 1e-8 needs 14 of them.
TEST(Coupling, SweepsConvergeWithTheGainOfTheLoop) {
  LoopProblem loop = linear({{0, 0.5}, {0.5, 0}}, {1, 1});
  Vector x = {0, 0};
  const CouplingOutcome outcome = run("iterated", loop, x);
  EXPECT_EQ(outcome.status, CouplingStatus::converged);
  EXPECT_NEAR(outcome.iterations, std::log(1e-8) / std::log(0.25), 2);
}

TEST(Coupling, RelaxationTamesAnOscillatingLoop) {
  // x = -1.5 x + 5: sweeps diverge, with a factor of 0.4 they need one.
  LoopProblem loop = linear({{-1.5}}, {5});
  Vector x = {0};
  CouplingOptions options;
  EXPECT_EQ(run("iterated", loop, x, options).status, CouplingStatus::iteration_limit);
  options.relaxation = 0.4;
  x = {0};
  EXPECT_EQ(run("iterated", loop, x, options).status, CouplingStatus::converged);
  EXPECT_NEAR(x[0], 2, 1e-7);
  options.relaxation = 1;
  options.aitken = true;  // finds the factor by itself: exact for one variable
  x = {0};
  const CouplingOutcome outcome = run("iterated", loop, x, options);
  EXPECT_EQ(outcome.status, CouplingStatus::converged);
  EXPECT_LE(outcome.iterations, 4u);
}

TEST(Coupling, AWatchedIterationGivesUpSoon) {
  LoopProblem loop = linear({{-0.9}}, {5});
  Vector x = {0};
  CouplingOptions options;
  options.watch_contraction = true;
  const CouplingOutcome outcome = run("iterated", loop, x, options);
  EXPECT_EQ(outcome.status, CouplingStatus::diverging);
  EXPECT_EQ(outcome.iterations, 3u);
}

TEST(Coupling, JacobiReadsOldValuesAndGaussSeidelNewOnes) {
  LoopProblem loop = linear({{0, 0}, {1, 0}}, {5, 0});
  Vector x = {1, 1};
  run("jacobi", loop, x);
  EXPECT_EQ(x, (Vector{5, 1}));
  x = {1, 1};
  run("gauss-seidel", loop, x);
  EXPECT_EQ(x, (Vector{5, 5}));
}

TEST(Coupling, NewtonSolvesALargeRing) {
  constexpr std::size_t n = 300;
  std::vector<LoopProblem::Function> ring;
  for (std::size_t i = 0; i < n; ++i)
    ring.emplace_back([i](auto x) { return 1 - 1.5 * x[(i + n - 1) % n]; });
  LoopProblem loop(ring);
  Vector x(n, 0);
  EXPECT_EQ(run("newton", loop, x).status, CouplingStatus::converged);
  for (const double value : x) EXPECT_NEAR(value, 0.4, 1e-6);
}

}  // namespace
}  // namespace tutti::master
