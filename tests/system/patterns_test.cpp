// SPDX-License-Identifier: BSD-2-Clause
#include "system/patterns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support_models.hpp"

namespace tutti::system {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Two components with real outputs and inputs of these names.
class Patterns : public ::testing::Test {
 protected:
  void add(const std::string& component, const std::vector<std::string>& outputs,
           const std::vector<std::string>& inputs) {
    auto& model = bench.add(component);
    for (const std::string& name : outputs) model.add(name, Type::float64, Causality::output);
    for (const std::string& name : inputs) model.add(name, Type::float64, Causality::input);
  }
  std::vector<std::string> planned() const {
    const Plan plan = bench.plan();
    std::vector<std::string> all;
    for (const Link& link : plan.links)
      all.push_back(text_of(plan.connection_of(bench.system, link)));
    return all;
  }
  Bench bench;
};

TEST_F(Patterns, JoinEqualNamesOfWholeComponents) {
  add("plant", {"x", "v", "spare"}, {"f"});
  add("controller", {"f"}, {"v", "x", "setpoint"});
  bench.connect("plant", "controller");
  bench.connect("controller.*", "plant.*");
  EXPECT_THAT(planned(), ElementsAre("plant.x -> controller.x", "plant.v -> controller.v",
                                     "controller.f -> plant.f"));
}

TEST_F(Patterns, ChooseOutputsByTheirNames) {
  add("a", {"x_1", "x_2", "y_1"}, {});
  add("b", {}, {"x_1", "x_2", "y_1"});
  bench.connect("a.x*", "b.*");
  EXPECT_THAT(planned(), ElementsAre("a.x_1 -> b.x_1", "a.x_2 -> b.x_2"));
}

TEST_F(Patterns, PutTheTextOfAStarIntoTheOtherName) {
  add("a", {"out_1", "out_2", "out_3", "left.q[1].y", "other"}, {});
  add("b", {}, {"in_1", "in_2", "u.left.1"});
  bench.connect("a.out_*", "b.in_*");
  bench.connect("a.*.q[*].y", "b.u.*.*");
  EXPECT_THAT(planned(),
              ElementsAre("a.out_1 -> b.in_1", "a.out_2 -> b.in_2", "a.left.q[1].y -> b.u.left.1"));
}

TEST_F(Patterns, CarryTheSettingsOfTheirConnection) {
  add("a", {"x", "y"}, {});
  add("b", {}, {"x", "y"});
  bench.connect("a", "b").factor = 2;
  for (const Link& link : bench.plan().links) {
    EXPECT_EQ(link.factor, 2);
    EXPECT_EQ(link.connection, 0u) << "by which inputs find their settings";
  }
}

TEST_F(Patterns, LeaveInputsAloneThatTheSystemNames) {
  add("a", {"x", "y", "z", "d"}, {});
  add("b", {}, {"x", "y", "z", "d"});
  bench.connect("a.*", "b.*");
  bench.connect("a.y", "b.x");
  bench.system.inputs.constants.emplace_back(Endpoint{"b", "z"}, "3");
  EXPECT_THAT(planned(), ElementsAre("a.y -> b.y", "a.d -> b.d", "a.y -> b.x"));
  EXPECT_THAT(bench.plan().external, ::testing::SizeIs(1));
}

TEST_F(Patterns, MayFindAllInputsTaken) {
  add("a", {"x"}, {});
  add("b", {}, {"x"});
  bench.connect("a", "b");
  bench.connect("a.x", "b.x");
  EXPECT_THAT(planned(), ElementsAre("a.x -> b.x"));
}

TEST_F(Patterns, AreNoneWhereAVariableHasThatName) {
  add("a", {"x*", "xy"}, {});
  add("b", {}, {"u", "xy"});
  bench.connect("a.x*", "b.u");
  EXPECT_THAT(planned(), ElementsAre("a.x* -> b.u"));
}

TEST_F(Patterns, MayNotFeedAnInputTwice) {
  add("a", {"u"}, {});
  add("c", {"u"}, {});
  add("b", {}, {"u"});
  bench.connect("a", "b").place = {"car.toml", 3, 5};
  bench.connect("c.*", "b.*").place = {"car.toml", 4, 5};
  EXPECT_THAT(bench.refusal(),
              AllOf(HasSubstr("car.toml:4:5: connection \"c.u -> b.u\" (of \"c.* -> b.*\")"),
                    HasSubstr("driven twice: by \"a.u\" of \"a -> b\" (car.toml:3:5)")));
}

TEST_F(Patterns, NameThePairThatDoesNotFit) {
  add("a", {"x", "s"}, {});
  add("b", {}, {"x"});
  bench.add("c").add("s", Type::string, Causality::input);
  bench.connect("a", "b");
  bench.connect("a", "c");
  EXPECT_THAT(bench.refusal(), HasSubstr("connection \"a.s -> c.s\" (of \"a -> c\"): a value of "
                                         "type Float64 cannot go into an input of type String"));
}

TEST_F(Patterns, AreRefusedWithoutAMatch) {
  add("a", {"speed", "force"}, {});
  add("b", {}, {"sped", "in_1"});
  add("empty", {}, {});
  bench.connect("a.speeds*", "b.*");
  bench.connect("a", "b");
  bench.connect("empty", "b");
  bench.connect("a", "empty");
  const std::string text = bench.refusal();
  EXPECT_THAT(text, HasSubstr("connection \"a.speeds* -> b.*\": component \"a\" (a.fmu) has no "
                              "output that matches \"speeds*\". Did you mean \"speed\"?"));
  EXPECT_THAT(text, HasSubstr("connection \"a -> b\": component \"b\" (b.fmu) has no input "
                              "\"speed\" or \"force\". Did you mean \"sped\"? Its inputs are "
                              "sped, in_1. Names must be equal; else name both variables."));
  EXPECT_THAT(text, HasSubstr("connection \"empty -> b\": component \"empty\" (empty.fmu) has no "
                              "output that matches \"*\". It has no outputs."));
  EXPECT_THAT(text, HasSubstr("It has no inputs."));
}

TEST_F(Patterns, NeedStarsOnBothSides) {
  add("a", {"x_1", "x_2"}, {});
  add("b", {}, {"u", "x_1"});
  bench.connect("a.x_*", "b.u");
  bench.connect("a.x_1", "b.*");
  bench.connect("a.x_1", "b");
  bench.connect("a.*_*", "b.u_*");
  const std::string text = bench.refusal();
  EXPECT_THAT(text, HasSubstr("\"a.x_*\" stands for several variables, but \"b.u\" is one. Name "
                              "one output, or connect equal names: \"a.x_* -> b.*\"."));
  EXPECT_THAT(text, HasSubstr("\"a.x_1\" is one variable, but \"b.*\" stands for several. Name "
                              "the input, as \"b.x_1\"."));
  EXPECT_THAT(text, HasSubstr("\"a.x_1\" is one variable, but \"b\" stands for several."));
  EXPECT_THAT(text, HasSubstr("\"a.*_*\" and \"b.u_*\" have 2 stars and 1 star."));
}

TEST_F(Patterns, BecomeSingleConnections) {
  add("a", {"x", "y"}, {});
  add("b", {}, {"x", "y"});
  bench.connect("a", "b");
  bench.connect("a.x", "b.y");
  const auto all = expanded_connections(bench.system, bench.descriptions);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(text_of(all[0]), "a.x -> b.x");
  EXPECT_EQ(text_of(all[1]), "a.x -> b.y");
}

}  // namespace
}  // namespace tutti::system
