// SPDX-License-Identifier: BSD-2-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tutti/simulation.hpp>
#include <tutti/steady.hpp>
#include <tutti/system_run.hpp>

#include "api/systems.hpp"

namespace tutti::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// As `tutti steady` in this process.
SteadyOptions in_this_process() {
  SteadyOptions options;
  options.own_process = false;
  return options;
}

double value_of(const std::vector<SteadyValue>& values, const std::string& name) {
  const auto found = std::ranges::find(values, name, &SteadyValue::name);
  if (found != values.end()) return found->value;
  ADD_FAILURE() << "no " << name;
  return 0;
}

/// Two tanks, the outflow of the first into the second: both settle at (q/a)^2/(2 g).
System tanks(const std::string& version, double inflow = 0.02) {
  System system;
  for (const char* name : {"upper", "lower"})
    system.components.push_back(component(name, fmu_of(version, "Outflow")));
  system.components[1].set = {{"a", "0.02"}};
  system.connections = {{.from = {"upper", "flow"}, .to = {"lower", "q"}}};
  system.inputs.constants = {{{"upper", "q"}, std::to_string(inflow)}};
  system.simulation.stop = 10;
  system.simulation.step = 0.1;
  return system;
}

constexpr double level(double inflow, double hole) {
  return inflow / hole * inflow / hole / (2 * 9.81);
}

/// As in the model.
enum class Form { cubic, pull, growth, nothing, moving, switched, broken, never };

System curve(Form form, double x = 0.5, const std::string& version = "2.0") {
  System system;
  system.components = {component("curve", fmu_of(version, "Curve"))};
  system.components[0].set = {{"form", std::to_string(static_cast<int>(form))},
                              {"x", std::to_string(x)}};
  system.simulation.stop = 10;
  system.simulation.step = 0.1;
  return system;
}

/// The largest change of any recorded value in a run that starts from the values.
double drift(System system, const SteadyState& state) {
  assign(system, state.values);
  class Spread final : public Observer {
   public:
    void begin(std::span<const Column> all) override { columns = {all.begin(), all.end()}; }
    void row(const Row& row) override {
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const double value = as_real(columns[i].type, row.cells[i]);
        if (first.size() <= i) first.push_back(value);
        largest = std::max(largest, std::abs(value - first[i]));
      }
    }
    void finish() override {}
    std::vector<Column> columns;
    std::vector<double> first;
    double largest = 0;
  } spread;
  SystemRunOptions options;
  options.own_process = false;
  run(system, options, &spread, {});
  EXPECT_FALSE(spread.first.empty());
  return spread.largest;
}

TEST(Steady, FindsTheLevelsOfTwoTanks) {
  for (const char* version : {"1.0-me", "2.0", "3.0"}) {
    const SteadyState state = find_steady(tanks(version), in_this_process());
    ASSERT_TRUE(state.found) << version << state.failure;
    EXPECT_NEAR(value_of(state.states, "upper.h"), level(0.02, 0.01), 1e-9) << version;
    EXPECT_NEAR(value_of(state.states, "lower.h"), level(0.02, 0.02), 1e-9) << version;
    EXPECT_EQ(state.stability, Stability::stable);
    // d der(h)/dh = -a sqrt(2 g/h)/(2 area), of the slower tank
    EXPECT_NEAR(*state.abscissa, -0.01 * std::sqrt(2 * 9.81 / level(0.02, 0.01)) / 2 / 0.5, 1e-6)
        << version;
    EXPECT_TRUE(state.is_verified) << version << steady_text(state);
    // In 100 steps: the tolerance of the search, and of the solver, 1e-6.
    EXPECT_LT(drift(tanks(version), state), 1e-7) << version;
  }
}

TEST(Steady, FindsTheInflowForAGivenLevel) {
  for (const char* version : {"1.0-me", "2.0", "3.0"}) {
    SteadyOptions options = in_this_process();
    options.free = {"upper.q"};
    options.fixed = {{"lower.h", 0.2}};
    const SteadyState state = find_steady(tanks(version), options);
    ASSERT_TRUE(state.found) << version << state.failure;
    const double inflow = 0.02 * std::sqrt(2 * 9.81 * 0.2);
    EXPECT_NEAR(value_of(state.inputs, "upper.q"), inflow, 1e-8) << version;
    EXPECT_NEAR(value_of(state.fixed, "lower.h"), 0.2, 1e-9);
    EXPECT_NEAR(value_of(state.states, "upper.h"), level(inflow, 0.01), 1e-7) << version;
    EXPECT_TRUE(state.is_verified) << steady_text(state);
    EXPECT_LT(drift(tanks(version), state), 1e-6) << version;  // the tolerance of the solver
  }
}

