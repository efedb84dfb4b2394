// SPDX-License-Identifier: BSD-2-Clause
#include <tutti/estimate.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <fstream>
#include <tutti/system_file.hpp>
#include <tutti/system_run.hpp>

#include "api/systems.hpp"
#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::array true_outlets = {2.66e-6, 2.70e-6, 3.01e-6, 2.93e-6};

Study tank_study(const std::string& file) {
  return read_study(places::build_folder() / "examples/quadruple_tank" / file);
}

StudyParameter parameter(const std::string& name, double min, double start) {
  StudyParameter parameter;
  parameter.name = name;
  parameter.min = min;
  parameter.start = start;
  return parameter;
}

EstimateReport estimated(const Study& study, SearchControl control = {}) {
  return run_estimate(study, control, {});
}

double worst_relative_error(const EstimateReport& report) {
  double worst = 0;
  for (std::size_t j = 0; j < true_outlets.size(); ++j)
    worst = std::max(worst, std::abs(report.search.parameters.at(j).value / true_outlets[j] - 1));
  return worst;
}

std::string number(double value) {
  std::ostringstream text;
  text.precision(17);
  text << value;
  return text.str();
}

TEST(Estimate, RecoversTheOutletsOfTheTank) {
  const EstimateReport report = estimated(tank_study("fit.toml"));
  EXPECT_EQ(report.search.end, SearchOutcome::converged);
  // The data are printed with 13 digits, and the runs are integrated to 1e-10.
  EXPECT_LT(worst_relative_error(report), 1e-7);
  EXPECT_EQ(report.samples, 244u);
  EXPECT_EQ(report.degrees_of_freedom, 240u);
  EXPECT_THAT(report.unidentifiable, IsEmpty());
}

TEST(Estimate, RecoversTheOutletsWithASimplex) {
  Study study = tank_study("fit.toml");
  study.estimate->method = "nelder-mead";
  study.estimate->tolerance = 2e-7;  // of the simplex, over parameters of about 3
  const EstimateReport report = estimated(study);
  EXPECT_EQ(report.search.end, SearchOutcome::converged);
  EXPECT_LT(worst_relative_error(report), 1e-7);
  EXPECT_LT(report.search.evaluations, 700u);  // 272 simulations of another implementation
}

// In cm2; scipy found the minimum (least_squares, on its DOP853 with 1e-13). A search with Nelder
// and Mead's method on other integrators: (0.02659929, 0.02699992, 0.03010066,
// 0.02930148), 3.62098e-5.
TEST(Estimate, FindsTheMinimumOfDisturbedMeasurements) {
  constexpr std::array minimum = {0.02659928, 0.02699991, 0.03010059, 0.02930149};
  for (const char* const method : {"levenberg-marquardt", "bobyqa"}) {
    Study study = tank_study("perturbed.toml");
    study.estimate->method = method;
    const EstimateReport report = estimated(study);
    for (std::size_t j = 0; j < minimum.size(); ++j)
      EXPECT_NEAR(1e4 * report.search.parameters[j].value, minimum[j], 3e-8) << method;  // 1e-6
    EXPECT_NEAR(report.search.objective, 3.6209030e-5, 1e-12) << method;
    EXPECT_LT(worst_relative_error(report), 6e-5) << method;
    for (std::size_t j = 0; j < minimum.size(); ++j) {
      EXPECT_LT(report.accuracy[j].low, true_outlets[j]) << method;
      EXPECT_GT(report.accuracy[j].high, true_outlets[j]) << method;
    }
  }
}

TEST(Estimate, SetsStartValuesOfStatesToo) {
  Study study = tank_study("fit.toml");
  study.parameters.push_back(parameter("tank.x3", 0.001, 0.02));
  study.set = {{"tank.a4", "2.93e-6"}};
  std::erase_if(study.parameters, [](const auto& one) { return one.name == "tank.a4"; });
  // x3 is not measured, but flows into the first tank.
  std::erase_if(study.experiments[0].signals,
                [](const auto& one) { return one.formula == "tank.x3"; });
  const EstimateReport report = estimated(study);
  ASSERT_EQ(report.search.parameters.back().name, "tank.x3");
  EXPECT_NEAR(report.search.parameters.back().value, 0.024, 1e-8);
  EXPECT_EQ(report.search.parameters.back().unit, "m");
}

