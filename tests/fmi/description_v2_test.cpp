// SPDX-License-Identifier: BSD-2-Clause
#include <cmath>

#include "fmi/support/read_xml.hpp"

namespace tutti {
namespace {

class DescriptionV2 : public test::DescriptionTest {
 protected:
  static std::string with(std::string_view variables,
                          std::string_view structure = "<ModelStructure/>",
                          std::string_view head = "") {
    return "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"m\" guid=\"g\">\n"
           "<CoSimulation modelIdentifier=\"id\"/>" +
           std::string(head) + "\n<ModelVariables>\n" + std::string(variables) +
           "</ModelVariables>" + std::string(structure) + "</fmiModelDescription>";
  }
};

TEST_F(DescriptionV2, InterfacesAndTheirCapabilities) {
  const ModelDescription md = read(R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="m" guid="g" description="d" author="a" version="1" copyright="c"
 license="l" generationTool="t" generationDateAndTime="2020-01-01T00:00:00Z" variableNamingConvention="structured"
 numberOfEventIndicators="4">
<ModelExchange modelIdentifier="me" completedIntegratorStepNotNeeded="true" providesDirectionalDerivative="true">
 <SourceFiles><File name="a.c"/><File name="b.c"/></SourceFiles></ModelExchange>
<CoSimulation modelIdentifier="cs" needsExecutionTool="true" canHandleVariableCommunicationStepSize="true"
 canInterpolateInputs="true" maxOutputDerivativeOrder="3" canRunAsynchronuously="true"
 canBeInstantiatedOnlyOncePerProcess="true" canNotUseMemoryManagementFunctions="true"
 canGetAndSetFMUstate="true" canSerializeFMUstate="true" providesDirectionalDerivative="false"/>
<LogCategories><Category name="logAll" description="x"/></LogCategories>
<DefaultExperiment startTime="1" stopTime=" 2.5 " tolerance="1e-4" stepSize="0.1"/>
<VendorAnnotations><Tool name="T"><a:b xmlns:a="u" k="1"><c/></a:b></Tool></VendorAnnotations>
<ModelVariables/><ModelStructure/></fmiModelDescription>)");
  ASSERT_TRUE(md.model_exchange && md.co_simulation);
  EXPECT_FALSE(md.model_exchange->needs_completed_integrator_step);
  EXPECT_TRUE(md.model_exchange->provides_directional_derivatives);
  EXPECT_EQ(md.model_exchange->source_files, (std::vector<std::string>{"a.c", "b.c"}));
  const Capabilities& can = *md.co_simulation;
  EXPECT_TRUE(can.needs_execution_tool && can.can_vary_step && can.can_interpolate_inputs &&
              can.can_run_asynchronously && can.only_once_per_process && can.no_memory_management &&
              can.can_save_state && can.can_serialize_state);
  EXPECT_EQ(can.max_output_derivative_order, 3u);
  EXPECT_EQ(md.default_experiment.start, 1.0);
  EXPECT_EQ(md.default_experiment.stop, 2.5);
  EXPECT_EQ(md.default_experiment.step, 0.1);
  EXPECT_EQ(md.default_experiment.tolerance, 1e-4);
  EXPECT_EQ(md.event_indicator_count, 4u);
  EXPECT_EQ(md.log_categories[0].name, "logAll");
  ASSERT_EQ(md.annotations.size(), 1u);
  EXPECT_EQ(md.annotations[0].name, "T");
  EXPECT_SAYS(md.annotations[0].xml, "<a:b xmlns:a=\"u\" k=\"1\"><c");
  EXPECT_EQ(md.naming_convention, "structured");
  EXPECT_TRUE(warnings.empty());
}

TEST_F(DescriptionV2, VariablesWithAllAttributes) {
  const ModelDescription md = read(with(
      R"(
<ScalarVariable name="x" valueReference="7" description="über" causality="output" variability="continuous" initial="exact" canHandleMultipleSetPerTimeInstant="false">
 <Real declaredType="L" start=" 1.5e0 " min="-INF" max="INF" nominal="3" unbounded="true" reinit="true"/></ScalarVariable>
<ScalarVariable name="der_x" valueReference="8"><Real derivative="1" unit="m/s"/></ScalarVariable>
<ScalarVariable name="s" valueReference="7" causality="parameter" variability="fixed"><String start=""/></ScalarVariable>
<ScalarVariable name="k" valueReference="8" causality="input" variability="discrete"><Integer start="+3"/></ScalarVariable>)",
      R"(<ModelStructure><Outputs><Unknown index="1" dependencies=""/></Outputs>
<Derivatives><Unknown index="2" dependencies="1 4" dependenciesKind="constant dependent"/></Derivatives>
<InitialUnknowns><Unknown index="2"/></InitialUnknowns></ModelStructure>)",
      R"(<UnitDefinitions><Unit name="m"><BaseUnit m="1"/></Unit><Unit name="m/s"><BaseUnit m="1" s="-1"/><DisplayUnit name="km/h" factor="3.6"/></Unit></UnitDefinitions>
<TypeDefinitions><SimpleType name="L"><Real quantity="Length" unit="m"/></SimpleType></TypeDefinitions>)"));
  ASSERT_EQ(md.variables.size(), 4u);
  const Variable& x = md.variables[0];
  EXPECT_EQ(x.description, "über");
  EXPECT_EQ(x.value_reference, 7u);
  EXPECT_EQ(x.start, std::vector<std::string>{"1.5e0"});
  EXPECT_EQ(x.attributes.min, -INFINITY);
  EXPECT_EQ(x.attributes.unit, "m");
  EXPECT_TRUE(x.reinit && x.attributes.unbounded && !x.can_handle_multiple_set);
  EXPECT_EQ(x.line, 6u);
  EXPECT_EQ(md.variables[1].derivative_of, 0);
  EXPECT_EQ(md.variables[1].initial, Initial::calculated);
  EXPECT_EQ(md.variables[2].start, std::vector<std::string>{""});
  EXPECT_EQ(md.variables[2].initial, Initial::exact);
  EXPECT_EQ(md.variables[3].initial, Initial::none);
  EXPECT_EQ(md.continuous_state_count, 1u);
  EXPECT_EQ(md.structure.outputs[0].dependencies, std::vector<std::int32_t>{});
  EXPECT_EQ(md.structure.derivatives[0].dependencies, (std::vector<std::int32_t>{0, 3}));
  EXPECT_EQ(md.structure.derivatives[0].kinds,
            (std::vector<DependencyKind>{DependencyKind::constant, DependencyKind::dependent}));
  EXPECT_FALSE(md.structure.initial_unknowns[0].dependencies.has_value());
  EXPECT_EQ(md.units[1].base->exponents[2], -1);
  EXPECT_EQ(md.units[1].display_units[0].factor, 3.6);
  EXPECT_TRUE(warnings.empty()) << warnings[0];
}

TEST_F(DescriptionV2, HarmlessBreachesAreWarningsWithRuleAndPlace) {
  const ModelDescription md = read(with(
      R"(<ScalarVariable name="a" valueReference="1" causality="input" variability="fixed"><Real start="0" unit="furlong"/></ScalarVariable>
<ScalarVariable name="a" valueReference="2" causality="parameter"><Real start="0" min="abc"/></ScalarVariable>
<ScalarVariable name="b" valueReference="3" causality="output" colour="red"><Real declaredType="None"/></ScalarVariable>
<ScalarVariable name="" valueReference="4" variability="sometimes"><Integer start="1.5"/></ScalarVariable>
<ScalarVariable name="c" valueReference="5"><Real derivative="99"/><Extra/></ScalarVariable>
<ScalarVariable name="d" valueReference="6" causality="input"><Real/></ScalarVariable>)",
      R"(<ModelStructure><Derivatives><Unknown index="42"/><Unknown index="5" dependencies="1 77"/></Derivatives></ModelStructure>)"));
  EXPECT_TRUE(warned({"modelDescription.xml:4:2", "\"a\"", "\"input\"", "\"fixed\"", "2.2.7"}));
  EXPECT_TRUE(warned({"\"a\"", "furlong", "2.2.2"}));
  EXPECT_TRUE(warned({"modelDescription.xml:5", "not unique", "2.2.9"}));
  EXPECT_TRUE(warned({"parameter without variability"}));
  EXPECT_TRUE(warned({"min=\"abc\"", "not a number"}));
  EXPECT_TRUE(warned({"\"colour\""}));
  EXPECT_TRUE(warned({"\"None\"", "2.2.3"}));
  EXPECT_TRUE(warned({"no name"}));
  EXPECT_TRUE(warned({"sometimes"}));
  EXPECT_TRUE(warned({"start=\"1.5\"", "Int32"}));
  EXPECT_TRUE(warned({"derivative=\"99\""}));
  EXPECT_TRUE(warned({"<Extra>"}));
  EXPECT_TRUE(warned({"\"d\"", "needs a start value"}));
  EXPECT_TRUE(warned({"index=\"42\"", "2.2.8"}));
  EXPECT_TRUE(warned({"\"77\""}));
  EXPECT_TRUE(warned({"\"b\"", "not listed"}));
  EXPECT_EQ(md.variables[1].variability, Variability::fixed);
  EXPECT_EQ(md.variables[3].variability, Variability::discrete);
  ASSERT_EQ(md.structure.outputs.size(), 1u);  // completed
  EXPECT_FALSE(md.structure.outputs[0].dependencies.has_value());
  EXPECT_EQ(md.structure.derivatives[0].dependencies, std::vector<std::int32_t>{0});
  EXPECT_EQ(md.find("a"), &md.variables[0]);
}

