// SPDX-License-Identifier: BSD-2-Clause
#include "system/lines.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support_models.hpp"
#include "system/line_parameters.hpp"

namespace tutti::system {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Components with a force f (variable 0) and a velocity v (1) that depends on no input.
testing::SmallDescription& add_mass(Bench& bench, const std::string& name) {
  testing::SmallDescription& model = bench.add(name);
  model.add("f", Type::float64, Causality::input);
  model.add("v", Type::float64, Causality::output);
  model.description.structure.outputs = {{1, std::vector<std::int32_t>{}, {}}};
  return model;
}

Port& add_port(Bench& bench, std::size_t component, const std::string& name = "P",
               PortDomain domain = PortDomain::translational) {
  Port& port = bench.system.components.at(component).ports.emplace_back();
  port.name = name;
  port.domain = domain;
  port.effort = {"f"};
  port.flow = {"v"};
  port.place = {"line.toml", 10 + static_cast<std::uint32_t>(component), 1};
  return port;
}

TlmLine& add_line(Bench& bench, const PortName& a = {"A", "P"}, const PortName& b = {"B", "P"}) {
  TlmLine& line = bench.system.tlm.emplace_back();
  line.between = {a, b};
  line.delay = 4e-4;
  line.impedance = 2;
  line.place = {"line.toml", 20, 1};
  return line;
}

/// Two masses with a line between them.
class TwoMasses : public Bench {
 public:
  TwoMasses() {
    a = &add_mass(*this, "A");
    b = &add_mass(*this, "B");
    add_port(*this, 0);
    add_port(*this, 1);
    add_line(*this);
  }
  Port& port(std::size_t component) { return system.components[component].ports[0]; }
  TlmLine& line() { return system.tlm[0]; }
  void set_domain(PortDomain domain) { port(0).domain = port(1).domain = domain; }

