// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tutti/error.hpp>

#include "formats/registry.hpp"
#include "formats/toml/write.hpp"
#include "support/command.hpp"
#include "support/zip_writer.hpp"

namespace tutti::formats {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

const Words ssp_words{{"gauss-seidel", "iterated", "newton"},
                      {"cvode", "euler"},
                      {"fixed", "convergence", "richardson", "predictor"}};

constexpr std::string_view spaces =
    R"(xmlns:d="http://ssp-standard.org/SSP1/SystemStructureDescription"
 xmlns:common="http://ssp-standard.org/SSP1/SystemStructureCommon"
 xmlns:v="http://ssp-standard.org/SSP1/SystemStructureParameterValues"
 xmlns:m="http://ssp-standard.org/SSP1/SystemStructureParameterMapping")";

class Ssp : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(work_.path() / "resources");
    for (const char* const name : {"Gain", "Feedthrough", "Thermostat"})
      std::filesystem::copy_file(testing::fmu("2.0", name),
                                 work_.path() / fmt::format("resources/{}.fmu", name));
  }
  /// The content of a root element, with prefixes of its own.
  std::filesystem::path write(const std::string& content, const std::string& name = "s.ssd") const {
    return work_.write(
        name, fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                          "<d:SystemStructureDescription {} version=\"1.0\" name=\"test\">\n{}\n"
                          "</d:SystemStructureDescription>\n",
                          spaces, content));
  }
  System read(const std::string& content) {
    messages_.clear();
    const Log log([this](const LogRecord& record) { messages_.emplace_back(record.text); });
    return read_system(write(content), {ssp_words, {}, log});
  }
  std::string refusal(const std::string& content) {
    try {
      read(content);
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing refused";
  }
  static std::string gain(const std::string& name, const std::string& more = "") {
    return fmt::format(
        "<d:Component name=\"{}\" source=\"resources/Gain.fmu\"><d:Connectors>"
        "<d:Connector name=\"u\" kind=\"input\"><common:Real/></d:Connector>"
        "<d:Connector name=\"y\" kind=\"output\"><common:Real/></d:Connector>"
        "</d:Connectors>{}</d:Component>\n",
        name, more);
  }
  static std::string connection(const std::string& from, const std::string& y,
                                const std::string& to, const std::string& u,
                                const std::string& more = "") {
    const auto end = [](const char* side, const std::string& element) {
      return element.empty() ? "" : fmt::format("{}Element=\"{}\" ", side, element);
    };
    return fmt::format(
        "<d:Connection {}startConnector=\"{}\" {}endConnector=\"{}\">{}</d:Connection>\n",
        end("start", from), y, end("end", to), u, more);
  }
  static std::string system(const std::string& name, const std::string& before,
                            const std::string& elements, const std::string& connections) {
    return fmt::format(
        "<d:System name=\"{}\">{}<d:Elements>{}</d:Elements><d:Connections>{}</d:Connections>"
        "</d:System>\n",
        name, before, elements, connections);
  }
  static std::string connector(const std::string& name, const std::string& kind) {
    return fmt::format("<d:Connector name=\"{}\" kind=\"{}\"/>", name, kind);
  }
  static std::string values(const std::string& parameters, const std::string& attributes = "",
                            const std::string& mapping = "") {
    return fmt::format(
        "<d:ParameterBindings><d:ParameterBinding {}><d:ParameterValues>"
        "<v:ParameterSet version=\"1.0\" name=\"p\"><v:Parameters>{}</v:Parameters>"
        "</v:ParameterSet></d:ParameterValues>{}</d:ParameterBinding></d:ParameterBindings>",
        attributes, parameters, mapping);
  }
  static std::string real(const std::string& name, const std::string& value) {
    return fmt::format("<v:Parameter name=\"{}\"><v:Real value=\"{}\"/></v:Parameter>", name,
                       value);
  }
  static std::string arrow(const Connection& c) {
    return fmt::format("{}.{} -> {}.{}", c.from.component, c.from.variable, c.to.component,
                       c.to.variable);
  }
  static std::vector<std::string> arrows(const System& system) {
    std::vector<std::string> all;
    for (const Connection& c : system.connections) all.push_back(arrow(c));
    return all;
  }
  testing::Workplace work_;
  std::vector<std::string> messages_;
};

