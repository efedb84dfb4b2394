// SPDX-License-Identifier: BSD-2-Clause
#include "master/loop.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "master/run_to_end.hpp"
#include "support/small_description.hpp"

namespace tutti::master {
namespace {

using models::InputTable;
using models::StepOutcome;
using Status = StepOutcome::Status;

/// A model whose answers the test chooses. Its output y is the time it has reached plus its input.
class ScriptedModel final : public models::Instance {
 public:
  ScriptedModel() {
    small_.add("u", Type::float64, Causality::input);
    small_.add("y", Type::float64, Causality::output);
    const std::vector<std::int32_t> input = {0}, output = {1};
    inputs_ = models::ValueSet(small_.description, input, {});
    outputs_ = models::ValueSet(small_.description, output, {});
  }
  const std::string& name() const override { return name_; }
  void begin_initialization(const models::Experiment&) override {}
  void set_some(std::span<const std::int32_t>) override {}
  void get_some(std::span<const std::int32_t>) override {}
  void end_initialization(const models::Experiment& experiment) override { show(experiment.start); }
  bool can_go_back() const override { return false; }
  void save(models::Snapshot&) override {}
  void restore(const models::Snapshot&) override {}
  StepOutcome step(double t, double h) override {
    steps.push_back({t, h});
    const StepOutcome outcome = answer ? answer(t, h) : StepOutcome{Status::done, t + h};
    show(outcome.reached);
    return outcome;
  }
  bool handle_event(double t) override {
    events.push_back(t);
    return goes_on_after_event;
  }
  void finish() override { finished = true; }
  bool can_vary_step() const override { return varies; }
  bool has_event_mode() const override { return event_mode; }
  std::optional<double> next_event() const override { return {}; }
  const CallCounts& counts() const override { return counts_; }
  const ModelDescription& description() const { return small_.description; }

  struct Call {
    double t, h;
  };
  std::function<StepOutcome(double t, double h)> answer;
  std::vector<Call> steps;
  std::vector<double> events;
  bool varies = true, event_mode = false, goes_on_after_event = true, finished = false;

