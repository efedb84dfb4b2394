// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/support/read_xml.hpp"

namespace tutti {
namespace {

class DescriptionV3 : public test::DescriptionTest {
 protected:
  static std::string with(std::string_view variables,
                          std::string_view structure = "<ModelStructure/>",
                          std::string_view head = "<CoSimulation modelIdentifier=\"id\"/>") {
    return "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"m\" instantiationToken=\"t\">\n" +
           std::string(head) + "\n<ModelVariables>\n" + std::string(variables) +
           "</ModelVariables>" + std::string(structure) + "</fmiModelDescription>";
  }
};

TEST_F(DescriptionV3, InterfacesAndTheirCapabilities) {
  const ModelDescription md = read(with("", "<ModelStructure/>", R"(
<ModelExchange modelIdentifier="me" needsCompletedIntegratorStep="true" providesEvaluateDiscreteStates="true" ls:other="1"/>
<CoSimulation modelIdentifier="cs" canGetAndSetFMUState="true" canSerializeFMUState="true"
 providesDirectionalDerivatives="true" providesAdjointDerivatives="true" providesPerElementDependencies="true"
 canHandleVariableCommunicationStepSize="true" fixedInternalStepSize="0.01" maxOutputDerivativeOrder="1"
 recommendedIntermediateInputSmoothness="-1" providesIntermediateUpdate="true" mightReturnEarlyFromDoStep="true"
 canReturnEarlyAfterIntermediateUpdate="true" hasEventMode="true"/>
<ScheduledExecution modelIdentifier="se"/>)"));
  ASSERT_TRUE(md.model_exchange && md.co_simulation && md.scheduled_execution);
  EXPECT_TRUE(md.model_exchange->needs_completed_integrator_step);
  EXPECT_FALSE(md.co_simulation->needs_completed_integrator_step);
  const Capabilities& can = *md.co_simulation;
  EXPECT_TRUE(can.can_save_state && can.can_serialize_state &&
              can.provides_directional_derivatives && can.provides_adjoint_derivatives &&
              can.per_element_dependencies && can.can_vary_step &&
              can.provides_intermediate_update && can.might_return_early &&
              can.can_return_early_after_intermediate_update && can.has_event_mode);
  EXPECT_EQ(can.fixed_internal_step, 0.01);
  EXPECT_EQ(can.recommended_intermediate_input_smoothness, -1.0);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(DescriptionV3, AllTypesWithTheirDefaults) {
  std::string variables;
  int reference = 0;
  for (const char* type : {"Float32", "Float64", "Int8", "UInt8", "Int16", "UInt16", "Int32",
                           "UInt32", "Int64", "UInt64", "Boolean", "String", "Binary"}) {
    variables += std::string("<") + type + " name='" + type + "' valueReference='" +
                 std::to_string(++reference) + "'/>\n";
  }
  const ModelDescription md = read(with(variables));
  ASSERT_EQ(md.variables.size(), 13u);
  for (const Variable& variable : md.variables) {
    EXPECT_EQ(to_string(variable.type), variable.name);
    EXPECT_EQ(variable.variability,
              variable.name.starts_with("Float") ? Variability::continuous : Variability::discrete);
    EXPECT_EQ(variable.initial, Initial::calculated);
  }
  EXPECT_EQ(md.variables[12].mime_type, "application/octet-stream");
  EXPECT_TRUE(warnings.empty());
}

TEST_F(DescriptionV3, DefaultsOfVariabilityAndInitial) {
  const ModelDescription md = read(with(R"(
<Float64 name="p" valueReference="1" causality="parameter" start="1"/>
<UInt64 name="n" valueReference="2" causality="structuralParameter" start="1"/>
<Float64 name="c" valueReference="3" causality="calculatedParameter"/>
<Float64 name="u" valueReference="4" causality="input" start="0"/>
<Float64 name="t" valueReference="5" causality="independent"/>
<Float64 name="k" valueReference="6" variability="constant" start="0"/>)"));
  const auto is = [&](const char* name, Variability variability, Initial initial) {
    EXPECT_EQ(md.find(name)->variability, variability) << name;
    EXPECT_EQ(md.find(name)->initial, initial) << name;
  };
  is("p", Variability::fixed, Initial::exact);
  is("n", Variability::fixed, Initial::exact);
  is("c", Variability::fixed, Initial::calculated);
  is("u", Variability::continuous, Initial::exact);
  is("t", Variability::continuous, Initial::none);
  is("k", Variability::constant, Initial::exact);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(DescriptionV3, ArraysStringsAndBinaries) {
  const ModelDescription md =
      read(with(R"(
<UInt64 name="n" valueReference="1" causality="structuralParameter" variability="tunable" start="3"/>
<Float64 name="A" valueReference="2" causality="parameter" start="1 2
 3 4 5 6"><Dimension start="2"/><Dimension valueReference="1"/></Float64>
<String name="s" valueReference="3" causality="parameter"><Dimension start="2"/><Start value="a b"/><Start value=""/></String>
<Binary name="b" valueReference="4" causality="parameter" mimeType="x/y" maxSize="8"><Start value="00ff"/></Binary>
<Float64 name="x" valueReference="5"><Dimension valueReference="1"/></Float64>
<Float64 name="der_x" valueReference="6" derivative="5"><Dimension valueReference="1"/></Float64>)",
                "<ModelStructure><ContinuousStateDerivative valueReference='6' "
                "dependencies='5'/></ModelStructure>"));
  const Variable& A = md.variables[1];
  ASSERT_EQ(A.dimensions.size(), 2u);
  EXPECT_EQ(A.dimensions[0].size, 2u);
  EXPECT_EQ(A.dimensions[1].size_variable, 1u);
  EXPECT_EQ(A.start, (std::vector<std::string>{"1", "2", "3", "4", "5", "6"}));
  EXPECT_EQ(md.variables[2].start, (std::vector<std::string>{"a b", ""}));
  EXPECT_EQ(md.variables[3].start, std::vector<std::string>{"00ff"});
  EXPECT_EQ(md.variables[3].mime_type, "x/y");
  EXPECT_EQ(md.variables[3].max_size, 8u);
  EXPECT_EQ(md.variables[5].derivative_of, 4);
  EXPECT_EQ(md.structure.derivatives[0].dependencies, std::vector<std::int32_t>{4});
  EXPECT_EQ(md.continuous_state_count, 3u);
  EXPECT_TRUE(warnings.empty()) << warnings[0];
}

TEST_F(DescriptionV3, AbsurdDimensionsAreRefusedWhereTheyCountStates) {
  const std::string absurd = failure(with(
      R"(<Float64 name="x" valueReference="1"><Dimension start="18446744073709551615"/><Dimension start="18446744073709551615"/></Float64>
<Float64 name="d" valueReference="2" derivative="1"><Dimension start="18446744073709551615"/><Dimension start="18446744073709551615"/></Float64>)",
      "<ModelStructure><ContinuousStateDerivative valueReference='2'/></ModelStructure>"));
  EXPECT_SAYS(absurd, "4611686018427387904 continuous states");
}

TEST_F(DescriptionV3, ADimensionNeedsASize) {
  EXPECT_SAYS(failure(with("<Float64 name='x' valueReference='1'><Dimension/></Float64>")),
              "modelDescription.xml:4");
  read(with("<Float64 name='x' valueReference='1'><Dimension valueReference='7'/></Float64>"));
  EXPECT_TRUE(warned({"\"x\"", "7", "2.4.7.2"}));
}

TEST_F(DescriptionV3, AliasesAreFoundByName) {
  const ModelDescription md =
      read(with("<Float64 name='x' valueReference='1'><Alias name='y' description='d' "
                "displayUnit='u'/><Alias "
                "name='z'/></Float64><Float64 name='w' valueReference='2'/>"));
  EXPECT_EQ(md.find("z"), &md.variables[0]);
  EXPECT_EQ(md.find("w"), &md.variables[1]);
  EXPECT_EQ(md.variables[0].aliases[0].display_unit, "u");
  EXPECT_TRUE(warnings.empty());
}

TEST_F(DescriptionV3, TypesFillInWhatVariablesLeaveOut) {
  const ModelDescription md = read(with(
      R"(<Float64 name="a" valueReference="1" declaredType="T" relativeQuantity="false"/>
<Enumeration name="e" valueReference="2" declaredType="E"/>
<Clock name="c" valueReference="3" causality="input" declaredType="C" intervalVariability="constant"/>
<Binary name="b" valueReference="4" declaredType="B"/>)",
      "<ModelStructure/>",
      R"(<CoSimulation modelIdentifier="id"/><UnitDefinitions><Unit name="m"><DisplayUnit name="x" inverse="true"/></Unit></UnitDefinitions>
<TypeDefinitions><Float64Type name="T" unit="m" relativeQuantity="true" unbounded="true"/>
<EnumerationType name="E"><Item name="i" value="-4"/></EnumerationType>
<ClockType name="C" intervalVariability="constant" intervalDecimal="0.5" priority="3"/>
<BinaryType name="B" mimeType="x/y" maxSize="5"/></TypeDefinitions>)"));
  EXPECT_EQ(md.variables[0].attributes.unit, "m");
  EXPECT_TRUE(md.variables[0].attributes.unbounded);
  EXPECT_FALSE(md.variables[0].attributes.relative_quantity);
  EXPECT_EQ(md.type_of(md.variables[1])->items[0].value, -4);
  ASSERT_TRUE(md.variables[2].clock);
  EXPECT_EQ(md.variables[2].clock->interval_decimal, 0.5);
  EXPECT_EQ(md.variables[2].clock->priority, 3u);
  EXPECT_EQ(md.variables[3].mime_type, "x/y");
  EXPECT_EQ(md.variables[3].max_size, 5u);
  EXPECT_TRUE(md.units[0].display_units[0].inverse);
  EXPECT_TRUE(md.has_clocks());
  EXPECT_TRUE(warnings.empty()) << warnings[0];
}

TEST_F(DescriptionV3, ClocksAndClockedStates) {
  const ModelDescription md = read(with(R"(
<Clock name="c" valueReference="1" causality="input" intervalVariability="triggered" canBeDeactivated="true"
 supportsFraction="true" resolution="10" intervalCounter="2" shiftCounter="1" shiftDecimal="0.25"/>
<Float64 name="x" valueReference="2" variability="discrete" clocks="1" previous="3"/>
<Float64 name="pre" valueReference="3" variability="discrete" clocks="1 2" intermediateUpdate="true"/>)",
                                        "<ModelStructure><ClockedState valueReference='2'/>"
                                        "<EventIndicator valueReference='3'/></ModelStructure>"));
  const ClockAttributes& clock = *md.variables[0].clock;
  EXPECT_EQ(clock.interval_variability, "triggered");
  EXPECT_TRUE(clock.can_be_deactivated && clock.supports_fraction);
  EXPECT_EQ(clock.resolution, 10u);
  EXPECT_EQ(clock.interval_counter, 2u);
  EXPECT_EQ(clock.shift_counter, 1u);
  EXPECT_EQ(clock.shift_decimal, 0.25);
  EXPECT_EQ(md.variables[0].initial, Initial::none);
  EXPECT_EQ(md.variables[1].previous, 2);
  EXPECT_EQ(md.variables[1].clocks, std::vector<ValueReference>{1});
  EXPECT_TRUE(md.variables[2].intermediate_update);
  EXPECT_EQ(md.structure.clocked_states.size(), 1u);
  EXPECT_EQ(md.structure.event_indicators.size(), 1u);
  EXPECT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(warned({"\"pre\"", "2, which is not a clock"}));
}

TEST_F(DescriptionV3, AnnotationsAreKept) {
  const ModelDescription md = read(with(
      "<Float64 name='x' valueReference='1'><Annotations><Annotation type='a'>text</Annotation>"
      "</Annotations></Float64>",
      "<ModelStructure/><Annotations><Annotation type='b'><c/></Annotation></Annotations>"));
  EXPECT_EQ(md.variables[0].annotations[0].name, "a");
  EXPECT_SAYS(md.variables[0].annotations[0].xml, "text");
  EXPECT_EQ(md.annotations[0].name, "b");
}

TEST_F(DescriptionV3, BreachesNameTheSectionsOf3) {
  read(
      with("<Float64 name='x' valueReference='1'/><Float64 name='y' valueReference='1'/>"
           "<Int32 name='i' valueReference='2' variability='continuous'/>"
           "<Int8 name='s' valueReference='3' causality='parameter' start='300'/>"
           "<Float64 name='l' valueReference='4' causality='parameter' start='1 2'/>",
           "<ModelStructure><Output valueReference='9'/><Output/></ModelStructure>"));
  EXPECT_TRUE(warned({"\"y\"", "valueReference 1 is not unique", "2.4.7.4"}));
  EXPECT_TRUE(warned({"\"i\"", "cannot be continuous"}));
  EXPECT_TRUE(warned({"start=\"300\"", "Int8"}));
  EXPECT_TRUE(warned({"start=\"1 2\""}));
  EXPECT_TRUE(warned({"valueReference=\"9\"", "2.4.8"}));
  EXPECT_TRUE(warned({"<Output> has no valueReference"}));
}

TEST_F(DescriptionV3, TerminalsWithMembersAndStreams) {
  ModelDescription md =
      read(with("<Float64 name='p' valueReference='1'/><Float64 name='h' valueReference='2'/>"));
  fmi::read_terminals(R"(<fmiTerminalsAndIcons fmiVersion="3.0"><Terminals>
<Terminal name="port" matchingRule="plug" terminalKind="fluid" description="d">
<TerminalMemberVariable variableName="p" memberName="pressure" variableKind="signal"/>
<TerminalStreamMemberVariable inStreamMemberName="i" outStreamMemberName="o" inStreamVariableName="h" outStreamVariableName="none"/>
<Terminal name="inner" matchingRule="sequence"/></Terminal></Terminals></fmiTerminalsAndIcons>)",
                      "terminalsAndIcons.xml", log, md);
  ASSERT_EQ(md.terminals.size(), 1u);
  const Terminal& port = md.terminals[0];
  EXPECT_EQ(port.kind, "fluid");
  ASSERT_EQ(port.members.size(), 3u);
  EXPECT_EQ(port.members[0].name, "pressure");
  EXPECT_EQ(port.members[1].kind, "inStream");
  EXPECT_EQ(port.members[2].variable, "none");
  EXPECT_EQ(port.terminals[0].name, "inner");
  EXPECT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(warned({"\"port\"", "\"none\" is not a variable", "2.4.9.2"}));
}

TEST_F(DescriptionV3, TerminalsThatCannotBeReadAreIgnored) {
  ModelDescription md = read(with(""));
  fmi::read_terminals("<fmiTerminalsAndIcons><", "t.xml", log, md);
  EXPECT_TRUE(md.terminals.empty());
  EXPECT_TRUE(warned({"t.xml", "ignored"}));
  std::string deep;
  for (int i = 0; i < 200; ++i) deep += "<Terminal name='t'>";
  for (int i = 0; i < 200; ++i) deep += "</Terminal>";
  fmi::read_terminals(
      "<fmiTerminalsAndIcons><Terminals>" + deep + "</Terminals></fmiTerminalsAndIcons>", "t.xml",
      log, md);
  EXPECT_EQ(md.terminals.size(), 1u);
}

}  // namespace
}  // namespace tutti
