// SPDX-License-Identifier: BSD-2-Clause
#include "models/element_pattern.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "models/me_model.hpp"
#include "models/me_problem.hpp"
#include "solvers/linear/sparsity.hpp"
#include "solvers/ode/jacobian.hpp"
#include "support/command.hpp"

namespace tutti::models {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t cells = 50;  // of Diffusion

/// An FMU in continuous-time mode at t = 0.
class Started {
 public:
  Started(const std::string& version, const std::string& model)
      : fmu_(fmi::Fmu::open(testing::fmu(version, model), {}, log_)),
        instance_(fmu_->instantiate_model_exchange({.name = "it"})) {
    instance_->enter_initialization({});
    instance_->exit_initialization();
    settle_discrete_states(*instance_, 0);
    instance_->enter_continuous_time_mode();
    problem_ = std::make_unique<MeProblem>(*instance_, inputs_);
  }
  MeProblem& problem() { return *problem_; }
  const CallCounts& counts() { return instance_->counts(); }
  /// The whole matrix, column by column.
  std::vector<double> jacobian() {
    const std::size_t n = problem_->size();
    solvers::Jacobian jacobian(*problem_);
    std::vector<double> y(n), f(n), least(n, 1e-8), values(jacobian.value_count()), all(n * n);
    for (std::size_t i = 0; i < n; ++i) y[i] = std::sin(static_cast<double>(i));
    EXPECT_TRUE(problem_->evaluate(0, y, f) && jacobian.evaluate(0, y, f, least, values));
    if (jacobian.pattern() == nullptr) return values;
    std::size_t place = 0;
    for (std::size_t j = 0; j < n; ++j)
      for (const std::int64_t i : jacobian.pattern()->rows_of(j))
        all[j * n + static_cast<std::size_t>(i)] = values[place++];
    return all;
  }

 private:
  Log log_;
  std::shared_ptr<fmi::Fmu> fmu_;
  fmi::Owned<fmi::ModelExchange> instance_;
  ValueSet inputs_;
  std::unique_ptr<MeProblem> problem_;
};

// A tridiagonal matrix: 3n - 2 entries, three groups. The description knows of one array that
// depends on itself: n^2 entries, n groups.
TEST(ElementPattern, IsThatOfTheElements) {
  Started it("3.0", "Diffusion");
  const SparsityPattern* const pattern = it.problem().jacobian_pattern();
  ASSERT_NE(pattern, nullptr);
  EXPECT_EQ(pattern->entry_count(), 3 * cells - 2);
  EXPECT_EQ(solvers::color_columns(*pattern).size(), 3u);
  it.jacobian();
  EXPECT_EQ(it.counts().directional_derivatives, 3u);
  EXPECT_EQ(it.problem().state_label(7), "x[8]");
}

// ArrowRow 2.0 has no adjoint derivatives: a call for each of its 40 columns. Those of 3.0 need two
// calls. Analytic derivatives times 0 and 1: the matrices are equal, bit by bit.
TEST(AdjointDerivatives, SaveCallsWhereARowIsFull) {
  Started v2("2.0", "ArrowRow"), v3("3.0", "ArrowRow");
  EXPECT_EQ(v2.jacobian(), v3.jacobian());
  EXPECT_EQ(v2.counts().directional_derivatives, 40u);
  EXPECT_EQ(v3.counts().directional_derivatives, 0u);
  EXPECT_EQ(v3.counts().adjoint_derivatives, 2u);
}

TEST(AdjointDerivatives, AreNotUsedWhereAColumnIsFull) {
  Started v2("2.0", "ArrowColumn"), v3("3.0", "ArrowColumn");
  EXPECT_EQ(v2.jacobian(), v3.jacobian());
  EXPECT_EQ(v3.counts().directional_derivatives, 2u);
  EXPECT_EQ(v3.counts().adjoint_derivatives, 0u);
}

/// An FMU that is solved alone, with what it logs.
class Alone {
 public:
  explicit Alone(const std::string& model, const std::string& solver = "cvode")
      : log_([this](const LogRecord& record) { logged_.append(record.text).append("\n"); },
             Severity::warning),
        fmu_(fmi::Fmu::open(testing::fmu("3.0", model), {}, log_)) {
    MeModel::Options options;
    options.fmu.name = "it";
    options.solver = solvers::find_ode_integrator(solver);
    const auto& variables = fmu_->description().variables;
    for (std::size_t v = 0; v < variables.size(); ++v)
      if (variables[v].causality == Causality::output && variables[v].type == Type::float64 &&
          !variables[v].is_array())
        options.outputs.push_back(static_cast<std::int32_t>(v));
    options.coupled = true;  // it handles its own events
    options.rtol = 1e-8;
    options.atol = 1e-10;
    model_ = std::make_unique<MeModel>(*fmu_, std::move(options), log_);
  }
  double to(double stop) {
    model_->initialize({0, stop, {}});
    EXPECT_EQ(model_->step(0, stop).reached, stop);
    return model_->outputs().scalars().empty()
               ? 0
               : model_->outputs().read(model_->outputs().scalars()[0]).real;
  }
  MeModel& model() { return *model_; }
  const std::string& logged() const { return logged_; }