  testing::SmallDescription *a, *b;
};

TEST(Lines, ResolvesPortsAndParameters) {
  TwoMasses bench;
  bench.port(1).sign = -1;
  bench.port(1).flow_sign = -1;
  bench.line().damping = 0.25;
  bench.line().initial_effort = {3};
  bench.line().initial_flow = {1, -1};
  const LinePlan plan = bench.plan().lines;
  ASSERT_EQ(plan.ports.size(), 2u);
  EXPECT_EQ(plan.ports[0].directions.at(0).input, (Point{0, 0, 0}));
  EXPECT_EQ(plan.ports[0].directions[0].flow, (Point{0, 1, 0}));
  EXPECT_EQ(plan.ports[0].kind, PortKind::effort);
  EXPECT_EQ(plan.ports[0].input, PortInput::constant);
  EXPECT_EQ(plan.ports[0].sign, -1) << "the effort of the line is a force on the line";
  EXPECT_EQ(plan.ports[1].sign, 1);
  EXPECT_EQ(plan.ports[1].flow_sign, -1);
  EXPECT_FALSE(plan.ports[0].has_feed_through);
  ASSERT_EQ(plan.lines.size(), 1u);
  EXPECT_THAT(plan.lines[0].ports, ElementsAre(0, 1));
  EXPECT_EQ(plan.lines[0].delay, 4e-4);
  EXPECT_THAT(plan.lines[0].impedance, ElementsAre(2));
  EXPECT_EQ(plan.lines[0].reflection, -1);
  EXPECT_EQ(plan.lines[0].damping, 0.25);
  EXPECT_THAT(plan.lines[0].initial_effort, ElementsAre(3));
  EXPECT_THAT(plan.lines[0].initial_flow[1], ElementsAre(-1));
  EXPECT_THAT(plan.islands, ElementsAre(ElementsAre(0), ElementsAre(1)));
  EXPECT_THAT(bench.plan().unconnected_inputs, IsEmpty());
}

TEST(Lines, OtherDomainsCountTheFlowIntoTheLine) {
  TwoMasses bench;
  for (const PortDomain domain :
       {PortDomain::electric, PortDomain::hydraulic, PortDomain::thermofluid}) {
    bench.set_domain(domain);
    const LinePlan plan = bench.plan().lines;
    EXPECT_EQ(plan.lines[0].reflection, 1);
    EXPECT_EQ(plan.ports[0].sign, 1);
  }
  bench.port(0).density = bench.port(1).density = 1.25;
  EXPECT_EQ(bench.plan().lines.ports[0].flow_sign, 0.8);
}

TEST(Lines, AreGivenByTwoOfDelayImpedanceStiffnessAndMass) {
  const auto planned = [](std::optional<double> delay, std::optional<double> impedance,
                          std::optional<double> stiffness, std::optional<double> mass) {
    TwoMasses bench;
    bench.line().delay = delay;
    bench.line().impedance = impedance;
    bench.line().stiffness = stiffness;
    bench.line().mass = mass;
    const PlannedLine line = bench.plan().lines.lines.at(0);
    return std::pair(line.delay, line.impedance.at(0));
  };
  // D = 1/2, Z = 2: K = 4, m = 1; all exact in binary
  const std::pair expected(0.5, 2.0);
  EXPECT_EQ(planned(0.5, 2, {}, {}), expected);
  EXPECT_EQ(planned(0.5, {}, 4, {}), expected);
  EXPECT_EQ(planned(0.5, {}, {}, 1), expected);
  EXPECT_EQ(planned({}, {}, 4, 1), expected);
  EXPECT_EQ(planned({}, 2, 4, {}), expected);
  EXPECT_EQ(planned({}, 2, {}, 1), expected);
}

TEST(Lines, RefuseMoreOrLessThanTwoParameters) {
  TwoMasses bench;
  bench.line().mass = 1;
  EXPECT_THAT(bench.refusal(),
              HasSubstr("line.toml:20:1: tlm, between = [\"A.P\", \"B.P\"]: a line is given by two "
                        "of delay, impedance, stiffness and mass, but delay, impedance, mass are "
                        "given, which could contradict each other"));
  bench.line().mass.reset();
  bench.line().impedance.reset();
  EXPECT_THAT(bench.refusal(), HasSubstr("but only delay is given"));
  bench.line().delay.reset();
  EXPECT_THAT(bench.refusal(), HasSubstr("but none is given"));
}

TEST(Lines, RefuseNumbersOutOfTheirRange) {
  TwoMasses bench;
  bench.line().delay = 0;
  EXPECT_THAT(bench.refusal(), HasSubstr("delay = 0 must be positive"));
  bench.line().delay = 1;
  bench.line().impedance = -1;
  EXPECT_THAT(bench.refusal(), HasSubstr("impedance = -1 must be positive"));
  bench.line().impedance = 1;
  for (const double damping : {-0.1, 1.0, std::numeric_limits<double>::quiet_NaN()}) {
    bench.line().damping = damping;
    EXPECT_THAT(bench.refusal(), HasSubstr("must be non-negative and below 1"));
  }
  bench.line().damping = 0;
  bench.line().rotational_impedance = 1;
  EXPECT_THAT(bench.refusal(), HasSubstr("rotational-impedance is for planar ports"));
}

// Sheet of the method: a = 0.2 gives the factor 1.375.
TEST(Lines, DampingChangesStiffnessAndMass) {
  TwoMasses bench;
  bench.line().damping = 0.2;
  PlannedLine line = bench.plan().lines.lines.at(0);
  EXPECT_EQ(line.impedance[0], 2);
  EXPECT_DOUBLE_EQ(effects_of(line, 0).stiffness, 2 / (4e-4 * 1.375));
  EXPECT_DOUBLE_EQ(effects_of(line, 0).mass, 2 * 4e-4 * 1.375);
  bench.line().keep_stiffness = true;
  line = bench.plan().lines.lines.at(0);
  EXPECT_DOUBLE_EQ(line.impedance[0], 2 * 1.375);
  EXPECT_DOUBLE_EQ(effects_of(line, 0).stiffness, 2 / 4e-4);
}

/// Planar ports: one array of three forces, and single velocities.
void make_planar(TwoMasses& bench) {
  bench.set_domain(PortDomain::planar);
  for (testing::SmallDescription* const model : {bench.a, bench.b}) {
    model->description.variables[0].dimensions = {Dimension{3, {}}};
    model->add("w[1]", Type::float64, Causality::output);
    model->add("w[2]", Type::float64, Causality::output);
    model->add("w[3]", Type::float64, Causality::output);
  }
  bench.port(0).flow = {"w"};
  bench.port(1).flow = {"v", "w[2]", "w[3]"};
}

TEST(Lines, PlanarPortsHaveThreeDirections) {
  TwoMasses bench;
  make_planar(bench);
  EXPECT_THAT(bench.refusal(), HasSubstr("0 leaves the angle free"));
  bench.line().rotational_impedance = 0;
  const LinePlan plan = bench.plan().lines;
  ASSERT_EQ(plan.ports[0].directions.size(), 3u);
  EXPECT_EQ(plan.ports[0].directions[2].input, (Point{0, 0, 2}));
  EXPECT_EQ(plan.ports[0].directions[2].flow, (Point{0, 4, 0}));
  EXPECT_EQ(plan.ports[1].directions[0].flow, (Point{1, 1, 0}));
  EXPECT_THAT(plan.lines[0].impedance, ElementsAre(2, 2, 0));
  bench.port(1).flow = {"v", "w[2]"};
  EXPECT_THAT(bench.refusal(),
              HasSubstr("line.toml:11:1: components.B.ports.P.flow: 2 variables are given, but a "
                        "planar port has three: x, y and angle"));
}

TEST(Lines, InitialListsHaveAValueForEachDirection) {
  TwoMasses bench;
  bench.line().initial_effort = {1, 2};
  EXPECT_THAT(bench.refusal(), HasSubstr("initial.effort has 2 values, but one is needed"));
  bench.line().initial_effort.clear();
  bench.line().initial_flow = {1};
  EXPECT_THAT(bench.refusal(), HasSubstr("initial.flow has 1 value, but 2 are needed: of the first "
                                         "port and of the second"));
}

TEST(Ports, RefuseRolesThatDoNotExistOrDoNotFit) {
  TwoMasses bench;
  bench.a->add("force", Type::float64, Causality::input, Variability::discrete);
  bench.a->add("count", Type::int32, Causality::input, Variability::discrete);
  const auto refused = [&](const std::vector<std::string>& effort) {
    bench.port(0).effort = effort;
    return bench.refusal();
  };
  EXPECT_THAT(refused({"forc"}),
              HasSubstr("line.toml:10:1: components.A.ports.P.effort: component \"A\" (A.fmu) has "
                        "no variable \"forc\". Did you mean \"force\"?"));
  EXPECT_THAT(refused({"v"}), HasSubstr("\"v\" must be an input, but its causality is \"output\""));
  EXPECT_THAT(refused({"count"}),
              HasSubstr("must be of type Float64 (Real), but is of type Int32"));
  EXPECT_THAT(refused({"force"}), HasSubstr("must be continuous"));
  EXPECT_THAT(refused({"f", "f"}),
              HasSubstr("2 variables are given, but a translational port has one"));
  EXPECT_THAT(refused({}), HasSubstr("port \"A.P\" has neither effort nor wave"));
  bench.port(0).wave.impedance = {"f"};
  EXPECT_THAT(refused({"f"}), HasSubstr("has wave-slope or impedance, but no wave"));
  bench.port(0).wave.value = {"f"};
  EXPECT_THAT(refused({"f"}), HasSubstr("has both effort and wave"));
  bench.port(0).wave = {};
  bench.port(0).wave.times = "v";
  EXPECT_THAT(refused({"f"}), HasSubstr("has only one of wave-table and time-table"));
  bench.port(0).wave = {};
  bench.port(0).flow.clear();
  EXPECT_THAT(refused({"f"}), HasSubstr("port \"A.P\" has no flow"));
  bench.port(0).flow = {"f"};
  EXPECT_THAT(refused({"f"}), HasSubstr("components.A.ports.P.flow: \"f\" must be an output"));
}

TEST(Ports, OnlyThermofluidOnesCarry) {
  TwoMasses bench;
  bench.port(0).carry = {{"v", "f"}};
  bench.port(0).density = 1;
  const std::string text = bench.refusal();
  EXPECT_THAT(text, HasSubstr("carries quantities, but its domain is translational"));
  EXPECT_THAT(text, HasSubstr("has a density, but its domain is translational"));
}

TEST(Lines, CarryAsManyQuantitiesBothWays) {
  TwoMasses bench;
  bench.set_domain(PortDomain::thermofluid);
  for (testing::SmallDescription* const model : {bench.a, bench.b}) {
    model->add("h_out", Type::float64, Causality::output);
    model->add("h_in", Type::float64, Causality::input);
  }
  bench.port(0).carry = {{"h_out", "h_in"}};
  EXPECT_THAT(bench.refusal(), HasSubstr("\"A.P\" carries 1 quantities, \"B.P\" carries 0"));
  bench.port(1).carry = {{"h_out", "h_in"}};
  const Plan plan = bench.plan();
  EXPECT_THAT(plan.lines.ports[0].carried, ElementsAre(std::pair(Point{0, 2, 0}, Point{0, 3, 0})));
  EXPECT_THAT(plan.unconnected_inputs, IsEmpty());
  bench.port(1).density = 2;
  EXPECT_THAT(bench.refusal(), HasSubstr("its ends have different densities"));
}

TEST(Ports, ConvertUnits) {
  TwoMasses bench;
  bench.a->description.units = {{"kN", Unit::Base{{1, 1, -2}, 1000, 0}, {}},
                                {"rpm", Unit::Base{{0, 0, -1, 0, 0, 0, 0, 1}, 0.1, 0}, {}},
                                {"barg", Unit::Base{{1, -1, -2}, 1e5, 101325}, {}},
                                {"slug", {}, {}}};
  Variable& force = bench.a->description.variables[0];
  force.attributes.unit = "kN";
  EXPECT_EQ(bench.plan().lines.ports[0].directions[0].effort_unit, 1000);
  EXPECT_EQ(bench.plan().lines.ports[0].directions[0].flow_unit, 1);
  bench.set_domain(PortDomain::rotational);
  EXPECT_THAT(
      bench.refusal(),
      HasSubstr("components.A.ports.P.effort: the unit \"kN\" of \"f\" is not a unit of torque, "
                "which is measured in N.m"));
  force.attributes.unit = "";
  bench.a->description.variables[1].attributes.unit = "rpm";
  EXPECT_EQ(bench.plan().lines.ports[0].directions[0].flow_unit, 0.1);
  bench.set_domain(PortDomain::hydraulic);
  bench.a->description.variables[1].attributes.unit = "";
  force.attributes.unit = "barg";
  EXPECT_THAT(bench.refusal(), HasSubstr("has an offset to Pa"));
  force.attributes.unit = "slug";
  std::vector<std::string> warnings;
  bench.plan(Log([&](const LogRecord& record) {
    if (record.severity == Severity::warning) warnings.emplace_back(record.text);
  }));
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("the unit \"slug\" of \"f\" has no base units")));
}

