// SPDX-License-Identifier: BSD-2-Clause
// <tutti/ode.hpp>, <tutti/integrate.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <tutti/error.hpp>
#include <tutti/integrate.hpp>
#include <tutti/solvers.hpp>

namespace tutti {
namespace {

using ::testing::HasSubstr;
using View = std::span<const double>;
using Out = std::span<double>;

/// y'' = -y, with all that any solver asks for.
OdeFunctions oscillator() {
  OdeFunctions p;
  p.size = 2;
  p.rhs = [](double, View y, Out f) { f[0] = y[1], f[1] = -y[0]; };
  p.jacobian = [](double, View, Out j) { j[0] = 0, j[1] = -1, j[2] = 1, j[3] = 0; };
  p.time_derivative = [](double, View, Out f) { f[0] = f[1] = 0; };
  return p;
}

/// A ball that falls from 1 m and loses half of its speed when it bounces.
OdeFunctions ball(double restitution = 0.5) {
  OdeFunctions p;
  p.size = 2;
  p.rhs = [](double, View y, Out f) { f[0] = y[1], f[1] = -9.81; };
  p.jacobian = [](double, View, Out j) { j[0] = 0, j[1] = 0, j[2] = 1, j[3] = 0; };
  p.time_derivative = [](double, View, Out f) { f[0] = f[1] = 0; };
  p.root_count = 1;
  p.root_directions = {-1};
  p.roots = [](double, View y, View, Out g) { g[0] = y[0]; };
  p.handle_event = [restitution](OdeEvent& event) {
    event.y[0] = 0;
    event.y[1] *= -restitution;
    return AfterEvent::go_on;
  };
  return p;
}
/// Of bounce n, from 0 on, with restitution 1/2: t0, then every flight takes half of the last one.
double bounce_time(int n) {
  const double fall = std::sqrt(2 / 9.81);
  return fall * (1 + 2 * (1 - std::pow(0.5, n)));
}

OdeSettings with(const std::string& solver, double tolerance = 1e-8) {
  OdeSettings settings;
  settings.solver = solver;
  settings.rtol = tolerance;
  settings.atol = {tolerance};
  for (const SolverInfo& info : ode_solvers())
    if (info.name == solver &&
        std::ranges::find(info.options, "h", &SolverOptionInfo::name) != info.options.end())
      settings.options["h"] = 1e-3;
  return settings;
}

std::vector<std::string> explicit_solvers() {
  std::vector<std::string> names;
  for (const SolverInfo& solver : ode_solvers())
    if (std::ranges::find(solver.forms, OdeForm::explicit_ode) != solver.forms.end())
      names.push_back(solver.name);
  return names;
}

/// What a solver may be off by after some units of time: methods of order 1 with steps of 1e-3.
double allowed(const std::string& solver) {
  for (const SolverInfo& info : ode_solvers())
    if (info.name == solver) return info.order == 1 ? 1e-2 : solver == "rk34" ? 1e-4 : 1e-5;
  return 0;
}

class EverySolver : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Integrate, EverySolver, ::testing::ValuesIn(explicit_solvers()),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST_P(EverySolver, FollowsAnOscillatorForwardAndBackward) {
  const auto there = integrate(oscillator(), 0, {1, 0}, 2, with(GetParam()));
  EXPECT_EQ(there.end, OdeSolution::End::reached);
  EXPECT_EQ(there.t, 2);
  EXPECT_NEAR(there.y[0], std::cos(2.0), allowed(GetParam()));
  EXPECT_NEAR(there.y[1], -std::sin(2.0), allowed(GetParam()));
  const auto back = integrate(oscillator(), 2, there.y, 0, with(GetParam()));
  EXPECT_EQ(back.t, 0);
  EXPECT_NEAR(back.y[0], 1, 2 * allowed(GetParam()));
  EXPECT_NEAR(back.y[1], 0, 2 * allowed(GetParam()));
}

TEST_P(EverySolver, LocatesTheBouncesOfABall) {
  const auto run = integrate(ball(), 0, {1, 0}, 1.27, with(GetParam()));
  ASSERT_EQ(run.events.size(), 4u);  // 1.27 s lies between the fourth bounce and the fifth
  for (int n = 0; n < 4; ++n) {
    const OdeEventRecord& event = run.events[static_cast<std::size_t>(n)];
    EXPECT_NEAR(event.t, bounce_time(n), allowed(GetParam())) << n;
    EXPECT_EQ(event.roots, std::vector{-1});
    EXPECT_LT(event.before[1], 0);
    EXPECT_DOUBLE_EQ(event.after[1], -0.5 * event.before[1]);
  }
  EXPECT_EQ(run.event_counts.state, 4u);
}

TEST_P(EverySolver, PutsResultsAtPointsAndAsAFunctionOfTime) {
  OdeOutput output;
  output.points = {0, 0.3, 1.1, 2};
  output.dense = true;
  const auto run = integrate(oscillator(), 0, {1, 0}, 2, with(GetParam()), output);
  EXPECT_EQ(run.times, output.points);
  for (std::size_t k = 0; k < run.times.size(); ++k)
    EXPECT_NEAR(run.at(k)[0], std::cos(run.times[k]), allowed(GetParam())) << run.times[k];
  EXPECT_EQ(run.dense.start(), 0);
  EXPECT_EQ(run.dense.stop(), 2);
  for (const double t : {0.0, 0.123, 1.0, 1.999, 2.0})
    EXPECT_NEAR(run.dense(t)[0], std::cos(t), allowed(GetParam())) << t;
  EXPECT_THROW(run.dense(2.1), std::out_of_range);
}

TEST_P(EverySolver, MeetsTimeEventsExactly) {
  OdeFunctions p = oscillator();
  p.next_time_event = [](double t) {
    return t < 0.7 ? 0.7 : t < 1.3 ? 1.3 : std::numeric_limits<double>::infinity();
  };
  std::vector<double> seen;
  p.handle_event = [&](OdeEvent& event) {
    EXPECT_TRUE(event.time_event);
    seen.push_back(event.t);
    event.y[0] += 1;
    return AfterEvent::go_on;
  };
  const auto run = integrate(std::move(p), 0, {0, 0}, 1.3, with(GetParam()));
  EXPECT_EQ(seen, (std::vector{0.7, 1.3}));
  // A jump of 1 at 0.7, and another one at the end: cos(0.6) + 1.
  EXPECT_NEAR(run.y[0], std::cos(0.6) + 1, allowed(GetParam()));
  EXPECT_EQ(run.event_counts.time, 2u);
}

TEST_P(EverySolver, HandlesStepEventsAndStopsWhenAsked) {
  OdeFunctions p = oscillator();
  int steps = 0;
  p.is_step_event = [&](double, View) { return ++steps == 3; };
  p.handle_event = [](OdeEvent& event) {
    EXPECT_TRUE(event.step_event);
    return AfterEvent::stop;
  };
  const auto run = integrate(std::move(p), 0, {1, 0}, 1000, with(GetParam()));
  EXPECT_EQ(run.end, OdeSolution::End::stopped);
  EXPECT_EQ(run.event_counts.step, 1u);
  EXPECT_LT(run.t, 1000);
}

TEST_P(EverySolver, WrapsWhatTheProblemThrows) {
  OdeFunctions p = oscillator();
  p.rhs = [](double t, View y, Out f) {
    if (t > 0.5) throw std::runtime_error("no more data");
    f[0] = y[1], f[1] = -y[0];
  };
  try {
    integrate(std::move(p), 0, {1, 0}, 1, with(GetParam()));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::numeric);
    EXPECT_THAT(error.what(), HasSubstr("no more data"));
    EXPECT_THAT(error.what(), HasSubstr(GetParam() == "auto" ? "solver" : GetParam()));
    EXPECT_THROW(std::rethrow_if_nested(error), std::runtime_error);
  }
}

TEST_P(EverySolver, EndsWithAMessageWhereTheEquationsEnd) {
  OdeFunctions p = oscillator();
  p.rhs = [](double t, View, Out f) { f[0] = f[1] = t > 0.5 ? std::nan("") : 1; };
  try {
    integrate(std::move(p), 0, {1, 0}, 1, with(GetParam()));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::numeric);
    ASSERT_TRUE(error.details().time.has_value());
    EXPECT_NEAR(*error.details().time, 0.5, 0.02);
  }
}