TEST_F(Ssp, ReadsAnyPrefixAndNamesWithHyphens) {
  const System s =
      read(system("root", "", gain("left-gain") + gain("right gain"),
                  connection("left-gain", "y", "right gain", "u",
                             "<common:LinearTransformation factor=\"2\" offset=\"-1\"/>")) +
           "<d:DefaultExperiment startTime=\"1\" stopTime=\"3\"/>");
  EXPECT_EQ(s.name, "test");
  ASSERT_EQ(s.components.size(), 2u);
  EXPECT_EQ(s.components[0].name, "left-gain");
  EXPECT_EQ(s.components[0].fmu, "resources/Gain.fmu");
  EXPECT_THAT(arrows(s), ElementsAre("left-gain.y -> right gain.u"));
  EXPECT_EQ(s.connections[0].factor, 2);
  EXPECT_EQ(s.connections[0].offset, -1);
  EXPECT_EQ(s.simulation.start, 1);
  EXPECT_EQ(s.simulation.stop, 3);
  EXPECT_THAT(messages_, ElementsAre());
}

TEST_F(Ssp, ReadsTheDefaultNamespaceToo) {
  const auto file = work_.write("s.ssd", R"(<SystemStructureDescription version="2.0" name="x"
  xmlns="http://ssp-standard.org/SSP1/SystemStructureDescription">
  <System name="x"><Elements>
    <Component name="a" source="resources/Gain%2Efmu" implementation="ModelExchange"/>
  </Elements></System></SystemStructureDescription>)");
  const System s = read_system(file, {ssp_words});
  EXPECT_EQ(s.components.at(0).fmu, "resources/Gain.fmu");
  EXPECT_EQ(s.components.at(0).as, FmuKind::model_exchange);
}

TEST_F(Ssp, TheKindsOfConnectorsTellTheDirection) {
  const System s = read(system("root", "", gain("a") + gain("b"), connection("a", "u", "b", "y")));
  EXPECT_THAT(arrows(s), ElementsAre("b.y -> a.u"));
  EXPECT_THAT(refusal(system("root", "", gain("a") + gain("b"), connection("a", "u", "b", "u"))),
              HasSubstr("\"u\" and \"u\" are both targets"));
}

// out -> (x 2) -> in of the inner system -> (+ 1) -> component: 2 x + 1; and through a system.
TEST_F(Ssp, DissolvesNestedSystems) {
  const std::string inner =
      system("inner",
             "<d:Connectors>" + connector("in", "input") + connector("out", "output") +
                 connector("through", "output") + "</d:Connectors>",
             gain("c"),
             connection("", "in", "c", "u", "<common:LinearTransformation offset=\"1\"/>") +
                 connection("c", "y", "", "out") + connection("", "in", "", "through"));
  const System s = read(
      system("root", "", gain("a") + inner + gain("b") + gain("d"),
             connection("a", "y", "inner", "in", "<common:LinearTransformation factor=\"2\"/>") +
                 connection("inner", "out", "b", "u") +
                 connection("inner", "through", "d", "u",
                            "<common:LinearTransformation factor=\"10\"/>")));
  ASSERT_EQ(s.components.size(), 4u);
  EXPECT_EQ(s.components[1].name, "inner.c");
  EXPECT_THAT(arrows(s), ElementsAre("a.y -> inner.c.u", "a.y -> d.u", "inner.c.y -> b.u"));
  EXPECT_EQ(s.connections[0].factor, 2);
  EXPECT_EQ(s.connections[0].offset, 1);
  EXPECT_EQ(s.connections[1].factor, 20);
}

TEST_F(Ssp, FollowsSignalDictionaries) {
  const std::string reference =
      "<d:SignalDictionaryReference name=\"bus\" dictionary=\"signals\"><d:Connectors>" +
      connector("s", "inout") + "</d:Connectors></d:SignalDictionaryReference>";
  const std::string inner =
      system("inner", "", gain("c") + reference, connection("bus", "s", "c", "u"));
  const System s =
      read("<d:System name=\"root\"><d:Elements>" + gain("a") + reference + inner +
           "</d:Elements><d:Connections>" + connection("a", "y", "bus", "s") +
           "</d:Connections><d:SignalDictionaries><d:SignalDictionary name=\"signals\"/>"
           "</d:SignalDictionaries></d:System>");
  EXPECT_THAT(arrows(s), ElementsAre("a.y -> inner.c.u"));
}

