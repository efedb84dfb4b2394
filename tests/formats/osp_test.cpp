// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tutti/error.hpp>

#include "formats/osp/rates.hpp"
#include "formats/registry.hpp"
#include "support/command.hpp"

namespace tutti::formats {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

const Words osp_words;

/// An unpacked FMU with variables of all types and two vectors.
std::string osp_model(const std::string& name) {
  std::string variables;
  const auto add = [&](const char* variable, const char* attributes, const char* type) {
    variables += fmt::format(
        "<ScalarVariable name=\"{}\" valueReference=\"{}\" {}><{}/>"
        "</ScalarVariable>\n",
        variable, variables.size(), attributes, type);
  };
  for (const char* const output : {"y", "y[1]", "y[2]"})
    add(output, "causality=\"output\"", "Real");
  for (const char* const input : {"u", "u[1]", "u[2]"})
    add(input, "causality=\"input\"", "Real start=\"0\"");
  add("n", "causality=\"parameter\" variability=\"fixed\"", "Integer start=\"0\"");
  add("b", "causality=\"parameter\" variability=\"fixed\"", "Boolean start=\"false\"");
  add("s", "causality=\"parameter\" variability=\"fixed\"", "String start=\"\"");
  return fmt::format(R"(<fmiModelDescription fmiVersion="2.0" modelName="{}" guid="g">
<CoSimulation modelIdentifier="m"/><ModelVariables>{}</ModelVariables>
<ModelStructure/></fmiModelDescription>)",
                     name, variables);
}

constexpr std::string_view osp_groups = R"(<OspModelDescription version="1.0"><VariableGroups>
<Generic name="outputs"><Variable ref="y[1]"/><Variable ref="y[2]"/></Generic>
<Generic name="inputs"><Variable ref="u[1]"/><Variable ref="u[2]"/></Generic>
<Port name="there"><Force name="force"><Variable ref="y"/></Force>
<Velocity name="velocity"><Variable ref="u"/></Velocity></Port>
<Port name="back"><Velocity name="speed"><Variable ref="u"/></Velocity>
<Force name="f"><Variable ref="y"/></Force></Port>
</VariableGroups></OspModelDescription>)";

std::string osp_system(const std::string& parts) {
  return "<OspSystemStructure xmlns=\"http://opensimulationplatform.com/MSMI/OSPSystemStructure\" "
         "version=\"0.1\">\n" +
         parts + "</OspSystemStructure>\n";
}

constexpr const char* osp_two = R"(<Simulators><Simulator name="a" source="a.fmu"/>
<Simulator name="b" source="b.fmu"/></Simulators>
)";

std::string variable_connection(const std::string& a, const std::string& b) {
  return fmt::format(
      "<VariableConnection><Variable simulator=\"a\" name=\"{}\"/>"
      "<Variable simulator=\"b\" name=\"{}\"/></VariableConnection>\n",
      a, b);
}
std::string signal_connection(const std::string& function, const std::string& signal,
                              const std::string& simulator, const std::string& variable,
                              const std::string& group = "") {
  return fmt::format(
      "<Signal{0}Connection><Signal{0} function=\"{1}\" name=\"{2}\"/>"
      "<Variable{0} simulator=\"{3}\" name=\"{4}\"/></Signal{0}Connection>\n",
      group, function, signal, simulator, variable);
}

std::string link_text(const Connection& c) {
  std::string text = fmt::format("{}.{} -> {}.{}", c.from.component, c.from.variable,
                                 c.to.component, c.to.variable);
  if (c.factor != 1 || c.offset != 0) text += fmt::format(" * {} + {}", c.factor, c.offset);
  return text;
}

