// SPDX-License-Identifier: BSD-2-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <tutti/error.hpp>
#include <tutti/explain.hpp>

#include "support/places.hpp"

namespace tutti::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::string> names(const std::vector<Topic>& topics) {
  std::vector<std::string> all;
  for (const Topic& topic : topics) all.push_back(topic.name);
  return all;
}

std::vector<std::string> named(std::string_view word) { return names(find_topics(word).named); }
std::vector<std::string> related(std::string_view word) { return names(find_topics(word).related); }

std::string refusal(std::string_view word) {
  try {
    find_topics(word);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "nothing was refused";
}

TEST(Topics, AreThereOfEveryKindEachOnce) {
  std::set<std::pair<TopicKind, std::string>> known;
  std::set<TopicKind> kinds;
  for (const Topic& topic : topics()) {
    EXPECT_TRUE(known.emplace(topic.kind, topic.name).second) << topic.name;
    kinds.insert(topic.kind);
  }
  EXPECT_EQ(kinds.size(), words_of<TopicKind>.size());
}

// Whoever adds a row to a table writes its text, too.
TEST(Topics, HaveATextAndAPage) {
  for (const Topic& topic : topics()) {
    EXPECT_THAT(topic.summary, Not(IsEmpty())) << topic.name;
    EXPECT_THAT(topic.summary, Not(HasSubstr("\n"))) << topic.name;
    if (topic.kind != TopicKind::key) {
      EXPECT_THAT(topic.text, EndsWith(".")) << to_string(topic.kind) << " " << topic.name;
    }
    EXPECT_TRUE(std::filesystem::exists(places::source_folder() / topic.page))
        << topic.name << ": " << topic.page;
    EXPECT_THAT(topic.page, Not(IsEmpty())) << topic.name;
    for (const Topic::Fact& fact : topic.facts) EXPECT_THAT(fact.value, Not(IsEmpty()));
  }
}

TEST(Topics, OfKeysHaveAnExample) {
  for (const Topic& topic : topics())
    if (topic.kind == TopicKind::key && topic.text.empty()) {  // it is supported
      EXPECT_THAT(topic.example, Not(EndsWith("= \n"))) << topic.name;
    }
}

TEST(Topics, AreFoundByTheirName) {
  EXPECT_THAT(named("newton"), ElementsAre("newton"));
  EXPECT_THAT(named("Start-Required"), ElementsAre("start-required"));
  EXPECT_THAT(named("co-simulation fmu"), ElementsAre("co-simulation FMU"));
  EXPECT_THAT(named("130"), ElementsAre("130"));
  EXPECT_THAT(named("simulation.control.atol"), ElementsAre("simulation.control.atol"));
  const std::vector<Topic> both = find_topics("auto").named;
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(both[0].kind, TopicKind::method);
  EXPECT_EQ(both[1].kind, TopicKind::solver);
}

TEST(Topics, OfKeysAreFoundByTheNamesInAFile) {
  EXPECT_THAT(named("components.motor.solver.name"), ElementsAre("components.*.solver.name"));
  EXPECT_THAT(named("components.motor.ports.a.domain"), ElementsAre("components.*.ports.*.domain"));
  EXPECT_THAT(named("cycles[2].of"), ElementsAre("cycles[].of"));
  EXPECT_THAT(named("tlm.1.delay"), ElementsAre("tlm[].delay"));
  // What stands in a table has a name of its own there.
  EXPECT_THAT(named("components.motor.set.mass"), ElementsAre("components.*.set"));
  EXPECT_THAT(named("components.motor.solver.options.newt"),
              ElementsAre("components.*.solver.options"));
}

TEST(Topics, OfKeysAreFoundByTheirLastPart) {
  EXPECT_THAT(related("atol"), ElementsAre("components.*.solver.atol", "simulation.control.atol",
                                           "clusters[].solver.atol"));
  EXPECT_THAT(related("control.atol"), ElementsAre("simulation.control.atol"));
  EXPECT_THAT(related("simulation.tolerance"), Contains("simulation.tolerance.abs"));
}

TEST(Topics, OfKeysAreFoundByTheirValues) {
  EXPECT_THAT(related("newton"),
              ElementsAre("simulation.method", "cycles[].method", "clusters[].loops"));
  EXPECT_THAT(related("mastersim-2018"), ElementsAre("simulation.control.variant"));
  EXPECT_THAT(related("radau5"), Contains("components.*.solver.name"));
}

TEST(Topics, ThatAreNotThereAreRefusedWithTheNearestName) {
  EXPECT_THAT(refusal("newtn"), HasSubstr("\"newtn\". Did you mean \"newton\"?"));
  EXPECT_THAT(refusal("atoll"), HasSubstr("Did you mean \"atol\"?"));
  EXPECT_THAT(refusal("nothing at all like it"), HasSubstr("`tutti explain` lists all topics."));
  EXPECT_THAT(refusal("simulation.stp"), HasSubstr("Did you mean \"simulation.stop\"?"));
  EXPECT_THAT(refusal(""), HasSubstr("`tutti explain` lists all topics."));
}

}  // namespace
}  // namespace tutti::testing