 private:
  std::string logged_;
  Log log_;
  std::shared_ptr<fmi::Fmu> fmu_;
  std::unique_ptr<MeModel> model_;
};

// The slowest mode decays with lambda = (2 - 2 cos(pi h))/h^2, and with 1/h^2 while the walls are
// closed; h = 1/51. Solver errors add up to about 10 rtol times the value.
double middle_after(double closed, double open) {
  const double h = 1.0 / (cells + 1);
  const double lambda = (2 - 2 * std::cos(M_PI * h)) / (h * h);
  return std::sin(M_PI * (cells / 2 + 1) * h) * std::exp(-closed / (h * h) - lambda * open);
}

TEST(ElementPattern, GrowsAtAnEvent) {
  for (const char* const model : {"DiffusionOpens", "DiffusionBare"}) {
    for (const char* const solver : {"cvode", "radau5", "auto"}) {
      Alone run(model, solver);
      const double exact = middle_after(0.0005, 0.0195);
      EXPECT_NEAR(run.to(0.02), exact, 10 * 1e-8) << model << " " << solver;
      EXPECT_EQ(run.logged(), "");
      // Started after initialization, at the start of the step and at the event, which makes
      // another integrator: nothing counted before is lost. "auto" changes its solver besides.
      const auto statistics = run.model().solver_statistics();
      EXPECT_EQ(statistics->time_events, 1u);
      EXPECT_GE(statistics->starts, 3u) << solver;
    }
  }
}

TEST(ElementPattern, OfAFaultyFmuIsFullWithAWarning) {
  const std::pair<const char*, const char*> expected[] = {
      {"fails", "fmi3GetVariableDependencies failed"},
      {"too_many", "fmi3GetNumberOfVariableDependencies returned 9223372036854775807"},
      {"out_of_range", "element 1000000000000 of 2"},
      {"unknown_reference", "value reference 4000000000 is no variable"},
      {"writes_nothing", "element 18446744073709551615 of 2"},
      {"absent", "the FMU lacks fmi3GetNumberOfVariableDependencies"}};
  for (const auto& [fault, text] : expected) {
    Alone run(std::string("faulty_dependencies_") + fault);
    const double position = run.to(1);
    EXPECT_THAT(run.logged(), HasSubstr("providesPerElementDependencies")) << fault;
    EXPECT_THAT(run.logged(), HasSubstr(text));
    if (std::string(fault) != "absent") {
      EXPECT_NEAR(position, std::cos(1.0), 1e-6) << fault;  // 100 rtol
    }
  }
}

}  // namespace
}  // namespace tutti::models