/// Studies of a ramp, y = offset + height t: a linear regression.
class Regression : public ::testing::Test {
 protected:
  Regression() {
    work_.write("ramp.toml",
                "[components.ramp]\ntype = \"ramp\"\nset = { duration = 1.0, height = 0.5 }\n"
                "[simulation]\nstop = 1.0\nstep = 0.125\n");
  }
  Study study(const std::string& data, const std::string& experiment = "") {
    work_.write("d.csv", data);
    return read_study(work_.write("s.toml",
                                  "system = \"ramp.toml\"\n[[parameters]]\nname = \"ramp.offset\"\n"
                                  "[[parameters]]\nname = \"ramp.height\"\n"
                                  "[[experiments]]\ndata = \"d.csv\"\nsignals = [\"ramp.y\"]\n" +
                                      experiment + "\n[estimate]\n"));
  }
  Workplace work_;
};

TEST_F(Regression, HasTheStandardErrorsOfTheTextbook) {
  const std::array<double, 5> t = {0, 0.25, 0.5, 0.75, 1};
  const std::array<double, 5> y = {1.1, 1.4, 2.1, 2.4, 3.2};
  std::string data = "time,ramp.y\n";
  double mean_t = 0, mean_y = 0, sum_tt = 0, sum_ty = 0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    data += number(t[i]) + "," + number(y[i]) + "\n";
    mean_t += t[i] / 5;
    mean_y += y[i] / 5;
  }
  for (std::size_t i = 0; i < t.size(); ++i) {
    sum_tt += (t[i] - mean_t) * (t[i] - mean_t);
    sum_ty += (t[i] - mean_t) * (y[i] - mean_y);
  }
  const double height = sum_ty / sum_tt, offset = mean_y - height * mean_t;
  double squares = 0;
  for (std::size_t i = 0; i < t.size(); ++i)
    squares += (y[i] - offset - height * t[i]) * (y[i] - offset - height * t[i]);
  const double s = std::sqrt(squares / 3);

  const EstimateReport report = estimated(study(data));
  ASSERT_THAT(report.accuracy, SizeIs(2));
  // 1e-8: the tolerance of the search is 1e-6, and it converges quadratically.
  EXPECT_NEAR(report.search.parameters[0].value, offset, 1e-8);
  EXPECT_NEAR(report.search.parameters[1].value, height, 1e-8);
  EXPECT_NEAR(report.search.objective, squares, 1e-12);
  EXPECT_NEAR(report.deviation, s, 1e-9);
  EXPECT_NEAR(report.accuracy[0].standard_error, s * std::sqrt(1. / 5 + mean_t * mean_t / sum_tt),
              1e-8);
  EXPECT_NEAR(report.accuracy[1].standard_error, s / std::sqrt(sum_tt), 1e-8);
  constexpr double quantile = 3.182446305284263;  // of Student's t with 3 degrees of freedom
  EXPECT_NEAR(report.accuracy[1].high - report.accuracy[1].low,
              2 * quantile * s / std::sqrt(sum_tt), 1e-7);
  EXPECT_NEAR(report.correlations[1][0], -mean_t / std::sqrt(mean_t * mean_t + sum_tt / 5), 1e-6);
  const FittedSignal& signal = report.signals.at(0);
  EXPECT_NEAR(signal.rms, std::sqrt(squares / 5), 1e-9);
  EXPECT_NEAR(signal.mean, 0, 1e-9);  // of a regression
  EXPECT_NEAR(signal.simulated[4], offset + height, 1e-8);
}