TEST(Ports, CheckTheUnitOfTheirState) {
  TwoMasses bench;
  bench.a->add("x", Type::float64, Causality::output);
  bench.a->description.units = {{"m", Unit::Base{{0, 1, 0}, 1, 0}, {}},
                                {"deg", Unit::Base{{0, 0, 0, 0, 0, 0, 0, 1}, 0.017, 0}, {}}};
  bench.port(0).state = {"x"};
  EXPECT_TRUE(bench.plan().lines.ports[0].directions[0].state);
  bench.a->description.variables[2].attributes.unit = "m";
  bench.plan();
  bench.a->description.variables[2].attributes.unit = "deg";
  EXPECT_THAT(bench.refusal(),
              HasSubstr("components.A.ports.P.state: the unit \"deg\" of \"x\" is not a unit of "
                        "position, which is measured in m"));
  bench.set_domain(PortDomain::rotational);
  bench.plan();
  bench.set_domain(PortDomain::electric);  // a charge, perhaps
  bench.plan();
}

TEST(Ports, AMassFlowNeedsADensity) {
  TwoMasses bench;
  bench.set_domain(PortDomain::thermofluid);
  bench.a->description.units = {{"kg/s", Unit::Base{{1, 0, -1}, 1, 0}, {}},
                                {"l/s", Unit::Base{{0, 3, -1}, 1e-3, 0}, {}}};
  bench.a->description.variables[1].attributes.unit = "kg/s";
  EXPECT_THAT(bench.refusal(), HasSubstr("A mass flow needs the key density."));
  bench.port(0).density = bench.port(1).density = 2;
  EXPECT_EQ(bench.plan().lines.ports[0].flow_sign, 0.5);
  bench.a->description.variables[1].attributes.unit = "l/s";
  EXPECT_THAT(bench.refusal(), HasSubstr("Leave density out"));
}

