// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/support/read_xml.hpp"

namespace tutti {
namespace {

class DescriptionV1 : public test::DescriptionTest {
 protected:
  static std::string with(std::string_view variables, std::string_view more = "") {
    return R"(<fmiModelDescription fmiVersion="1.0" modelName="m" modelIdentifier="id" guid="{g}"
 numberOfContinuousStates="2" numberOfEventIndicators="3">
<ModelVariables>)" +
           std::string(variables) + "</ModelVariables>" + std::string(more) +
           "</fmiModelDescription>";
  }
};

TEST_F(DescriptionV1, WithoutImplementationItIsForModelExchange) {
  const ModelDescription md = read(with(""));
  EXPECT_EQ(md.version, FmiVersion::v1);
  EXPECT_EQ(md.token, "{g}");
  ASSERT_TRUE(md.model_exchange);
  EXPECT_EQ(md.model_exchange->model_identifier, "id");
  EXPECT_TRUE(md.model_exchange->needs_completed_integrator_step);
  EXPECT_FALSE(md.co_simulation);
  EXPECT_EQ(md.continuous_state_count, 2u);
  EXPECT_EQ(md.event_indicator_count, 3u);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(DescriptionV1, CapabilitiesOfCoSimulationAreRead) {
  const ModelDescription md = read(with("", R"(<Implementation><CoSimulation_Tool>
<Capabilities canHandleVariableCommunicationStepSize="true" canHandleEvents="1" canRejectSteps="true"
 canInterpolateInputs="true" maxOutputDerivativeOrder="2" canRunAsynchronuously="false"
 canSignalEvents="true" canBeInstantiatedOnlyOncePerProcess="true" canNotUseMemoryManagementFunctions="true"/>
<Model entryPoint="file://a" manualStart="true" type="application/x"/></CoSimulation_Tool></Implementation>)"));
  ASSERT_TRUE(md.co_simulation);
  EXPECT_FALSE(md.model_exchange);
  const Capabilities& can = *md.co_simulation;
  EXPECT_TRUE(can.can_vary_step && can.can_handle_events && can.can_redo_step &&
              can.can_interpolate_inputs && can.can_signal_events && can.only_once_per_process &&
              can.no_memory_management && can.needs_execution_tool && can.manual_start);
  EXPECT_FALSE(can.can_run_asynchronously);
  EXPECT_EQ(can.max_output_derivative_order, 2u);
  EXPECT_EQ(can.entry_point, "file://a");
  EXPECT_EQ(can.mime_type, "application/x");
}

TEST_F(DescriptionV1, WordsBecomeThoseOfFmi3) {
  const ModelDescription md = read(with(R"(
<ScalarVariable name="p" valueReference="1" variability="parameter"><Real start="2" fixed="true"/></ScalarVariable>
<ScalarVariable name="q" valueReference="2" variability="parameter"><Real/></ScalarVariable>
<ScalarVariable name="c" valueReference="3" variability="constant"><Integer start="1"/></ScalarVariable>
<ScalarVariable name="i" valueReference="4" causality="input"><Integer start="1"/></ScalarVariable>
<ScalarVariable name="n" valueReference="5" causality="none"><Boolean start="true" fixed="false"/></ScalarVariable>
<ScalarVariable name="x" valueReference="6" causality="internal"><String/></ScalarVariable>)"));
  ASSERT_EQ(md.variables.size(), 6u);
  const auto is = [&](const char* name, Causality causality, Variability variability,
                      Initial initial) {
    const Variable* variable = md.find(name);
    ASSERT_NE(variable, nullptr) << name;
    EXPECT_EQ(variable->causality, causality) << name;
    EXPECT_EQ(variable->variability, variability) << name;
    EXPECT_EQ(variable->initial, initial) << name;
  };
  is("p", Causality::parameter, Variability::fixed, Initial::exact);
  is("q", Causality::calculated_parameter, Variability::fixed, Initial::calculated);
  is("c", Causality::local, Variability::constant, Initial::exact);
  is("i", Causality::input, Variability::discrete, Initial::none);
  is("n", Causality::local, Variability::discrete, Initial::approx);
  is("x", Causality::local, Variability::discrete, Initial::calculated);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(DescriptionV1, AliasesShareAReferenceAndMayBeNegated) {
  const ModelDescription md = read(with(R"(
<ScalarVariable name="a" valueReference="1"><Real start="1"/></ScalarVariable>
<ScalarVariable name="b" valueReference="1" alias="alias"><Real/></ScalarVariable>
<ScalarVariable name="c" valueReference="1" alias="negatedAlias"><Real/></ScalarVariable>
<ScalarVariable name="d" valueReference="1" alias="alias" variability="parameter"><Real/></ScalarVariable>)"));
  EXPECT_EQ(md.variables[0].alias, AliasKind::none);
  EXPECT_EQ(md.variables[1].alias, AliasKind::alias);
  EXPECT_EQ(md.variables[2].alias, AliasKind::negated);
  EXPECT_EQ(md.variables[3].causality, Causality::parameter);  // its start stands at the other
  EXPECT_TRUE(warnings.empty());
}

TEST_F(DescriptionV1, DirectDependencyIsWhatAnOutputDependsOn) {
  const ModelDescription md = read(with(R"(
<ScalarVariable name="u" valueReference="1" causality="input"><Real start="0"/></ScalarVariable>
<ScalarVariable name="y1" valueReference="2" causality="output"><Real/><DirectDependency><Name>u</Name></DirectDependency></ScalarVariable>
<ScalarVariable name="y2" valueReference="3" causality="output"><Real/><DirectDependency/></ScalarVariable>
<ScalarVariable name="y3" valueReference="4" causality="output"><Real/></ScalarVariable>
<ScalarVariable name="y4" valueReference="5" causality="output"><Real/><DirectDependency><Name>w</Name></DirectDependency></ScalarVariable>)"));
  const std::vector<Unknown>& outputs = md.structure.outputs;
  ASSERT_EQ(outputs.size(), 4u);
  EXPECT_EQ(outputs[0].dependencies, std::vector<std::int32_t>{0});
  EXPECT_EQ(outputs[1].dependencies, std::vector<std::int32_t>{});
  EXPECT_FALSE(outputs[2].dependencies.has_value());
  EXPECT_EQ(outputs[3].dependencies, std::vector<std::int32_t>{});
  EXPECT_TRUE(warned({"\"y4\"", "\"w\", which is not a variable"}));
}

TEST_F(DescriptionV1, TypesAndUnitsAreTakenOver) {
  const ModelDescription md = read(with(
      R"(<ScalarVariable name="w" valueReference="1"><Real declaredType="Speed" max="9"/></ScalarVariable>
<ScalarVariable name="e" valueReference="1"><Enumeration declaredType="Option" start="2"/></ScalarVariable>)",
      R"(<UnitDefinitions><BaseUnit unit="rad/s"><DisplayUnitDefinition displayUnit="rpm" gain="9.5" offset="1"/></BaseUnit></UnitDefinitions>
<TypeDefinitions><Type name="Speed" description="d"><RealType quantity="Q" unit="rad/s" displayUnit="rpm" min="-5" max="5" nominal="2" relativeQuantity="true"/></Type>
<Type name="Option"><EnumerationType><Item name="one"/><Item name="two" description="2nd"/></EnumerationType></Type></TypeDefinitions>)"));
  const TypeAttributes& attributes = md.variables[0].attributes;
  EXPECT_EQ(attributes.unit, "rad/s");
  EXPECT_EQ(attributes.display_unit, "rpm");
  EXPECT_EQ(attributes.quantity, "Q");
  EXPECT_EQ(attributes.min, -5.0);
  EXPECT_EQ(attributes.max, 9.0);
  EXPECT_EQ(attributes.nominal, 2.0);
  EXPECT_TRUE(attributes.relative_quantity);
  ASSERT_EQ(md.units.size(), 1u);
  EXPECT_EQ(md.units[0].display_units[0].factor, 9.5);
  ASSERT_NE(md.type_of(md.variables[1]), nullptr);
  EXPECT_EQ(md.type_of(md.variables[1])->items[1].name, "two");
  EXPECT_EQ(md.type_of(md.variables[1])->items[1].value, 2);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(DescriptionV1, WithoutModelIdentifierItCannotBeUsed) {
  EXPECT_SAYS(failure("<fmiModelDescription fmiVersion='1.0' modelName='m' guid='g'/>"),
              "modelDescription.xml:1:2");
}

}  // namespace
}  // namespace tutti