// An output, and a tunable parameter, which takes effect in events only.
TEST(Steady, FindsATunableParameterForAGivenOutput) {
  SteadyOptions options = in_this_process();
  options.free = {"lower.valve"};
  options.fixed = {{"lower.h", 0.2}};
  const SteadyState state = find_steady(tanks("3.0"), options);
  ASSERT_TRUE(state.found) << state.failure;
  EXPECT_NEAR(value_of(state.inputs, "lower.valve"), 0.02 / (0.02 * std::sqrt(2 * 9.81 * 0.2)),
              1e-7);
  EXPECT_TRUE(state.is_verified) << steady_text(state);

  options.free = {"upper.q"};
  options.fixed = {{"lower.flow", 0.015}};
  const SteadyState by_flow = find_steady(tanks("2.0"), options);
  ASSERT_TRUE(by_flow.found) << by_flow.failure;
  EXPECT_NEAR(value_of(by_flow.inputs, "upper.q"), 0.015, 1e-9);
}

TEST(Steady, FindsTheEquilibriumNearTheStart) {
  const struct {
    double from, to;
    Stability stability;
  } rows[] = {
      {0.05, 0, Stability::unstable}, {2, 1, Stability::stable}, {-5, -1, Stability::stable}};
  for (const auto& [from, to, stability] : rows) {
    const SteadyState state = find_steady(curve(Form::cubic, from), in_this_process());
    ASSERT_TRUE(state.found);
    EXPECT_NEAR(state.states[0].value, to, 1e-8);
    EXPECT_EQ(state.stability, stability) << from;
    EXPECT_EQ(state.states[0].start, from);
  }
}

TEST(Steady, FollowsTheTransientWhereNewtonsMethodFails) {
  const SteadyState state = find_steady(curve(Form::pull, 20), in_this_process());
  ASSERT_TRUE(state.found) << state.failure;
  EXPECT_EQ(state.method, SteadyMethod::transient);
  EXPECT_NEAR(state.states[0].value, 0, 1e-8);
}

TEST(Steady, ReportsTheResidualsWithoutASolution) {
  const SteadyState state = find_steady(curve(Form::growth), in_this_process());
  EXPECT_FALSE(state.found);
  ASSERT_EQ(state.residuals.size(), 1u);
  EXPECT_EQ(state.residuals[0].name, "der(curve.x)");
  EXPECT_GE(state.residuals[0].value, 1);  // 1 + x^2
  EXPECT_THAT(state.failure, HasSubstr("Newton"));
  EXPECT_THAT(state.values, IsEmpty());
}

TEST(Steady, ReportsDerivativesThatAreNotFinite) {
  const SteadyState state = find_steady(curve(Form::nothing), in_this_process());
  EXPECT_FALSE(state.found);
  EXPECT_THAT(state.failure, HasSubstr("curve.x"));
}

// The model raises an error beyond 2, where Newton's method would go first.
TEST(Steady, GoesOnAfterAnErrorOfTheModel) {
  System system = curve(Form::broken, 0);
  system.inputs.constants = {{{"curve", "u"}, "1.5"}};
  const SteadyState state = find_steady(system, in_this_process());
  ASSERT_TRUE(state.found) << state.failure;
  EXPECT_NEAR(state.states[0].value, 1.5, 1e-8);
  system.inputs.constants[0].second = "2.5";
  const SteadyState beyond = find_steady(system, in_this_process());
  EXPECT_FALSE(beyond.found);
  EXPECT_THAT(beyond.failure, HasSubstr("too large"));
}