TEST_F(DescriptionV2, WarningsOfAKindAreCountedAfterTwenty) {
  std::string variables;
  for (int i = 0; i < 50; ++i) {
    variables += "<ScalarVariable name='v" + std::to_string(i) + "' valueReference='" +
                 std::to_string(i) + "'><Real unit='furlong'/></ScalarVariable>\n";
  }
  read(with(variables));
  EXPECT_EQ(warnings.size(), 21u);
  EXPECT_TRUE(warned({"30 more warnings about units"}));
}

TEST_F(DescriptionV2, NoModelStructureMeansThatOutputsDependOnEverything) {
  const ModelDescription md = read(with(
      "<ScalarVariable name='y' valueReference='1' causality='output'><Real/></ScalarVariable>",
      ""));
  ASSERT_EQ(md.structure.outputs.size(), 1u);
  EXPECT_TRUE(warned({"<ModelStructure>", "2.2.8"}));
}

TEST_F(DescriptionV2, WhatMakesItUselessIsAnErrorWithItsPlace) {
  EXPECT_SAYS(failure(with("\n<ScalarVariable name='a'><Real/></ScalarVariable>")),
              "modelDescription.xml:5:2: variable \"a\" has no valueReference");
  EXPECT_SAYS(
      failure(with("<ScalarVariable name='a' valueReference='-1'><Real/></ScalarVariable>")),
      "modelDescription.xml:4:26");
  EXPECT_SAYS(failure(with("<ScalarVariable name='a' valueReference='1'/>")), "has no type");
  EXPECT_SAYS(
      failure(
          "<fmiModelDescription fmiVersion='2.0' guid='g'><CoSimulation/></fmiModelDescription>"),
      "modelIdentifier");
  EXPECT_SAYS(failure("<fmiModelDescription fmiVersion='2.0' guid='g'/>"), "<CoSimulation>");
  EXPECT_SAYS(failure("<fmiModelDescription fmiVersion='2.0'\n<x/>"), "not well-formed");
  EXPECT_SAYS(failure(""), "not well-formed");
  EXPECT_SAYS(failure("<html/>"), "<html>");
  EXPECT_SAYS(failure("<fmiModelDescription/>"), "fmiVersion");
}

