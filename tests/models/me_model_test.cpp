// SPDX-License-Identifier: BSD-2-Clause
#include "models/me_model.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>

#include "base/csv.hpp"
#include "models/input_table.hpp"
#include "support/command.hpp"

namespace tutti::models {
namespace {

/// A component with input u and output y.
class Coupled {
 public:
  Coupled(const std::string& version, const std::string& model)
      : fmu_(fmi::Fmu::open(testing::fmu(version, model), {}, log_)) {
    MeModel::Options options;
    options.fmu.name = "it";
    options.inputs = {u()};
    options.outputs = {y()};
    options.coupled = true;
    options.solver = solvers::find_ode_integrator("cvode");
    model_ = std::make_unique<MeModel>(*fmu_, std::move(options), log_);
  }
  std::int32_t u() const { return find("u"); }
  std::int32_t y() const { return find("y"); }
  MeModel* operator->() { return model_.get(); }
  void set(double value) { model_->inputs().write_real(model_->inputs().scalars()[0], value); }
  double output() const { return model_->outputs().read(model_->outputs().scalars()[0]).real; }
  bool can_differentiate() { return model_->differentiate({}, {}, {}, {}); }
  double feed_through(double seed = 1) {
    const std::int32_t from = u(), to = y();
    double slope = 0;
    EXPECT_TRUE(model_->differentiate({&to, 1}, {&from, 1}, {&seed, 1}, {&slope, 1}));
    return slope;
  }

 private:
  std::int32_t find(const std::string& name) const {
    const auto& variables = fmu_->description().variables;
    const auto found = std::find_if(variables.begin(), variables.end(),
                                    [&](const Variable& v) { return v.name == name; });
    return static_cast<std::int32_t>(found - variables.begin());
  }
  Log log_;
  std::shared_ptr<fmi::Fmu> fmu_;
  std::unique_ptr<MeModel> model_;
};

// y = t u: what follows depends on where the model is.
TEST(MeModel, IsWhereItWasSavedWhenItIsRestored) {
  Coupled it("2.0", "Rising");
  it.set(1);
  it->initialize({0, 2, {}});
  it->step(0, 0.25);
  Snapshot there;
  it->save(there);
  it->step(0.25, 0.5);
  it->restore(there);
  const std::int32_t y = it.y();
  double slope = 0;
  it->get_output_derivatives({&y, 1}, 1, {&slope, 1});
  EXPECT_NEAR(slope, 1, 1e-6);  // a difference over 1e-7 s
  EXPECT_EQ(it.output(), 0.25);
}

// BareGain has no directional derivatives in any version, and FMI 1.0 does not know them.
TEST(MeModel, TellsFeedThroughByDifferences) {
  for (const auto& [version, model, d] : {std::tuple("1.0-me", "Gain", 1.0),
                                          {"2.0", "BareGain", 1.0},
                                          {"3.0", "BareGain", 1.0},
                                          {"1.0-me", "FeedbackNegated", 0.0},
                                          {"1.0-me", "Rising", 0.5}}) {
    Coupled it(version, model);
    it.set(3);
    it->initialize({0, 2, {}});
    it->step(0, 0.5);
    const double before = it.output();
    // The FMU is asked, whatever has been written to the inputs since: both functions are linear.
    it.set(1e6);
    EXPECT_NEAR(it.feed_through(), d, 1e-8) << version << model;  // rounding errors over 3e-7
    EXPECT_NEAR(it.feed_through(-1000), -1000 * d, 1e-5) << version << model;
    it->begin_event();
    EXPECT_NEAR(it.feed_through(), d, 1e-8) << version << model;
    it.set(3);
    it->set_some(it->inputs().variables());
    EXPECT_TRUE(it->end_event(0.5));
    EXPECT_EQ(it.output(), before) << version << model;
  }
}

// FMI 1.0 cannot set inputs and read outputs in turn before fmiInitialize is over.
TEST(MeModel, CannotTellFeedThroughInInitializationByDifferences) {
  Coupled it("1.0-me", "Gain");
  EXPECT_TRUE(it.can_differentiate());  // it will
  it->begin_initialization({0, 1, {}});
  EXPECT_FALSE(it.can_differentiate());
  const std::int32_t y = it.y();
  it->get_some({&y, 1});
  EXPECT_FALSE(it.can_differentiate());
  it->end_initialization({0, 1, {}});
  EXPECT_TRUE(it.can_differentiate());
}

/// A model-exchange FMU alone, by one solver of the table, from 0 to a stop time.
class LoneRun {
 public:
  LoneRun(const std::string& model, const solvers::OdeEntry& solver, std::vector<std::string> read,
          std::optional<std::string> input = {}, const std::string& version = "2.0")
      : fmu_(fmi::Fmu::open(testing::fmu(version, model), {}, log_)) {
    MeModel::Options options;
    options.fmu.name = "it";
    options.solver = &solver;
    options.rtol = 1e-6;
    options.atol = 1e-8;
    options.usual_step = 0.01;
    options.diagnose = true;
    if (solver.name == std::string("implicit-euler")) options.max_step = 1e-3;
    if (input) options.inputs = {find(*input)};
    for (const std::string& name : read) options.outputs.push_back(find(name));
    model_ = std::make_unique<MeModel>(*fmu_, std::move(options), log_);
  }
  MeModel* operator->() { return model_.get(); }
  const ModelDescription& description() const { return fmu_->description(); }
  double value(std::size_t output) const {
    const Scalar& scalar = model_->outputs().scalars()[output];
    const auto read = model_->outputs().read(scalar);
    return description().variables[static_cast<std::size_t>(scalar.variable)].type == Type::int32
               ? static_cast<double>(read.integer)
               : read.real;
  }

