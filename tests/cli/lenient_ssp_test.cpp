// SPDX-License-Identifier: BSD-2-Clause
// SSPs of other tools that are not quite what SSP 1.0 says.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command.hpp"
#include "support/zip_writer.hpp"

namespace tutti::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view ssp_uri = "http://ssp-standard.org/SSP1/SystemStructure";

/// y = k u, with k = 4 from a parameter set with a prefix that `values` declares or not.
struct SspParts {
  std::string space = std::string(ssp_uri);
  std::string values = fmt::format("xmlns:ssv=\"{}ParameterValues\"", ssp_uri);
  std::string source = fmu("2.0", "Gain");
  std::string k = "4";
  std::string elements = {}, connections = {};
  std::string system_annotation = {}, experiment_annotation = {};
};

std::string ssp_description(const SspParts& parts) {
  return fmt::format(R"(<ssd:SystemStructureDescription version="1.0" name="s"
  xmlns:ssd="{}Description" xmlns:ssc="{}Common" {}>
 <ssd:System name="root"><ssd:Elements>
  <ssd:Component name="a" source="{}"><ssd:ParameterBindings><ssd:ParameterBinding>
   <ssd:ParameterValues><ssv:ParameterSet version="1.0" name="p"><ssv:Parameters>
    <ssv:Parameter name="k"><ssv:Real value="{}"/></ssv:Parameter>
    <ssv:Parameter name="u"><ssv:Real value="1"/></ssv:Parameter>
   </ssv:Parameters></ssv:ParameterSet></ssd:ParameterValues>
  </ssd:ParameterBinding></ssd:ParameterBindings></ssd:Component>{}
 </ssd:Elements><ssd:Connections>{}</ssd:Connections>{}</ssd:System>
 <ssd:DefaultExperiment startTime="0" stopTime="1">{}</ssd:DefaultExperiment>
</ssd:SystemStructureDescription>)",
                     parts.space, parts.space, parts.values, parts.source, parts.k, parts.elements,
                     parts.connections, parts.system_annotation, parts.experiment_annotation);
}

std::string ssp_annotation(const std::string& type, const std::string& content) {
  return fmt::format(
      "<ssd:Annotations><ssc:Annotation type=\"{}\">{}</ssc:Annotation></ssd:Annotations>", type,
      content);
}

std::size_t times_in(const std::string& text, const std::string& what) {
  std::size_t times = 0;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++times;
  return times;
}