// What descriptions of other tools really contain.
TEST_F(DescriptionV2, BreachesThatDoNoHarmAreWarningsThatNameVariableAndRule) {
  const ModelDescription md = read(with(
      "<ScalarVariable name='a' valueReference='1' causality='output'><Real unit='furlong'/>"
      "</ScalarVariable>"
      "<ScalarVariable name='b' valueReference='2' causality='input' variability='discrete' "
      "initial='approx'><Integer start='0'/></ScalarVariable>"
      "<ScalarVariable name='c' valueReference='3' causality='parameter' variability='constant'>"
      "<Real start='0.1'/></ScalarVariable>"
      "<ScalarVariable name='d' valueReference='4' causality='output' initial='calculated'>"
      "<Real start='1'/></ScalarVariable>"
      "<ScalarVariable name='e' valueReference='5'><Real nominal='0'/></ScalarVariable>"));
  EXPECT_EQ(md.variables.size(), 5u);
  EXPECT_TRUE(warned({"\"a\"", "unit \"furlong\" is not defined", "2.2.2"}));
  EXPECT_TRUE(warned({"\"a\"", "not listed in <ModelStructure>", "2.2.8"}));
  EXPECT_TRUE(warned({"\"b\"", "initial=\"approx\" is not allowed", "2.2.7"}));
  EXPECT_TRUE(warned({"\"c\"", "cannot be combined", "2.2.7"}));
  EXPECT_TRUE(warned({"\"d\"", "must not have a start value", "2.2.7"}));
}