TEST(Integrate, RefusesAPoleWithoutALoop) {
  for (const std::string& solver : explicit_solvers()) {
    if (with(solver).options.contains("h")) continue;  // no error control
    OdeFunctions p;
    p.rhs = [](double, View y, Out f) { f[0] = y[0] * y[0]; };  // 1 / (1 - t)
    p.jacobian = [](double, View y, Out j) { j[0] = 2 * y[0]; };
    p.time_derivative = [](double, View, Out f) { f[0] = 0; };
    OdeSettings settings = with(solver);
    settings.max_steps = 100'000;
    EXPECT_THROW(integrate(std::move(p), 0, {1}, 2, settings), Error) << solver;
  }
}

TEST(Integrate, ReportsBothSidesOfAnEventAndEveryStep) {
  const auto run = integrate(ball(), 0, {1, 0}, 1, with("cvode"));
  const auto event = std::ranges::find(run.times, run.events[0].t);
  ASSERT_NE(event, run.times.end());
  const auto row = static_cast<std::size_t>(event - run.times.begin());
  EXPECT_EQ(run.times[row + 1], run.times[row]);
  EXPECT_LT(run.at(row)[1], 0);
  EXPECT_GT(run.at(row + 1)[1], 0);
  EXPECT_EQ(run.times.front(), 0);
  EXPECT_EQ(run.times.back(), 1);
  EXPECT_EQ(run.times.size(), run.statistics.steps + 1 + run.events.size());
}