TEST_F(Ssp, ComposesMapsOfDiscreteValues) {
  const auto map = [](const std::string& kind, const std::string& entries) {
    return fmt::format("<common:{0}MappingTransformation>{1}</common:{0}MappingTransformation>",
                       kind, entries);
  };
  const auto entry = [](const std::string& from, const std::string& to) {
    return fmt::format("<common:MapEntry source=\"{}\" target=\"{}\"/>", from, to);
  };
  const std::string inner =
      system("inner", "<d:Connectors>" + connector("in", "input") + "</d:Connectors>", gain("c"),
             connection("", "in", "c", "u", map("Integer", entry("2", "20") + entry("3", "30"))));
  const System s = read(system(
      "root", "", gain("a") + inner,
      connection("a", "y", "inner", "in", map("Integer", entry("1", "2") + entry("3", "4")))));
  EXPECT_THAT(s.connections.at(0).map,
              ElementsAre(Pair("1", "20"), Pair("3", "4"), Pair("2", "20")));
  const System b = read(system(
      "root", "", gain("a") + gain("b"),
      connection("a", "y", "b", "u", map("Boolean", entry("1", "0") + entry("false", "true")))));
  EXPECT_THAT(b.connections.at(0).map, ElementsAre(Pair("true", "false"), Pair("false", "true")));
  EXPECT_THAT(refusal(system("root", "", gain("a") + gain("b"),
                             connection("a", "y", "b", "u",
                                        map("Boolean", entry("1", "0") + entry("true", "true"))))),
              HasSubstr("two entries for \"true\""));
}

TEST_F(Ssp, AppliesParametersOfAllLevels) {
  const std::string inner =
      system("inner",
             "<d:Connectors>" + connector("gain", "parameter") + "</d:Connectors>" +
                 values(real("c.b", "2") + real("gain", "3") + real("nobody", "4")),
             gain("c", values(real("k", "1") + real("b", "1"))) +
                 "<d:Component name=\"e\" source=\"resources/Gain.fmu\"><d:Connectors>" +
                 connector("k", "parameter") + "</d:Connectors></d:Component>",
             connection("", "gain", "e", "k", "<common:LinearTransformation factor=\"10\"/>"));
  const System s = read(system("root", values(real("inner.c.k", "7")), inner, ""));
  EXPECT_THAT(s.components.at(0).set, ElementsAre(Pair("k", "7"), Pair("b", "2")));
  EXPECT_THAT(s.components.at(1).set, ElementsAre(Pair("k", "30")));
  EXPECT_THAT(messages_, ElementsAre(HasSubstr("values without a variable: nobody")));
}

TEST_F(Ssp, ReadsParameterFilesWithPrefixAndMapping) {
  work_.write("resources/p.ssv", fmt::format(R"(<v:ParameterSet {} version="1.0" name="p">
<v:Parameters>
  <v:Parameter name="amount"><v:Real value="1500" unit="g"/></v:Parameter>
  <v:Parameter name="unused"><v:Real value="1"/></v:Parameter>
</v:Parameters></v:ParameterSet>)",
                                             spaces));
  work_.write("resources/p.ssm", fmt::format(R"(<m:ParameterMapping {} version="1.0">
  <m:MappingEntry source="a.amount" target="a.k">
    <common:LinearTransformation factor="0.001"/>
  </m:MappingEntry></m:ParameterMapping>)",
                                             spaces));
  const System s = read(system("root",
                               "<d:ParameterBindings><d:ParameterBinding prefix=\"a.\" "
                               "source=\"resources/p.ssv\">"
                               "<d:ParameterMapping source=\"resources/p.ssm\"/>"
                               "</d:ParameterBinding></d:ParameterBindings>",
                               gain("a"), ""));
  EXPECT_THAT(s.components.at(0).set, ElementsAre(Pair("k", "1.5")));
}

TEST_F(Ssp, ConvertsUnitsOfParameters) {
  const std::string set =
      "<d:ParameterBindings><d:ParameterBinding><d:ParameterValues>"
      "<v:ParameterSet version=\"1.0\" name=\"p\"><v:Parameters><v:Parameter name=\"T_out\">"
      "<v:Real value=\"10\" unit=\"C\"/></v:Parameter></v:Parameters><v:Units>"
      "<common:Unit name=\"C\"><common:BaseUnit K=\"1\" offset=\"273.15\"/></common:Unit>"
      "</v:Units></v:ParameterSet></d:ParameterValues></d:ParameterBinding></d:ParameterBindings>";
  const System s = read(system(
      "root", "",
      "<d:Component name=\"t\" source=\"resources/Thermostat.fmu\">" + set + "</d:Component>", ""));
  const std::string unit =
      read_description(testing::fmu("2.0", "Thermostat")).find("T_out")->attributes.unit;
  EXPECT_THAT(s.components.at(0).set, ElementsAre(Pair("T_out", unit == "K" ? "283.15" : "10")));
}