TEST(Ports, UnknownDependenciesCountAsFeedThrough) {
  TwoMasses bench;
  bench.a->description.structure.outputs = {{1, std::nullopt, {}}};
  bench.b->description.structure.outputs = {{1, std::vector<std::int32_t>{0}, {}}};
  const LinePlan plan = bench.plan().lines;
  EXPECT_TRUE(plan.ports[0].has_feed_through);
  EXPECT_TRUE(plan.ports[1].has_feed_through);
}

PortInput chosen(TwoMasses& bench) { return bench.plan().lines.ports.at(0).input; }

TEST(Ports, ChooseTheInputOfEfforts) {
  TwoMasses bench;
  ModelDescription& model = bench.a->description;
  EXPECT_EQ(chosen(bench), PortInput::constant);
  model.version = FmiVersion::v2;
  model.co_simulation->can_interpolate_inputs = true;
  EXPECT_EQ(chosen(bench), PortInput::slope);
  model.version = FmiVersion::v3;
  model.co_simulation->provides_intermediate_update = true;
  EXPECT_EQ(chosen(bench), PortInput::constant);
  model.variables[0].intermediate_update = true;
  EXPECT_EQ(chosen(bench), PortInput::slope) << "only the input can be set inside a step";
  model.variables[1].intermediate_update = true;
  EXPECT_EQ(chosen(bench), PortInput::callback);
  bench.system.simulation.tlm = TlmRules::omtlm;
  EXPECT_EQ(chosen(bench), PortInput::constant);
  EXPECT_EQ(bench.plan().lines.lines[0].wave, WaveRule::exact);
  bench.system.components[0].as = FmuKind::model_exchange;
  model.model_exchange.emplace();
  EXPECT_EQ(chosen(bench), PortInput::equations);
}

