// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <tutti/check.hpp>
#include <tutti/error.hpp>

#include "fmi/support/check_models.hpp"
#include "support/zip_writer.hpp"

namespace tutti {
namespace {

/// One change that breaks one rule in a description without fault.
struct Breaking {
  std::string rule;
  int version;
  std::string from = {}, to = {};  ///< in modelDescription.xml; empty: it stays
  std::string variable = {};       ///< that is named
  std::string at = {};             ///< text whose line is named; empty: a file is
  std::string file = {};           ///< that is named, or added, instead
  std::string content = "text";    ///< of the added file; empty: it is removed
};

void PrintTo(const Breaking& change, std::ostream* out) {
  *out << change.rule << " in FMI " << change.version << ".0";
}

std::string good(int version) {
  return version == 1 ? test::good_v1 : version == 2 ? test::good_v2 : test::good_v3;
}

/// An unpacked FMU that has only sources.
CheckReport check_folder(const test::TestFolder& folder, int version, const std::string& xml,
                         const std::string& without = "") {
  std::filesystem::create_directories(folder.path() / "m" / "sources");
  folder.write("m/modelDescription.xml", xml);
  folder.write("m/sources/m.c", "int m;");
  if (version == 3) folder.write("m/sources/buildDescription.xml", "<fmiBuildDescription/>");
  if (!without.empty()) std::filesystem::remove(folder.path() / "m" / without);
  CheckOptions options;
  options.fmu = folder.path() / "m";
  return check(options);
}

std::string all_of(const CheckReport& report) {
  std::string text;
  for (const Finding& finding : report.findings) {
    text += finding.rule + " " + finding.file + ":" + std::to_string(finding.line) + " " +
            finding.variable + ": " + finding.text + "\n";
  }
  return text;
}

std::uint32_t line_of(const std::string& text, const std::string& part) {
  const std::size_t at = text.find(part);
  EXPECT_NE(at, text.npos) << part;
  return 1 + static_cast<std::uint32_t>(
                 std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

std::string broken(const Breaking& change) {
  std::string xml = good(change.version);
  if (change.from.empty()) return xml;
  const std::size_t at = xml.find(change.from);
  EXPECT_NE(at, xml.npos) << change.from;
  return at == xml.npos ? xml : xml.replace(at, change.from.size(), change.to);
}

class EveryRule : public testing::TestWithParam<Breaking> {};

TEST_P(EveryRule, FindsItsBreachWithVariableAndLine) {
  const Breaking& change = GetParam();
  const std::string xml = broken(change);
  const test::TestFolder folder;
  if (!change.file.empty()) {
    const std::filesystem::path path = folder.path() / "m" / change.file;
    std::filesystem::create_directories(path.parent_path());
    folder.write("m/" + change.file, change.content);
  }
  const CheckReport report =
      check_folder(folder, change.version, xml, change.content.empty() ? change.file : "");
  const bool found =
      std::any_of(report.findings.begin(), report.findings.end(), [&](const Finding& finding) {
        if (finding.rule != change.rule || finding.variable != change.variable) return false;
        EXPECT_TRUE(finding.section.starts_with("FMI " + std::to_string(change.version) + ".0, "))
            << finding.section;
        return change.at.empty() || finding.line == line_of(xml, change.at);
      });
  EXPECT_TRUE(found) << all_of(report);
}

std::string variable(const std::string& name) { return "name=\"" + name + "\""; }

// clang-format off
const std::vector<Breaking> breakings = {
    // FMI 1.0
    {"alias-base", 1, "valueReference=\"1\" alias", "valueReference=\"9\" alias", "z", variable("z")},
    {"alias-negated", 1, "alias=\"alias\"", "alias=\"negatedAlias\"", "t", variable("t")},
    {"continuous-type-v1", 1, "name=\"i\" valueReference=\"3\" variability=\"discrete\"", "name=\"i\" valueReference=\"3\" variability=\"continuous\"", "i", variable("i")},
    {"direct-dependency", 1, "<Name>u<", "<Name>p<", "y", "<Name>p<"},
    {"display-unit", 1, "<RealType unit=\"m\"", "<RealType", "y", variable("y")},
    {"enumeration-start", 1, "declaredType=\"Gear\" start=\"1\"", "declaredType=\"Gear\" start=\"3\"", "g", variable("g")},
    {"fixed-start", 1, "start=\"3\" fixed", "fixed", "p", variable("p")},
    {"fmi-version", 1, "fmiVersion=\"1.0\"", "fmiVersion=\"1.0.1\"", "", "<fmiModelDescription"},
    {"model-identifier", 1, "modelIdentifier=\"m\"", "modelIdentifier=\"m-1\"", "", "<fmiModelDescription"},
    {"nominal", 1, "nominal=\"1\"", "nominal=\"0\"", "u", variable("u")},
    {"start-range", 1, "min=\"0\" max=\"2\" nominal", "min=\"0\" max=\"0.5\" nominal", "u", variable("u")},
    {"unit-factor", 1, "gain=\"100\"", "gain=\"0\"", "", "gain=\"0\""},
    {"element-order", 1, "<UnitDefinitions>", "<DefaultExperiment/>\n<UnitDefinitions>", "", "<UnitDefinitions>"},
    {"documentation", 1, "", "", "", "", "documentation/page.html"},
    // FMI 2.0
    {"alias-constant", 2, "name=\"d\" valueReference=\"3\" variability=\"constant\"><Real start=\"5\"", "name=\"d\" valueReference=\"3\" variability=\"constant\"><Real start=\"6\"", "d", variable("d")},
    {"alias-settable", 2, "variability=\"fixed\"><Real unit=\"m\"/>", "variability=\"fixed\" initial=\"approx\"><Real unit=\"m\" start=\"3\"/>", "q", variable("q")},
    {"alias-unit", 2, "variability=\"fixed\"><Real unit=\"m\"/>", "variability=\"fixed\"><Real unit=\"s\"/>", "q", variable("q")},
    {"archive-layout", 2, "", "", "", "", "surprise.txt"},
    {"binary-format", 2, "", "", "", "", "binaries/linux64/m.so"},
    {"binary-name", 2, "", "", "", "", "binaries/linux64/n.so"},
    {"capabilities", 2, "canGetAndSetFMUstate=\"true\"", "", "", "<ModelExchange"},
    {"causality-variability", 2, "causality=\"parameter\" variability=\"fixed\"><Real", "causality=\"parameter\" variability=\"discrete\"><Real", "p", variable("p")},
    {"continuous-type", 2, "variability=\"discrete\"><Boolean", "variability=\"continuous\"><Boolean", "b", variable("b")},
    {"declared-type", 2, "declaredType=\"Length\"", "declaredType=\"Gear\"", "y", variable("y")},
    {"declared-type", 2, "declaredType=\"Length\"", "declaredType=\"Nothing\"", "y", variable("y")},
    {"default-experiment", 2, "stopTime=\"1\"", "stopTime=\"-1\"", "", "<DefaultExperiment"},
    {"dependencies-kind", 2, "dependenciesKind=\"constant dependent\"", "dependenciesKind=\"constant\"", "", "<Unknown index=\"9\""},
    {"dependencies-kind-allowed", 2, "index=\"11\" dependencies=\"2\"", "index=\"11\" dependencies=\"2\" dependenciesKind=\"constant\"", "b", "<Unknown index=\"11\""},
    {"dependencies-kind-allowed", 2, "index=\"9\" dependencies=\"7\" dependenciesKind=\"constant\"", "index=\"9\" dependencies=\"7\" dependenciesKind=\"fixed\"", "y", "dependenciesKind=\"fixed\""},
    {"dependencies-known", 2, "index=\"11\" dependencies=\"2\"", "index=\"11\" dependencies=\"3\"", "b", "<Unknown index=\"11\""},
    {"dependencies-order", 2, "index=\"8\" dependencies=\"2 7\"", "index=\"8\" dependencies=\"7 2\"", "der(x)", "<Unknown index=\"8\""},
    {"derivative-reference", 2, "derivative=\"7\"", "derivative=\"70\"", "der(x)", variable("der(x)")},
    {"derivative-type", 2, "derivative=\"7\"", "derivative=\"11\"", "der(x)", variable("der(x)")},
    {"display-unit", 2, "unit=\"m\" displayUnit", "displayUnit", "p", variable("p")},
    {"display-unit-unique", 2, "<DisplayUnit name=\"cm\" factor=\"100\"/>", "<DisplayUnit name=\"cm\"/><DisplayUnit name=\"cm\"/>", "", "<DisplayUnit"},
    {"documentation", 2, "", "", "", "", "documentation/_main.html"},
    {"element-order", 2, "<UnitDefinitions>", "<DefaultExperiment/>\n<UnitDefinitions>", "", "<UnitDefinitions>"},
    {"empty-list", 2, "<Category name=\"first\"/>\n<Category name=\"second\"/>\n", "", "", "<LogCategories"},
    {"encoding", 2, "name=\"u\"", "name=\"u\" description=\"\xE4\"", "", variable("u")},
    {"enumeration-items", 2, "name=\"two\" value=\"2\"", "name=\"two\" value=\"1\"", "", variable("Gear")},
    {"enumeration-start", 2, "declaredType=\"Gear\" start=\"1\"", "declaredType=\"Gear\" start=\"3\"", "g", variable("g")},
    {"enumeration-type", 2, "<Enumeration declaredType=\"Gear\"", "<Enumeration", "g", variable("g")},
    {"fmi-version", 2, "fmiVersion=\"2.0\"", "fmiVersion=\"2.0.3\"", "", "<fmiModelDescription"},
    {"generation-date", 2, "2020-01-01T00:00:00Z", "1st of May", "", "<fmiModelDescription"},
    {"independent", 2, "name=\"x\" valueReference=\"4\" causality=\"local\" initial=\"exact\"><Real start=\"0\"", "name=\"x\" valueReference=\"4\" causality=\"independent\"><Real", "x", variable("x")},
    {"initial", 2, "causality=\"input\"", "causality=\"input\" initial=\"exact\"", "u", variable("u")},
    {"initial-unknowns", 2, "<Unknown index=\"4\" dependencies=\"3\"/>\n", "", "q", variable("q")},
    {"initial-unknowns", 2, "<Unknown index=\"8\" dependencies=\"2 3\"/>\n", "", "der(x)", variable("der(x)")},
    {"initial-unknowns-only", 2, "<Unknown index=\"4\" dependencies=\"3\"/>", "<Unknown index=\"3\"/>\n<Unknown index=\"4\"/>", "p", "<Unknown index=\"3\""},
    {"initial-unknowns-order", 2, "<Unknown index=\"4\" dependencies=\"3\"/>\n<Unknown index=\"8\" dependencies=\"2 3\"/>", "<Unknown index=\"8\" dependencies=\"2 3\"/>\n<Unknown index=\"4\" dependencies=\"3\"/>", "q", "<Unknown index=\"4\""},
    {"licenses", 2, "", "", "", "", "documentation/licenses/bsd.txt"},
    {"listed-once", 2, "<Unknown index=\"4\" dependencies=\"3\"/>", "<Unknown index=\"4\"/>\n<Unknown index=\"4\" dependencies=\"3\"/>", "q", "<Unknown index=\"4\" dep"},
    {"log-categories", 2, "name=\"second\"", "name=\"first\" description=\"d\"", "", "description=\"d\""},
    {"min-max", 2, "min=\"0\" max=\"2\"", "min=\"0\" max=\"-2\"", "u", variable("u")},
    {"model-attributes", 2, "guid=\"g\"", "", "", "<fmiModelDescription"},
    {"model-identifier", 2, "modelIdentifier=\"m\"", "modelIdentifier=\"2m\"", "", "<ModelExchange"},
    {"multiple-set", 2, "name=\"p\"", "name=\"p\" canHandleMultipleSetPerTimeInstant=\"true\"", "p", variable("p")},
    {"name", 2, "name=\"u\" ", "", "", "valueReference=\"1\""},
    {"name-convention", 2, "name=\"u\"", "name=\"u(1)\"", "u(1)", variable("u(1)")},
    {"name-unique", 2, "name=\"d\"", "name=\"c\" description=\"twin\"", "c", "description=\"twin\""},
    {"nominal", 2, "nominal=\"1\"", "nominal=\"-1\"", "p", variable("p")},
    {"number", 2, "nominal=\"1\"", "nominal=\"one\"", "p", variable("p")},
    {"outputs", 2, "<Unknown index=\"11\" dependencies=\"2\"/>\n", "", "b", variable("b")},
    {"platform-name", 2, "", "", "", "", "binaries/amiga/m.so"},
    {"readable", 2, "valueReference=\"1\" ", "", "", variable("u")},
    {"reinit", 2, "<Real start=\"1\" min", "<Real reinit=\"true\" start=\"1\" min", "u", variable("u")},
    {"source-files", 2, "<File name=\"m.c\"", "<File name=\"n.c\"", "", "<File"},
    {"start-forbidden", 2, "<Real declaredType=\"Length\"/>", "<Real declaredType=\"Length\" start=\"1\"/>", "y", variable("y")},
    {"start-range", 2, "<Real start=\"1\" min", "<Real start=\"-1\" min", "u", variable("u")},
    {"start-required", 2, "<Real start=\"1\" min", "<Real min", "u", variable("u")},
    {"start-value", 2, "<Real start=\"1\" min", "<Real start=\"1,5\" min", "u", variable("u")},
    {"state-causality", 2, "causality=\"local\" initial=\"exact\"><Real start=\"0\"", "causality=\"input\"><Real start=\"0\"", "x", variable("x")},
    {"state-derivative", 2, "<Real derivative=\"7\"/>", "<Real/>", "der(x)", variable("der(x)")},
    {"state-derivative-type", 2, "<Unknown index=\"8\" dependencies=\"2 7\"/>", "<Unknown index=\"11\" dependencies=\"2 7\"/>", "b", "<Unknown index=\"11\" dependencies=\"2 7\"/>"},
    {"structure-reference", 2, "index=\"11\" dependencies=\"2\"", "index=\"11\" dependencies=\"20\"", "", "<Unknown index=\"11\""},
    {"type-name", 2, "name=\"Gear\"><", "name=\"time\"><", "", "<SimpleType name=\"time\""},
    {"type-unique", 2, "name=\"Length\"", "name=\"Gear\"", "", "<Real unit=\"m\"/></SimpleType>"},
    {"unit-defined", 2, "unit=\"m\" displayUnit", "unit=\"miles\" displayUnit", "p", variable("p")},
    {"unit-factor", 2, "factor=\"100\"", "factor=\"0\"", "", "factor=\"0\""},
    {"unit-unique", 2, "<Unit name=\"s\"", "<Unit name=\"m\"", "", "<Unit name=\"m\"/>"},
    {"unknown-part", 2, "name=\"u\"", "name=\"u\" colour=\"red\"", "u", variable("u")},
    {"variability-required", 2, "variability=\"discrete\"><Boolean", "><Boolean", "b", variable("b")},
    {"word", 2, "causality=\"input\"", "causality=\"ingoing\"", "u", variable("u")},
    {"xml-declaration", 2, "encoding=\"UTF-8\"", "encoding=\"ISO-8859-1\"", "", "<?xml"},
    // FMI 3.0
    {"build-description", 3, "", "", "", "", "sources/buildDescription.xml", ""},
    {"capabilities", 3, "hasEventMode=\"true\"", "", "", "<CoSimulation"},
    {"clock-attributes", 3, " intervalDecimal=\"0.1\"", "", "tick", variable("tick")},
    {"clock-reference", 3, "clocks=\"6\" previous", "clocks=\"5\" previous", "k", variable("k")},
    {"clocked-states", 3, "clocks=\"6\" previous=\"8\"", "clocks=\"6\"", "k", "<ClockedState"},
    {"clocked-variability", 3, "<Int32 name=\"pre(k)\" valueReference=\"8\" variability=\"discrete\"", "<Float64 name=\"pre(k)\" valueReference=\"8\" variability=\"continuous\"", "pre(k)", variable("pre(k)")},
    {"dimension", 3, "<Dimension valueReference=\"1\"", "<Dimension valueReference=\"5\"", "u", variable("u")},
    {"display-unit-defined", 3, "displayUnit=\"cm\"", "displayUnit=\"mm\"", "x", variable("x")},
    {"event-indicators", 3, "<EventIndicator valueReference=\"5\"", "<EventIndicator valueReference=\"9\"", "g", "<EventIndicator"},
    {"fmi-version-known", 3, "fmiVersion=\"3.0\"", "fmiVersion=\"3.9\"", "", "<fmiModelDescription"},
    {"independent", 3, "causality=\"independent\"", "", "", "<ModelVariables"},
    {"intermediate-update", 3, "name=\"k\"", "name=\"k\" intermediateUpdate=\"true\"", "k", variable("k")},
    {"pictures", 3, "", "", "", "", "terminalsAndIcons/icon.svg"},
    {"previous", 3, "previous=\"8\"", "previous=\"5\"", "k", variable("k")},
    {"reference-unique", 3, "name=\"z\" valueReference=\"5\"", "name=\"z\" valueReference=\"4\"", "z", variable("z")},
    {"start-count", 3, "start=\"1 2\"", "start=\"1 2 3\"", "u", variable("u")},
    {"structural-parameter", 3, "start=\"2\"/>", "start=\"0\"/>", "n", variable("n")},
    {"terminals", 3, "", "", "", "", "terminalsAndIcons/terminalsAndIcons.xml", "<fmiTerminalsAndIcons><Terminals><Terminal name=\"a\"><TerminalMemberVariable variableName=\"none\"/></Terminal></Terminals></fmiTerminalsAndIcons>"},
};
// clang-format on

INSTANTIATE_TEST_SUITE_P(Check, EveryRule, testing::ValuesIn(breakings),
                         [](const testing::TestParamInfo<Breaking>& test) {
                           std::string name = test.param.rule;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name + "_v" + std::to_string(test.param.version) + "_" +
                                  std::to_string(test.index);
                         });

TEST(Check, FindsNothingInDescriptionsWithoutFault) {
  for (const int version : {1, 2, 3}) {
    const test::TestFolder folder;
    const CheckReport report = check_folder(folder, version, good(version));
    EXPECT_TRUE(report.findings.empty()) << "FMI " << version << ".0\n" << all_of(report);
  }
}

// Those that need a zip file, a binary or nothing at all have tests of their own.
TEST(Check, EveryRuleThatNeedsNoRunIsBrokenByATest) {
  std::set<std::string_view> tested = {
      "archive-entries", "archive-name", "binary-functions", "binary-unused-functions",
      "implementation",  "state-unique", "structure"};
  for (const Breaking& change : breakings) tested.insert(change.rule);
  for (const RuleInfo& rule : check_rules()) {
    EXPECT_TRUE(rule.run || tested.contains(rule.id)) << rule.id;
  }
}

TEST(Check, RulesAreSortedAndEachHoldsInSomeVersion) {
  const std::vector<RuleInfo> rules = check_rules();
  EXPECT_TRUE(std::is_sorted(rules.begin(), rules.end(),
                             [](const RuleInfo& a, const RuleInfo& b) { return a.id < b.id; }));
  for (const RuleInfo& rule : rules) {
    EXPECT_TRUE(std::any_of(rule.sections.begin(), rule.sections.end(),
                            [](std::string_view section) { return !section.empty(); }))
        << rule.id;
    EXPECT_FALSE(rule.text.empty()) << rule.id;
  }
}

CheckReport check_zip(const test::TestFolder& folder, const std::string& name,
                      const std::vector<test::ZipItem>& items) {
  CheckOptions options;
  options.fmu = folder.write(name, test::make_zip(items));
  return check(options);
}

bool has(const CheckReport& report, std::string_view rule) {
  return std::any_of(report.findings.begin(), report.findings.end(),
                     [rule](const Finding& finding) { return finding.rule == rule; });
}

TEST(Check, ArchiveRulesLookAtTheZipFile) {
  const test::TestFolder folder;
  const test::ZipItem description{"modelDescription.xml", test::good_v2};
  const test::ZipItem source{"sources/m.c", "int m;"};
  const CheckReport fine = check_zip(folder, "m.fmu", {description, source});
  EXPECT_TRUE(fine.findings.empty()) << all_of(fine);
  EXPECT_TRUE(has(check_zip(folder, "m.zip", {description, source}), "archive-name"));
  EXPECT_TRUE(has(check_zip(folder, "m.fmu", {description}), "implementation"));
  EXPECT_TRUE(has(check_zip(folder, "m.fmu", {description, {"sources\\m.c", "int m;"}}),
                  "archive-entries"));
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Check, AStateHasOneListedDerivative) {
  const test::TestFolder folder;
  std::string xml = replaced(test::good_v2, "declaredType=\"Length\"", "derivative=\"7\"");
  xml = replaced(xml, "<Derivatives>\n", "<Derivatives>\n<Unknown index=\"9\"/>\n");
  const CheckReport report = check_folder(folder, 2, xml);
  ASSERT_TRUE(has(report, "state-unique")) << all_of(report);
  EXPECT_EQ(report.findings.front().variable, "der(x)");
  EXPECT_EQ(report.findings.front().line, line_of(xml, "<Unknown index=\"8\""));
}

TEST(Check, AMissingModelStructureIsOneFinding) {
  const test::TestFolder folder;
  std::string xml = test::good_v2;
  const std::size_t begin = xml.find("<ModelStructure>"), end = xml.find("</fmiModelDescription>");
  xml.erase(begin, end - begin);
  const CheckReport report = check_folder(folder, 2, xml);
  EXPECT_TRUE(has(report, "structure")) << all_of(report);
  EXPECT_FALSE(has(report, "initial-unknowns")) << all_of(report);
  EXPECT_FALSE(has(report, "outputs")) << all_of(report);
}

TEST(Check, KeepsSoManyFindingsOfARuleAndCountsAll) {
  std::string variables;
  for (int i = 0; i < 100; ++i) {
    variables += "<ScalarVariable name=\"v" + std::to_string(i) +
                 "\" valueReference=\"1\" causality=\"input\"><Real/></ScalarVariable>\n";
  }
  const test::TestFolder folder;
  const CheckReport report = check_folder(
      folder, 2,
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"2.0\" "
      "modelName=\"m\" guid=\"g\"><CoSimulation modelIdentifier=\"m\"/><ModelVariables>\n" +
          variables + "</ModelVariables><ModelStructure/></fmiModelDescription>");
  EXPECT_EQ(report.errors, 100u);
  EXPECT_EQ(report.findings.size(), 20u);
  ASSERT_EQ(report.left_out.size(), 1u);
  EXPECT_EQ(report.left_out[0].rule, "start-required");
  EXPECT_EQ(report.left_out[0].count, 80u);
}

TEST(Check, RefusesWhatIsNoDescription) {
  const test::TestFolder folder;
  for (const char* const text : {"", "<open>", "<other/>", "<fmiModelDescription/>"}) {
    EXPECT_THROW(check_folder(folder, 1, text), Error) << text;
  }
}

TEST(Check, GoesOnWhereTheReaderGivesUp) {
  const test::TestFolder folder;
  const CheckReport report =
      check_folder(folder, 2, "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"m\"/>");
  EXPECT_TRUE(has(report, "readable")) << all_of(report);
  EXPECT_TRUE(has(report, "xml-declaration")) << all_of(report);
}

}  // namespace
}  // namespace tutti