TEST_F(Ssp, TakesASystemFromAnotherFile) {
  write(system("whatever", "<d:Connectors>" + connector("in", "input") + "</d:Connectors>",
               gain("c", values(real("k", "5"))), connection("", "in", "c", "u")),
        "other.ssd");
  const System s =
      read(system("root", "",
                  gain("a") +
                      "<d:Component name=\"sub\" type=\"application/x-ssp-definition\" "
                      "source=\"other.ssd\">" +
                      values(real("c.b", "6")) + "</d:Component>",
                  connection("a", "y", "sub", "in")));
  EXPECT_THAT(arrows(s), ElementsAre("a.y -> sub.c.u"));
  EXPECT_EQ(s.components.at(1).fmu, "resources/Gain.fmu");
  EXPECT_THAT(s.components.at(1).set, ElementsAre(Pair("k", "5"), Pair("b", "6")));
  EXPECT_THAT(refusal(system("root", "",
                             "<d:Component name=\"me\" type=\"application/x-ssp-definition\" "
                             "source=\"s.ssd\"/>",
                             "")),
              HasSubstr("one to itself"));
}

TEST_F(Ssp, LeavesAnnotationsOfOthersInPeace) {
  const System s =
      read(system("root", "", gain("a"), "") +
           "<d:Annotations><common:Annotation type=\"com.example\"><x xmlns=\"urn:x\">"
           "not = ours</x></common:Annotation>"
           "<common:Annotation type=\"org.tutti.system\"><t:Settings xmlns:t=\"urn:t\">\n"
           "[simulation]\nmethod = \"newton\"\n</t:Settings></common:Annotation></d:Annotations>");
  EXPECT_THAT(s.simulation.methods, ElementsAre("newton"));
  EXPECT_THAT(
      refusal(system("root", "", gain("a"), "") +
              "<d:Annotations><common:Annotation type=\"org.tutti.system\"><t>\n"
              "[simulation]\nmehtod = \"newton\"\n</t></common:Annotation></d:Annotations>"),
      HasSubstr("Did you mean \"method\"?"));
}

TEST_F(Ssp, TellsWhatIsWrongAndWhere) {
  EXPECT_THAT(refusal(system("root", "", gain("a"), connection("a", "y", "b", "u"))),
              HasSubstr("s.ssd:7:30: there is no element \"b\""));
  EXPECT_THAT(refusal(system("root", "", gain("gain"), connection("gian", "y", "gain", "u"))),
              HasSubstr("Did you mean \"gain\"?"));
  EXPECT_THAT(refusal(system("root", "", "<d:Componnent name=\"a\"/>", "")),
              HasSubstr("Did you mean \"Component\"?"));
  EXPECT_THAT(refusal(system("root", "",
                             "<d:Component name=\"a\"><d:Connectors>" + connector("u", "inptu") +
                                 "</d:Connectors></d:Component>",
                             "")),
              HasSubstr("Did you mean \"input\"?"));
  EXPECT_THAT(refusal(system("root", "", gain("a") + gain("a"), "")),
              HasSubstr("two components \"a\""));
  EXPECT_THAT(refusal("<d:Sytem/>"), HasSubstr("there is no <System>"));
  EXPECT_THAT(messages_, ElementsAre(HasSubstr("Did you mean \"System\"?")));
  EXPECT_THAT(refusal("<open>"), HasSubstr("not well-formed"));
  EXPECT_THAT(
      refusal(system("root", "", "<d:Component name=\"a\" source=\"http://x.org/a.fmu\"/>", "")),
      HasSubstr("only files can"));
}

TEST_F(Ssp, TheRootMustBeOfSsp) {
  const auto file = work_.write("x.ssd", "<SystemStructureDescription/>");
  try {
    read_system(file, {ssp_words});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("http://ssp-standard.org/SSP1/SystemStructureDescription"));
  }
}