TEST(Ports, ChooseTheInputOfWaves) {
  TwoMasses bench;
  ModelDescription& model = bench.a->description;
  bench.a->add("slope", Type::float64, Causality::input);
  bench.a->add("Z", Type::float64, Causality::parameter, Variability::fixed);
  bench.a->add("c", Type::float64, Causality::input).dimensions = {Dimension{10, {}}};
  bench.a->add("t", Type::float64, Causality::input, Variability::discrete).dimensions = {
      Dimension{10, {}}};
  Port& port = bench.port(0);
  port.effort.clear();
  port.wave.value = {"f"};
  EXPECT_EQ(chosen(bench), PortInput::constant_wave);
  model.version = FmiVersion::v2;
  model.co_simulation->can_interpolate_inputs = true;
  EXPECT_EQ(chosen(bench), PortInput::coarse);
  model.co_simulation->can_interpolate_inputs = false;
  port.wave.slope = {"slope"};
  port.wave.impedance = {"Z"};
  EXPECT_EQ(chosen(bench), PortInput::coarse);
  EXPECT_EQ(bench.plan().lines.ports[0].kind, PortKind::wave);
  EXPECT_EQ(bench.plan().lines.ports[0].directions[0].slope, (Point{0, 2, 0}));
  EXPECT_EQ(bench.plan().lines.ports[0].directions[0].impedance, (Point{0, 3, 0}));
  port.wave.table = {"c"};
  port.wave.times = "t";
  const PlannedPort planned = bench.plan().lines.ports.at(0);
  EXPECT_EQ(planned.input, PortInput::table);
  EXPECT_EQ(planned.kind, PortKind::table);
  EXPECT_EQ(planned.table_size, 10u);
  EXPECT_EQ(planned.directions[0].input, (Point{0, 4, 0}));
  EXPECT_EQ(planned.times, (Point{0, 5, 0}));
  port.input = PortInput::coarse;
  EXPECT_EQ(bench.plan().lines.ports[0].kind, PortKind::wave);
  EXPECT_EQ(bench.plan().lines.ports[0].directions[0].input, (Point{0, 0, 0}));
  port.wave.times = "Z";
  EXPECT_THAT(bench.refusal(), HasSubstr("\"Z\" must be an input"));
  port.wave.times = "f";
  EXPECT_THAT(bench.refusal(), HasSubstr("\"f\" must be an array of two elements or more"));
}

TEST(Ports, TablesMayBeNamedByElement) {
  TwoMasses bench;
  for (const char* const name : {"c[1]", "c[2]", "c[3]", "t[1]", "t[2]", "t[3]"})
    bench.a->add(name, Type::float64, Causality::input);
  bench.port(0).effort.clear();
  bench.port(0).wave.table = {"c"};
  bench.port(0).wave.times = "t";
  const Plan plan = bench.plan();
  EXPECT_EQ(plan.lines.ports[0].table_size, 3u);
  EXPECT_EQ(plan.lines.ports[0].directions[0].input, (Point{0, 2, 0}));
  EXPECT_EQ(plan.lines.ports[0].times, (Point{0, 5, 0}));
  EXPECT_THAT(plan.unconnected_inputs, ElementsAre(Point{0, 0, 0})) << "the force";
  bench.a->add("d[1]", Type::float64, Causality::input);
  bench.a->add("x", Type::float64, Causality::input);
  bench.a->add("d[2]", Type::float64, Causality::input);
  bench.port(0).wave.table = {"d"};
  EXPECT_THAT(bench.refusal(), HasSubstr("are not consecutive"));
}