  /// The times of the events that it handles on its way, in communication steps of 0.01 s.
  std::vector<double> run(double stop, InputSignal* signal = nullptr) {
    constexpr double h = 0.01;
    model_->follow(signal);
    model_->initialize({0, stop, {}});
    std::vector<double> events;
    double t = 0;
    for (int guard = 0; t < stop * (1 - 1e-12); ++guard) {
      if (guard > 100'000) throw std::runtime_error("it does not get on");
      // As the loop does it: a step ends at a known event.
      double end = std::min(stop, h * std::floor(t / h + 1.5));
      if (!(end > t + 1e-9)) end = std::min(stop, end + h);
      if (const auto next = model_->next_event(); next && *next > t && *next < end) end = *next;
      const StepOutcome outcome = model_->step(t, end - t);
      t = outcome.status == StepOutcome::Status::done ? end : outcome.reached;
      const auto next = model_->next_event();
      if (outcome.status == StepOutcome::Status::event || (next && *next <= t)) {
        events.push_back(t);
        if (!model_->handle_event(t)) break;
      }
    }
    return events;
  }

 private:
  std::int32_t find(const std::string& name) const {
    const auto& variables = fmu_->description().variables;
    const auto found = std::ranges::find(variables, name, &Variable::name);
    return static_cast<std::int32_t>(found - variables.begin());
  }
  Log log_;
  std::shared_ptr<fmi::Fmu> fmu_;
  std::unique_ptr<MeModel> model_;
};

class EveryFmuSolver : public ::testing::TestWithParam<const solvers::OdeEntry*> {
 protected:
  const solvers::OdeEntry& solver() const { return *GetParam(); }
  bool is(std::string_view name) const { return solver().name == name; }
  /// Of steps of at most 0.01 s without error control.
  bool is_coarse() const { return is("euler") || is("implicit-euler"); }
};

std::vector<const solvers::OdeEntry*> solvers_for_fmus() {
  std::vector<const solvers::OdeEntry*> all;
  for (const solvers::OdeEntry& entry : solvers::ode_integrators())
    if (entry.solves(OdeForm::explicit_ode)) all.push_back(&entry);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Models, EveryFmuSolver, ::testing::ValuesIn(solvers_for_fmus()),
                         [](const auto& tested) {
                           std::string name = tested.param->name;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// h = 1 - g/2 t^2 touches the ground at sqrt(2/g), and then after 0.7 times as long each time.
TEST_P(EveryFmuSolver, FindsTheBouncesOfABall) {
  LoneRun ball("BouncingBall", solver(), {"h"});
  const std::vector<double> bounces = ball.run(2);
  // Whose steps are those of the caller notices a bounce at the end of one, and Euler's methods of
  // order 1 are late by g h/2 t / v per flight; others have 1e-6 of the tolerance.
  const double bound = solver().fixed_step || is_coarse() ? 0.15 : 2e-6;
  double expected = std::sqrt(2 / 9.81), flight = 2 * expected;
  ASSERT_GE(bounces.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(bounces[i], expected, bound) << i;
    flight *= 0.7;
    expected += flight;
  }
}

// x' = 1, and each jump, when a step has ended behind 1, takes 1 off.
TEST_P(EveryFmuSolver, TakesStepEvents) {
  LoneRun saw("Saw", solver(), {"x", "jumps"});
  const std::vector<double> events = saw.run(3.5);
  EXPECT_GE(events.size(), 1u);
  EXPECT_NEAR(saw.value(0) + saw.value(1), 3.5, 1e-9);  // all methods are exact for constants
}

TEST_P(EveryFmuSolver, HitsTimeEventsOfAModelWithoutStates) {
  LoneRun stair("Stair", solver(), {"counter"});
  EXPECT_EQ(stair.run(3.5), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(stair.value(0), 4);
}

/// u = sin 10 t, in rows 1 ms apart: a line is wrong by at most (10 * 1e-3)^2 / 8 = 1.25e-5.
std::string dense_sine() {
  std::string text = "time,u\n";
  for (int i = 0; i <= 2000; ++i)
    text += fmt::format("{},{:.17g}\n", i / 1000.0, std::sin(i / 100.0));
  return text;
}

// x' = u, y = 2 x + 3 u, x = (1 - cos 10 t)/10.
TEST_P(EveryFmuSolver, FollowsADenseInput) {
  LoneRun integrator("Integrator", solver(), {"y"}, "u");
  InputTable table(CsvTable::parse(dense_sine(), "in.csv"), integrator.description(), {});
  integrator.run(2, &table);
  // The trapezoidal sum over the table is wrong by 2 * (1e-3)^2/12 * 10 = 1.7e-6; what table and
  // tolerance leave is some times that. Order 1: h/2 |u(2) - u(0)| * 2.
  const double bound = is_coarse() ? 1e-2 : 2e-5;
  EXPECT_NEAR(integrator.value(0), (1 - std::cos(20)) / 5 + 3 * std::sin(20), bound);
}

TEST_P(EveryFmuSolver, ReportsItsSteps) {
  LoneRun oscillator("VanDerPol", solver(), {"x0"});
  oscillator.run(2);
  const std::optional<SolverStatistics> report = oscillator->solver_statistics();
  ASSERT_TRUE(report && report->diagnosis);
  const SolverDiagnosis& diagnosis = *report->diagnosis;
  EXPECT_EQ(diagnosis.accepted, report->steps);
  ASSERT_EQ(diagnosis.states.size(), 2u);
  EXPECT_EQ(diagnosis.states[0].name, "x0");
  double covered = 0;
  for (const SolverDiagnosis::Step& step : diagnosis.steps) covered += step.h;
  EXPECT_NEAR(covered, 2, 1e-12);  // rounding errors of some hundred sums
}

/// Robertson's reaction as a component of a system: explicit methods notice within the first
/// seconds that it is stiff.
class StiffComponent {
 public:
  StiffComponent() : fmu_(fmi::Fmu::open(testing::fmu("2.0", "Roberts"), {}, log_)) {
    MeModel::Options options;
    options.fmu.name = "it";
    options.outputs = {0};
    const auto& variables = fmu_->description().variables;
    while (variables[static_cast<std::size_t>(options.outputs[0])].name != "y2")
      ++options.outputs[0];
    options.coupled = true;
    options.solver = solvers::find_ode_integrator("auto");
    model_ = std::make_unique<MeModel>(*fmu_, std::move(options), log_);
    model_->expect_rollback(true);
    model_->initialize({0, 10, {}});
  }
  MeModel* operator->() { return model_.get(); }
  /// The nth step, and the output at its end.
  double step(int n) {
    EXPECT_EQ(model_->step(n * h, h).status, StepOutcome::Status::done);
    return model_->outputs().read(model_->outputs().scalars()[0]).real;
  }
  bool has_changed() const {
    return model_->solver_statistics()->note.find("stability") != std::string::npos;
  }

 private:
  static constexpr double h = 1e-2;  // a few steps of a solver: its counters pass over many of ours
  Log log_;
  std::shared_ptr<fmi::Fmu> fmu_;
  std::unique_ptr<MeModel> model_;
};

TEST(MeModel, StepsRepeatBitForBitWhereTheSolverChanges) {
  StiffComponent plain, repeating;
  Snapshot first, before;
  repeating->save(first);
  int change = -1;
  for (int n = 0; n < 200; ++n) {
    const double expected = plain.step(n);
    repeating->save(before);
    EXPECT_EQ(repeating.step(n), expected) << n;
    repeating->restore(before);
    EXPECT_EQ(repeating.step(n), expected) << n;
    if (change < 0 && repeating.has_changed()) change = n;
  }
  ASSERT_GT(change, 0) << repeating->solver_statistics()->note;
  // All of it once more, from a time when the other method was in charge.
  repeating->restore(first);
  EXPECT_FALSE(repeating.has_changed());
  StiffComponent again;
  for (int n = 0; n < 200; ++n) EXPECT_EQ(repeating.step(n), again.step(n)) << n;
}

TEST(MeModel, GoesOnBitForBitFromACheckpointWhereTheSolverChanges) {
  StiffComponent plain;
  Snapshot saved;
  for (int n = 0; n < 100; ++n) {
    plain->save(saved);
    StiffComponent resumed;
    const Snapshot read = resumed->read_state(plain->write_state(saved));
    resumed->restore(read);
    const double expected = plain.step(n);
    EXPECT_EQ(resumed.step(n), expected) << n;
    EXPECT_EQ(resumed.has_changed(), plain.has_changed()) << n;
  }
  EXPECT_TRUE(plain.has_changed());
}

TEST(MeModel, IsRefusedBySolversThatWantMoreThanItHas) {
  const solvers::OdeEntry* const rodas = solvers::find_ode_integrator("rodas");
  ASSERT_NE(rodas, nullptr);
  LoneRun bare("BouncingBall", *rodas, {"h"}, {}, "1.0-me");  // no directional derivatives
  try {
    bare.run(1);
    FAIL() << "RODAS needs exact derivatives";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::capability);
    EXPECT_EQ(error.details().component, "it");
    EXPECT_THAT(error.what(), ::testing::HasSubstr("component \"it\""));
  }
}

}  // namespace
}  // namespace tutti::models