TEST_F(Regression, UsesOnlySamplesThatExist) {
  const EstimateReport report =
      estimated(study("time,ramp.y,other\n0,1,0\n0.3,,0\n0.5,2,0\n0.75,NaN,0\n1,3,0\n"));
  EXPECT_NEAR(report.search.parameters[0].value, 1, 1e-9);
  EXPECT_NEAR(report.search.parameters[1].value, 2, 1e-9);
  EXPECT_THAT(report.signals[0].times, ElementsAre(0, 0.5, 1));
  EXPECT_EQ(report.signals[0].missing, 2u);
  EXPECT_EQ(report.samples, 3u);
}

TEST_F(Regression, WeighsSignalsAndExperiments) {
  // The minimum over c of w1^2 (c - 1)^2 + w2^2 (c - 4)^2.
  work_.write("b.csv", "time,ramp.y\n0,4\n");
  Study one = study("time,ramp.y\n0,1\n",
                    "weight = 3.0\n[[experiments]]\ndata = \"b.csv\"\n[[experiments.signals]]\n"
                    "formula = \"ramp.y\"\nweight = 2\n");
  one.parameters.resize(1);
  const EstimateReport report = estimated(one);
  EXPECT_NEAR(report.search.parameters[0].value, (9 * 1 + 4 * 4) / 13.0, 1e-9);
  EXPECT_THAT(report.signals, SizeIs(2));
  EXPECT_NEAR(report.signals[1].simulated[0] - report.signals[1].measured[0],
              report.signals[1].mean, 1e-12);
}

TEST_F(Regression, MeasuresWithFormulas) {
  Study one = study("time,twice\n0,2\n1,6\n");
  one.experiments[0].signals[0].formula = "2*ramp.y";
  one.experiments[0].signals[0].column = "twice";
  const EstimateReport report = estimated(one);
  EXPECT_NEAR(report.search.parameters[0].value, 1, 1e-9);
  EXPECT_NEAR(report.search.parameters[1].value, 2, 1e-9);
  EXPECT_EQ(report.degrees_of_freedom, 0u);
  EXPECT_TRUE(std::isnan(report.accuracy[0].standard_error));
  EXPECT_THAT(report.search.notes, Contains(HasSubstr("no statement about the accuracy")));
}

TEST_F(Regression, KeepsBounds) {
  Study one = study("time,ramp.y\n0,1\n0.5,2\n1,3\n");
  one.parameters[1].max = 1.5;
  for (const char* const method : {"levenberg-marquardt", "bobyqa", "nelder-mead", "slsqp"}) {
    one.estimate->method = method;
    const EstimateReport report = estimated(one);
    const FoundParameter& height = report.search.parameters[1];
    EXPECT_NEAR(height.value, 1.5, 1e-5) << method;
    EXPECT_LE(height.value, 1.5) << method;
    EXPECT_EQ(height.at_bound, AtBound::max) << method;
    EXPECT_TRUE(std::isnan(report.accuracy[1].low)) << method;
    EXPECT_THAT(report.search.notes, Contains(HasSubstr("\"ramp.height\" is at its bound, max")));
  }
}

TEST_F(Regression, NotesParametersWithoutAnEffect) {
  Study one = study("time,ramp.y\n0,1\n0.25,1.6\n0.5,2\n0.75,2.4\n1,3\n");
  // Only the quotient of height and duration matters.
  one.parameters.push_back(parameter("ramp.duration", 2, 4));
  const EstimateReport report = estimated(one);
  ASSERT_THAT(report.unidentifiable, SizeIs(1));
  EXPECT_THAT(report.unidentifiable[0], ElementsAre(1, 2));
  EXPECT_THAT(
      report.search.notes,
      Contains(HasSubstr("\"ramp.height\", \"ramp.duration\" cannot be estimated together")));
  EXPECT_TRUE(std::isnan(report.accuracy[1].low));
  EXPECT_FALSE(std::isnan(report.accuracy[0].low));
}

TEST_F(Regression, SearchesLogarithms) {
  Study one = study("time,ramp.y\n0,1e-3\n0.5,1000.001\n1,2000.001\n");
  StudyParameter& offset = one.parameters[0] = StudyParameter();
  offset.name = "ramp.offset";
  offset.min = 1e-6;
  offset.scale = ParameterScale::logarithmic;
  offset.start = 1.0;
  one.parameters[1].start = 1500;
  const EstimateReport report = estimated(one);
  EXPECT_NEAR(report.search.parameters[0].value, 1e-3, 1e-9);
}

