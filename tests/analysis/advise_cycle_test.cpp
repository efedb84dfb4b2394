// SPDX-License-Identifier: BSD-2-Clause
#include "analysis/advise_cycle.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analysis/schemes.hpp"
#include "stability/step_limit.hpp"

namespace tutti::analysis {
namespace {

using stability::Matrix;

/// A ring of components x' = -x + u, y = x + d u, each fed by the one before it, perhaps also by
/// the one before that.
class Ring {
 public:
  explicit Ring(std::vector<double> gains, bool states = true, bool twice = false) {
    const std::size_t n = gains.size();
    interface_.l = stability::SparseMatrix(n, n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::string name = fmt_name(i);
      interface_.components.push_back(static_cast<std::uint32_t>(i));
      interface_.names.push_back(name);
      interface_.inputs.push_back({i, name + ".u"});
      interface_.outputs.push_back({i, name + ".y"});
      interface_.l.entries.push_back({i, (i + n - 1) % n, 1});
      if (twice) interface_.l.entries.push_back({i, (i + n - 2) % n, 1});
      Linearization part;
      part.source = Source::model_exchange_derivatives;
      part.has_states = states;
      part.system = {Matrix(1, 1, {-1}), Matrix(1, 1, {1}), Matrix(1, 1, {1}),
                     Matrix(1, 1, {gains[i]})};
      if (!states) part.system = {Matrix(0, 0), Matrix(0, 1), Matrix(1, 0), part.system.d};
      part.uncertain = {false};
      parts.push_back(part);
      LinearizedComponent component;
      component.name = name;
      component.linearized = states;
      component.can_roll_back = component.has_directional_derivatives = true;
      component.follows_inputs = component.provides_output_derivatives = true;
      components.push_back(component);
    }
  }
  CycleAdvice advise(double step = 0.1) const {
    const LinearCycle cycle = couple(interface_, parts);
    const std::vector<double> steps =
        stability::logarithmic(step / 100, 100 * step, affordable_steps(cycle, 25));
    return advise_cycle(cycle, {components, step, steps, CouplingChoice{}, nullptr, {}});
  }

  std::vector<Linearization> parts;
  std::vector<LinearizedComponent> components;