class Osp : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* const name : {"a", "b", "c"}) {
      std::filesystem::create_directories(work_.path() / (name + std::string(".fmu")));
      work_.write(fmt::format("{}.fmu/modelDescription.xml", name), osp_model(name));
    }
    work_.write("a_OspModelDescription.xml", std::string(osp_groups));
    work_.write("b_OspModelDescription.xml", std::string(osp_groups));
  }
  System read(const std::string& parts) {
    const Log log([this](const LogRecord& record) { notes_ += std::string(record.text) + '\n'; });
    notes_.clear();
    return read_system(work_.write("s.xml", osp_system(parts)), {osp_words, {}, log});
  }
  std::vector<std::string> connections(const std::string& parts) {
    std::vector<std::string> all;
    for (const Connection& c : read(parts).connections) all.push_back(link_text(c));
    return all;
  }
  std::string refusal(const std::string& parts) {
    try {
      read(parts);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      return error.what();
    }
    return "nothing refused";
  }
  testing::Workplace work_;
  std::string notes_;
};

TEST_F(Osp, ReadsTimesStepsAndInitialValues) {
  const System s = read(R"(<StartTime>0.5</StartTime><EndTime>2.5</EndTime>
<BaseStepSize>1e-3</BaseStepSize><Algorithm>fixedStep</Algorithm>
<Simulators><Simulator name="a" source="a.fmu"><InitialValues>
<InitialValue variable="u"><Real value="1.50"/></InitialValue>
<InitialValue variable="n"><Integer value="-3"/></InitialValue>
<InitialValue variable="b"><Boolean value="1"/></InitialValue>
<InitialValue variable="s"><String value="a &amp; b"/></InitialValue>
</InitialValues></Simulator></Simulators>)");
  EXPECT_EQ(s.simulation.start, 0.5);
  EXPECT_EQ(s.simulation.stop, 2.5);
  EXPECT_EQ(s.simulation.step, 1e-3);
  EXPECT_THAT(s.simulation.methods, ElementsAre("jacobi"));
  ASSERT_EQ(s.components.size(), 1u);
  EXPECT_EQ(s.components[0].fmu, "a.fmu");
  EXPECT_THAT(s.components[0].set, ElementsAre(Pair("u", "1.5"), Pair("n", "-3"), Pair("b", "true"),
                                               Pair("s", "a & b")));
  EXPECT_EQ(notes_, "");
  EXPECT_EQ(read(osp_two).simulation.step, 0.1);  // libcosim's default
}