// Equations that change on the way: first they lead to 1.5, beyond 1 to 3.
TEST(Steady, HandlesEventsOnTheWay) {
  for (const char* version : {"1.0-me", "2.0", "3.0"}) {
    const SteadyState state = find_steady(curve(Form::switched, 0, version), in_this_process());
    ASSERT_TRUE(state.found) << version << state.failure;
    EXPECT_NEAR(state.states[0].value, 3, 1e-8);
    EXPECT_TRUE(state.is_verified) << version << steady_text(state);
  }
}

TEST(Steady, EndsWhereEventsNeverSettle) {
  const SteadyState state = find_steady(curve(Form::never, 0), in_this_process());
  EXPECT_FALSE(state.found);
  EXPECT_THAT(state.failure, HasSubstr("events keep changing the equations"));
  EXPECT_LT(state.steps, 1000u);  // the maximum
}

TEST(Steady, KeepsAnUndeterminedState) {
  System system;
  for (const char* name : {"speed", "position"})
    system.components.push_back(component(name, fmu_of("2.0", "Feedback")));
  for (Component& one : system.components) one.set = {{"a", "0"}, {"x", "0.5"}};
  system.connections = {{.from = {"speed", "y"}, .to = {"position", "u"}}};
  const SteadyState state = find_steady(system, in_this_process());
  ASSERT_TRUE(state.found) << state.failure;
  EXPECT_NEAR(value_of(state.states, "speed.x"), 0, 1e-9);
  EXPECT_NEAR(value_of(state.states, "position.x"), 0.5, 1e-9);
  EXPECT_TRUE(state.states[0].is_determined);
  EXPECT_FALSE(state.states[1].is_determined);
  EXPECT_EQ(state.stability, Stability::marginal);
  EXPECT_THAT(state.findings, Contains(HasSubstr("do not determine position.x")));
}

// Feedback with feed-through: y1 = x1 + d u1, u1 = y2 + 1, and so on, with a loop of gain
// d1 d2 = -0.25. At rest x = u (a = -1, b = 1), y = (1 + d) u.
TEST(Steady, SolvesLoopsWithFeedThrough) {
  System system;
  for (const char* name : {"one", "two"})
    system.components.push_back(component(name, fmu_of("2.0", "Feedback")));
  system.components[0].set = {{"d", "0.5"}};
  system.components[1].set = {{"d", "-0.5"}, {"c", "-0.2"}};
  system.connections = {{.from = {"one", "y"}, .to = {"two", "u"}},
                        {.from = {"two", "y"}, .to = {"one", "u"}, .offset = 1}};
  const SteadyState state = find_steady(system, in_this_process());
  ASSERT_TRUE(state.found) << state.failure;
  const double u1 = 1 / (1 + 1.5 * 0.7);  // u1 = 1 + (c + d) u2, u2 = 1.5 u1
  EXPECT_NEAR(value_of(state.states, "one.x"), u1, 1e-9);
  EXPECT_NEAR(value_of(state.states, "two.x"), 1.5 * u1, 1e-9);
  EXPECT_TRUE(state.is_verified);
}

TEST(Steady, TakesBuiltInComponentsAsEquations) {
  System system = tanks("2.0");
  system.inputs.constants.clear();
  Component pump{.name = "pump"};
  pump.built_in.type = "constant";
  pump.set = {{"value", "0.01"}};
  Component twice{.name = "twice"};
  twice.built_in.type = "gain";
  twice.set = {{"k", "2"}};
  Component pipe{.name = "pipe"};
  pipe.built_in.type = "delay";
  pipe.set = {{"delay", "0.5"}};
  for (const Component* const one : {&pump, &twice, &pipe}) system.components.push_back(*one);
  system.connections.push_back({.from = {"pump", "y"}, .to = {"twice", "u"}});
  system.connections.push_back({.from = {"twice", "y"}, .to = {"pipe", "u"}});
  system.connections.push_back({.from = {"pipe", "y"}, .to = {"upper", "q"}});
  const SteadyState state = find_steady(system, in_this_process());
  ASSERT_TRUE(state.found) << state.failure;
  EXPECT_NEAR(value_of(state.states, "upper.h"), level(0.02, 0.01), 1e-9);
  EXPECT_LT(drift(system, state), 1e-7);
  SteadyOptions options = in_this_process();
  options.free = {"pump.value"};
  options.fixed = {{"upper.h", 0.3}};
  const SteadyState by_pump = find_steady(system, options);
  ASSERT_TRUE(by_pump.found) << by_pump.failure;
  EXPECT_NEAR(value_of(by_pump.inputs, "pump.value"), 0.01 * std::sqrt(2 * 9.81 * 0.3) / 2, 1e-9);
}