class LenientSsp : public ::testing::Test {
 protected:
  /// The last row, and how many there are besides the header.
  std::vector<std::string> last_row(const std::vector<std::string>& arguments) {
    std::vector<std::string> all = {"run"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    all.insert(all.end(), {"-o", "r.csv"});
    answer_ = work_.tutti(all);
    EXPECT_EQ(answer_.status, 0) << answer_.err;
    if (answer_.status != 0) return {};
    const auto rows = csv_rows(work_.read("r.csv"));
    rows_ = rows.size() - 1;
    return rows.back();
  }
  Workplace work_;
  Answer answer_;
  std::size_t rows_ = 0;
};

TEST_F(LenientSsp, APrefixThatIsNotDeclaredIsTheUsualOneWithOneWarning) {
  work_.write("s.ssd", ssp_description({.values = ""}));
  EXPECT_THAT(last_row({"s.ssd"}), ElementsAre("1", "4"));
  EXPECT_EQ(times_in(answer_.err, "the prefix \"ssv\" is not declared"), 1u) << answer_.err;
  EXPECT_THAT(work_.tutti({"check", "s.ssd"}).out, HasSubstr("\"ssv\" is not declared"));
}

TEST_F(LenientSsp, NamespacesOfDraftsAreUnderstoodWithOneWarningEach) {
  for (const char* const space :
       {"http://ssp-standard.org/SystemStructure", "https://ssp-standard.org/SSP1/SystemStructure",
        "http://www.pmsf.net/xsd/SystemStructure"}) {
    work_.write("s.ssd", ssp_description({.space = space}));
    EXPECT_THAT(last_row({"s.ssd"}), ElementsAre("1", "4"));
    EXPECT_EQ(times_in(answer_.err, fmt::format("the namespace \"{}Description\"", space)), 1u)
        << answer_.err;
  }
  work_.write("s.ssd", ssp_description({.space = "http://example.org/SomethingElse"}));
  EXPECT_EQ(work_.tutti({"run", "s.ssd"}).status, 2);
}

class SeveralDescriptions : public LenientSsp {
 protected:
  SeveralDescriptions() {
    const std::string gain = "resources/Gain.fmu";
    const std::vector<test::ZipItem> items = {
        {"SystemStructure.ssd", ssp_description({.source = gain})},
        {"Other.ssd", ssp_description({.source = gain, .k = "5"})},
        {gain, test::read_file(fmu("2.0", "Gain"))}};
    work_.write("p.ssp", test::make_zip(items));
    std::filesystem::create_directories(work_.path() / "folder/resources");
    for (const test::ZipItem& item : items) work_.write("folder/" + item.name, item.data);
  }
};

TEST_F(SeveralDescriptions, TheUsualOneIsReadWithAWarningThatNamesTheOthers) {
  for (const char* const file : {"p.ssp", "folder"}) {
    EXPECT_THAT(last_row({file}), ElementsAre("1", "4"));
    EXPECT_EQ(times_in(answer_.err, "Other.ssd"), 1u) << answer_.err;
    EXPECT_THAT(answer_.err, HasSubstr("--structure"));
  }
}

TEST_F(SeveralDescriptions, StructureChoosesAnother) {
  for (const char* const file : {"p.ssp", "folder", "folder/"})
    for (const char* const name : {"Other", "Other.ssd"}) {
      EXPECT_THAT(last_row({file, "--structure", name}), ElementsAre("1", "5"));
      EXPECT_THAT(answer_.err, Not(HasSubstr("other descriptions")));
      for (const char* const command : {"check", "graph"})
        EXPECT_EQ(work_.tutti({command, file, "--structure", name}).status, 0);
    }
}

TEST_F(SeveralDescriptions, AnUnknownStructureIsRefusedWithTheKnownOnes) {
  const Answer answer = work_.tutti({"run", "p.ssp", "--structure", "Another"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("Other.ssd, SystemStructure.ssd"));
  work_.write("s.toml", "[components.a]\nfmu = \"folder/resources/Gain.fmu\"\n");
  EXPECT_EQ(work_.tutti({"run", "s.toml", "--structure", "Other"}).status, 2);
}

TEST_F(SeveralDescriptions, ResultsOfAFolderAreCalledAfterIt) {
  for (const char* const folder : {"folder", "folder/", "./folder/."}) {
    ASSERT_EQ(work_.tutti({"run", folder}).status, 0);
    EXPECT_TRUE(std::filesystem::remove(work_.path() / "folder.csv")) << folder;
  }
}

// y = 4 u with u = 2 T + 1 held over the last step, at whose start T is 2.5: 4 * 6.
TEST_F(LenientSsp, TablesAreComponents) {
  work_.write("heat.csv", "time,T [K]\n0,2\n1,3\n");
  for (const char* const type : {"text/csv", "application/table"}) {
    work_.write(
        "s.ssd",
        ssp_description(
            {.elements = fmt::format("<ssd:Component name=\"t\" type=\"{}\" source=\"heat.csv\">"
                                     "<ssd:Connectors><ssd:Connector name=\"T\" kind=\"output\"/>"
                                     "</ssd:Connectors></ssd:Component>",
                                     type),
             .connections = "<ssd:Connection startElement=\"t\" startConnector=\"T\" "
                            "endElement=\"a\" endConnector=\"u\"><ssc:LinearTransformation "
                            "factor=\"2\" offset=\"1\"/></ssd:Connection>"}));
    EXPECT_THAT(last_row({"s.ssd", "--set", "simulation.step=0.5"}), ElementsAre("1", "7", "24"));
    EXPECT_THAT(work_.tutti({"check", "s.ssd"}).out, HasSubstr("\"t\" is a table of inputs"));
  }
}

TEST_F(LenientSsp, ATableHasOutputsOnly) {
  work_.write("heat.csv", "time,T\n0,2\n");
  work_.write("s.ssd", ssp_description({.elements = "<ssd:Component name=\"t\" type=\"text/csv\" "
                                                    "source=\"heat.csv\"/>",
                                        .connections = "<ssd:Connection startElement=\"a\" "
                                                       "startConnector=\"y\" endElement=\"t\" "
                                                       "endConnector=\"T\"/>"}));
  const Answer answer = work_.tutti({"run", "s.ssd"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("\"t\" is a table"));
}

TEST_F(LenientSsp, TheStepOfTheOpenSimulationPlatformIsTaken) {
  work_.write("s.ssd", ssp_description({.experiment_annotation = ssp_annotation(
                                            "com.opensimulationplatform",
                                            "<osp:Algorithm xmlns:osp=\"http://"
                                            "opensimulationplatform.com/SSP/OSPAnnotations\">"
                                            "<osp:FixedStepAlgorithm baseStepSize=\"0.25\"/>"
                                            "</osp:Algorithm>")}));
  last_row({"s.ssd"});
  EXPECT_EQ(rows_, 5u);
  EXPECT_THAT(work_.tutti({"check", "s.ssd"}).out,
              HasSubstr("the step is 0.25 s, from the annotation of com.opensimulationplatform"));
}

std::string of_openmodelica(const std::string& content) {
  return ssp_annotation(
      "org.openmodelica",
      "<oms:Annotations xmlns:oms=\"https://raw.githubusercontent.com/OpenModelica/"
      "OMSimulator/master/schema/oms.xsd\"><oms:SimulationInformation>" +
          content + "</oms:SimulationInformation></oms:Annotations>");
}

TEST_F(LenientSsp, TheStepOfOpenModelicaIsTaken) {
  work_.write("s.ssd",
              ssp_description({.system_annotation = of_openmodelica(
                                   "<oms:FixedStepMaster description=\"oms-ma\" "
                                   "stepSize=\"0.125000\" relativeTolerance=\"0.0001\"/>")}));
  last_row({"s.ssd"});
  EXPECT_EQ(rows_, 9u);
  last_row({"s.ssd", "--set", "simulation.step=0.5"});
  EXPECT_EQ(rows_, 3u);
}

TEST_F(LenientSsp, ANoteSaysThatOtherStepsOfOpenModelicaAreNotUsed) {
  work_.write("s.ssd", ssp_description({.system_annotation = of_openmodelica(
                                            "<oms:VariableStepSolver description=\"cvode\" "
                                            "initialStepSize=\"0.0001\"/>")}));
  EXPECT_THAT(work_.tutti({"check", "s.ssd"}).out,
              HasSubstr("<oms:VariableStepSolver> of org.openmodelica is ignored"));
}

}  // namespace
}  // namespace tutti::testing
