// SPDX-License-Identifier: BSD-2-Clause
#include "archive.hpp"

#include <gtest/gtest.h>

#include <set>

using fmukit_test::Archive;

namespace {

std::string attribute(const pugi::xml_node& node, const char* name) {
  return node.attribute(name).value();
}

TEST(Description, TellsStatesAndDerivativesInEveryVersion) {
  const Archive one("1.0-me", "VanDerPol"), two("2.0", "VanDerPol"), three("3.0", "VanDerPol");
  EXPECT_EQ(attribute(one.root(), "numberOfContinuousStates"), "2");
  // In FMI 2.0 the attribute counts variables from 1, in 3.0 it is a value reference.
  EXPECT_EQ(attribute(two.variable("der(x1)").child("Real"), "derivative"), "4");
  EXPECT_EQ(attribute(three.variable("der(x1)"), "derivative"), "3");
  EXPECT_EQ(attribute(two.variable("x0").child("Real"), "start"), "2");
  EXPECT_EQ(attribute(two.variable("x0"), "initial"), "exact");
  EXPECT_EQ(attribute(two.variable("der(x0)"), "initial"), "calculated");
}

TEST(Description, ListsTheModelStructureWithDependencies) {
  const Archive two("2.0", "VanDerPol"), three("3.0", "VanDerPol");
  const pugi::xml_node s2 = two.root().child("ModelStructure");
  const auto x0 = s2.child("Outputs").first_child(), x1 = x0.next_sibling();
  EXPECT_EQ(attribute(x0, "index"), "2");
  EXPECT_EQ(attribute(x1, "index"), "4");
  const auto dx1 = s2.child("Derivatives").last_child();
  EXPECT_EQ(attribute(dx1, "dependencies"), "2 4");  // parameters are no knowns in FMI 2.0
  EXPECT_EQ(attribute(s2.child("InitialUnknowns").first_child(), "index"), "3");

  const auto derivative = three.root().child("ModelStructure").child("ContinuousStateDerivative");
  EXPECT_EQ(attribute(derivative, "dependencies"), "3");
  EXPECT_EQ(attribute(derivative.next_sibling(), "dependencies"), "1 3 5");
}

TEST(Description, LeavesDependenciesOutWhereTheAuthorIsSilent) {
  const Archive two("2.0", "BouncingBall");
  const auto dh = two.root().child("ModelStructure").child("Derivatives").first_child();
  EXPECT_FALSE(dh.attribute("dependencies"));
}

TEST(Description, WritesKindsOfDependencies) {
  const Archive two("2.0", "Integrator");
  const auto y = two.root().child("ModelStructure").child("Outputs").first_child();
  EXPECT_EQ(attribute(y, "dependenciesKind"), "constant constant");
}

TEST(Description, OfFmi1NamesTheInputsThatOutputsDependOn) {
  const Archive one("1.0-cs", "Integrator"), none("1.0-cs", "Trivial");
  const auto names = one.variable("y").child("DirectDependency");
  EXPECT_STREQ(names.child("Name").text().get(), "u");
  EXPECT_EQ(std::distance(names.begin(), names.end()), 1);
  EXPECT_TRUE(none.variable("y").child("DirectDependency"));  // none at all
  EXPECT_FALSE(none.variable("y").child("DirectDependency").first_child());
}

TEST(Description, StatesCapabilitiesThatFollowFromTheClass) {
  const Archive equations("3.0", "BouncingBall"), step("3.0", "Trivial"), pulse("3.0", "Pulse");
  const auto cs = equations.root().child("CoSimulation");
  for (const char* flag :
       {"canGetAndSetFMUState", "canSerializeFMUState", "providesDirectionalDerivatives",
        "providesAdjointDerivatives", "hasEventMode", "mightReturnEarlyFromDoStep",
        "providesIntermediateUpdate", "canReturnEarlyAfterIntermediateUpdate",
        "canHandleVariableCommunicationStepSize"})
    EXPECT_TRUE(cs.attribute(flag).as_bool()) << flag;
  EXPECT_TRUE(equations.root().child("ModelExchange"));

  const auto own = step.root().child("CoSimulation");
  for (const char* flag : {"providesDirectionalDerivatives", "hasEventMode",
                           "mightReturnEarlyFromDoStep", "providesIntermediateUpdate"})
    EXPECT_FALSE(own.attribute(flag).as_bool()) << flag;
  EXPECT_FALSE(step.root().child("ModelExchange"));
  EXPECT_TRUE(pulse.root().child("CoSimulation").attribute("hasEventMode").as_bool());
}

TEST(Description, DoesNotClaimStatesOfModelsThatCannotBeCopied) {
  const Archive pending("2.0", "faulty_pending");
  const auto cs = pending.root().child("CoSimulation");
  EXPECT_FALSE(cs.attribute("canGetAndSetFMUstate").as_bool());
  EXPECT_TRUE(cs.attribute("canRunAsynchronuously").as_bool());
}

TEST(Description, KnowsStepEvents) {
  const Archive saw("2.0", "Saw"), ball("2.0", "BouncingBall"), saw3("3.0", "Saw");
  const char* flag = "completedIntegratorStepNotNeeded";
  EXPECT_FALSE(saw.root().child("ModelExchange").attribute(flag).as_bool());
  EXPECT_TRUE(ball.root().child("ModelExchange").attribute(flag).as_bool());
  EXPECT_TRUE(
      saw3.root().child("ModelExchange").attribute("needsCompletedIntegratorStep").as_bool());
}

TEST(Description, DefinesUnitsWithDisplayUnits) {
  const Archive two("2.0", "Thermostat");
  const auto units = two.root().child("UnitDefinitions");
  const auto kelvin = units.find_child_by_attribute("Unit", "name", "K");
  EXPECT_EQ(attribute(kelvin.child("BaseUnit"), "K"), "1");
  const auto celsius = kelvin.child("DisplayUnit");
  EXPECT_EQ(attribute(celsius, "name"), "degC");
  EXPECT_EQ(attribute(celsius, "offset"), "-273.15");
  const auto watt = units.find_child_by_attribute("Unit", "name", "W");  // known to the kit
  EXPECT_EQ(attribute(watt.child("BaseUnit"), "s"), "-3");
  EXPECT_EQ(attribute(two.variable("T").child("Real"), "displayUnit"), "degC");
  EXPECT_EQ(attribute(two.variable("band").child("Real"), "relativeQuantity"), "true");
  const Archive one("1.0-cs", "Thermostat");
  const auto base = one.root().child("UnitDefinitions").find_child_by_attribute("unit", "K");
  EXPECT_EQ(attribute(base.child("DisplayUnitDefinition"), "offset"), "-273.15");
}

TEST(Description, DefinesEnumerations) {
  const Archive one("1.0-cs", "Feedthrough"), two("2.0", "Feedthrough"),
      three("3.0", "Feedthrough");
  EXPECT_EQ(attribute(one.variable("option_in").child("Enumeration"), "declaredType"), "Option");
  EXPECT_EQ(attribute(two.variable("option_in").child("Enumeration"), "start"), "1");
  const auto type = three.root().child("TypeDefinitions").child("EnumerationType");
  EXPECT_EQ(attribute(type.last_child(), "name"), "high");
  EXPECT_EQ(attribute(type.last_child(), "value"), "3");
  EXPECT_EQ(attribute(three.variable("option_in"), "declaredType"), "Option");
}

TEST(Description, SpreadsArraysOverScalarsBeforeFmi3) {
  const Archive two("2.0", "Feedthrough"), three("3.0", "Feedthrough");
  EXPECT_EQ(attribute(two.variable("array_in[3]").child("Real"), "start"), "3");
  EXPECT_EQ(attribute(two.variable("matrix_in[2,1]").child("Real"), "start"), "3");
  EXPECT_EQ(attribute(two.variable("flags_in[1]").child("Boolean"), "start"), "true");
  EXPECT_EQ(attribute(two.variable("words_in[2]").child("String"), "start"), "second & <last>");
  EXPECT_THROW(two.variable("binary_in"), std::runtime_error);  // has no counterpart
  const auto matrix = three.variable("matrix_in");
  EXPECT_EQ(attribute(matrix, "start"), "1 2 3 4");
  EXPECT_EQ(std::distance(matrix.begin(), matrix.end()), 2);  // two dimensions
  EXPECT_EQ(attribute(three.variable("binary_in").child("Start"), "value"), "666f6f");
}

TEST(Description, NamesTheSizesOfArraysInFmi3AndFreezesThemBefore) {
  const Archive three("3.0", "StateSpace"), two("2.0", "StateSpace");
  const auto b = three.variable("B");
  EXPECT_EQ(b.first_child().attribute("valueReference").as_uint(), three.reference("n"));
  EXPECT_EQ(b.last_child().attribute("valueReference").as_uint(), three.reference("m"));
  EXPECT_EQ(attribute(three.variable("n"), "causality"), "structuralParameter");
  EXPECT_EQ(attribute(two.variable("n"), "variability"), "constant");
  EXPECT_EQ(attribute(two.variable("der(x[2])").child("Real"), "derivative"),
            std::to_string(two.reference("x[2]") + 1));
}

TEST(Description, ListsEventIndicators) {
  const Archive two("2.0", "Thermostat"), three("3.0", "Thermostat");
  EXPECT_EQ(attribute(two.root(), "numberOfEventIndicators"), "2");
  const auto indicator = three.root().child("ModelStructure").child("EventIndicator");
  EXPECT_EQ(indicator.attribute("valueReference").as_uint(), three.reference("z_on"));
}

TEST(Description, GivesEveryVersionItsOwnToken) {
  std::set<std::string> tokens;
  for (const char* kind : {"1.0-cs", "1.0-me", "2.0", "3.0"}) {
    const Archive fmu(kind, "VanDerPol");
    tokens.insert(attribute(fmu.root(), "guid") + attribute(fmu.root(), "instantiationToken"));
  }
  EXPECT_EQ(tokens.size(), 3u);  // both interfaces of FMI 1.0 share one binary and one GUID
}

TEST(Description, HoldsThousandsOfVariables) {
  const Archive three("3.0", "Many");
  const auto variables = three.root().child("ModelVariables");
  EXPECT_EQ(std::distance(variables.begin(), variables.end()), 2001);  // and the time
}

}  // namespace