TEST_F(Osp, NeedsNoProxyOnThisMachine) {
  const System s = read(
      R"(<Simulators><Simulator name="a" source="proxyfmu://localhost?file=a.fmu"/></Simulators>)");
  EXPECT_EQ(s.components[0].fmu, "a.fmu");
  EXPECT_THAT(notes_, HasSubstr("\"a\" needs no proxy"));
}

TEST_F(Osp, TakesTheDirectionOfConnectionsFromTheModels) {
  EXPECT_THAT(connections(osp_two + ("<Connections>" + variable_connection("y", "u") +
                                     variable_connection("u", "y") + "</Connections>")),
              ElementsAre("a.y -> b.u", "b.y -> a.u"));
  EXPECT_FALSE(read(osp_two + ("<Connections>" + variable_connection("y", "u") + "</Connections>"))
                   .connections[0]
                   .convert_units);
}

TEST_F(Osp, ConnectsGroupsInTheirOrder) {
  const auto groups = [](const std::string& a, const std::string& b) {
    return osp_two + fmt::format(
                         "<Connections><VariableGroupConnection><VariableGroup simulator=\"a\" "
                         "name=\"{}\"/><VariableGroup simulator=\"b\" name=\"{}\"/>"
                         "</VariableGroupConnection></Connections>",
                         a, b);
  };
  EXPECT_THAT(connections(groups("outputs", "inputs")),
              ElementsAre("a.y[1] -> b.u[1]", "a.y[2] -> b.u[2]"));
  EXPECT_THAT(connections(groups("there", "back")), ElementsAre("a.y -> b.u", "b.y -> a.u"));
  EXPECT_THAT(connections(groups("force", "speed")), ElementsAre("a.y -> b.u"));
  EXPECT_THAT(refusal(groups("outputs", "there")),
              HasSubstr("\"outputs\" of \"a\" has 2 variables and 0 groups, but \"there\" of "));
  EXPECT_THAT(refusal(groups("output", "inputs")),
              HasSubstr("no group of variables \"output\". Did you mean \"outputs\"?"));
  std::filesystem::remove(work_.path() / "b_OspModelDescription.xml");
  EXPECT_THAT(refusal(groups("outputs", "inputs")), HasSubstr("b_OspModelDescription.xml"));
}

TEST_F(Osp, MakesFactorsOfLinearTransformations) {
  EXPECT_THAT(connections(osp_two + ("<Functions><LinearTransformation name=\"f\" factor=\"0.5\" "
                                     "offset=\"2\"/></Functions><Connections>" +
                                     signal_connection("f", "in", "a", "y") +
                                     signal_connection("f", "out", "b", "u") + "</Connections>")),
              ElementsAre("a.y -> b.u * 0.5 + 2"));
}

TEST_F(Osp, MakesComponentsOfSums) {
  const System s =
      read(osp_two +
           ("<Functions><Sum name=\"f\" inputCount=\"2\"/>"
            "<VectorSum name=\"v\" inputCount=\"1\" dimension=\"2\"/></Functions><Connections>" +
            signal_connection("f", "in[1]", "b", "y") + signal_connection("f", "in[0]", "a", "y") +
            signal_connection("f", "out", "b", "u") +
            signal_connection("v", "in[0]", "a", "outputs", "Group") +
            signal_connection("v", "out", "b", "inputs", "Group") + "</Connections>"));
  ASSERT_EQ(s.components.size(), 5u);
  EXPECT_EQ(s.components[2].name, "f");
  EXPECT_EQ(s.components[2].built_in.type, "sum");
  EXPECT_EQ(s.components[2].built_in.inputs, 2u);
  EXPECT_EQ(s.components[4].name, "v.1");
  std::vector<std::string> all;
  for (const Connection& c : s.connections) all.push_back(link_text(c));
  EXPECT_THAT(all, ElementsAre("a.y -> f.u1", "b.y -> f.u2", "f.y -> b.u", "a.y[1] -> v.0.u1",
                               "v.0.y -> b.u[1]", "a.y[2] -> v.1.u1", "v.1.y -> b.u[2]"));
  EXPECT_THAT(notes_, HasSubstr("functions f, v.0, v.1: the sum is computed within the step"));
}

TEST_F(Osp, RefusesFunctionsThatAreNotConnected) {
  const std::string sum =
      osp_two + std::string("<Functions><Sum name=\"f\" inputCount=\"2\"/></Functions>");
  const std::string nothing = refusal(sum);
  for (const char* const signal : {"in[0]", "in[1]", "out"})
    EXPECT_THAT(nothing, HasSubstr(fmt::format("the signal \"{}\" of the function \"f\"", signal)));
  const auto with = [&](const std::string& connection) {
    return refusal(sum + "<Connections>" + connection + "</Connections>");
  };
  EXPECT_THAT(with(signal_connection("f", "in[2]", "a", "y")),
              HasSubstr("no signal \"in[2]\"; expected one of: in[0] to in[1], out"));
  EXPECT_THAT(with(signal_connection("g", "out", "a", "u")),
              HasSubstr("there is no function \"g\""));
  EXPECT_THAT(with(signal_connection("f", "in[0]", "a", "outputs", "Group")),
              HasSubstr("connect its signals with <SignalConnection>"));
  EXPECT_THAT(
      with(signal_connection("f", "in[0]", "a", "y") + signal_connection("f", "in[0]", "b", "y")),
      HasSubstr("is connected twice"));
}

// libcosim transfers a value when both of its ends have finished a step.
TEST_F(Osp, KeepsTheStepsOfSimulatorsWhereTheSystemAllowsIt) {
  const auto rated = [&](double a, double b) {
    return read(
        fmt::format("<BaseStepSize>0.1</BaseStepSize><Simulators>"
                    "<Simulator name=\"a\" source=\"a.fmu\" stepSize=\"{}\"/>"
                    "<Simulator name=\"b\" source=\"b.fmu\" stepSize=\"{}\"/></Simulators>"
                    "<Connections>{}</Connections>",
                    a, b, variable_connection("y", "u")));
  };
  const System same = rated(0.3, 0.3);
  EXPECT_EQ(same.simulation.step, 0.3);
  EXPECT_FALSE(same.components[0].step);
  const System mixed = rated(0.1, 0.3);
  EXPECT_EQ(mixed.simulation.step, 0.3);
  EXPECT_EQ(mixed.components[0].step, 0.1);
  EXPECT_FALSE(mixed.components[1].step);
  const System coprime = rated(0.2, 0.3);
  EXPECT_EQ(coprime.simulation.step, 0.6);
  EXPECT_EQ(coprime.components[0].step, 0.2);
  EXPECT_EQ(notes_, "");
  EXPECT_EQ(rated(0.25, 0.25).simulation.step, 0.2);
  EXPECT_THAT(notes_, HasSubstr("stepSize 0.25 of \"a\" is not a multiple of BaseStepSize 0.1; "
                                "the step is 0.2 s"));
}

TEST_F(Osp, ShortensStepsThatTheSystemDoesNotHave) {
  using osp::choose_rates;
  const std::vector<std::uint64_t> decimations = {1, 1, 4};
  const std::vector<std::pair<std::size_t, std::size_t>> links = {{0, 1}, {1, 2}};
  const osp::Rates rates = choose_rates(decimations, links);
  EXPECT_EQ(rates.system, 1u);
  EXPECT_THAT(rates.of, ElementsAre(1, 1, 1));
  EXPECT_THAT(rates.shortened, ElementsAre(2));
  EXPECT_EQ(choose_rates(decimations, {}).system, 4u);
  EXPECT_THAT(choose_rates(decimations, {}).shortened, IsEmpty());
  EXPECT_EQ(osp::decimation_of(0.3, 0.1), 3u);  // 0.3 / 0.1 is below 3
  EXPECT_EQ(osp::decimation_of(0.05, 0.1), 1u);
}

TEST_F(Osp, TakesThePredictorForEcco) {
  const System s = read(osp_two + std::string(R"(<Algorithm>ecco</Algorithm><EccoConfiguration>
<SafetyFactor>0.9</SafetyFactor><StepSize>1e-4</StepSize><MinimumStepSize>1e-5</MinimumStepSize>
<MaximumStepSize>0.01</MaximumStepSize><MinimumChangeRate>0.2</MinimumChangeRate>
<MaximumChangeRate>1.5</MaximumChangeRate><ProportionalGain>0.2</ProportionalGain>
<IntegralGain>0.15</IntegralGain><RelativeTolerance>1e-6</RelativeTolerance>
<AbsoluteTolerance>1e-6</AbsoluteTolerance></EccoConfiguration>)"));
  EXPECT_EQ(s.simulation.step, 1e-4);
  EXPECT_EQ(s.simulation.control.name, "predictor");
  EXPECT_EQ(s.simulation.control.min, 1e-5);
  EXPECT_EQ(s.simulation.control.max, 0.01);
  EXPECT_EQ(s.simulation.control.safety, 0.9);
  EXPECT_EQ(s.simulation.control.grow, 1.5);
  EXPECT_THAT(notes_, HasSubstr("the algorithm ecco is not available"));
  EXPECT_THAT(refusal(osp_two + std::string("<Algorithm>ecco</Algorithm>")),
              HasSubstr("needs an <EccoConfiguration>"));
}

TEST_F(Osp, NamesAllThatIsWrongWithLineAndColumn) {
  const std::string text = refusal(R"(<BaseStepSize>-1</BaseStepSize>
<EndTime>soon</EndTime>
<Algorithm>euler</Algorithm>
<Simulators>
  <Simulator name="a"/>
  <Simulator name="b" source="b.fmu" stepsize="1"/>
  <Simulator name="b" source="c.fmu"/>
  <Simulator name="c" source="c.fmu"><InitialValues><InitialValue variable="n">
    <Integer value="1.5"/></InitialValue></InitialValues></Simulator>
</Simulators>
<Functions><Sum name="s" inputCount="0"/><Product name="p"/></Functions>
<Connections><VariableConnection><Variable simulator="a" name="y"/></VariableConnection></Connections>
)");
  for (const char* const part :
       {"s.xml:2:2: <BaseStepSize> must be positive",
        "s.xml:3:2: <EndTime> must be a number, not \"soon\"",
        "s.xml:4:2: unknown algorithm \"euler\"; expected one of: fixedStep, ecco",
        "s.xml:6:4: <Simulator> lacks the attribute \"source\"",
        "s.xml:7:38: <Simulator> has no attribute \"stepsize\". Did you mean \"stepSize\"?",
        "s.xml:8:4: the name \"b\" is used twice", "value=\"1.5\" is not an integer of 32 bits",
        "inputCount=\"0\" is not a positive integer", "<Functions> has no element <Product>.",
        "s.xml:13:15: <VariableConnection> needs two elements <Variable>"})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST_F(Osp, RefusesWhatDoesNotFitTheModels) {
  const auto initial = [&](const std::string& variable, const std::string& value) {
    return refusal(
        "<Simulators><Simulator name=\"a\" source=\"a.fmu\"><InitialValues><InitialValue "
        "variable=\"" +
        variable + "\">" + value +
        "</InitialValue></InitialValues></Simulator>"
        "</Simulators>");
  };
  EXPECT_THAT(initial("m", "<Integer value=\"1\"/>"), HasSubstr("has no variable \"m\""));
  EXPECT_THAT(initial("n", "<Real value=\"1\"/>"), HasSubstr("but its initial value is a <Real>"));
  EXPECT_THAT(refusal(R"(<Simulators><Simulator name="a" source="nowhere.fmu"/></Simulators>)"),
              HasSubstr("s.xml:2:14: simulator \"a\": "));
  EXPECT_THAT(
      refusal(
          R"(<Simulators><Simulator name="a" source="proxyfmu://far:9090?file=a.fmu"/></Simulators>)"),
      HasSubstr("Name the file: source="));
  EXPECT_THAT(
      refusal(osp_two + std::string("<Connections><VariableConnection><Variable simulator=\"d\" "
                                    "name=\"y\"/><Variable simulator=\"b\" name=\"u\"/>"
                                    "</VariableConnection></Connections>")),
      HasSubstr("there is no simulator \"d\""));
}

TEST_F(Osp, IsKnownByItsRootElementAndByItsFolder) {
  EXPECT_EQ(find_format(work_.write("x.xml", "<?xml version=\"1.0\"?><other/>")), nullptr);
  const auto file = work_.write("x.xml", osp_system(osp_two));
  ASSERT_NE(find_format(file), nullptr);
  EXPECT_EQ(find_format(file)->name, "osp");
  EXPECT_EQ(find_format(work_.path()), nullptr);
  work_.write("OspSystemStructure.xml", osp_system(osp_two));
  ASSERT_NE(find_format(work_.path()), nullptr);
  EXPECT_EQ(read_system(work_.path(), {osp_words}).components.size(), 2u);
  work_.write("OspSystemStructure.xml", "<Osp/>");
  EXPECT_THROW(read_system(work_.path(), {osp_words}), Error);
}

}  // namespace
}  // namespace tutti::formats
