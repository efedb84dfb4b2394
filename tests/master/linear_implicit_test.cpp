// SPDX-License-Identifier: BSD-2-Clause
// The linearly implicit method on a stiff pair whose solution is known; no FMU is needed for that.
#include <gtest/gtest.h>

#include <cmath>

#include "master/coupling/coupling_method.hpp"

namespace tutti::master {
namespace {

using stability::InputLine;
using stability::Matrix;

/// A fast component x' = rate (u - x) with u = -z, and a slow one z' = x. Each integrates the line
/// that it gets exactly.
class PredictedPair final : public InterfaceProblem {
 public:
  PredictedPair(double rate, double h, bool follows_lines) : rate_(rate), h_(h) {
    model_.parts = {{{Matrix(1, 1, {-rate}), Matrix(1, 1, {rate}), Matrix(1, 1, {1}), Matrix(1, 1)},
                     {{1, -1}},
                     {0},
                     follows_lines,
                     {rate * (-z - x)}},
                    {{Matrix(1, 1), Matrix(1, 1, {1}), Matrix(1, 1, {1}), Matrix(1, 1)},
                     {{0, 1}},
                     {1},
                     follows_lines,
                     {x}}};
    model_.size = 2;
    model_.revision = 1;
  }
  std::size_t size() const override { return 2; }
  void read(std::span<double> values) const override {
    values[0] = x;
    values[1] = z;
  }
  double time() const override { return time_; }
  double step_size() const override { return h_; }
  const stability::InterfaceModel* model() override { return &model_; }
  Pass evaluate(std::span<const double> /*values*/, std::span<double> /*result*/) override {
    ADD_FAILURE() << "the inputs are lines";
    return {};
  }
  Pass evaluate_along(std::span<const InputLine> lines, std::span<const double> /*values*/,
                      std::span<double> result) override {
    ++passes;
    const double start = -lines[0].start, end = -lines[0].end;
    const double decay = std::exp(-rate_ * h_), part = (1 - decay) / (rate_ * h_);
    x = decay * x + start * (1 - decay) + (end - start) * (1 - part);
    z += h_ * (lines[1].start + lines[1].end) / 2;
    time_ += h_;
    read(result);
    return {};
  }
  Pass sweep(std::span<double> /*values*/) override { return {}; }
  bool others_settled() const override { return true; }
  void sensitivities(std::span<const double>, std::span<const double>, const Store&) override {}
  double change(std::span<const double> before, std::span<const double> after) const override {
    return std::abs(after[0] - before[0]) + std::abs(after[1] - before[1]);
  }

  double tolerance(std::size_t /*unknown*/, double /*value*/) const override { return 1e-8; }

  double x = 0, z = 1;
  int passes = 0;
  stability::InterfaceModel model_;

 private:
  double rate_, h_, time_ = 0;
};

/// z'' = -rate (z + z') from z = 1, z' = 0
double exact_pair(double rate, double t) {
  const double root = std::sqrt(rate * rate / 4 - rate);
  const double slow = -rate / (rate / 2 + root), fast = -rate / 2 - root;
  return (-fast * std::exp(slow * t) + slow * std::exp(fast * t)) / (slow - fast);
}

class LinearImplicit : public ::testing::TestWithParam<bool> {
 protected:
  std::unique_ptr<CouplingMethod> method_ = find_coupling_method("linear-implicit")->make({});
};
INSTANTIATE_TEST_SUITE_P(Coupling, LinearImplicit, ::testing::Bool(),
                         [](const auto& tested) { return tested.param ? "Lines" : "Constants"; });

// Each component has one state, so a line, or a constant, with the effect of the exact input is
// there: what is left is rounding, which rates of 1e6 make of 1e-16.
TEST_P(LinearImplicit, StepsLinearPairsExactlyHoweverStiffTheyAre) {
  for (const double rate : {1e2, 1e4, 1e6})
    for (const double h : {0.2, 1.0}) {
      PredictedPair pair(rate, h, GetParam());
      const auto method = find_coupling_method("linear-implicit")->make({});
      std::vector<double> x(2);
      for (int i = 0; i < static_cast<int>(2 / h); ++i)
        EXPECT_EQ(method->step(pair, x).status, CouplingOutcome::Status::converged);
      EXPECT_NEAR(pair.z, exact_pair(rate, 2), 1e-10) << rate << " " << h;
      EXPECT_EQ(pair.passes, static_cast<int>(2 / h));
    }
}

// The model is taken from elsewhere: half the rate and 0.8 of the coupling.
TEST_P(LinearImplicit, IsStableWithModelsThatAreOff) {
  PredictedPair pair(1e4, 0.1, GetParam());
  pair.model_.parts[0].system.a(0, 0) /= 2;
  pair.model_.parts[0].system.b(0, 0) *= 0.4;
  std::vector<double> x(2);
  for (int i = 0; i < 50; ++i) method_->step(pair, x);
  EXPECT_NEAR(pair.z, exact_pair(1e4, 5),
              5e-3);  // of e^-5; errors of a tenth of a step are first order
}

TEST_P(LinearImplicit, FindsSlopesThatAreNotKnownAtTheStart) {
  PredictedPair pair(1e4, 0.01, GetParam());
  for (auto& part : pair.model_.parts) part.slopes.clear();
  std::vector<double> x(2);
  for (int i = 0; i < 200; ++i) method_->step(pair, x);
  EXPECT_NEAR(pair.z, exact_pair(1e4, 2), 2e-3);  // the first step is blind: h e^-2 of it is left
}

TEST_P(LinearImplicit, GivesTheSameBitsAfterRollingBack) {
  PredictedPair pair(1e4, 0.1, GetParam());
  std::vector<double> x(2), memory;
  for (int i = 0; i < 3; ++i) method_->step(pair, x);
  save(*method_, memory);
  const PredictedPair before = pair;
  for (int i = 0; i < 3; ++i) method_->step(pair, x);
  PredictedPair again = before;
  restore(*method_, memory);
  for (int i = 0; i < 3; ++i) method_->step(again, x);
  EXPECT_EQ(pair.x, again.x);
  EXPECT_EQ(pair.z, again.z);
}

// Also before the first step, where nothing is there to be saved yet.
TEST_P(LinearImplicit, RollsBackItsFirstStep) {
  PredictedPair pair(1e4, 0.1, GetParam());
  std::vector<double> x(2), memory;
  save(*method_, memory);
  const PredictedPair before = pair;
  method_->step(pair, x);
  PredictedPair again = before;
  restore(*method_, memory);
  method_->step(again, x);
  EXPECT_EQ(pair.z, again.z);
}

}  // namespace
}  // namespace tutti::master
