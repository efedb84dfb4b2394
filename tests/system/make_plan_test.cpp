// SPDX-License-Identifier: BSD-2-Clause
#include "system/make_plan.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support_models.hpp"

namespace tutti::system {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = EvaluationBlock::Kind;

std::vector<std::vector<std::uint32_t>> stage_members(const Plan& plan) {
  std::vector<std::vector<std::uint32_t>> all;
  for (const Stage& stage : plan.stages) all.push_back(stage.components);
  return all;
}

TEST(Plan, ResolvesConnectionsToScalars) {
  Bench bench;
  auto& a = bench.add("a");
  a.add("v", Type::float64, Causality::output).dimensions = {Dimension{2, {}}, Dimension{2, {}}};
  a.add("y[2]", Type::float64, Causality::output);
  a.add("y", Type::float64, Causality::output).dimensions = {Dimension{3, {}}};
  auto& b = bench.add("b");
  b.add("w", Type::float64, Causality::input).dimensions = {Dimension{2, {}}, Dimension{2, {}}};
  b.add("u", Type::float64, Causality::input);
  b.add("s", Type::float64, Causality::input);
  bench.connect("a.v", "b.w");
  bench.connect("a.y[3]", "b.u");
  bench.connect("a.y[2]", "b.s");
  const Plan plan = bench.plan();
  ASSERT_EQ(plan.links.size(), 6u);
  EXPECT_EQ(plan.links[3].from, (Point{0, 0, 3}));
  EXPECT_EQ(plan.links[3].to, (Point{1, 0, 3}));
  EXPECT_EQ(plan.links[4].from, (Point{0, 2, 2}));
  EXPECT_EQ(plan.links[5].from, (Point{0, 1, 0})) << "an exact name wins over an element";
}

TEST(Plan, AppliesUnitsBeforeFactorAndOffset) {
  Bench bench;
  auto& a = add_siso(bench, "a");
  auto& b = add_siso(bench, "b");
  a.description.units = {{"K", Unit::Base{{0, 0, 0, 0, 1}, 1, 0}, {}}};
  b.description.units = {{"degC", Unit::Base{{0, 0, 0, 0, 1}, 1, 273.15}, {}}};
  a.description.variables[1].attributes.unit = "K";
  b.description.variables[0].attributes.unit = "degC";
  Connection& connection = bench.connect("a.y", "b.u");
  connection.factor = 2;
  connection.offset = 5;
  const Link link = bench.plan().links.at(0);
  EXPECT_EQ(link.factor, 2);
  EXPECT_EQ(link.offset, 2 * -273.15 + 5);
}

TEST(Plan, RefusesUnknownVariables) {
  Bench bench;
  add_siso(bench, "chassis").add("speed", Type::float64, Causality::output);
  add_siso(bench, "wheel").add("v", Type::float64, Causality::input).dimensions = {
      Dimension{2, {}}};
  bench.connect("chassis.sped", "wheel.u");
  bench.connect("chassis.velocity", "wheel.u");
  bench.connect("chassis.y", "wheel.v[3]");
  bench.connect("chassis.y", "wheel.v[1,1]");
  bench.system.connections[0].place = {"car.toml", 14, 3};
  const std::string text = bench.refusal();
  EXPECT_THAT(text, HasSubstr("car.toml:14:3: connection \"chassis.sped -> wheel.u\": component "
                              "\"chassis\" (chassis.fmu) has no variable \"sped\". Did you mean "
                              "\"speed\"?"));
  EXPECT_THAT(text, HasSubstr("no variable \"velocity\". Inputs: u. Outputs: y, speed."));
  EXPECT_THAT(text, HasSubstr("has no element \"v[3]\": the array is 2"));
  EXPECT_THAT(text, HasSubstr("has no element \"v[1,1]\""));
}

TEST(Plan, RefusesUnknownComponents) {
  Bench bench;
  add_siso(bench, "chassis");
  bench.system.connections.push_back({{"chasis", "y"}, {"chassis", "u"}, 1, 0, {}});
  EXPECT_THAT(bench.refusal(), HasSubstr("no component \"chasis\". Did you mean \"chassis\"?"));
}

TEST(Plan, RefusesTwoSourcesOfOneInput) {
  Bench bench;
  add_siso(bench, "a");
  add_siso(bench, "b");
  add_siso(bench, "c");
  bench.connect("a.y", "c.u");
  bench.connect("b.y", "c.u");
  bench.system.connections[0].place = {"car.toml", 14, 3};
  EXPECT_THAT(bench.refusal(),
              HasSubstr("input \"c.u\" is driven twice: by \"a.y\" (car.toml:14:3) and by "
                        "\"b.y\""));
  bench.system.connections.pop_back();
  bench.system.inputs.file = "road.csv";
  EXPECT_THAT(bench.refusal({"c.u"}),
              HasSubstr("road.csv: column \"c.u\": input \"c.u\" is driven twice"));
  bench.system.inputs.constants = {{{"c", "u"}, "1"}};
  EXPECT_THAT(bench.refusal(), HasSubstr("constant input \"c.u\""));
}

TEST(Plan, RefusesWhatIsNoOutputOrNoInput) {
  Bench bench;
  auto& a = add_siso(bench, "a");
  a.add("p", Type::float64, Causality::parameter);
  a.add("time", Type::float64, Causality::independent);
  add_siso(bench, "b");
  bench.connect("a.y", "b.y");
  EXPECT_THAT(bench.refusal(), HasSubstr("\"y\" is not an input: its causality is \"output\""));
  bench.system.connections.clear();
  bench.connect("b.y", "a.p");
  EXPECT_THAT(bench.refusal(), HasSubstr("Give it a value under \"set\""));
  bench.system.connections.clear();
  bench.connect("a.u", "b.u");
  EXPECT_THAT(bench.refusal(), HasSubstr("\"u\" is an input and cannot feed another one"));
  bench.system.connections.clear();
  bench.connect("a.time", "b.u");
  EXPECT_THAT(bench.refusal(), HasSubstr("is the time of the model"));
  bench.system.connections.clear();
  bench.connect("a.p", "b.u");
  EXPECT_EQ(bench.plan().links.size(), 1u) << "the value of a parameter can be read";
}

TEST(Plan, RefusesOtherShapesAndTypesThatDoNotFit) {
  Bench bench;
  auto& a = bench.add("a");
  a.add("v", Type::float64, Causality::output).dimensions = {Dimension{2, {}}};
  a.add("n", Type::int32, Causality::output);
  auto& b = bench.add("b");
  b.add("w", Type::float64, Causality::input).dimensions = {Dimension{3, {}}};
  b.add("flag", Type::boolean, Causality::input);
  b.add("x", Type::float64, Causality::input);
  bench.connect("a.v", "b.w");
  bench.connect("a.n", "b.flag");
  const std::string text = bench.refusal();
  EXPECT_THAT(text, HasSubstr("\"v\" is an array of 2, but \"w\" is an array of 3"));
  EXPECT_THAT(text, HasSubstr("type Int32 cannot go into an input of type Boolean"));
  bench.system.connections.clear();
  bench.connect("a.n", "b.x").factor = 2;
  EXPECT_THAT(bench.refusal(), HasSubstr("factor and offset are for real values"));
}

TEST(Plan, RefusesUnitsOfAnotherQuantity) {
  Bench bench;
  auto& a = add_siso(bench, "a");
  a.description.units = {{"m", Unit::Base{{0, 1}, 1, 0}, {}},
                         {"s", Unit::Base{{0, 0, 1}, 1, 0}, {}}};
  a.description.variables[0].attributes.unit = "s";
  a.description.variables[1].attributes.unit = "m";
  bench.connect("a.y", "a.u");
  EXPECT_THAT(bench.refusal(), HasSubstr("unit \"m\" of the output and \"s\" of the input measure "
                                         "different quantities"));
}

TEST(Plan, SaysThatUnitsWithoutMeaningAreNotConverted) {
  Bench bench;
  auto& a = add_siso(bench, "a");
  a.description.variables[0].attributes.unit = "km/h";
  a.description.variables[1].attributes.unit = "m/s";
  bench.connect("a.y", "a.u");
  std::string warned;
  bench.plan(Log([&](const LogRecord& record) { warned += record.text; }));
  EXPECT_THAT(warned, HasSubstr("nothing is converted"));
}

TEST(Plan, NotesInputsThatNothingDrives) {
  Bench bench;
  add_siso(bench, "a").add("v", Type::float64, Causality::input);
  add_siso(bench, "b");
  bench.connect("a.y", "b.u");
  bench.system.inputs.constants = {{{"a", "v"}, "1"}};
  std::string noted;
  const Plan plan = bench.plan(Log([&](const LogRecord& record) { noted += record.text; }));
  EXPECT_THAT(plan.unconnected_inputs, ElementsAre(Point{0, 0, 0}));
  EXPECT_THAT(open_inputs(bench.system, bench.descriptions, bench.structures, plan),
              ElementsAre("a.u"));
  EXPECT_EQ(noted, "");  // checks and the reports of runs show them
  ASSERT_EQ(plan.external.size(), 1u);
  EXPECT_TRUE(plan.external[0].is_constant);
}

TEST(Plan, RefusesTimesAndNamesThatMakeNoSense) {
  Bench bench;
  add_siso(bench, "a");
  add_siso(bench, "a");
  bench.system.simulation.step = 0;
  bench.system.simulation.start = 1;
  bench.system.simulation.stop = 0;
  const std::string text = bench.refusal();
  EXPECT_THAT(text, HasSubstr("two components \"a\""));
  EXPECT_THAT(text, HasSubstr("simulation.step = 0 must be positive"));
  EXPECT_THAT(text, HasSubstr("simulation.stop = 0 is not after simulation.start = 1"));
}

// A -> {B, C, D} -> {E, F} -> G, as in the EAS paper's figure: priorities 0, 1, 2, 3.
TEST(Plan, PutsTheEasExampleInOrder) {
  Bench bench;
  for (const char* name : {"G", "F", "E", "D", "C", "B", "A"}) {
    auto& model = add_siso(bench, name);
    model.add("v", Type::float64, Causality::input);
    model.add("w", Type::float64, Causality::input);
  }
  bench.connect("A.y", "B.u");
  bench.connect("B.y", "C.u");
  bench.connect("C.y", "D.u");
  bench.connect("D.y", "B.v");
  bench.connect("D.y", "E.u");
  bench.connect("C.y", "F.u");
  bench.connect("E.y", "F.v");
  bench.connect("F.y", "E.v");
  bench.connect("E.y", "G.u");
  const Plan plan = bench.plan();
  ASSERT_EQ(plan.stages.size(), 4u);
  EXPECT_THAT(stage_members(plan), ElementsAre(ElementsAre(6u), ElementsAre(3u, 5u, 4u),
                                               ElementsAre(1u, 2u), ElementsAre(0u)));
  for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(plan.stages[i].priority, i);
  EXPECT_TRUE(plan.stages[1].is_cycle);
  EXPECT_FALSE(plan.stages[3].is_cycle);
}

TEST(Plan, AComponentConnectedToItselfIsACycle) {
  Bench bench;
  add_siso(bench, "a");
  bench.connect("a.y", "a.u");
  EXPECT_TRUE(bench.plan().stages.at(0).is_cycle);
}

Bench ring() {
  Bench bench;
  add_siso(bench, "a");
  add_siso(bench, "b");
  add_siso(bench, "c");
  bench.connect("a.y", "b.u");
  bench.connect("b.y", "a.u");
  bench.connect("b.y", "c.u");
  return bench;
}

TEST(Plan, GivesACycleItsSettings) {
  Bench bench = ring();
  bench.system.cycles = {{{"b", "a"}, {"newton"}, {"b", "a"}, {}}};
  const Plan plan = bench.plan();
  EXPECT_EQ(plan.stages[0].settings, 0);
  EXPECT_THAT(plan.stages[0].components, ElementsAre(1u, 0u));
  EXPECT_EQ(plan.stages[1].settings, -1);
}

TEST(Plan, RefusesSettingsOfNoCycle) {
  Bench bench = ring();
  bench.system.cycles = {{{"a", "c"}, {"newton"}, {}, {"car.toml", 20, 1}}};
  EXPECT_THAT(bench.refusal(), HasSubstr("car.toml:20:1: cycles, of = [a, c]: this is not a cycle. "
                                         "The cycles are {a, b}"));
  bench.system.cycles = {{{"a"}, {"newton"}, {}, {}}};
  EXPECT_THAT(bench.refusal(), HasSubstr("only a part of the cycle {a, b}"));
  bench.system.cycles = {{{"a", "b"}, {}, {"a"}, {}}};
  EXPECT_THAT(bench.refusal(), HasSubstr("order must name each component of {a, b} once"));
  bench.system.cycles = {{{"a", "b"}, {}, {}, {}}, {{"b", "a"}, {}, {}, {}}};
  EXPECT_THAT(bench.refusal(), HasSubstr("this cycle already has settings"));
  bench.system.connections.clear();
  EXPECT_THAT(bench.refusal(), HasSubstr("this is not a cycle, and the system has none"));
}

TEST(Plan, OrdersInitializationByTheDependenciesOfTheModels) {
  Bench bench = ring();
  // Nothing is said, so y may depend on u in both: a loop.
  const auto kinds = [&] {
    std::vector<Kind> all;
    for (const EvaluationBlock& block : bench.plan().evaluations) all.push_back(block.kind);
    return all;
  };
  EXPECT_THAT(kinds(), ::testing::Contains(Kind::solve));
  // With a's output known to depend on no input there is none.
  auto& a = const_cast<ModelDescription&>(*bench.descriptions[0]);
  a.structure.outputs = {{1, std::vector<std::int32_t>{}, {}}};
  EXPECT_THAT(kinds(), ::testing::Not(::testing::Contains(Kind::solve)));
  const Plan plan = bench.plan();
  ASSERT_EQ(plan.evaluations.size(), 5u);
  EXPECT_EQ(plan.coupled[plan.evaluations[0].variables[0]], (Point{0, 1, 0}));
}

TEST(Rollback, IsAskedOfTheComponentsOfACycleOnly) {
  Bench bench = ring();
  const auto needs = [](std::string_view method) { return method == "newton"; };
  const auto refusal = [&]() -> std::string {
    try {
      check_rollback(bench.system, bench.plan(), bench.descriptions, needs);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::capability);
      return error.what();
    }
    return "nothing refused";
  };
  EXPECT_EQ(refusal(), "nothing refused");
  bench.system.simulation.methods = {"jacobi", "newton"};
  EXPECT_THAT(refusal(),
              HasSubstr("component \"a\" (a.fmu, FMI 3.0): method \"newton\" repeats steps, but "
                        "the FMU cannot save and restore its state "
                        "(canGetAndSetFMUState=\"false\"). Use method = \"jacobi\" or "
                        "\"gauss-seidel\""));
  const auto capabilities = [&](std::size_t i) -> Capabilities& {
    return *const_cast<ModelDescription&>(*bench.descriptions[i]).co_simulation;
  };
  capabilities(0).can_save_state = true;
  EXPECT_THAT(refusal(), HasSubstr("component \"b\""));
  const_cast<ModelDescription&>(*bench.descriptions[1]).version = FmiVersion::v1;
  EXPECT_THAT(refusal(), HasSubstr("canRejectSteps"));
  capabilities(1).can_redo_step = true;
  EXPECT_EQ(refusal(), "nothing refused") << "c is in no cycle";
  bench.system.cycles = {{{"a", "b"}, {"jacobi"}, {}, {}}};
  capabilities(1).can_redo_step = false;
  EXPECT_EQ(refusal(), "nothing refused") << "the cycle has a method of its own";
}

}  // namespace
}  // namespace tutti::system