TEST(Ports, RefuseInputMethodsThatAreImpossible) {
  TwoMasses bench;
  const auto refused = [&](PortInput input) {
    bench.port(0).input = input;
    return bench.refusal();
  };
  EXPECT_THAT(refused(PortInput::slope),
              HasSubstr("components.A.ports.P.input: \"slope\" is impossible with A.fmu, FMI 3.0: "
                        "the FMU cannot follow an input inside a step"));
  EXPECT_THAT(refused(PortInput::slope), HasSubstr("Use \"auto\", or one of: \"constant\"."));
  EXPECT_THAT(refused(PortInput::callback), HasSubstr("providesIntermediateUpdate"));
  EXPECT_THAT(refused(PortInput::equations), HasSubstr("run as model exchange"));
  EXPECT_THAT(refused(PortInput::coarse), HasSubstr("it is for ports with the key wave"));
  EXPECT_THAT(refused(PortInput::constant_wave), HasSubstr("it is for ports with the key wave"));
  EXPECT_THAT(refused(PortInput::table), HasSubstr("it is for ports with the key wave-table"));
  EXPECT_EQ(refused(PortInput::constant), "nothing refused");
  bench.port(0).effort.clear();
  bench.port(0).wave.value = {"f"};
  EXPECT_THAT(refused(PortInput::constant), HasSubstr("it is for ports with the key effort"));
  EXPECT_THAT(refused(PortInput::coarse), HasSubstr("the port has no wave-slope, and"));
}

TEST(Ports, TakeRolesFromTerminals) {
  TwoMasses bench;
  bench.set_domain(PortDomain::thermofluid);
  bench.a->add("h_in", Type::float64, Causality::input);
  bench.a->add("h_out", Type::float64, Causality::output);
  bench.a->description.terminals = {
      {"fluid",
       "",
       "",
       "",
       {{"f", "signal", "p"},
        {"v", "inflow", "q"},
        {"h_in", "inStream", "h"},
        {"h_out", "outStream", "h"}},
       {}},
      {"outer",
       "",
       "",
       "",
       {},
       {{"shaft", "", "", "", {{"v", "signal", "w"}, {"f", "inflow", "tau"}}, {}}}}};
  bench.b->add("h_in", Type::float64, Causality::input);
  bench.b->add("h_out", Type::float64, Causality::output);
  bench.port(1).carry = {{"h_out", "h_in"}};
  Port& port = bench.port(0);
  port.effort.clear();
  port.flow.clear();
  port.terminal = "fluid";
  PlannedPort planned = bench.plan().lines.ports.at(0);
  EXPECT_EQ(planned.directions[0].input, (Point{0, 0, 0}));
  EXPECT_EQ(planned.directions[0].flow, (Point{0, 1, 0}));
  EXPECT_EQ(planned.flow_sign, -1) << "an inflow counts into the FMU";
  EXPECT_THAT(planned.carried, ElementsAre(std::pair(Point{0, 3, 0}, Point{0, 2, 0})));
  // A force is the flow of a mechanical terminal, and acts on the FMU.
  bench.set_domain(PortDomain::rotational);
  bench.port(1).carry.clear();
  port.terminal = "outer.shaft";
  planned = bench.plan().lines.ports.at(0);
  EXPECT_EQ(planned.directions[0].input, (Point{0, 0, 0}));
  EXPECT_EQ(planned.flow_sign, 1);
  EXPECT_EQ(planned.sign, -1);
  port.terminal = "fluit";
  EXPECT_THAT(bench.refusal(), HasSubstr("has no terminal \"fluit\". Did you mean \"fluid\"?"));
  port.terminal = "outer";
  EXPECT_THAT(bench.refusal(), HasSubstr("has no flow, and neither has its terminal"));
}