/// All that a system says, but for the paths of its files.
std::string said_without_folders(System system) {
  for (Component& component : system.components) component.fmu = component.fmu.filename();
  return toml_text(system);
}

TEST_F(Ssp, KeepsEverythingOnTheWayToAPackageAndBack) {
  work_.write("road.csv", "time,a.u\n0,1\n");
  const auto file = work_.write("s.toml", R"([system]
name = "round <trip> & back"
[components.a]
fmu = "resources/Gain.fmu"
as = "cs"
set = { k = 0.5 }
tolerance = 1e-5
[components."b.c-d"]
fmu = "resources/Gain.fmu"
[components.f]
fmu = "resources/Feedthrough.fmu"
set = { "label" = "two \"words\"\n&" }
[components.t]
fmu = "resources/Thermostat.fmu"
[connections]
list = [
  { from = "a.y", to = "b.c-d.u", factor = 2, offset = 0.5, units = "ignore" },
]
[inputs]
file = "road.csv"
[simulation]
start = 1
stop = 3
step = 0.1
method = ["newton", "iterated"]
tolerance = { abs = 1e-7, iterations = 7 }
control.max = 0.5
[results]
file = "out.csv"
variables = ["a.*"]
interval = 0.2
)");
  const System system = read_system(file, {ssp_words});
  write_system(system, work_.path() / "s.ssd", "", {ssp_words});
  write_system(system, work_.path() / "s.ssp", "", {ssp_words});
  const System described = read_system(work_.path() / "s.ssd", {ssp_words});
  EXPECT_EQ(toml_text(described), toml_text(system));
  std::filesystem::path unpacked;
  {
    System packed = read_system(work_.path() / "s.ssp", {ssp_words});
    unpacked = *packed.package;
    EXPECT_TRUE(std::filesystem::exists(packed.components.at(0).fmu));
    EXPECT_TRUE(std::filesystem::exists(packed.inputs.file));
    packed.inputs.file = packed.inputs.file.filename();
    EXPECT_EQ(said_without_folders(packed), said_without_folders(system));
    const System copy = packed;
    EXPECT_TRUE(std::filesystem::exists(unpacked));
  }
  EXPECT_FALSE(std::filesystem::exists(unpacked));
}

TEST_F(Ssp, PackagesAreEqualForEqualSystems) {
  const System system = read_system(
      work_.write("s.toml", "[components.a]\nfmu = \"resources/Gain.fmu\"\n"), {ssp_words});
  write_system(system, work_.path() / "one.ssp", "", {ssp_words});
  write_system(system, work_.path() / "two.ssp", "", {ssp_words});
  EXPECT_EQ(work_.read("one.ssp"), work_.read("two.ssp"));
}

TEST_F(Ssp, AddressesDoNotLeaveAPackage) {
  const std::string description = test::read_file(
      write(system("root", "", "<d:Component name=\"a\" source=\"../outside.fmu\"/>", "")));
  work_.write("bad.ssp", test::make_zip({{"SystemStructure.ssd", description}}));
  try {
    read_system(work_.path() / "bad.ssp", {ssp_words});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("leads out of the package"));
    EXPECT_THAT(error.what(), HasSubstr("bad.ssp/SystemStructure.ssd:"));
  }
}

TEST_F(Ssp, WhatIsNoPackageIsToldFromAnFmu) {
  std::filesystem::copy_file(testing::fmu("2.0", "Gain"), work_.path() / "gain.ssp");
  try {
    read_system(work_.path() / "gain.ssp", {ssp_words});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("it looks like an FMU"));
    EXPECT_THAT(error.what(), Not(HasSubstr("no FMU")));
  }
}

TEST_F(Ssp, WritesUnpackedFmusAsArchives) {
  ASSERT_EQ(std::system(fmt::format("unzip -q '{}' -d '{}'", testing::fmu("2.0", "Gain"),
                                    (work_.path() / "folder").string())
                            .c_str()),
            0);
  const System system =
      read_system(work_.write("s.toml", "[components.a]\nfmu = \"folder\"\n"), {ssp_words});
  write_system(system, work_.path() / "s.ssp", "", {ssp_words});
  const System packed = read_system(work_.path() / "s.ssp", {ssp_words});
  EXPECT_EQ(packed.components.at(0).fmu.filename(), "folder.fmu");
  EXPECT_EQ(read_description(packed.components.at(0).fmu).model_name, "Gain");
}

}  // namespace
}  // namespace tutti::formats
