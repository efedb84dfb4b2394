// SPDX-License-Identifier: BSD-2-Clause
// Values that are set at times known beforehand. The measure is a session that sets them by hand.
// Names with "Session" in them run in both places.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <tutti/checkpoint.hpp>
#include <tutti/session.hpp>
#include <tutti/system_check.hpp>
#include <tutti/system_file.hpp>
#include <tutti/system_graph.hpp>
#include <tutti/system_run.hpp>

#include "api/masses.hpp"
#include "api/systems.hpp"
#include "support/command.hpp"

namespace tutti::testing::actions {
namespace {

using ::testing::HasSubstr;

/// y' = gain alone: y is the integral of what actions set.
System integral(const std::string& version, FmuKind as, std::vector<TimedAction> actions) {
  System system;
  system.components = {component("g", fmu_of(version, "TunableGain"))};
  system.components[0].as = as;
  system.simulation.step = 0.1;
  system.simulation.stop = 1;
  system.actions = std::move(actions);
  return system;
}

TimedAction gain_at(double at, const std::string& value) {
  return {at, {{{"g", "gain"}, value}}, {}};
}

/// x' = 1 + w v, v' = -x, where w is an input that nothing drives.
System oscillator_with_input(const std::string& version, FmuKind as = FmuKind::co_simulation) {
  System system = oscillator(version);
  system.components.push_back(component("product", fmu_of(version, "Product")));
  system.components[2].set = {{"w", "1"}};
  for (Component& c : system.components) c.as = as;
  system.connections = {{.from = {"speed", "y"}, .to = {"product", "u"}},
                        {.from = {"product", "y"}, .to = {"position", "u"}},
                        {.from = {"position", "y"}, .to = {"speed", "u"}, .factor = -1}};
  return system;
}

TimedAction input_at(double at, const std::string& value) {
  return {at, {{{"product", "w"}, value}}, {}};
}

/// Times and values of one variable at the steps of a session.
struct Track {
  std::vector<double> times, values;
  bool operator==(const Track&) const = default;
};

/// A session through the whole time. Actions of the system are done by hand where `by_hand`.
Track track_of(System system, const char* name, bool by_hand) {
  std::vector<TimedAction> actions;
  if (by_hand) std::swap(actions, system.actions);
  Session session(system, placed());
  const Handle x = session.find(name);
  session.initialize();
  Track track;
  const auto step_until = [&](double end) {
    while (session.time() < end) {
      session.step(end);
      track.times.push_back(session.time());
      track.values.push_back(session.get(x));
    }
  };
  for (const TimedAction& action : actions) {
    step_until(action.at);
    for (const auto& [to, value] : action.set)
      session.set(session.find(to.component + "." + to.variable), std::stod(value));
  }
  step_until(*system.simulation.stop);
  return track;
}

/// Runs, with what the log gets.
RunReport run_with(const System& system, Observer* rows, std::string& log,
                   SystemRunOptions options = {}) {
  options.own_process = in_worker();
  return run(system, options, rows, Log([&](const LogRecord& record) {
               if (record.severity >= Severity::info) log += std::string(record.text) + '\n';
             }));
}

TEST(SessionActions, AreThoseThatASessionSetsByHand) {
  struct Case {
    const char *method, *control;
  };
  for (const char* version : {"2.0", "3.0"})
    for (const auto& [method, control] : {Case{"jacobi", "fixed"},
                                          {"gauss-seidel", "fixed"},
                                          {"iterated", "fixed"},
                                          {"newton", "fixed"},
                                          {"broyden", "fixed"},
                                          {"anderson", "fixed"},
                                          {"linear-implicit", "fixed"},
                                          {"newton", "convergence"},
                                          {"gauss-seidel", "richardson"},
                                          {"gauss-seidel", "predictor"},
                                          {"newton", "predictor"}}) {
      System system = oscillator_with_input(version);
      for (Component& c : system.components)  // else actions switch it on, sessions do not
        if (version[0] == '3' && c.name == "product") c.event_mode = EventMode::off;
      system.simulation.methods = {method};
      system.simulation.control.name = control;
      // The output follows at once, but an FMU without event mode shows it after the next step.
      system.simulation.control.at_min = OnLimit::go_on;
      system.actions = {input_at(0, "1.5"), input_at(0.3, "2"), input_at(0.617, "-1")};
      const Track here = track_of(system, "position.y", false);
      EXPECT_EQ(here, track_of(system, "position.y", true)) << version << method << control;
      EXPECT_NE(here, track_of(oscillator_with_input(version), "position.y", true));
    }
}

TEST(SessionActions, AreEventsOfModelExchangeComponents) {
  for (const char* version : {"2.0", "3.0"})
    for (const char* control : {"fixed", "predictor"}) {
      System system = oscillator_with_input(version, FmuKind::model_exchange);
      system.simulation.control.name = control;
      system.actions = {input_at(0.3, "2"), input_at(0.617, "-1")};
      EXPECT_EQ(track_of(system, "position.y", false), track_of(system, "position.y", true))
          << version << control;
    }
}

// What is set is constant between actions, so its integral is exact but for rounding, or for what
// the integrator of the FMU does. x' = u, y = 2 x + 3 u.
TEST(SessionActions, SetInputsOfEveryKindOfFmu) {
  for (const char* version : {"1.0-cs", "1.0-me", "2.0", "3.0"})
    for (const FmuKind as : {FmuKind::co_simulation, FmuKind::model_exchange}) {
      const bool is_me = as == FmuKind::model_exchange;
      if (std::string_view(version).ends_with(is_me ? "cs" : "me")) continue;
      System system =
          integral(version, as, {{0.75, {{{"g", "u"}, "2"}}, {}}, {0.25, {{{"g", "u"}, "5"}}, {}}});
      system.components[0].fmu = fmu_of(version, "Integrator");
      Session session(system, placed());
      const Handle y = session.find("g.y");
      session.initialize();
      session.advance_to(1);
      EXPECT_NEAR(session.get(y), 2 * (0.5 * 5 + 0.25 * 2) + 3 * 2, 1e-9) << version;
      EXPECT_EQ(session.finish().statistics.actions, 2u);
    }
}

// FMI 1.0 has no tunable parameters. y' = gain.
TEST(SessionActions, SetTunableParameters) {
  for (const char* version : {"2.0", "3.0"})
    for (const FmuKind as : {FmuKind::co_simulation, FmuKind::model_exchange}) {
      System system = integral(version, as, {gain_at(0.75, "2"), gain_at(0.25, "5")});
      Session session(system, placed());
      const Handle y = session.find("g.y");
      session.initialize();
      session.advance_to(1);
      EXPECT_NEAR(session.get(y), 0.25 + 0.5 * 5 + 0.25 * 2, 1e-9) << version;
      EXPECT_EQ(session.finish().statistics.actions, 2u);
    }
}

// The equations and the steps are linear, so leaving the step of the road at 2 s adds the motion of
// driving onto it, turned around and 2 s later.
TEST(SessionActions, SuperposeInALinearSystem) {
  System system = read_system(places::build_folder() / "examples" / "quarter_car" / "system.toml");
  system.results.variables = {"chassis.x"};
  Rows stays, leaves;
  std::string log;
  run_with(system, &stays, log);
  system.actions = {{2, {{{"wheel", "road"}, "0"}}, {}}};
  run_with(system, &leaves, log);
  ASSERT_EQ(stays.times, leaves.times);
  ASSERT_EQ(stays.times.size(), 4001u);
  for (std::size_t i = 0; i <= 2000; ++i) {
    ASSERT_EQ(leaves.values[i], stays.values[i]);
    // 1e-12: rounding errors of 4000 steps in metres
    ASSERT_NEAR(leaves.values[2000 + i], stays.values[2000 + i] - stays.values[i], 1e-12);
  }
  EXPECT_LT(leaves.values.back(), 0.01);
}

TEST(SessionActions, AtTheStartFollowInitialization) {
  Session session(integral("2.0", FmuKind::automatic, {gain_at(0, "3")}), placed());
  const Handle y = session.find("g.y");
  session.initialize();
  EXPECT_EQ(session.get(session.find("g.gain")), 1);
  session.advance_to(1);
  EXPECT_NEAR(session.get(y), 3, 1e-12);
}

TEST(SessionActions, HappenAgainAfterAnEarlierStateIsRestored) {
  System system = oscillator_with_input("3.0");
  system.actions = {input_at(0.3, "2"), input_at(0.6, "-1")};
  Session session(system, placed());
  const Handle x = session.find("position.y"), w = session.find("product.w");
  session.initialize();
  session.advance_to(0.2);
  const SessionState before = session.save();
  session.advance_to(0.3);
  EXPECT_EQ(session.get(w), 1);  // set when the next step starts
  const SessionState there = session.save();
  session.advance_to(0.5);
  EXPECT_EQ(session.get(w), 2);
  const SessionState between = session.save();
  session.advance_to(1);
  const double first = session.get(x);
  for (const SessionState& state : {before, there, between, before}) {
    session.restore(state);
    session.advance_to(1);
    EXPECT_EQ(session.get(x), first) << state.time();
    EXPECT_EQ(session.get(w), -1);
  }
  EXPECT_EQ(session.finish().statistics.actions, 2u);
}

TEST(SessionActions, ComeBeforeWhatASessionSetsAtTheSameTime) {
  Session session(integral("2.0", FmuKind::automatic, {gain_at(0.5, "3")}), placed());
  const Handle y = session.find("g.y"), gain = session.find("g.gain");
  session.initialize();
  session.advance_to(0.5);
  session.set(gain, 7.0);
  session.advance_to(1);
  EXPECT_EQ(session.get(gain), 7);
  EXPECT_NEAR(session.get(y), 0.5 + 0.5 * 7, 1e-12);
}

TEST(SessionActions, OfOneTimeAreOneEvent) {
  System system = integral("3.0", FmuKind::model_exchange, {gain_at(0.5, "3")});
  system.components.push_back(component("f", fmu_of("3.0", "Feedthrough")));
  system.actions.push_back({0.5, {{{"f", "array_in[2]"}, "5"}, {{"f", "words_in"}, "a b"}}, {}});
  system.actions.push_back({0.5,
                            {{{"f", "array_in[3]"}, "6"},
                             {{"f", "string_in"}, "two words"},
                             {{"f", "option_in"}, "2"},
                             {{"f", "flags_in"}, "true"},
                             {{"f", "binary_in"}, "00ff"}},
                            {}});
  Session session(system, placed());
  const Handle y = session.find("g.y"), array = session.find("f.array_out");
  session.initialize();
  session.advance_to(0.5);
  const auto before = std::get<std::vector<double>>(session.value(array));
  session.advance_to(1);
  EXPECT_NEAR(session.get(y), 0.5 + 0.5 * 3, 1e-9);
  EXPECT_EQ(session.value(array), Value(std::vector<double>{before[0], 5, 6}));
  const auto value = [&](const char* name) { return session.value(session.find(name)); };
  EXPECT_EQ(value("f.words_out"), Value(std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(value("f.string_out"), Value(std::string("two words")));
  EXPECT_EQ(value("f.option_out"), Value(std::int64_t{2}));
  EXPECT_EQ(value("f.flags_out"), Value(std::vector<bool>{true, true}));
  EXPECT_EQ(value("f.binary_out"), Value(Binary{0, 255}));
  EXPECT_EQ(session.finish().statistics.actions, 3u);
}

// Classes do not run in workers, so its name must not have the word in it.
TEST(ActionsWithLines, AreThoseThatAreSetByHand) {
  for (const unsigned threads : {1u, 2u}) {
    System system;
    system.components = {mass_part("a", 1, 1), mass_part("b", 1, 0)};
    for (Component& mass : system.components) mass.step = 0.0125;
    system.tlm = {line_between({"a", "port"}, {"b", "port"}, 0.1, 1)};
    system.simulation.step = 0.1;
    system.simulation.stop = 2;
    system.simulation.threads = threads;
    system.actions = {{0.5, {{{"b", "push"}, "2"}, {{"b", "gain"}, "3"}}, {}},
                      {1, {{{"a", "push"}, "-1"}}, {}}};
    System bare = system;
    bare.actions.clear();
    Session by_file(system), by_hand(bare);
    const Handle one = by_file.find("a.velocity"), other = by_hand.find("a.velocity");
    by_file.initialize();
    by_hand.initialize();
    by_hand.advance_to(0.5);
    by_hand.set(by_hand.find("b.push"), 2.0);
    by_hand.set(by_hand.find("b.gain"), 3.0);
    by_hand.advance_to(1);
    by_hand.set(by_hand.find("a.push"), -1.0);
    by_file.advance_to(2);
    by_hand.advance_to(2);
    EXPECT_EQ(by_file.get(one), by_hand.get(other)) << threads;
    EXPECT_EQ(by_file.finish().statistics.actions, 2u);
  }
}

TEST(SessionActions, LeaveARowBeforeThem) {
  System system = integral("2.0", FmuKind::co_simulation, {gain_at(0.25, "5")});
  system.results.variables = {"g.y"};
  system.results.interval = 0.5;
  Rows rows;
  std::string log;
  run_with(system, &rows, log);
  EXPECT_EQ(rows.times, (std::vector<double>{0, 0.25, 0.5, 1}));
  EXPECT_NEAR(rows.values[1], 0.25, 1e-12);
  EXPECT_NEAR(rows.values[2], 0.25 + 0.25 * 5, 1e-12);
  EXPECT_EQ(log, "");
}

TEST(SessionActions, AreNeverLateWithoutAWord) {
  System system = integral("2.0", FmuKind::co_simulation, {gain_at(0.25, "5"), gain_at(0.5, "2")});
  system.components.push_back(component("fixed", fmu_of("2.0", "FixedStep")));
  system.results.variables = {"g.y"};
  Rows rows;
  std::string log;
  const RunReport report = run_with(system, &rows, log);
  EXPECT_THAT(log, HasSubstr("actions.1: t = 0.25 s is not a communication point, and fixed cannot "
                             "vary its step: its values are set at t = 0.3 s"));
  EXPECT_EQ(log.find("actions.2"), log.npos);
  EXPECT_NEAR(rows.values.back(), 0.3 + 0.2 * 5 + 0.5 * 2, 1e-12);
  EXPECT_EQ(report.statistics.actions, 2u);
}

TEST(SessionActions, BehindTheEndAreReported) {
  System system = integral("2.0", FmuKind::automatic, {gain_at(1, "5"), gain_at(7, "2")});
  std::string log;
  EXPECT_EQ(run_with(system, nullptr, log).statistics.actions, 0u);
  EXPECT_THAT(log, HasSubstr("actions.1: t = 1 s is the stop time"));
  EXPECT_THAT(log, HasSubstr("actions.2: t = 7 s is after the stop time, 1 s"));
}

TEST(SessionActions, AreNotRepeatedByARunThatIsResumed) {
  System system = oscillator_with_input("3.0");
  system.actions = {input_at(0.4, "2"), input_at(0.8, "-1")};
  system.results.variables = {"position.y"};
  Workplace place;
  for (const double every : {0.3, 0.4}) {  // also where an action is due
    SystemRunOptions options;
    options.checkpoint = CheckpointOptions{place.path() / "here.tutti", every, {}};
    Rows whole, rest;
    std::string log;
    run_with(system, &whole, log);
    run_with(system, nullptr, log, options);
    SystemRunOptions resumed;
    resumed.resume = read_checkpoint(place.path() / "here.tutti");
    EXPECT_EQ(resumed.resume->time, every == 0.3 ? 0.9 : 0.8);
    const RunReport report = run_with(resumed.resume->system, &rest, log, resumed);
    EXPECT_EQ(rest.values.back(), whole.values.back());
    EXPECT_EQ(report.statistics.actions, 2u);
  }
}

TEST(SessionActions, WorkUnderTheMethodThatIsChosen) {
  System system = oscillator_with_input("2.0");
  system.simulation.methods = {"auto"};
  system.simulation.tolerance = {.abs = 1e-6, .rel = 1e-6};
  system.actions = {input_at(0.5, "0")};
  system.results.variables = {"position.y"};
  Rows rows;
  std::string log;
  const RunReport report = run_with(system, &rows, log);
  ASSERT_EQ(report.end.kind, RunEnd::Kind::completed);
  EXPECT_EQ(report.statistics.actions, 1u);
  // x'' = -w x until 0.5 with x(0) = 1, v(0) = 0, x' = 1 + v; then x' = 1.
  const double x = std::cos(0.5) + std::sin(0.5);
  EXPECT_NEAR(rows.values.back(), x + 0.5, 1e-4);  // a hundred tolerances: errors of steps add up
}

std::string refusal(
    TimedAction action, const std::function<void(System&)>& change = [](System&) {}) {
  System system = oscillator_with_input("3.0");
  system.components.push_back(component("g", fmu_of("3.0", "TunableGain")));
  system.components.push_back(component("f", fmu_of("3.0", "Feedthrough")));
  system.actions = {std::move(action)};
  change(system);
  const std::string text = refusal_of([&] { Session session(system, placed()); });
  const SystemReport report = check_system(system);
  EXPECT_FALSE(report.errors.empty());
  if (!report.errors.empty()) {
    EXPECT_THAT(text, HasSubstr(report.errors[0].what()));
  }
  return text;
}

TEST(SessionActions, AreRefusedBeforeTimeStarts) {
  const auto set = [](const char* component, const char* variable, const char* value) {
    return TimedAction{0.5, {{{component, variable}, value}}, {}};
  };
  EXPECT_THAT(refusal(set("positon", "u", "1")), HasSubstr("Did you mean \"position\"?"));
  EXPECT_THAT(refusal(set("g", "gian", "1")), HasSubstr("Did you mean \"gain\"?"));
  EXPECT_THAT(refusal(set("g", "gain", "red")), HasSubstr("cannot set \"g.gain\" to \"red\""));
  EXPECT_THAT(refusal(set("f", "option_in", "purple")), HasSubstr("purple"));
  EXPECT_THAT(refusal(set("f", "int8_in", "300")), HasSubstr("300"));
  EXPECT_THAT(refusal(set("f", "array_in", "1 2")),
              HasSubstr("it has 3 elements, but 2 values are given"));
  EXPECT_THAT(refusal(set("f", "array_in[7]", "1")), HasSubstr("array_in"));
  EXPECT_THAT(refusal(set("position", "u", "1")), HasSubstr("a connection or a table drives it"));
  EXPECT_THAT(refusal(set("g", "offset", "1")),
              HasSubstr("it is a fixed parameter, which does not change after initialization (FMI "
                        "3.0, 2.4.7.4). Set it in components.g.set."));
  EXPECT_THAT(refusal(set("g", "y", "1")), HasSubstr("the FMU computes it"));
  EXPECT_THAT(refusal({-1, {{{"g", "gain"}, "1"}}, {}}),
              HasSubstr("actions.1: at = -1 s is before the start time, 0 s"));
  EXPECT_THAT(refusal({std::numeric_limits<double>::quiet_NaN(), {{{"g", "gain"}, "1"}}, {}}),
              HasSubstr("is not finite"));
  EXPECT_THAT(refusal({0.5, {}, {}}), HasSubstr("set is empty"));
  EXPECT_THAT(refusal(gain_at(0.5, "1"), [](System& s) { s.actions.push_back(gain_at(0.5, "2")); }),
              HasSubstr("actions.2: \"g.gain\" is already set at t = 0.5 s by actions.1"));
}

}  // namespace
}  // namespace tutti::testing::actions
