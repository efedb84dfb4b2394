// SPDX-License-Identifier: BSD-2-Clause
// `tutti explain`, as a user meets it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

std::string explained(std::vector<std::string> words) {
  words.insert(words.begin(), "explain");
  const Answer answer = Workplace().tutti(words);
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(answer.err, IsEmpty());
  return answer.out;
}

TEST(Explain, ListsEveryKind) {
  const std::string all = explained({});
  for (const char* const line :
       {"key:\n", "\n  simulation.step ", "coupling method:\n", "\n  newton ", "step control:\n",
        "\n  richardson ", "solver:\n", "\n  radau5 ", "search method:\n", "\n  nelder-mead ",
        "component:\n", "result format:\n", "system format:\n", "rule:\n", "\n  start-required ",
        "error code:\n", "exit status:\n"})
    EXPECT_THAT(all, HasSubstr(line));
}

TEST(Explain, ShowsAKeyWithALineOfAFile) {
  const std::string text = explained({"simulation.control.atol"});
  EXPECT_THAT(text, StartsWith("simulation.control.atol (key)\n"));
  EXPECT_THAT(text, HasSubstr("  type     number\n  default  1e-4\n"));
  EXPECT_THAT(text, HasSubstr("    [simulation.control]\n    atol = 1e-4\n"));
  EXPECT_THAT(text, HasSubstr("more: docs/system-file.md\n"));
  EXPECT_THAT(explained({"cycles[].of"}), HasSubstr("    [[cycles]]\n    of = ["));
  EXPECT_THAT(explained({"tlm[].initial.effort"}),
              HasSubstr("    [[tlm]]\n    initial.effort = 10\n"));
}

TEST(Explain, ShowsAKeyThatAloneEndsWithTheWord) {
  EXPECT_THAT(explained({"per-decade"}), StartsWith("simulation.per-decade (key)\n"));
  const std::string text = explained({"atol"});
  EXPECT_THAT(text, StartsWith("keys with this name or value:\n"));
  EXPECT_THAT(text, HasSubstr("components.*.solver.atol"));
  EXPECT_THAT(text, HasSubstr("simulation.control.atol"));
}

TEST(Explain, ShowsAllThatHaveTheName) {
  const std::string text = explained({"auto"});
  EXPECT_THAT(text, StartsWith("auto (coupling method)\n"));
  EXPECT_THAT(text, HasSubstr("\nauto (solver)\n"));
  EXPECT_THAT(text, HasSubstr("simulation.save-states"));
}

TEST(Explain, ShowsRulesPartsAndCodes) {
  const std::string rule = explained({"start-required"});
  EXPECT_THAT(rule, HasSubstr("severity  error\n"));
  EXPECT_THAT(rule, HasSubstr("FMI 2.0   2.2.7\n"));
  EXPECT_THAT(explained({"newton"}), HasSubstr("more: docs/algorithms/newton.md\n"));
  EXPECT_THAT(explained({"co-simulation", "FMU"}), StartsWith("co-simulation FMU (component)\n"));
  EXPECT_THAT(explained({"capability"}), HasSubstr("exit status  2 before time starts, 1 after"));
}

TEST(Explain, PrintsJson) {
  const auto topics = nlohmann::json::parse(explained({"auto", "--json"}));
  EXPECT_EQ(topics.at(0).at("kind"), "coupling method");
  EXPECT_EQ(topics.at(1).at("kind"), "solver");
  EXPECT_EQ(topics.at(1).at("facts").at("order"), "8");
  EXPECT_GT(nlohmann::json::parse(explained({"--json"})).size(), 200u);
}

TEST(Explain, RefusesWhatIsNotThere) {
  const Answer answer = Workplace().tutti({"explain", "gauss-siedel"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.out, IsEmpty());
  EXPECT_THAT(answer.err, HasSubstr("Did you mean \"gauss-seidel\"?"));
  EXPECT_EQ(Workplace().tutti({"explain", ""}).status, 2);
  EXPECT_EQ(Workplace().tutti({"explain", "--no-such-option"}).status, 2);
}

}  // namespace
}  // namespace tutti::testing