TEST_F(DescriptionV2, VersionsOfTheStandard) {
  const auto xml = [](std::string version) {
    return "<fmiModelDescription modelName='m' guid='g' instantiationToken='t' fmiVersion='" +
           version + "'><CoSimulation modelIdentifier='i'/></fmiModelDescription>";
  };
  EXPECT_EQ(read(xml("2.0.4")).version, FmiVersion::v2);
  EXPECT_EQ(read(xml("3.0.2")).version_text, "3.0.2");
  EXPECT_EQ(read(xml("3.1")).version, FmiVersion::v3);
  EXPECT_TRUE(warned({"3.1", "read as FMI 3.0"}));
  EXPECT_SAYS(failure(xml("3.0-beta.2")), "3.0-beta.2");
  EXPECT_SAYS(failure(xml("2.1")), "not supported");
  EXPECT_SAYS(failure(xml("4.0")), "not supported");
}

TEST_F(DescriptionV2, StructuredNamesAreChecked) {
  const std::string head =
      "<fmiModelDescription fmiVersion='2.0' modelName='m' guid='g' "
      "variableNamingConvention='structured'><CoSimulation modelIdentifier='i'/>"
      "<ModelVariables>";
  const auto variable = [](std::string_view name) {
    return "<ScalarVariable valueReference='1' name=\"" + std::string(name) +
           "\"><Real/></ScalarVariable>";
  };
  const std::string tail = "</ModelVariables><ModelStructure/></fmiModelDescription>";
  for (const char* good :
       {"a", "a.b[1,2].c", "der(pipe[3,4].T[14],2)", "robot.'motor #234'", "'a\\'b'"}) {
    read(head + variable(good) + tail);
    EXPECT_TRUE(warnings.empty()) << good;
  }
  for (const char* bad : {"1a", "a b", "a.", "der(a", "a[]", "'a", "a[1", "der(a,)", "ä"}) {
    read(head + variable(bad) + tail);
    EXPECT_EQ(warnings.size(), 1u) << bad;
  }
}