 private:
  void show(double t) {
    const double u = inputs_.read(inputs_.scalars()[0]).real;
    outputs_.write_real(outputs_.scalars()[0], t + u);
  }
  std::string name_ = "scripted";
  testing::SmallDescription small_;
  CallCounts counts_;
};

class LoopTest : public ::testing::Test, protected StepObserver {
 protected:
  void record(double t) override {
    const models::Instance& instance = island_->instance(0);
    times_.push_back(t);
    values_.push_back(instance.outputs().read(instance.outputs().scalars()[0]).real);
  }
  RunEnd run(const Loop::Options& options) {
    island_.emplace(parts(), monitor_, 1, log_);
    Loop loop(*island_, options, this, monitor_);
    loop.initialize();
    return run_to_end(loop, options.grid.stop());
  }
  void drive(const std::string& csv) {
    inputs_ = InputTable(CsvTable::parse(csv, "in.csv"), model_.description(), {});
  }
  CoupledParts parts() {
    CoupledParts parts;
    parts.descriptions = {&model_.description()};
    parts.plan.stages.push_back({.components = {0}});
    if (!inputs_.variables().empty()) {
      auto table = std::make_unique<InputTable>(inputs_);
      auto values =
          std::make_unique<models::ValueSet>(model_.description(), table->variables(), none_);
      parts.externals.push_back({0, std::move(table), std::move(values)});
    }
    parts.instances.push_back(std::move(owner_));
    return parts;
  }
  static Loop::Options quarters() {
    Loop::Options options;
    options.grid = TimeGrid(0, 1, 0.25);
    return options;
  }
  std::unique_ptr<ScriptedModel> owner_ = std::make_unique<ScriptedModel>();
  ScriptedModel& model_ = *owner_;
  InputTable inputs_;
  models::StructuralValues none_;
  Log log_;
  std::optional<Island> island_;
  Monitor monitor_;
  std::vector<double> times_, values_;
};

TEST_F(LoopTest, RecordsTheStartAndEveryPoint) {
  EXPECT_EQ(run(quarters()).kind, RunEnd::Kind::completed);
  EXPECT_EQ(times_, (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(values_, times_);
  EXPECT_TRUE(model_.finished);
}

TEST_F(LoopTest, RecordsEveryNthPointAndTheLast) {
  auto options = quarters();
  options.record_every = 3;
  run(options);
  EXPECT_EQ(times_, (std::vector<double>{0, 0.75, 1}));
  EXPECT_EQ(model_.steps.size(), 4u);
}

TEST_F(LoopTest, AppliesInputsAsTheyAreAtTheStartOfTheStep) {
  drive("time,u\n0,0\n1,8\n");
  run(quarters());
  EXPECT_EQ(values_, (std::vector<double>{0, 0.25 + 0, 0.5 + 2, 0.75 + 4, 1 + 6}));
}

TEST_F(LoopTest, HitsADiscontinuityBetweenCommunicationPoints) {
  drive("time,u\n0,0\n0.4,0\n0.4,1\n1,1\n");
  run(quarters());
  EXPECT_EQ(times_, (std::vector<double>{0, 0.25, 0.4, 0.5, 0.75, 1}));
  EXPECT_EQ(values_[2], 0.4);  // before the jump
  EXPECT_EQ(values_[3], 1.5);
  EXPECT_TRUE(model_.events.empty());
}

TEST_F(LoopTest, SendsAJumpThroughEventModeAndRecordsBothSides) {
  model_.event_mode = true;
  drive("time,u\n0,0\n0.5,0\n0.5,1\n1,1\n");
  run(quarters());
  EXPECT_EQ(model_.events, (std::vector<double>{0.5}));
  EXPECT_EQ(times_, (std::vector<double>{0, 0.25, 0.5, 0.5, 0.75, 1}));
}

TEST_F(LoopTest, LeavesTheGridAloneForAModelThatCannotVaryItsStep) {
  model_.varies = false;
  drive("time,u\n0,0\n0.4,0\n0.4,1\n1,1\n");
  run(quarters());
  EXPECT_EQ(times_, (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
  for (const auto& call : model_.steps) EXPECT_EQ(call.h, 0.25);
}

TEST_F(LoopTest, SendsAJumpThroughEventModeAtTheNextPointIfStepsAreFixed) {
  model_.varies = false;
  model_.event_mode = true;
  drive("time,u\n0,0\n0.4,0\n0.4,1\n1,1\n");
  run(quarters());
  EXPECT_EQ(model_.events, (std::vector<double>{0.5}));
  for (const auto& call : model_.steps) EXPECT_EQ(call.h, 0.25);
}

// 3 * 0.1 is not 0.3 in doubles: the jump is beside the point of the grid, a rounding error away.
TEST_F(LoopTest, TakesNoTinyStepBetweenAJumpAndAPointOfTheGrid) {
  drive("time,u\n0,0\n0.3,0\n0.3,1\n2,1\n");
  Loop::Options options;
  options.grid = TimeGrid(0, 1.05, 0.1);
  run(options);
  for (const auto& call : model_.steps) EXPECT_GT(call.h, 0.01) << "at t = " << call.t;
  EXPECT_EQ(times_[3], options.grid.point(3));
  EXPECT_EQ(values_[4], times_[4] + 1);
}

TEST_F(LoopTest, GoesOnFromWhereADiscardedStepEnded) {
  bool once = true;
  model_.answer = [&](double t, double h) {
    if (t == 0.25 && std::exchange(once, false)) return StepOutcome{Status::discarded, 0.3};
    return StepOutcome{Status::done, t + h};
  };
  EXPECT_EQ(run(quarters()).kind, RunEnd::Kind::completed);
  EXPECT_EQ(times_, (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(model_.steps[2].t, 0.3);
}

TEST_F(LoopTest, HalvesAStepThatIsDiscardedWithoutProgress) {
  model_.answer = [](double t, double h) {
    if (h > 0.1) return StepOutcome{Status::discarded, t};
    return StepOutcome{Status::done, t + h};
  };
  EXPECT_EQ(run(quarters()).kind, RunEnd::Kind::completed);
  EXPECT_EQ(times_, (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
}

TEST_F(LoopTest, GivesUpOnAModelThatDiscardsEverything) {
  model_.answer = [](double t, double) { return StepOutcome{Status::discarded, t}; };
  const RunEnd end = run(quarters());
  ASSERT_EQ(end.kind, RunEnd::Kind::failed);
  EXPECT_STREQ(
      end.error->what(),
      "t = 0 s: component \"scripted\" discards every step, 21 in a row, the last of 2.38e-07 s");
  EXPECT_EQ(times_, (std::vector<double>{0}));
}

TEST_F(LoopTest, RecordsWhereTheModelAsksToEndTheRun) {
  model_.answer = [](double t, double h) {
    if (t == 0.5) return StepOutcome{Status::terminated, 0.6};
    return StepOutcome{Status::done, t + h};
  };
  const RunEnd end = run(quarters());
  EXPECT_EQ(end.kind, RunEnd::Kind::terminated_by_fmu);
  EXPECT_EQ(end.time, 0.6);
  EXPECT_EQ(times_, (std::vector<double>{0, 0.25, 0.5, 0.6}));
}

TEST_F(LoopTest, HandlesAnEventAfterAnEarlyReturn) {
  bool once = true;
  model_.event_mode = true;
  model_.answer = [&](double t, double h) {
    if (t == 0.25 && std::exchange(once, false)) return StepOutcome{Status::event, 0.3};
    return StepOutcome{Status::done, t + h};
  };
  EXPECT_EQ(run(quarters()).kind, RunEnd::Kind::completed);
  EXPECT_EQ(model_.events, (std::vector<double>{0.3}));
  EXPECT_EQ(times_, (std::vector<double>{0, 0.25, 0.3, 0.3, 0.5, 0.75, 1}));
}

TEST_F(LoopTest, NamesTheVariableThatIsNotANumber) {
  model_.answer = [](double t, double h) {
    return StepOutcome{Status::done, t < 0.5 ? t + h : std::nan("")};
  };
  const RunEnd end = run(quarters());
  ASSERT_EQ(end.kind, RunEnd::Kind::failed);
  EXPECT_STREQ(end.error->what(), "t = 0.75 s: \"y\" of component \"scripted\" is NaN");
  EXPECT_EQ(times_.back(), 0.5);
}

TEST_F(LoopTest, EndsAtTheNextPointWhenAskedToStop) {
  model_.answer = [&](double t, double h) {
    monitor_.stop_requested = true;
    return StepOutcome{Status::done, t + h};
  };
  const RunEnd end = run(quarters());
  EXPECT_EQ(end.kind, RunEnd::Kind::interrupted);
  EXPECT_EQ(times_, (std::vector<double>{0, 0.25}));
  EXPECT_TRUE(model_.finished);
}

}  // namespace
}  // namespace tutti::master