TEST(Steady, NotesWhatChangesOverTime) {
  const SteadyState state = find_steady(curve(Form::moving), in_this_process());
  ASSERT_TRUE(state.found);
  EXPECT_NEAR(state.states[0].value, 0, 1e-9);
  EXPECT_THAT(state.findings, Contains(HasSubstr("depend on time")));
}

// Whole periods between samples would look constant.
TEST(Steady, NotesOscillationsOfAnyPeriod) {
  for (const double frequency : {1.0, 4.0, 5.0, 16.0}) {
    System system = tanks("2.0");
    system.inputs.constants.clear();
    system.simulation.stop = 1;
    Component pump{.name = "pump"};
    pump.built_in.type = "sine";
    pump.set = {
        {"offset", "0.02"}, {"amplitude", "0.01"}, {"frequency", std::to_string(frequency)}};
    system.components.push_back(pump);
    system.connections.push_back({.from = {"pump", "y"}, .to = {"upper", "q"}});
    const SteadyState state = find_steady(system, in_this_process());
    ASSERT_TRUE(state.found) << state.failure;
    EXPECT_THAT(state.findings, Contains(HasSubstr("depend on time"))) << frequency;
  }
}

// The model fails from t = 0.5 s on: what was found before remains.
TEST(Steady, KeepsASolutionDespiteALaterError) {
  System system;
  system.components = {component("faulty", fmu_of("2.0", "faulty_me_faults"))};
  system.components[0].set = {{"fault", "1"}};
  system.simulation.stop = 1;
  system.simulation.step = 0.1;
  const SteadyState state = find_steady(system, in_this_process());
  ASSERT_TRUE(state.found) << state.failure;
  EXPECT_EQ(value_of(state.states, "faulty.x"), 1);
  EXPECT_TRUE(state.is_verified);
  EXPECT_THAT(state.findings, Contains(HasSubstr("out of range")));
}

TEST(Steady, NotesGivenValuesThatAConnectionReplaces) {
  System system = tanks("2.0");
  assign(system, std::vector<NamedValue>{{"lower.q", "2", {}}, {"upper.q", "0.03", {}}});
  const SteadyState state = find_steady(system, in_this_process());
  ASSERT_TRUE(state.found) << state.failure;
  EXPECT_NEAR(value_of(state.states, "upper.h"), level(0.03, 0.01), 1e-9);
  EXPECT_THAT(state.findings, Contains(HasSubstr("value of lower.q has no effect")));
  const auto has = [&](const char* name) {
    return std::ranges::find(state.values, name, &NamedValue::name) != state.values.end();
  };
  EXPECT_FALSE(has("lower.q"));
  EXPECT_TRUE(has("upper.q"));
}

// Its description allows start values of the states, but it refuses them.
TEST(Steady, LeavesOutWhatAnFmuRefuses) {
  const SteadyState state =
      find_steady(system_of(fmu_of("1.0-me", "StateSpace")), in_this_process());
  ASSERT_TRUE(state.found) << state.failure;
  EXPECT_FALSE(state.is_verified);
  EXPECT_THAT(state.findings, Contains(HasSubstr("cannot be used as start values")));
  EXPECT_THAT(state.values, IsEmpty());
}

TEST(Steady, EndsForALargeMatrixOfAlmostNothing) {
  System system = system_of(fmu_of("3.0", "StateSpace"));
  assign(system, std::vector<NamedValue>{{"n", "610", {}}, {"m", "1", {}}, {"r", "1", {}}});
  const SteadyState state = find_steady(system, in_this_process());
  EXPECT_EQ(state.states.size(), 610u);
}

