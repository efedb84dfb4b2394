// SPDX-License-Identifier: BSD-2-Clause
#include "master/linear_correction.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "master/fake_system.hpp"
#include "system/dependencies.hpp"

namespace tutti::master {
namespace {

using ::testing::HasSubstr;
using Values = FakeInstance::Values;

/// Two components that feed each other, a.u = b.y and b.u = a.y, of which inputs are constant over
/// a step: a = ka u + 1 with a second output z = 10 u, b = kb u + 2. Exact outputs are
///   a = (1 + 2 ka) / (1 - ka kb), b = kb a + 2.
class LinearCorrections : public ::testing::Test {
 protected:
  static constexpr double h = 0.1;

  void couple(double ka, double kb) {
    a_ = &system_.add_with_follower("a", [=](double, const Values& u) {
      return Values{ka * u[0] + 1, 10 * u[0]};
    });
    b_ = &system_.add("b", [=](double, const Values& u) { return Values{kb * u[0] + 2}; });
    system_.connect("b.y", "a.u");
    system_.connect("a.y", "b.u");
    system_.plan();
    exact_ = (1 + 2 * ka) / (1 - ka * kb);
    for (const auto& instance : system_.instances) {
      curves_.emplace_back(*instance).describe({InputCurves::Input{}});
      derivatives_.emplace_back(*instance);
    }
    a_derivatives_ = {{ka}, {10}};
    b_derivatives_ = {{kb}};
  }
  void give_derivatives() {
    a_->jacobian = [this](const Values&) { return a_derivatives_; };
    b_->jacobian = [this](const Values&) { return b_derivatives_; };
  }
  void make() {
    dependencies_ = system::running_dependencies(system_.parts.plan, system_.parts.descriptions);
    LinearCorrection::Parts parts;
    parts.plan = &system_.parts.plan;
    parts.dependencies = dependencies_;
    parts.descriptions = system_.parts.descriptions;
    parts.instances = system_.instances;
    parts.wires = system_.wires;
    parts.curves = curves_;
    parts.derivatives = derivatives_;
    parts.note = [](std::size_t) {};
    parts.stop = &stop_;
    correction_ = std::make_unique<LinearCorrection>(parts);
  }
  /// All components from time_ on with the outputs of the last step, then the correction.
  void step() {
    system_.gather();
    for (InputCurves& curves : curves_) {
      curves.begin(time_);
      curves.aim();
      curves.go(h);
    }
    for (const auto& instance : system_.instances) instance->step(time_, h);
    time_ += h;
    correction_->apply(time_, h, true);
  }

  FakeSystem system_;
  FakeInstance *a_ = nullptr, *b_ = nullptr;
  std::vector<Values> a_derivatives_, b_derivatives_;
  std::vector<InputCurves> curves_;
  std::vector<OutputDerivatives> derivatives_;
  std::vector<system::Graph::Edge> dependencies_;
  std::unique_ptr<LinearCorrection> correction_;
  double time_ = 0, stop_ = 100, exact_ = 0;
};

// One step of Newton's method is exact where outputs are linear: whatever the gain is.
TEST_F(LinearCorrections, SolveTheLoopWithTheDerivativesOfTheFmus) {
  couple(-3, 5);
  give_derivatives();
  make();
  step();
  EXPECT_NEAR(a_->output(), exact_, 1e-12);  // a few roundings
  EXPECT_NEAR(b_->output(), 5 * exact_ + 2, 1e-11);
  EXPECT_EQ(a_->steps.size(), 1u) << "nothing is repeated";
}

TEST_F(LinearCorrections, CorrectOutputsThatFeedNothing) {
  couple(-3, 5);
  give_derivatives();
  make();
  step();
  EXPECT_NEAR(a_->output(1), 10 * b_->output(), 1e-10);  // z = 10 u with the corrected u = b.y
}

// 1e-6: differences of 1.5e-8 are rounded to 1e-8 of them, times the gains.
TEST_F(LinearCorrections, ProbeComponentsThatCanRollBack) {
  couple(-3, 5);
  a_->goes_back = b_->goes_back = true;
  make();
  step();
  EXPECT_NEAR(a_->output(), exact_, 1e-6);
  EXPECT_NEAR(a_->output(1), 10 * b_->output(), 1e-4);
  EXPECT_GT(a_->steps.size(), 1u);
}

TEST_F(LinearCorrections, DoNotProbeBeyondTheStopTime) {
  couple(-3, 5);
  a_->goes_back = b_->goes_back = true;
  make();
  stop_ = h;
  step();
  EXPECT_EQ(a_->steps.size(), 1u);
}

// Without any derivatives the values of a loop of gain -15 grow fifteenfold in each two steps; what
// they do shows the gains after three steps. 1e-9: of values up to 1000.
TEST_F(LinearCorrections, LearnFromTheRunWhereNothingElseHelps) {
  couple(-3, 5);
  make();
  for (int n = 0; n < 8; ++n) step();
  EXPECT_NEAR(a_->output(), exact_, 1e-9);
  EXPECT_EQ(a_->steps.size(), 8u);
}

TEST_F(LinearCorrections, RestoreWhatTheyHaveLearnt) {
  couple(-3, 5);
  make();
  for (int n = 0; n < 2; ++n) step();
  std::vector<double> memory;
  save(*correction_, memory);
  const double time = time_;
  models::ValueSet::Values a, b;
  a_->outputs().save(a);
  b_->outputs().save(b);
  std::vector<double> curves[2];
  for (std::size_t c = 0; c < 2; ++c) save(curves_[c], curves[c]);
  step(), step();
  const double first = a_->output();
  restore(*correction_, memory);
  time_ = time;
  a_->show(a);
  b_->show(b);
  for (std::size_t c = 0; c < 2; ++c) restore(curves_[c], curves[c]);
  step(), step();
  EXPECT_EQ(a_->output(), first);
}

TEST_F(LinearCorrections, RefuseALoopOfGainOne) {
  couple(0.5, 2);
  give_derivatives();
  make();
  try {
    step();
    FAIL() << "it was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::numeric);
    EXPECT_THAT(error.what(), HasSubstr("I - D L is singular"));
    EXPECT_THAT(error.what(), HasSubstr("a.y"));
    EXPECT_EQ(error.details().time, h);
  }
}

TEST_F(LinearCorrections, ReportWhereDerivativesComeFrom) {
  couple(-3, 5);
  a_->goes_back = true;
  make();
  std::vector<std::string> messages;
  correction_->report_sources(Log([&](const LogRecord& record) {
    messages.push_back(std::string(record.component) + ": " + std::string(record.text));
  }));
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_THAT(messages[0], HasSubstr("a: the FMU provides no directional derivatives"));
  EXPECT_THAT(messages[0], HasSubstr("tiny steps that are rolled back"));
  EXPECT_THAT(messages[1], HasSubstr("b: "));
  EXPECT_THAT(messages[1], HasSubstr("Broyden"));
}

}  // namespace
}  // namespace tutti::master