 private:
  static std::string fmt_name(std::size_t i) {
    return i < 26 ? std::string(1, static_cast<char>('a' + i)) : fmt::format("c{}", i);
  }
  CycleInterface interface_;
};

const SchemeAdvice& scheme(const CycleAdvice& advice, std::string_view name) {
  return *std::find_if(advice.schemes.begin(), advice.schemes.end(),
                       [&](const SchemeAdvice& s) { return s.name == name; });
}
bool offers(const CycleAdvice& advice, std::string_view method) {
  return std::any_of(
      advice.choices.begin(), advice.choices.end(),
      [&](const CycleAdvice::Choice& c) { return c.choice.methods.front() == method; });
}

// n gains in a ring: mu^n = product of the gains.
TEST(AdviseCycle, HasTheRootsOfTheGainOfARing) {
  const CycleAdvice advice = Ring({2, 0.5, -8}).advise();
  ASSERT_EQ(advice.loops.size(), 1u);
  EXPECT_NEAR(advice.loop_radius, 2, 1e-12);  // cube root of 8; rounding
  EXPECT_EQ(advice.loops[0].variables.size(), 6u);
  EXPECT_EQ(advice.loops[0].eigenvalues.size(), 3u);
  for (const Share& share : advice.loops[0].inputs)
    EXPECT_NEAR(share.weight, 1.0 / 3, 1e-9) << "a ring needs each of its members alike";
}

TEST(AdviseCycle, SeesThatOneGainOfZeroOpensTheLoop) {
  const CycleAdvice advice = Ring({2, 0, -8}).advise();
  EXPECT_TRUE(advice.loops.empty());
  EXPECT_EQ(advice.loop_radius, 0);
  for (const SchemeAdvice& s : advice.schemes) EXPECT_EQ(s.limit, Stability::stable) << s.name;
}

// A chain of 30 has a nilpotent D L, whose computed eigenvalues would be about 1e-16^(1/30) = 0.3.
TEST(AdviseCycle, IsNotMisledByLongChains) {
  std::vector<double> gains(30, 3.0);
  gains.back() = 0;
  EXPECT_EQ(Ring(gains, false).advise().loop_radius, 0);
}

// Of the map of a step this would be 1000 states and 3000 values of outputs.
TEST(AdviseCycle, JudgesARingOfAThousand) {
  const CycleAdvice advice = Ring(std::vector<double>(1000, 0.4)).advise();
  ASSERT_EQ(advice.loops.size(), 1u);
  EXPECT_EQ(advice.loops[0].variables.size(), 2000u);
  EXPECT_FALSE(advice.loops[0].estimated);
  EXPECT_NEAR(advice.loop_radius, 0.4, 1e-12);  // rounding
  EXPECT_FALSE(advice.linearized);
  EXPECT_EQ(scheme(advice, "jacobi").limit, Stability::stable);
  // Of the thousandth roots one is next to -0.4, which is beyond 1/3.
  EXPECT_EQ(scheme(advice, "jacobi, order 1, differences").limit, Stability::unstable);
  EXPECT_EQ(scheme(advice, "gauss-seidel").limit, Stability::stable);
  EXPECT_TRUE(offers(advice, "iterated"));
}

// Beyond, a loop that is no mere ring has its radius estimated: who reads the last two.
TEST(AdviseCycle, SaysWhatItEstimates) {
  const CycleAdvice advice = Ring(std::vector<double>(400, 0.4), true, true).advise();
  ASSERT_EQ(advice.loops.size(), 1u);
  EXPECT_TRUE(advice.loops[0].estimated);
  // u_i = y_(i-1) + y_(i-2): the eigenvalue of all alike is 0.8; estimates are good to a hundredth.
  EXPECT_NEAR(advice.loop_radius, 0.8, 0.008);
  EXPECT_NE(advice.findings.front().find("rho(DL) is about 0.8"), std::string::npos);
  EXPECT_EQ(scheme(advice, "jacobi").limit, Stability::stable);
  EXPECT_TRUE(scheme(advice, "jacobi").limit_estimated);
  // In the worst case unstable: that is not said of what is only estimated.
  EXPECT_EQ(scheme(advice, "jacobi, order 1, differences").limit, Stability::unknown);
  EXPECT_TRUE(offers(advice, "newton"));
}

TEST(AdviseCycle, PrefersTheCorrectionWhereThereIsALoop) {
  const CycleAdvice advice = Ring({0.5, 0.5}).advise();
  ASSERT_FALSE(advice.choices.empty());
  EXPECT_EQ(advice.choices.front().choice.correct, "linear");
  EXPECT_FALSE(offers(advice, "gauss-seidel"));
  EXPECT_TRUE(offers(advice, "iterated"));
}

TEST(AdviseCycle, TakesOnePassWhereNothingElseCanBeDone) {
  Ring ring({0.5, 0.5});
  ring.components[0].can_roll_back = ring.components[0].has_directional_derivatives = false;
  const CycleAdvice advice = ring.advise();
  ASSERT_FALSE(advice.choices.empty());
  EXPECT_EQ(advice.choices.front().choice.correct, "none");
  EXPECT_FALSE(offers(advice, "newton"));
  EXPECT_EQ(scheme(advice, "newton").missing, "rollback in a");
}

TEST(AdviseCycle, DoesNotMoveInputsOfAComponentThatHoldsThem) {
  Ring ring({0, 0.5});
  ring.components[1].follows_inputs = false;
  for (const CycleAdvice::Choice& choice : ring.advise().choices) {
    EXPECT_EQ(choice.choice.order, 0);
    EXPECT_EQ(choice.choice.inside, "constant");
  }
}

TEST(AdviseCycle, IteratesOnlyWhereSweepsConvergeSoon) {
  EXPECT_FALSE(offers(Ring({1.5, -1}).advise(), "iterated"));   // they diverge
  EXPECT_FALSE(offers(Ring({0.9, 0.9}).advise(), "iterated"));  // 0.81 is too slow
  EXPECT_TRUE(offers(Ring({1.5, -1}).advise(), "newton"));
}

TEST(AdviseCycle, KnowsNoRadiusOfALoopOfUnknownGain) {
  Ring ring({0, 0.5}, false);
  ring.parts[0].source = Source::structure;
  ring.parts[0].has_states = false;
  ring.parts[0].uncertain = {true};
  ring.components[0].linearized = false;
  const CycleAdvice advice = ring.advise();
  ASSERT_EQ(advice.loops.size(), 1u);
  EXPECT_FALSE(advice.loops[0].magnitudes_known);
  EXPECT_FALSE(advice.linearized);
  EXPECT_EQ(scheme(advice, "jacobi").limit, Stability::unknown);
  EXPECT_FALSE(offers(advice, "gauss-seidel"));
  EXPECT_EQ(scheme(advice, "newton").limit, Stability::stable);
  EXPECT_TRUE(offers(advice, "newton"));
}

// mu = 1: y = y + c has no solution, or many.
TEST(AdviseCycle, SaysThatALoopHasNoUniqueSolution) {
  const CycleAdvice advice = Ring({1, 1}).advise();
  EXPECT_TRUE(std::any_of(
      advice.findings.begin(), advice.findings.end(),
      [](const std::string& text) { return text.find("no unique solution") != text.npos; }));
  EXPECT_FALSE(offers(advice, "jacobi"));
}

// Two integrators of opposite sign with a gain of 30 each: one pass wants a shorter step.
TEST(AdviseCycle, PredictsWhereNothingElseIsSafe) {
  Ring ring({0, 0});
  for (auto& component : ring.components)
    component.can_roll_back = component.has_directional_derivatives = component.follows_inputs =
        false;
  ring.parts[0].system.b(0, 0) = 30;
  ring.parts[1].system.b(0, 0) = -30;
  const CycleAdvice advice = ring.advise(0.5);
  ASSERT_EQ(advice.choices.size(), 1u);
  EXPECT_EQ(advice.choices.front().choice.methods.front(), "linear-implicit");
  EXPECT_FALSE(advice.responsible.empty());
}

// Row 23 of the EAS master's table: x' = (y - x)/R, i = (x - y)/R; y = (1 - R) i. Together x' = -x,
// alone f2 has a time of R = 1 ms. Extrapolated inputs are followed, right or wrong.
TEST(AdviseCycle, LeavesOutWhatDoesNotFollowTheMotionOfTheSystem) {
  Ring ring({1 - 1e-3, -1e3});
  ring.parts[0].system.a(0, 0) = ring.parts[0].system.b(0, 0) = ring.parts[0].system.c(0, 0) = 0;
  ring.parts[1].system.a(0, 0) = -1e3;
  ring.parts[1].system.b(0, 0) = ring.parts[1].system.c(0, 0) = 1e3;
  const CycleAdvice advice = ring.advise(0.1);
  ASSERT_FALSE(advice.choices.empty());
  for (const CycleAdvice::Choice& choice : advice.choices) {
    const std::string& method = choice.choice.methods.front();
    EXPECT_TRUE(method == "newton" || method == "linear-implicit") << method;
  }
  EXPECT_EQ(advice.choices.front().choice.inside, "linear");
  EXPECT_TRUE(std::any_of(
      advice.findings.begin(), advice.findings.end(),
      [](const std::string& text) { return text.find("stable, but inaccurate") != text.npos; }));
}

TEST(Schemes, AreFoundByWhatTheSystemFileSays) {
  const auto name = [](const CouplingChoice& choice) {
    const std::vector<LinearizedComponent> plain(1);
    const auto found = find_scheme(choice, plain);
    return std::string(found ? scheme_entries()[*found].name : "none of them");
  };
  for (const SchemeEntry& entry : scheme_entries()) EXPECT_EQ(name(entry.choice), entry.name);
  CouplingChoice choice;
  choice.methods = {"anderson"};
  EXPECT_EQ(name(choice), "newton");  // where both end
  choice = {};
  choice.order = 1;
  EXPECT_EQ(name(choice), "jacobi, order 1, differences");
  choice.order = 2;
  choice.correct = "consistent";
  EXPECT_EQ(name(choice), "jacobi, order 2, differences, corrected");
  choice.smooth = true;
  EXPECT_EQ(name(choice), "none of them");
  choice = {};
  choice.methods = {"gauss-seidel"};
  choice.order = 2;
  EXPECT_EQ(name(choice), "none of them");
  choice.methods = {"newton"};
  EXPECT_EQ(name(choice), "none of them");
  choice.order = 1;
  EXPECT_EQ(name(choice), "newton, inside linear");
}

}  // namespace
}  // namespace tutti::analysis