TEST_F(Regression, RunsToTheLastSample) {
  const std::string data = "time,ramp.y\n0,1\n1,2\n2.3,2\n";
  const EstimateReport report = estimated(study(data));
  EXPECT_THAT(report.search.notes, Contains(HasSubstr("the run ends at t = 2.375 s, after the last "
                                                      "sample, not at 1 s")));
  EXPECT_NEAR(report.signals[0].simulated[2], 2, 1e-9);
  const Error error = error_of([&] { estimated(study(data, "set = { simulation.stop = 2.0 }")); });
  EXPECT_EQ(error.code(), ErrorCode::usage);
  EXPECT_THAT(error.what(), HasSubstr("s.toml:6:1: experiments[1]: the measurements of"));
  EXPECT_THAT(error.what(), HasSubstr("reach t = 2.3 s, but the run ends at t = 2 s"));
}

TEST_F(Regression, RefusesSamplesBeforeTheRun) {
  const Error error = error_of([&] { estimated(study("time,ramp.y\n-1,1\n1,2\n")); });
  EXPECT_THAT(error.what(), HasSubstr("begins at t = -1 s, but the run starts at t = 0 s"));
}

TEST_F(Regression, ReadsTimesAndUnitsOfData) {
  work_.write("table.toml",
              "[components.g]\ntype = \"ramp\"\nunit = \"m\"\n[simulation]\nstop = 1\n"
              "step = 0.5\n");
  work_.write("d.csv", "time [ms],length [cm]\n0,100\n1000,300\n");
  const Study one = read_study(
      work_.write("u.toml",
                  "system = \"table.toml\"\n[[parameters]]\nname = \"g.offset\"\n[[parameters]]\n"
                  "name = \"g.height\"\n[[experiments]]\ndata = \"d.csv\"\n"
                  "signals = [{ formula = \"g.y\", column = \"length\" }]\n[estimate]\n"));
  const EstimateReport report = estimated(one);
  EXPECT_NEAR(report.search.parameters[0].value, 1, 1e-9);
  EXPECT_NEAR(report.search.parameters[1].value, 2, 1e-9);
  EXPECT_THAT(report.search.notes, Contains(HasSubstr("\"length\" is converted from cm to m")));
}

// A fall from 1 m in the unit of the data, of the variable of one FMU without a component name.
TEST_F(Regression, ConvertsUnitsOfOneFmu) {
  const auto report_of = [&](const std::string& unit) {
    work_.write("h.csv", "time,h [" + unit + "]\n0,100\n0.1,95.095\n0.2,80.38\n0.3,55.855\n");
    Study study = read_study(work_.write(
        "ball.toml", "system = \"" + fmu("2.0", "BouncingBall") +
                         "\"\n[[parameters]]\nname = \"g\"\nstart = -5\n[[experiments]]\n"
                         "data = \"h.csv\"\nsignals = [\"h\"]\n[estimate]\n"));
    return estimated(study);
  };
  EXPECT_NEAR(report_of("cm").search.parameters[0].value, -9.81, 0.01);
  EXPECT_THAT(error_of([&] { report_of("kg"); }).what(),
              HasSubstr("the column \"h\" is in kg, but \"h\" is in m"));
}

TEST_F(Regression, ConvertsUnitsOfElementsOfArrays) {
  work_.write("f.csv", "time,x [kg]\n0,1\n");
  const std::string upper =
      (places::build_folder() / "examples/tlm_double_pendulum/fmus/upper_table.fmu").string();
  work_.write("p.toml", "[components.p]\nfmu = \"" + upper +
                            "\"\n[components.r]\ntype = \"ramp\"\n[simulation]\nstop = 0.1\n"
                            "step = 0.01\n");
  const Study study = read_study(
      work_.write("fit.toml",
                  "system = \"p.toml\"\n[[parameters]]\nname = \"r.offset\"\n"
                  "[[experiments]]\ndata = \"f.csv\"\n"
                  "signals = [{ formula = \"p.cx[2]\", column = \"x\" }]\n[estimate]\n"));
  EXPECT_THAT(error_of([&] { estimated(study); }).what(),
              HasSubstr("the column \"x\" is in kg, but \"p.cx[2]\" is in N"));
}