TEST_F(DescriptionV2, OtherEncodingsAreRead) {
  const std::string rest =
      "<fmiModelDescription fmiVersion='2.0' guid='g' modelName='gr\xF6\xDF"
      "e'><CoSimulation modelIdentifier='i'/><ModelStructure/></fmiModelDescription>";
  EXPECT_EQ(read("<?xml version='1.0' encoding='ISO-8859-1'?>" + rest).model_name, "größe");
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(read("<?xml version='1.0' encoding='UTF-8'?>" + rest).model_name, "größe");
  EXPECT_TRUE(warned({"Windows-1252"}));
  std::string wide = "\xFF\xFE";
  for (const char c : std::string("<fmiModelDescription fmiVersion='2.0' guid='g' modelName='m'>"
                                  "<CoSimulation modelIdentifier='i'/><ModelStructure/>"
                                  "</fmiModelDescription>")) {
    wide += c;
    wide += '\0';
  }
  EXPECT_EQ(read(wide).model_name, "m");
  EXPECT_EQ(read("\xEF\xBB\xBF" + with("")).model_name, "m");
}

TEST_F(DescriptionV2, LinesAreThoseOfTheFileEvenAfterMultiLineAttributes) {
  const ModelDescription md =
      read(with("<ScalarVariable\n name='a'\n description='one\ntwo\nthree'\n "
                "valueReference='1'><Real\n/></ScalarVariable>\r\n"
                "<ScalarVariable name='b' valueReference='2'><Real/></ScalarVariable>"));
  EXPECT_EQ(md.variables[0].line, 4u);
  EXPECT_EQ(md.variables[1].line, 11u);
  EXPECT_EQ(md.variables[0].description, "one two three");
}

TEST_F(DescriptionV2, ACopyFindsItsOwnVariables) {
  const ModelDescription original =
      read(with("<ScalarVariable name='a' valueReference='1'><Real/></ScalarVariable>"
                "<ScalarVariable name='b' valueReference='2'><Real/></ScalarVariable>"));
  const ModelDescription copy = original;
  EXPECT_EQ(copy.find("b"), &copy.variables[1]);
  EXPECT_EQ(copy.find(2), 1);
  EXPECT_EQ(copy.find("c"), nullptr);
  EXPECT_EQ(copy.find(3), -1);
  EXPECT_EQ(ModelDescription{}.find("a"), nullptr);
}

TEST_F(DescriptionV2, DeepNestingIsRefused) {
  std::string deep;
  for (int i = 0; i < 200'000; ++i) deep += "<a>";
  for (int i = 0; i < 200'000; ++i) deep += "</a>";
  EXPECT_SAYS(
      failure(with("", "<ModelStructure/>",
                   "<VendorAnnotations><Tool name='t'>" + deep + "</Tool></VendorAnnotations>")),
      "more than 256 nested elements");
}

// Ten entities of ten references each, nine levels deep, would be 10^9 words. They are not
// expanded.
TEST_F(DescriptionV2, EntitiesAreNotExpanded) {
  std::string laughs = "<!DOCTYPE x [<!ENTITY l0 'lol'><!ENTITY file SYSTEM 'file:///etc/passwd'>";
  for (int i = 1; i < 10; ++i) {
    laughs += "<!ENTITY l" + std::to_string(i) + " '";
    for (int k = 0; k < 10; ++k) laughs += "&l" + std::to_string(i - 1) + ";";
    laughs += "'>";
  }
  std::string xml = with(
      "<ScalarVariable name='&l9;&file;' valueReference='1'><Real/>"
      "</ScalarVariable>",
      "<ModelStructure/>", "");
  xml.insert(xml.find("<fmiModelDescription"), laughs + "]>");
  EXPECT_EQ(read(xml).variables.front().name, "&l9;&file;");
}

TEST_F(DescriptionV2, AbsurdCountsAreRefused) {
  std::string xml = with("", "<ModelStructure/>", "");
  xml.insert(xml.find("fmiVersion"), "numberOfEventIndicators='4000000000' ");
  EXPECT_SAYS(failure(xml), "4000000000 event indicators");
  EXPECT_SAYS(failure(with("<ScalarVariable name='" + std::string(70'000, 'a') +
                               "' valueReference='1'><Real/></ScalarVariable>",
                           "<ModelStructure/>", "")),
              "70000 bytes");
}

}  // namespace
}  // namespace tutti