TEST(Lines, RefuseEndsThatDoNotFit) {
  TwoMasses bench;
  add_mass(bench, "C");
  const auto refused = [&](const PortName& a, const PortName& b) {
    bench.line().between = {a, b};
    return bench.refusal();
  };
  EXPECT_THAT(refused({"A", "P"}, {"D", "P"}), HasSubstr("there is no component \"D\""));
  EXPECT_THAT(refused({"A", "P"}, {"B", "Q"}),
              HasSubstr("component \"B\" has no port \"Q\". Did you mean \"P\"?"));
  EXPECT_THAT(refused({"A", "P"}, {"C", "P"}), HasSubstr("Describe it: [components.C.ports.P]."));
  EXPECT_THAT(refused({"A", "P"}, {"A", "P"}), HasSubstr("both ends are at the same component"));
  bench.line().between.pop_back();
  EXPECT_THAT(bench.refusal(), HasSubstr("a line has two ends, not 1"));
  bench.port(1).domain = PortDomain::electric;
  EXPECT_THAT(refused({"A", "P"}, {"B", "P"}),
              HasSubstr("the domain of \"A.P\" is translational, that of \"B.P\" is electric"));
  bench.port(1).domain = PortDomain::translational;
  add_port(bench, 2);
  add_line(bench, {"B", "P"}, {"C", "P"});
  EXPECT_THAT(bench.refusal(), HasSubstr("port \"B.P\" has a line already (line 20). A port has "
                                         "one line."));
  bench.system.tlm.pop_back();
  add_port(bench, 0);
  EXPECT_THAT(bench.refusal(), HasSubstr("component \"A\" has two ports \"P\""));
}

TEST(Lines, RefuseEndsThatStepTogether) {
  TwoMasses bench;
  bench.a->add("u", Type::float64, Causality::input);
  bench.b->add("y", Type::float64, Causality::output);
  bench.connect("B.y", "A.u");
  EXPECT_THAT(bench.refusal(),
              HasSubstr("connections join its two ends, so they take their steps together"));
  bench.system.connections.clear();
  bench.system.delays.push_back({{"B", "y"}, {"A", "u"}, 0.5, 3, {}});
  const LinePlan plan = bench.plan().lines;
  ASSERT_EQ(plan.delays.size(), 1u);
  EXPECT_EQ(plan.delays[0].from, (Point{1, 2, 0}));
  EXPECT_EQ(plan.delays[0].to, (Point{0, 2, 0}));
  EXPECT_EQ(plan.delays[0].delay, 0.5);
  EXPECT_EQ(plan.delays[0].initial, 3);
}

TEST(Lines, AnInputHasOneSource) {
  TwoMasses bench;
  bench.system.inputs.constants = {{{"A", "f"}, "1"}};
  EXPECT_THAT(bench.refusal(),
              HasSubstr("input \"A.f\" is driven twice: by the constant of [inputs.set] and by "
                        "port \"A.P\""));
  bench.system.inputs.constants.clear();
  EXPECT_THAT(bench.refusal({"A.f"}), HasSubstr("and by port \"A.P\""));
  add_mass(bench, "C");
  add_port(bench, 2);
  add_port(bench, 0, "Q");
  add_line(bench, {"A", "Q"}, {"C", "P"});
  EXPECT_THAT(bench.refusal(), HasSubstr("driven twice: by port \"A.P\" (line.toml:10:1) and by "
                                         "port \"A.Q\""));
  bench.system.tlm.pop_back();
  bench.system.delays.push_back({{"C", "v"}, {"A", "f"}, 0.5, {}, {}});
  EXPECT_THAT(bench.refusal(), HasSubstr("and by \"C.v\", delayed"));
}