TEST_F(Regression, NamesColumnsThatExist) {
  const Error error = error_of([&] { estimated(study("time,ramp.x,b\n0,1,1\n")); });
  EXPECT_EQ(error.code(), ErrorCode::usage);
  EXPECT_THAT(error.what(), HasSubstr("has no column \"ramp.y\". Did you mean \"ramp.x\"?"));
  EXPECT_THAT(error.what(), HasSubstr("Its columns are: ramp.x, b."));
}

TEST_F(Regression, NamesParametersThatDoNotExist) {
  Study one = study("time,ramp.y\n0,1\n");
  one.parameters[0].name = "ramp.offsett";
  one.parameters[1].name = "rmap.height";
  const std::string text = error_of([&] { estimated(one); }).what();
  EXPECT_THAT(text, HasSubstr("s.toml:2:1: parameter \"ramp.offsett\""));
  EXPECT_THAT(text, HasSubstr("Did you mean \"offset\"?"));
  EXPECT_THAT(text, HasSubstr("Did you mean \"ramp\"?"));  // both errors at once
}

TEST_F(Regression, RefusesGlobalMethodsWithoutBounds) {
  Study one = study("time,ramp.y\n0,1\n");
  one.estimate->method = "crs2";
  one.parameters[0].min = 0;
  const Error error = error_of([&] { estimated(one); });
  EXPECT_EQ(error.code(), ErrorCode::usage);
  EXPECT_THAT(error.what(), HasSubstr("\"ramp.offset\" lacks max: the global method \"crs2\""));
}

TEST_F(Regression, EndsAtItsLimitWithTheBestPoint) {
  Study one = study("time,ramp.y\n0,1\n0.5,2\n1,3\n");
  one.estimate->method = "nelder-mead";
  one.estimate->max_runs = 20;
  const EstimateReport report = estimated(one);
  EXPECT_EQ(report.search.end, SearchOutcome::limit);
  EXPECT_LE(report.search.evaluations, 20u);
  EXPECT_LT(report.search.objective, report.search.start_objective);
  EXPECT_THAT(report.search.notes, Contains(HasSubstr("estimate.max-runs")));
}

TEST_F(Regression, ReportsProgressAndStops) {
  const Study one = study("time,ramp.y\n0,1\n0.5,2\n1,3\n");
  std::atomic<bool> stop = false;
  std::vector<SearchProgress> seen;
  SearchControl control;
  control.own_process = false;
  control.stop_request = &stop;
  control.searching = [&](const SearchProgress& progress) {
    seen.push_back(progress);
    stop = seen.size() == 2;
  };
  const EstimateReport report = estimated(one, control);
  EXPECT_EQ(report.search.end, SearchOutcome::interrupted);
  ASSERT_THAT(seen, SizeIs(2));
  EXPECT_EQ(seen[0].evaluations, 1u);
  EXPECT_DOUBLE_EQ(seen[0].best, report.search.start_objective);
  ASSERT_THAT(report.search.parameters, SizeIs(2));  // the best values so far
  EXPECT_LE(report.search.objective, report.search.start_objective);
}

/// A quarter of a car, cut into chassis and wheel: two FMUs, each an input of the other.
class FittedCar : public ::testing::Test {
 protected:
  /// What would be measured with these values.
  void measure(const std::string& file, const std::vector<std::string>& values) const {
    System system = read_system(car_);
    for (const std::string& value : values) assign(system, value);
    system.simulation.stop = 1;
    system.results.variables = {"chassis.x", "wheel.x"};
    const auto writer = make_result_writer(work_.path() / file);
    EXPECT_EQ(run(system, {}, writer.get(), {}).end.kind, RunEnd::Kind::completed);
  }
  Workplace work_;
  std::filesystem::path car_ = places::build_folder() / "examples/quarter_car/system.toml";
};

