// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/command.hpp"
#include "support/places.hpp"

namespace tutti {
namespace {

using testing::Answer;
using testing::fmu;
using testing::Workplace;

bool says(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

/// The only finding of `tutti check --run --json`, as "rule: text"; all of them if there are more.
std::string finding_of(const std::string& version, const std::string& name,
                       const std::vector<std::string>& options = {}) {
  const Workplace place;
  std::vector<std::string> arguments = {"check", fmu(version, name), "--run", "--json"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const Answer answer = place.tutti(arguments);
  const nlohmann::json json = nlohmann::json::parse(answer.out, nullptr, false);
  if (json.is_discarded()) return "no JSON: " + answer.out + answer.err;
  std::string text;
  for (const nlohmann::json& finding : json["findings"]) {
    if (!text.empty()) text += '\n';
    text += finding["rule"].get<std::string>() + ": ";
    text += finding["text"].get<std::string>();
  }
  EXPECT_EQ(answer.status, json["errors"] > 0 ? 1 : 0);
  EXPECT_EQ(place.leftover_count(), 0u);
  return text;
}

// Every FMU that the kit makes, of every version and interface, checked and run.
TEST(CheckCommand, FindsNothingInTheFmusOfTheKit) {
  std::size_t count = 0;
  for (const auto& folder : std::filesystem::directory_iterator(tutti::places::fmu_folder())) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      if (entry.path().extension() != ".fmu" || name.starts_with("faulty_")) continue;
      const Workplace place;
      std::vector<std::string> arguments = {"check", entry.path().string(), "--run"};
      // FMI 1.0 cannot say which step an FMU wants.
      if (name == "FixedStep.fmu") arguments.insert(arguments.end(), {"--step", "0.1"});
      const Answer answer = place.tutti(arguments);
      EXPECT_EQ(answer.status, 0) << entry.path() << "\n" << answer.out << answer.err;
      EXPECT_TRUE(says(answer.out, "no errors, no warnings")) << entry.path() << "\n" << answer.out;
      ++count;
    }
  }
  EXPECT_GT(count, 40u);
}

TEST(CheckCommand, NamesTheCallInWhichAnFmuCrashes) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer itself reports this";
#endif
  for (const std::string version : {"1.0-cs", "2.0", "3.0"}) {
    const std::string crash = "run-crash: co-simulation: it ended its process ";
    const std::string signal = ": segmentation fault (SIGSEGV)";
    EXPECT_EQ(finding_of(version, "faulty_crash_in_instantiate"),
              crash + "while it was loaded and instantiated" + signal);
    EXPECT_EQ(finding_of(version, "faulty_crash_in_initialization"),
              crash + "while it was initialized" + signal);
    EXPECT_TRUE(says(finding_of(version, "faulty_crash_in_step", {"--step", "0.1"}),
                     crash + "in a step at t = 0.5 s"));
    EXPECT_EQ(finding_of(version, "faulty_crash_in_terminate"),
              crash + "while it was terminated and freed" + signal);
  }
}

TEST(CheckCommand, EndsAnFmuThatHangs) {
  EXPECT_EQ(finding_of("2.0", "faulty_hang_in_initialization", {"--timeout", "0.3"}),
            "run-timeout: co-simulation: it did not return within 0.3 s while it was initialized");
}

TEST(CheckCommand, TellsWhatAnFmuDoesWrongWhenItRuns) {
  EXPECT_TRUE(
      says(finding_of("2.0", "faulty_error_in_step"), "run-step: co-simulation: fmi2DoStep"));
  EXPECT_TRUE(says(finding_of("3.0", "faulty_error_in_initialization"), "run-initialize: "));
  EXPECT_TRUE(says(finding_of("2.0", "faulty_refuse_to_instantiate"), "run-instantiate: "));
  EXPECT_TRUE(says(finding_of("2.0", "faulty_lies_about_state"), "run-state: "));
  EXPECT_EQ(finding_of("2.0", "faulty_nan_in_step"),
            "run-value: its value is NaN, in co-simulation");
  EXPECT_EQ(finding_of("2.0", "faulty_change_locale"),
            "run-message: co-simulation: initialization changed the C locale; restored");
  EXPECT_TRUE(says(finding_of("2.0", "faulty_discard_always"), "run-end: "));
  EXPECT_EQ(finding_of("3.0", "faulty_dependencies_out_of_range"),
            "run-dependencies: model exchange: the dependencies of \"der(x)\": element "
            "1000000000000 of 2");
}

TEST(CheckCommand, RunsAnFmuThatExistsOncePerProcessInTwoProcesses) {
  EXPECT_EQ(finding_of("2.0", "faulty_once_per_process"), "");
}

// The FMU has errors for a time event that is not hit, and for a call after it asked to end.
TEST(CheckCommand, HandlesEventsOfModelExchangeAndAsksNothingAfterTheEnd) {
  for (const std::string version : {"1.0-me", "2.0", "3.0"}) {
    const std::string found = finding_of(version, "faulty_ends_at_event");
    EXPECT_TRUE(found.starts_with("run-end: model exchange: it asked to end the run")) << found;
    EXPECT_EQ(found.find('\n'), found.npos) << found;
  }
}

TEST(CheckCommand, RefusesNumbersThatMakeNoSense) {
  const Workplace place;
  for (const std::vector<std::string>& option : std::vector<std::vector<std::string>>{
           {"--step", "-1"}, {"--step", "nan"}, {"--step", "0"}, {"--timeout", "nan"}}) {
    const Answer answer =
        place.tutti({"check", fmu("2.0", "VanDerPol"), "--run", option[0], option[1]});
    EXPECT_EQ(answer.status, 2) << option[0] << option[1];
    EXPECT_TRUE(says(answer.err, option[0] + ": \"" + option[1] + "\" is not a ")) << answer.err;
  }
}

TEST(CheckCommand, ReadsTheFunctionsOfABinaryWithoutLoadingIt) {
  const Workplace place;
  const Answer missing = place.tutti({"check", fmu("2.0", "faulty_missing_do_step")});
  EXPECT_EQ(missing.status, 1);
  EXPECT_TRUE(says(missing.out, "it does not export fmi2DoStep  [binary-functions (FMI 2.0, 2.3)]"))
      << missing.out;
  const Answer unused = place.tutti({"check", fmu("2.0", "faulty_lacks_optional_functions")});
  EXPECT_EQ(unused.status, 0);
  EXPECT_TRUE(says(unused.out, "[binary-unused-functions (FMI 2.0, 2.3)]")) << unused.out;
}

TEST(CheckCommand, SaysWhereAndWhatInOneLineAndSumsUp) {
  const Workplace place;
  std::filesystem::create_directories(place.path() / "x" / "sources");
  place.write("x/sources/x.c", "");
  place.write("x/modelDescription.xml",
              "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
              "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"m\" guid=\"g\">\n"
              "<CoSimulation modelIdentifier=\"x\"/>\n<ModelVariables>\n"
              "<ScalarVariable name=\"u\" valueReference=\"1\" causality=\"input\"><Real/>"
              "</ScalarVariable>\n</ModelVariables>\n<ModelStructure/>\n</fmiModelDescription>\n");
  const Answer answer = place.tutti({"check", "x"});
  EXPECT_EQ(answer.status, 1);
  EXPECT_TRUE(says(answer.out,
                   "modelDescription.xml\n  5  error    u: it needs a start value (causality "
                   "\"input\")  [start-required (FMI 2.0, 2.2.7)]\n"))
      << answer.out;
  EXPECT_TRUE(says(answer.out, " rules on 1 variable: 1 error, no warnings\n")) << answer.out;
}

TEST(CheckCommand, RefusesWhatCannotBeRead) {
  const Workplace place;
  place.write("text.fmu", "no zip file");
  EXPECT_EQ(place.tutti({"check", "text.fmu"}).status, 2);
  EXPECT_EQ(place.tutti({"check", "nothing.fmu"}).status, 2);
  EXPECT_EQ(place.tutti({"check"}).status, 2);
}

TEST(CheckCommand, IsDocumentedWithAllItsRules) {
  const Workplace place;
  std::ifstream file(tutti::places::source_folder() / "docs/check.md");
  const std::string page(std::istreambuf_iterator<char>(file), {});
  for (const nlohmann::json& rule :
       nlohmann::json::parse(place.tutti({"check", "--rules", "--json"}).out)) {
    std::string row = "| `" + rule["rule"].get<std::string>() + "` | ";
    row += rule["severity"].get<std::string>() + " | " + rule["text"].get<std::string>() + " |";
    for (const char* const version : {"1.0", "2.0", "3.0"}) {
      row += ' ';
      row += rule["sections"].value(version, "-");
      row += " |";
    }
    EXPECT_TRUE(says(page, row + "\n")) << "docs/check.md lacks the row\n" << row;
  }
}

TEST(CheckCommand, ListsItsRules) {
  const Workplace place;
  const Answer answer = place.tutti({"check", "--rules"});
  EXPECT_EQ(answer.status, 0);
  EXPECT_TRUE(says(answer.out, "start-required"));
  const Answer json = place.tutti({"check", "--rules", "--json"});
  EXPECT_GT(nlohmann::json::parse(json.out).size(), 90u);
}

}  // namespace
}  // namespace tutti