TEST(Integrate, MeetsTimeEventsThatAHandlerHasSet) {
  OdeFunctions p = ball();
  double off = std::numeric_limits<double>::infinity();
  std::vector<double> seen;
  p.next_time_event = [&](double t) {
    return off > t ? off : std::numeric_limits<double>::infinity();
  };
  p.handle_event = [&](OdeEvent& event) {
    if (event.time_event) seen.push_back(event.t);
    if (event.roots[0] != 0) {
      event.y[0] = 0, event.y[1] = 5;  // up for a second
      off = event.t + 0.5;
    }
    return AfterEvent::go_on;
  };
  const auto run = integrate(std::move(p), 0, {1, 0}, 1, with("cvode"));
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_DOUBLE_EQ(seen[0], run.events[0].t + 0.5);
}

TEST(Integrate, RefusesATimeEventThatDoesNotLieAhead) {
  OdeFunctions p = oscillator();
  p.next_time_event = [](double t) { return t; };
  EXPECT_THROW(integrate(std::move(p), 0, {1, 0}, 1, with("cvode")), Error);
}

TEST(Integrate, RefusesPointsOutOfOrderOrOutside) {
  for (const std::vector<double>& points : {std::vector{1.0, 0.5}, {2.5}, {-0.1}, {std::nan("")}}) {
    OdeOutput output;
    output.points = points;
    EXPECT_THROW(integrate(oscillator(), 0, {1, 0}, 2, with("cvode"), output), Error);
  }
  OdeOutput downwards;
  downwards.points = {2, 1.5, 0};
  EXPECT_EQ(integrate(oscillator(), 2, {1, 0}, 0, with("cvode"), downwards).times,
            downwards.points);
}

TEST(Integrate, FindsStartValuesOfADaeAndGivesDerivativesAtPoints) {
  // y0' = -y0 + z, 0 = z - sin t; from z(0.5) = 7, which is wrong.
  OdeFunctions p;
  p.residual = [](double t, View y, View yp, Out r) {
    r[0] = yp[0] + y[0] - y[1];
    r[1] = y[1] - std::sin(t);
  };
  for (const char* const solver : {"ida", "radau5", "auto"}) {
    OdeOutput output;
    output.points = {0.5, 1, 2};
    std::vector<double> slopes;
    output.receive = [&](double t, View y, View yp) {
      ASSERT_EQ(yp.size(), 2u);
      EXPECT_NEAR(y[1], std::sin(t), 1e-6);
      EXPECT_NEAR(yp[0], y[1] - y[0], 1e-5);
      slopes.push_back(yp[0]);
    };
    const auto run = integrate(p, 0.5, {1, 7}, 2, with(solver), output);
    EXPECT_EQ(slopes.size(), 3u) << solver;
    EXPECT_TRUE(run.warnings.empty()) << solver;
  }
}

TEST(Integrate, TakesZeroForNotPositiveAtTheStopTime) {
  OdeFunctions p;
  p.rhs = [](double, View, Out f) { f[0] = 1; };
  p.root_count = 1;
  p.roots = [](double, View y, View, Out g) { g[0] = y[0] - 1; };
  int count = 0;
  p.handle_event = [&](OdeEvent&) {
    ++count;
    return AfterEvent::go_on;
  };
  // 2^-k steps end at 1 exactly; y(1) is 1 without rounding errors.
  integrate(std::move(p), 0, {0}, 1, {.solver = "rk4", .options = {{"h", 0.125}}});
  EXPECT_EQ(count, 0);  // g(1) = 0 is not positive yet
}