TEST_F(FittedCar, HasItsParametersFromTwoExperiments) {
  const std::vector<std::string> unknown = {"chassis.k_c=17000", "chassis.d_c=1300",
                                            "wheel.k_w=160000", "wheel.d_w=50"};
  std::vector<std::string> second = unknown;
  second.insert(second.end(), {"wheel.road=0.05", "chassis.m_c=300"});
  measure("a.csv", unknown);
  measure("b.csv", second);
  const Study study = read_study(work_.write(
      "car.toml", "system = \"" + car_.string() + "\"\nset = { simulation.stop = 1.0 }\n" + R"toml(
[[parameters]]
name = "chassis.k_c"
min = 1e3
max = 1e5
[[parameters]]
name = "chassis.d_c"
min = 10
max = 1e4
scale = "log"
[[parameters]]
name = "wheel.k_w"
start = 1.2e5
[[parameters]]
name = "wheel.d_w"
nominal = 100
[[experiments]]
data = "a.csv"
signals = ["chassis.x", "wheel.x"]
[[experiments]]
data = "b.csv"
set = { wheel.road = 0.05, chassis.m_c = 300.0 }
signals = ["chassis.x", { formula = "wheel.x - chassis.x", column = "wheel.x" }]
[estimate]
)toml"));
  // The second experiment has the difference as its measurement.
  {
    ResultTable table = read_results(work_.path() / "b.csv");
    std::ofstream out(work_.path() / "b.csv");
    out.precision(17);
    out << "time,chassis.x,wheel.x\n";
    for (std::size_t i = 0; i < table.times.size(); i += 10) {
      const double chassis = table.find("chassis.x")->numbers[i];
      out << table.times[i] << ',' << chassis << ',' << table.find("wheel.x")->numbers[i] - chassis
          << '\n';
    }
  }
  const EstimateReport report = estimated(study);
  ASSERT_EQ(report.search.end, SearchOutcome::converged);
  const std::array expected = {17000.0, 1300.0, 160000.0, 50.0};
  for (std::size_t j = 0; j < expected.size(); ++j)
    EXPECT_NEAR(report.search.parameters[j].value / expected[j], 1, 1e-5);  // 10 * tolerance
  EXPECT_THAT(report.signals, SizeIs(4));
  EXPECT_EQ(report.search.runs % 2, 0u);  // both experiments at each point
}

TEST(EstimateFailures, NameTheMostFrequentReason) {
  const Workplace work;
  work.write("d.csv", "time,c.y\n0,1\n1,2\n");
  work.write("s.toml",
             "[components.c]\ntype = \"expression\"\n"
             "outputs = { y = \"k > 5 ? 0/0 : k*time\" }\nparameters = { k = 6.0 }\n"
             "[simulation]\nstop = 1.0\nstep = 0.5\n");
  const std::string text =
      "system = \"s.toml\"\n[[parameters]]\nname = \"c.k\"\nmin = 5.5\nmax = 9\n[[experiments]]\n"
      "data = \"d.csv\"\nsignals = [\"c.y\"]\n[estimate]\n";
  Study study = read_study(work.write("fit.toml", text));
  EstimateReport report = estimated(study);
  EXPECT_EQ(report.search.end, SearchOutcome::failed);
  ASSERT_TRUE(report.search.error);
  EXPECT_THAT(report.search.error->what(),
              HasSubstr("the objective cannot be evaluated at the start values: "));
  EXPECT_THAT(report.search.error->what(), HasSubstr("\"y\" of component \"c\" is NaN"));
  EXPECT_THAT(report.search.parameters, IsEmpty());
  study.estimate->method = "direct-l";
  study.estimate->max_runs = 30;
  report = estimated(study);
  ASSERT_TRUE(report.search.error);
  EXPECT_THAT(report.search.error->what(), HasSubstr("none of 30 evaluations succeeded; most "
                                                     "often, 30 of 30"));
  // A part of the range can fail: the search goes on.
  study.parameters[0].min = 0;
  study.parameters[0].start = 1;
  report = estimated(study);
  EXPECT_NEAR(report.search.parameters[0].value, 2, 0.1);  // y(1) = 2; direct-l stops early
  EXPECT_GT(report.search.failed_evaluations, 0u);
}

/// Optimizes y = k t (t in 0..1) of an expression.
class Optimum : public ::testing::Test {
 protected:
  Study study(const std::string& parameters, const std::string& optimize) {
    work_.write("s.toml",
                "[components.c]\ntype = \"expression\"\n"
                "outputs = { y = \"(a - 1)^2 + 10*(b - a)^2 + time\", z = \"a + b\" }\n"
                "parameters = { a = 3.0, b = 4.0 }\n"
                "[simulation]\nstop = 1.0\nstep = 0.5\n");
    return read_study(work_.write(
        "study.toml", "system = \"s.toml\"\n" + parameters + "[optimize]\n" + optimize));
  }
  const std::string both_ = "[[parameters]]\nname = \"c.a\"\n[[parameters]]\nname = \"c.b\"\n";
  Workplace work_;
};

TEST_F(Optimum, OfAFormulaIsFound) {
  for (const char* const method : {"bobyqa", "nelder-mead", "slsqp", "subplex", "cobyla"}) {
    Study one = study(both_, "objective = \"max(c.y)\"\n");
    one.optimize->method = method;
    const OptimizeReport report = run_optimize(one, {}, {});
    EXPECT_EQ(report.search.end, SearchOutcome::converged) << method;
    // The square root of the accuracy of the objective, or the tolerance times 10.
    EXPECT_NEAR(report.search.parameters[0].value, 1, 1e-4) << method;
    EXPECT_NEAR(report.search.parameters[1].value, 1, 1e-4) << method;
    EXPECT_NEAR(report.search.objective, 1, 1e-7) << method;
    EXPECT_DOUBLE_EQ(report.search.start_objective, 4 + 10 + 1) << method;
  }
}

TEST_F(Optimum, KeepsConstraints) {
  // On a + b = 3: a = 1 + s, b = 2 - s: minimum of s^2 + 10 (1 - 2 s)^2 at s = 20/41.
  for (const char* const method : {"", "slsqp"}) {
    Study one = study(
        "[[parameters]]\nname = \"c.a\"\nmin = -10\nmax = 10\n[[parameters]]\nname = \"c.b\"\n"
        "min = -10\nmax = 10\n",
        "objective = \"end(c.y)\"\nconstraints = [\"c.z >= 3\", \"c.z <= 100\"]\n");
    one.optimize->method = method;
    const OptimizeReport report = run_optimize(one, {}, {});
    EXPECT_TRUE(report.is_feasible) << method;
    EXPECT_NEAR(report.search.parameters[0].value, 1 + 20. / 41, 1e-3) << method;
    EXPECT_NEAR(report.search.parameters[1].value, 2 - 20. / 41, 1e-3) << method;
    ASSERT_THAT(report.constraints, SizeIs(2));
    EXPECT_TRUE(report.constraints[0].is_active) << method;
    EXPECT_FALSE(report.constraints[1].is_active) << method;
    EXPECT_TRUE(report.constraints[1].is_satisfied) << method;
    EXPECT_NEAR(report.constraints[0].left, 3, 1e-4) << method;
    EXPECT_DOUBLE_EQ(report.constraints[0].right, 3) << method;
  }
}

TEST_F(Optimum, IsAMaximumIfRequested) {
  Study one = study("[[parameters]]\nname = \"c.a\"\nmin = -2\nmax = 5\n",
                    "objective = \"c.z - c.a_squared\"\nmaximize = true\n");
  one.optimize->objective = "end(c.z)";
  const OptimizeReport report = run_optimize(one, {}, {});  // one parameter: nelder-mead
  EXPECT_EQ(report.search.method, "nelder-mead");
  EXPECT_NEAR(report.search.objective, 9, 1e-5);  // b = 4
  EXPECT_EQ(report.search.parameters[0].at_bound, AtBound::max);
}

TEST_F(Optimum, NamesTheFormulaThatIsNotANumber) {
  const OptimizeReport report =
      run_optimize(study(both_, "objective = \"sqrt(2 - c.a)\"\n"), {}, {});
  EXPECT_EQ(report.search.end, SearchOutcome::failed);
  ASSERT_TRUE(report.search.error);
  EXPECT_EQ(report.search.error->code(), ErrorCode::numeric);
  EXPECT_THAT(report.search.error->what(),
              HasSubstr("the objective \"sqrt(2 - c.a)\" is NaN with c.a = 3, c.b = 4"));
}

TEST_F(Optimum, RefusesMethodsThatDoNotFit) {
  Study one = study(both_, "objective = \"end(c.y)\"\nmethod = \"levenberg-marquardt\"\n");
  const auto refusal = [&] {
    return std::string(error_of([&] { run_optimize(one, {}, {}); }).what());
  };
  EXPECT_THAT(refusal(), HasSubstr("\"levenberg-marquardt\" fits measurements"));
  one.optimize->method = "bobyqa";
  one.optimize->constraints = {"c.y <= 1"};
  EXPECT_THAT(refusal(), HasSubstr("\"bobyqa\" cannot take constraints. Use one of: cobyla"));
  one.optimize->constraints = {"c.y <= 1 <= 2"};
  one.optimize->method = "";
  EXPECT_THAT(refusal(), HasSubstr("two formulas with one <= or >="));
  one.optimize->constraints.clear();
  one.optimize->objective = "end(c.w)";
  EXPECT_THAT(refusal(), HasSubstr("formula \"end(c.w)\""));
}

TEST(Estimate, DrawsMeasurementsAsDots) {
  SearchControl control;
  control.curves = true;
  const EstimateReport report = estimated(tank_study("perturbed.toml"), control);
  const Figure figure = figure_of(report);
  ASSERT_THAT(figure.panels, SizeIs(4));
  const FigurePanel& panel = figure.panels[2];
  ASSERT_THAT(panel.curves, SizeIs(2));
  EXPECT_EQ(panel.curves[0].name, "tank.x3");
  EXPECT_GT(panel.curves[0].times.size(), 600u);  // the whole run
  EXPECT_TRUE(panel.curves[1].dots);
  EXPECT_EQ(panel.curves[1].values, report.signals[2].measured);
  EXPECT_EQ(panel.unit, "m");
  EXPECT_THAT(draw_svg(figure, {}), HasSubstr("measured"));
}

TEST(Estimate, WritesValuesThatARunStartsWith) {
  const EstimateReport report = estimated(tank_study("fit.toml"));
  const Workplace work;
  write_values(work.path() / "v.toml", values_of(report.search),
               comment_of(report.search, "fit.toml"));
  System system = read_system(places::build_folder() / "examples/quadruple_tank/system.toml");
  assign(system, read_values(work.path() / "v.toml"));
  system.results.variables = {"tank.x1"};
  const auto writer = make_result_writer(work.path() / "r.csv");
  run(system, {}, writer.get(), {});
  const ResultTable results = read_results(work.path() / "r.csv");
  // The run of the fit, with the same values to the last bit.
  EXPECT_NEAR(results.columns[0].numbers.back(), report.signals[0].simulated.back(), 1e-15);
  EXPECT_THAT(work.read("v.toml"), HasSubstr("# Result of the study fit.toml: "));
}

TEST(Estimate, IsTheSameWithAnyNumberOfWorkers) {
  std::vector<std::vector<double>> all;
  for (const std::uint32_t jobs : {1u, 3u}) {
    SearchControl control;
    control.jobs = jobs;
    const EstimateReport report = estimated(tank_study("perturbed.toml"), control);
    EXPECT_EQ(report.search.jobs, jobs);
    std::vector<double>& values = all.emplace_back();
    for (const FoundParameter& parameter : report.search.parameters)
      values.push_back(parameter.value);
    for (const ParameterAccuracy& accuracy : report.accuracy) values.push_back(accuracy.low);
  }
  EXPECT_EQ(all[0], all[1]);
}

}  // namespace
}  // namespace tutti::testing