TEST(Steady, WorksForALoneFmu) {
  SteadyOptions options = in_this_process();
  options.free = {"q"};
  options.fixed = {{"h", 0.2}};
  const System system = system_of(fmu_of("3.0", "Outflow"));
  const SteadyState state = find_steady(system, options);
  ASSERT_TRUE(state.found) << state.failure;
  EXPECT_NEAR(value_of(state.inputs, "q"), 0.01 * std::sqrt(2 * 9.81 * 0.2), 1e-9);
  EXPECT_TRUE(state.is_verified) << steady_text(state);
  ASSERT_EQ(state.values.size(), 2u);
  EXPECT_EQ(state.values[0].name, "h");
}

TEST(Steady, KeepsAssignedValuesForTheRun) {
  System system = tanks("2.0");
  assign(system, std::vector<NamedValue>{{"upper.a", "0.012", {}}});
  const SteadyState state = find_steady(system, in_this_process());
  ASSERT_TRUE(state.found);
  EXPECT_NEAR(value_of(state.states, "upper.h"), level(0.02, 0.012), 1e-9);
  EXPECT_THAT(state.values,
              Contains(::testing::Field(&NamedValue::name, ::testing::StrEq("upper.a"))));
  EXPECT_LT(drift(tanks("2.0"), state), 1e-7);
}

TEST(Steady, WarnsOfValuesOutsideTheirLimits) {
  const SteadyState state = find_steady(tanks("2.0", 0.2), in_this_process());  // 20 m
  ASSERT_TRUE(state.found);
  EXPECT_THAT(state.findings, Contains(HasSubstr("upper.h = 20.3874 is above its maximum 4")));
}

TEST(Steady, RefusesNamesAndCountsThatDoNotFit) {
  const auto refusal = [](std::vector<std::string> free,
                          std::vector<std::pair<std::string, double>> fixed) {
    SteadyOptions options = in_this_process();
    options.free = std::move(free);
    options.fixed = std::move(fixed);
    return refusal_of([&] { find_steady(tanks("2.0"), options); });
  };
  EXPECT_THAT(refusal({}, {{"lower.h", 0.2}}), HasSubstr("1 value fixed (lower.h), 0 inputs free"));
  EXPECT_THAT(refusal({"upper.q"}, {}), HasSubstr("0 values fixed, 1 input free (upper.q)"));
  EXPECT_THAT(refusal({"upper.qq"}, {}), HasSubstr("Did you mean \"upper.q\"?"));
  EXPECT_THAT(refusal({"lower.q"}, {}), HasSubstr("\"lower.q\" cannot be free: a connection"));
  EXPECT_THAT(refusal({"lower.area"}, {}), HasSubstr("fixed at the start"));
  EXPECT_THAT(refusal({"upper.q"}, {{"lower.hh", 1}}), HasSubstr("Did you mean \"lower.h\"?"));
  EXPECT_THAT(refusal({"upper.q"}, {{"lower.area", 1}}), HasSubstr("--set lower.area=1"));
  EXPECT_THAT(refusal({"upper.q"}, {{"lower.h", 0.1}, {"lower.h", 0.08}}),
              HasSubstr("\"lower.h\" is fixed twice"));
}

TEST(Steady, RefusesComponentsWithoutEquations) {
  System system = tanks("2.0");
  system.components[1].fmu = fmu_of("2.0", "OutflowCs");
  const std::string refusal = refusal_of([&] { find_steady(system, in_this_process()); });
  EXPECT_THAT(refusal,
              HasSubstr("component \"lower\" has 1 continuous state and no model-exchange"));
  EXPECT_THAT(refusal, HasSubstr("Export the FMU with model exchange"));
}

TEST(Steady, WorksInAWorker) {
  SteadyOptions options;
  options.free = {"upper.q"};
  options.fixed = {{"lower.h", 0.2}};
  const SteadyState here_state = [&] {
    SteadyOptions local = options;
    local.own_process = false;
    return find_steady(tanks("2.0"), local);
  }();
  const SteadyState state = find_steady(tanks("2.0"), options);
  ASSERT_TRUE(state.found) << state.failure;
  EXPECT_EQ(steady_text(state), steady_text(here_state));
  EXPECT_EQ(steady_json(state), steady_json(here_state));
  EXPECT_THAT(refusal_of([&] {
                options.free = {"upper.qq"};
                find_steady(tanks("2.0"), options);
              }),
              HasSubstr("upper.qq"));
}

}  // namespace
}  // namespace tutti::testing