TEST_P(EverySolver, FindsSeveralEventsAtOnceAtTheStopTime) {
  OdeFunctions p = oscillator();
  p.rhs = [](double, View, Out f) { f[0] = 1, f[1] = 0; };
  p.jacobian = [](double, View, Out j) { std::ranges::fill(j, 0.0); };
  p.root_count = 3;
  p.roots = [](double, View y, View, Out g) {
    g[0] = y[0] - 1, g[1] = 2 * (y[0] - 1), g[2] = y[0] - 2;
  };
  std::vector<int> seen;
  p.handle_event = [&](OdeEvent& event) {
    seen.assign(event.roots.begin(), event.roots.end());
    EXPECT_NEAR(event.t, 1, 1e-9);
    return AfterEvent::go_on;
  };
  integrate(std::move(p), 0, {0, 0}, 1 + 1e-10, with(GetParam()));
  EXPECT_EQ(seen, (std::vector{1, 1, 0}));
}

TEST(Integrate, AnEventFunctionThatIsZeroAtTheStartDoesNotTriggerThere) {
  OdeFunctions p = ball();
  const auto run = integrate(std::move(p), 0, {0, 1}, 0.1, with("cvode"));
  EXPECT_TRUE(run.events.empty());  // the first bounce comes after 2/9.81 s
}

TEST(Integrate, SwitchesOffAnEventAndOnAgainByAStepEvent) {
  // Blocked pendulum: wall at -pi/4, elastic. The event function changes its sign at once after the
  // reset, so it is off until the velocity has changed its sign. Times: quarter period and more.
  struct Pendulum : OdeProblem {
    std::size_t size() const override { return 2; }
    bool evaluate(double, View y, Out f) override {
      f[0] = y[1], f[1] = -9.81 * std::sin(y[0]);
      return true;
    }
    std::size_t root_count() const override { return 1; }
    bool evaluate_roots(double, View y, View, Out g) override {
      g[0] = armed ? y[0] + std::numbers::pi / 4 : 1;
      return true;
    }
    bool is_step_event(double, View y) override { return !armed && y[1] < 0; }
    AfterEvent handle_event(OdeEvent& event) override {
      if (event.step_event) {
        armed = true;
      } else {
        event.y[1] = -event.y[1];
        armed = false;
        bounces.push_back(event.t);
      }
      return AfterEvent::go_on;
    }
    bool armed = true;
    std::vector<double> bounces;
  } pendulum;
  integrate(pendulum, 0, {std::numbers::pi / 2, 0}, 10, with("cvode"));
  ASSERT_EQ(pendulum.bounces.size(), 6u);
  for (std::size_t k = 0; k < 6; ++k)  // (2k-1) 0.77954513, 1e-6 at a tolerance of 1e-8
    EXPECT_NEAR(pendulum.bounces[k], (2 * static_cast<double>(k) + 1) * 0.77954513, 1e-6);
}

TEST(Integrate, WarnsOfChatteringAndEndsWhereTimeStandsStill) {
  OdeFunctions p;
  p.rhs = [](double, View, Out f) { f[0] = 1; };
  p.root_count = 1;
  p.roots = [](double, View y, View, Out g) { g[0] = y[0] - 0.5; };
  p.handle_event = [](OdeEvent& event) {
    event.y[0] = std::nextafter(0.5, 0.0);  // at once below again
    return AfterEvent::go_on;
  };
  try {
    integrate(std::move(p), 0, {0}, 1, with("cvode"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("without progress of time"));
    EXPECT_NEAR(error.details().time.value_or(0), 0.5, 1e-9);
  }
}

TEST(Integrate, EndsWhenProgressSaysSoOrTheWallTimeIsUp) {
  OdeOutput output;
  int calls = 0;
  output.progress = [&](double) { return ++calls < 3; };
  EXPECT_EQ(integrate(oscillator(), 0, {1, 0}, 100, with("cvode"), output).end,
            OdeSolution::End::interrupted);
  EXPECT_EQ(calls, 3);
  output = {};
  output.time_limit = 0;
  EXPECT_EQ(integrate(oscillator(), 0, {1, 0}, 100, with("cvode"), output).end,
            OdeSolution::End::time_limit);
}

TEST(Integrate, PassesResultsOnInsteadOfStoringThem) {
  OdeOutput output;
  std::vector<double> times;
  output.points = {0.5, 1};
  output.receive = [&](double t, View y, View) {
    times.push_back(t);
    EXPECT_NEAR(y[0], std::cos(t), 1e-6);
  };
  const auto run = integrate(oscillator(), 0, {1, 0}, 1, with("cvode"), output);
  EXPECT_EQ(times, output.points);
  EXPECT_TRUE(run.times.empty());
}

TEST(Integrate, CountsWhatLimitedTheSteps) {
  OdeFunctions p;  // a slow component and a fast one
  p.rhs = [](double t, View y, Out f) { f[0] = -0.01 * y[0], f[1] = 50 * std::cos(50 * t); };
  OdeSettings settings = with("cvode", 1e-6);
  settings.diagnose = true;
  const auto run = integrate(std::move(p), 0, {1, 0}, 2, settings);
  ASSERT_EQ(run.diagnosis.components.size(), 2u);
  EXPECT_EQ(run.diagnosis.steps.size(), run.statistics.steps);
  EXPECT_GT(run.diagnosis.components[1].limited, 10 * run.diagnosis.components[0].limited);
}

void expect_refused(OdeFunctions problem, const std::vector<double>& y0,
                    const OdeSettings& settings, const char* text) {
  try {
    integrate(std::move(problem), 0, y0, 1, settings);
    FAIL() << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage) << error.what();
    EXPECT_THAT(error.what(), HasSubstr(text));
  }
}

