// SPDX-License-Identifier: BSD-2-Clause
#include "master/algebraic_loop.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "master/fake_system.hpp"

namespace tutti::master {
namespace {

using ::testing::HasSubstr;
using Values = FakeInstance::Values;

/// y = k u + b
FakeInstance::Function linear(double k, double b) {
  return [=](double, const Values& u) { return Values{k * u[0] + b}; };
}

class AlgebraicLoops : public ::testing::Test {
 protected:
  /// a and b feed each other.
  void close(double factor = 1, double offset = 0) {
    system_.connect("a.y", "b.u", factor, offset);
    system_.connect("b.y", "a.u");
    system_.plan();
  }
  /// The loop that the plan has found. It is solved, or what is wrong with it is the answer.
  std::string solve() {
    if (!loop_) {
      for (std::uint32_t c = 0; c < system_.wires.size(); ++c)
        for (const Wiring::Wire& wire : system_.wires[c])
          setting_.wire_to[{c, wire.to->variable, wire.to->element}] = &wire;
      const system::Plan& plan = system_.parts.plan;
      setting_.dependencies = system::Graph(plan.coupled.size(), plan.dependencies);
      EXPECT_EQ(plan.evaluations.size(), 1u);
      EXPECT_EQ(plan.evaluations[0].kind, system::EvaluationBlock::Kind::solve);
      loop_ = std::make_unique<AlgebraicLoop>(setting_, plan.evaluations[0]);
    }
    try {
      loop_->solve();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::numeric);
      return error.what();
    }
    return "";
  }

  FakeSystem system_;
  std::atomic<std::uint32_t> called_ = 0;
  EvaluationSetting setting_{system_.parts, {}, called_, {}, {}};
  std::unique_ptr<AlgebraicLoop> loop_;
  FakeInstance& add(const std::string& name, FakeInstance::Function function,
                    Type type = Type::float64) {
    FakeInstance& made = system_.add(name, std::move(function), type);
    setting_.instances = system_.instances;
    return made;
  }
};

// a = 0.5 b + 1, b = -0.5 a + 2: a = 1.6, b = 1.2. Newton's method is exact but for the rounding
// of the differences, and converges to 1e-9 of the values.
TEST_F(AlgebraicLoops, AreSolved) {
  const FakeInstance& a = add("a", linear(0.5, 1));
  const FakeInstance& b = add("b", linear(-0.5, 2));
  close();
  EXPECT_EQ(solve(), "");
  EXPECT_NEAR(a.output(), 1.6, 1e-8);
  EXPECT_NEAR(b.output(), 1.2, 1e-8);
}

// a = 3 b + 1, b = a: a = -0.5, which plain sweeps would leave by a factor of 3 each.
TEST_F(AlgebraicLoops, OfAnyGainAreSolved) {
  const FakeInstance& a = add("a", linear(3, 1));
  add("b", linear(1, 0));
  close();
  EXPECT_EQ(solve(), "");
  EXPECT_NEAR(a.output(), -0.5, 1e-8);
}

// b.u = 2 a + 1, b = b.u, a = 0.25 b: a = 0.25 (2 a + 1) = 0.5
TEST_F(AlgebraicLoops, HaveTheFactorsOfTheirConnections) {
  const FakeInstance& a = add("a", linear(0.25, 0));
  const FakeInstance& b = add("b", linear(1, 0));
  close(2, 1);
  EXPECT_EQ(solve(), "");
  EXPECT_NEAR(a.output(), 0.5, 1e-8);
  EXPECT_NEAR(b.output(), 2, 1e-8);
}

// a = cos a
TEST_F(AlgebraicLoops, ThatAreNotLinearAreSolved) {
  const FakeInstance& a = add("a", [](double, const Values& u) { return Values{std::cos(u[0])}; });
  add("b", linear(1, 0));
  close();
  EXPECT_EQ(solve(), "");
  EXPECT_NEAR(a.output(), 0.7390851332151607, 1e-8);
}

// With derivatives of the components no value of the loop is moved to see what follows: an
// evaluation to start with, one at the start, one after each of two steps (the second finds that
// nothing changes any more). With differences: three more for each of the two Jacobians.
TEST_F(AlgebraicLoops, UseDirectionalDerivativesWhereTheyAreGiven) {
  FakeInstance& a = add("a", linear(0.5, 1));
  FakeInstance& b = add("b", linear(-0.5, 2));
  a.jacobian = [](const Values&) { return std::vector<Values>{{0.5}}; };
  b.jacobian = [](const Values&) { return std::vector<Values>{{-0.5}}; };
  close();
  EXPECT_EQ(solve(), "");
  EXPECT_NEAR(a.output(), 1.6, 1e-12);  // a few roundings
  EXPECT_EQ(a.evaluations, 4);
  EXPECT_EQ(a.derivatives, 2);
  EXPECT_EQ(b.derivatives, 2);
}

TEST_F(AlgebraicLoops, MayBeSolvedAgain) {
  double offset = 1;
  const FakeInstance& a =
      add("a", [&](double, const Values& u) { return Values{0.5 * u[0] + offset}; });
  add("b", linear(0.5, 0));
  close();
  EXPECT_EQ(solve(), "");
  EXPECT_NEAR(a.output(), 4.0 / 3, 1e-8);
  offset = 3;
  EXPECT_EQ(solve(), "");
  EXPECT_NEAR(a.output(), 4, 1e-8);
}

TEST_F(AlgebraicLoops, OfGainOneAreRefused) {
  add("a", linear(1, 0));
  add("b", linear(1, 0));
  close();
  EXPECT_THAT(solve(), HasSubstr("a.y"));
}

// a = a^2 + 1 has no real solution.
TEST_F(AlgebraicLoops, WithoutSolutionNameTheirVariablesAndResiduals) {
  add("a", [](double, const Values& u) { return Values{u[0] * u[0] + 1}; });
  add("b", linear(1, 0));
  close();
  const std::string message = solve();
  EXPECT_THAT(message, HasSubstr("no solution found for the algebraic loop of 2 variables"));
  EXPECT_THAT(message, HasSubstr("a.y = "));
  EXPECT_THAT(message, HasSubstr("with residual"));
}

TEST_F(AlgebraicLoops, OfWholeNumbersMustSettle) {
  const FakeInstance& a = add(
      "a", [](double, const Values& u) { return Values{std::min(u[0] + 1, 5.0)}; }, Type::int32);
  add(
      "b", [](double, const Values& u) { return u; }, Type::int32);
  close();
  EXPECT_EQ(solve(), "");
  EXPECT_EQ(a.output(), 5);
}

TEST_F(AlgebraicLoops, OfWholeNumbersThatDoNotSettleAreRefused) {
  add(
      "a", [](double, const Values& u) { return Values{1 - u[0]}; }, Type::int32);
  add(
      "b", [](double, const Values& u) { return u; }, Type::int32);
  close();
  EXPECT_THAT(solve(), HasSubstr("a.y does not settle"));
}

}  // namespace
}  // namespace tutti::master