TEST(Delays, AreCheckedAsConnectionsAre) {
  Bench bench;
  auto& a = add_siso(bench, "a");
  auto& b = add_siso(bench, "b");
  a.add("n", Type::int32, Causality::output, Variability::discrete);
  a.add("w", Type::float64, Causality::output).dimensions = {Dimension{2, {}}};
  b.add("z", Type::float64, Causality::input).dimensions = {Dimension{2, {}}};
  const auto refused = [&](const Endpoint& from, const Endpoint& to, double delay = 1) {
    bench.system.delays = {{from, to, delay, {}, {"line.toml", 5, 1}}};
    return bench.refusal();
  };
  EXPECT_EQ(refused({"a", "y"}, {"b", "u"}), "nothing refused");
  EXPECT_THAT(refused({"a", "yy"}, {"b", "u"}),
              HasSubstr("line.toml:5:1: delayed signal \"a.yy -> b.u\": component \"a\""));
  EXPECT_THAT(refused({"c", "y"}, {"b", "u"}), HasSubstr("there is no component \"c\""));
  EXPECT_THAT(refused({"a", "y"}, {"b", "y"}), HasSubstr("\"y\" is not an input"));
  EXPECT_THAT(refused({"a", "u"}, {"b", "u"}), HasSubstr("is an input and cannot feed"));
  EXPECT_THAT(refused({"a", "n"}, {"b", "u"}), HasSubstr("must be of type Float64"));
  EXPECT_THAT(refused({"a", "w"}, {"b", "u"}), HasSubstr("\"w\" has 2 elements, \"u\" has 1"));
  EXPECT_THAT(refused({"a", "y"}, {"b", "u"}, 0), HasSubstr("delay = 0 must be positive"));
  EXPECT_THAT(refused({"a", "y"}, {"a", "u"}), HasSubstr("both ends are at the same component"));
  refused({"a", "w"}, {"b", "z"});
  EXPECT_EQ(bench.plan().lines.delays.at(1).to, (Point{1, 2, 1}));
  bench.connect("b.y", "a.u");
  EXPECT_THAT(bench.refusal(), HasSubstr("a delayed signal cannot decouple them"));
}

TEST(Lines, WithoutThemAllComponentsAreOneIsland) {
  Bench bench;
  add_siso(bench, "a");
  add_siso(bench, "b");
  EXPECT_THAT(bench.plan().lines.islands, ElementsAre(ElementsAre(0, 1)));
  EXPECT_TRUE(bench.plan().lines.empty());
}

TEST(Lines, IslandsAreWhatConnectionsJoin) {
  TwoMasses bench;
  add_siso(bench, "C");
  add_siso(bench, "D");
  bench.connect("C.y", "D.u");
  bench.connect("A.v", "C.u");
  EXPECT_THAT(bench.plan().lines.islands, ElementsAre(ElementsAre(0, 2, 3), ElementsAre(1)));
  // D steps with A, so the delay to A limits its step.
  bench.system.components[3].step = 5e-4;
  EXPECT_THAT(
      bench.refusal(),
      HasSubstr("component \"D\": components.D.step = 0.0005 s is longer than 0.0004 s, the "
                "shortest delay of a line or signal to it"));
  bench.system.components[3].step = 4e-4;
  EXPECT_EQ(bench.refusal(), "nothing refused");
}

TEST(Lines, RefuseOtherGridsAndAuto) {
  TwoMasses bench;
  bench.system.simulation.per_decade = 3;
  EXPECT_THAT(bench.refusal(), HasSubstr("simulation.per-decade: with [[tlm]] or [[delays]] "
                                         "communication points must be equidistant"));
  bench.system.simulation.per_decade.reset();
  bench.system.simulation.points = {0, 1, 3};
  EXPECT_THAT(bench.refusal(), HasSubstr("simulation.points: with"));
  bench.system.simulation.points.clear();
  bench.system.simulation.methods = {"auto"};
  EXPECT_THAT(bench.refusal(), HasSubstr("simulation.method = \"auto\" does not choose"));
  bench.system.simulation.methods = {"jacobi"};
  bench.system.cycles = {{{"A", "B"}, {"newton"}, {}, {}}};
  EXPECT_THAT(bench.refusal(), HasSubstr("cycles, of = [A, B]"));
}

TEST(Ports, WithoutALineHaveANoteOfTheirOwn) {
  TwoMasses bench;
  add_mass(bench, "C").add("u", Type::float64, Causality::input);
  add_port(bench, 2);
  std::vector<std::string> notes;
  const Plan plan =
      bench.plan(Log([&](const LogRecord& record) { notes.emplace_back(record.text); }));
  EXPECT_THAT(notes, ElementsAre("port \"C.P\" has no line: its inputs keep their start values"));
  EXPECT_THAT(open_inputs(bench.system, bench.descriptions, bench.structures, plan),
              ElementsAre("C.u"));
  EXPECT_THAT(plan.lines.open_inputs, ElementsAre(Point{2, 0, 0}));
  EXPECT_THAT(plan.unconnected_inputs, ElementsAre(Point{2, 0, 0}, Point{2, 2, 0}));
}

}  // namespace
}  // namespace tutti::system