TEST(Integrate, RefusesWhatMakesNoSense) {
  expect_refused(oscillator(), {1, 0}, with("cvod"), "Did you mean \"cvode\"?");
  OdeSettings settings = with("cvode");
  settings.atol = {0};
  expect_refused(oscillator(), {1, 0}, settings, "must be positive");
  settings = with("cvode");
  settings.atol = {1, 1, 1};
  expect_refused(oscillator(), {1, 0}, settings, "3 numbers for 2 states");
  settings = with("cvode");
  settings.rtol = -1;
  expect_refused(oscillator(), {1, 0}, settings, "rtol");
  settings = with("cvode");
  settings.options["maxxord"] = 3;
  expect_refused(oscillator(), {1, 0}, settings, "maxxord");
  expect_refused(oscillator(), {std::nan(""), 0}, with("cvode"), "not finite");
  expect_refused({}, {1}, with("cvode"), "one of rhs and residual");
  settings = with("euler");
  settings.options.clear();
  expect_refused(oscillator(), {1, 0}, settings, "option h");
  settings.options["h"] = 0.0;
  expect_refused(oscillator(), {1, 0}, settings, "option h");
  OdeFunctions p = oscillator();
  p.jacobian_pattern = {.row_count = 2, .column_start = {0, 2, 4}, .row_index = {1, 0, 0, 1}};
  expect_refused(std::move(p), {1, 0}, with("cvode"), "ascending");
  OdeFunctions dae;
  dae.residual = [](double, View y, View yp, Out r) { r[0] = yp[0] + y[0]; };
  expect_refused(std::move(dae), {1}, with("cvode-adams"), "does not solve F(t, y, y') = 0");
}

TEST(Integrate, NoticesAProblemThatChangesItsSize) {
  struct Growing : OdeProblem {
    std::size_t size() const override { return n; }
    bool evaluate(double, View, Out f) override {
      f[0] = 1;
      n = 2;  // from the first call on: Jacobians are still to come
      return true;
    }
    std::size_t n = 1;
  } problem;
  for (const char* const solver : {"cvode", "radau5", "dopri5"}) {
    problem.n = 1;
    EXPECT_THROW(integrate(problem, 0, {0}, 1, with(solver)), Error) << solver;
  }
}

TEST(Integrate, GoesStepByStepInTheHandOfTheCaller) {
  const auto problem = make_problem(ball());
  Integration integration(*problem, with("cvode"));
  integration.start(0, std::vector{1.0, 0.0});
  while (integration.time() < 0.3) {
    const OdePoint reached = integration.step(0.3);
    EXPECT_EQ(reached.t, integration.time());
  }
  EXPECT_NEAR(integration.states()[0], 1 - 9.81 / 2 * 0.09, 1e-7);  // 10 tolerances
  OdePoint point;
  do {
    point = integration.step(1);
  } while (point.kind != OdePoint::Kind::event);
  EXPECT_NEAR(point.t, bounce_time(0), 1e-8);
  double before[2];
  integration.interpolate(point.t, before);
  EXPECT_LT(before[1], 0);
  EXPECT_GT(integration.states()[1], 0);
  EXPECT_THROW(integration.step(0.1), Error);  // behind it
}

}  // namespace
}  // namespace tutti
