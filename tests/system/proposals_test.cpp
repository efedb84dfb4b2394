// SPDX-License-Identifier: BSD-2-Clause
#include "system/proposals.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "support_models.hpp"

namespace tutti::system {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Proposals : public ::testing::Test {
 protected:
  Variable& output(const std::string& component, const std::string& name,
                   const std::string& unit = "", Type type = Type::float64) {
    return add(component, name, unit, type, Causality::output);
  }
  Variable& input(const std::string& component, const std::string& name,
                  const std::string& unit = "", Type type = Type::float64) {
    return add(component, name, unit, type, Causality::input);
  }
  /// `a.y -> b.u: reason`, with a question mark where it is not sure.
  std::vector<std::string> proposed() const {
    std::vector<std::string> all;
    for (const ProposedConnection& c : propose_connections(bench.system, bench.descriptions))
      all.push_back(fmt::format("{} -> {}{}: {}", text_of(c.from), text_of(c.to),
                                c.is_sure ? "" : "?", c.reason));
    return all;
  }
  Bench bench;

 private:
  Variable& add(const std::string& component, const std::string& name, const std::string& unit,
                Type type, Causality causality) {
    auto [found, is_new] = models_.try_emplace(component, nullptr);
    if (is_new) {
      found->second = &bench.add(component);
      found->second->description.units = {{"m", Unit::Base{{0, 1}, 1, 0}, {}},
                                          {"km", Unit::Base{{0, 1}, 1000, 0}, {}},
                                          {"s", Unit::Base{{0, 0, 1}, 1, 0}, {}}};
    }
    Variable& variable = found->second->add(name, type, causality);
    variable.attributes.unit = unit;
    return variable;
  }
  std::map<std::string, testing::SmallDescription*> models_;
};

TEST_F(Proposals, JoinEqualNames) {
  output("a", "x", "m");
  output("a", "n", "", Type::int32);
  input("b", "x", "m");
  input("b", "n", "", Type::float64);
  EXPECT_THAT(proposed(), ElementsAre("a.x -> b.x: equal names, m",
                                      "a.n -> b.n: equal names, Int32 to Float64"));
}

TEST_F(Proposals, LookThroughSpellingAndDirection) {
  output("a", "leftSpeed");
  output("a", "force_out[2]");
  input("b", "LEFT_SPEED");
  input("b", "in.force.2");
  EXPECT_THAT(proposed(),
              ElementsAre("a.leftSpeed -> b.LEFT_SPEED: equal names but for spelling",
                          "a.force_out[2] -> b.in.force.2: equal names but for in and out"));
}

TEST_F(Proposals, KnowTheNamesOfComponents) {
  output("car_body", "x");
  output("car_body", "f_wheel");
  input("wheel", "x_body");
  input("wheel", "f");
  EXPECT_THAT(proposed(), ElementsAre("car_body.x -> wheel.x_body: x_body is x of car_body",
                                      "car_body.f_wheel -> wheel.f: f_wheel is f of wheel"));
}

TEST_F(Proposals, AreNotSureWhereSeveralFit) {
  output("a", "x");
  output("b", "x");
  input("c", "x");
  EXPECT_THAT(proposed(), ElementsAre("a.x -> c.x?: equal names; 2 outputs fit",
                                      "b.x -> c.x?: equal names; 2 outputs fit"));
}

TEST_F(Proposals, AreNotSureBetweenTwoOfOneFmu) {
  auto& model = bench.add("a");
  model.add("x_out", Type::float64, Causality::output);
  model.add("x_in", Type::float64, Causality::input);
  bench.share("b", model);
  EXPECT_THAT(proposed(),
              ElementsAre("b.x_out -> a.x_in?: equal names but for in and out; two of one FMU",
                          "a.x_out -> b.x_in?: equal names but for in and out; two of one FMU"));
}

TEST_F(Proposals, SayWhatHappensToUnits) {
  output("a", "x", "km");
  output("a", "y", "m");
  output("a", "z", "furlong");
  input("b", "x", "m");
  input("b", "y");
  input("b", "z", "rod");
  EXPECT_THAT(proposed(),
              ElementsAre("a.x -> b.x: equal names, km converted to m",
                          "a.y -> b.y: equal names, m; the input has no unit",
                          "a.z -> b.z?: equal names, but units furlong and rod are not explained"));
}

TEST_F(Proposals, NeverJoinWhatDoesNotFit) {
  output("a", "t", "s");
  output("a", "text", "", Type::string);
  output("a", "array").dimensions = {Dimension{2, {}}};
  output("a", "flag", "", Type::boolean);
  input("b", "t", "m");
  input("b", "text");
  input("b", "array");
  input("b", "flag");
  EXPECT_THAT(proposed(), IsEmpty());
}

TEST_F(Proposals, GuessBySimilarNamesAndQuantities) {
  output("a", "vel_left");
  output("a", "position", "km");
  output("a", "other");
  input("b", "velocity");
  input("b", "s", "m");
  input("b", "q");
  EXPECT_THAT(proposed(),
              ElementsAre("a.vel_left -> b.velocity?: similar names",
                          "a.position -> b.s?: the only output of this quantity, km converted to "
                          "m"));
}

TEST_F(Proposals, GuessTheOnlyPair) {
  output("a", "y");
  input("b", "u");
  EXPECT_THAT(proposed(), ElementsAre("a.y -> b.u?: the only output that fits"));
}

TEST_F(Proposals, LeaveDrivenInputsAlone) {
  output("a", "x");
  input("b", "x");
  EXPECT_THAT(propose_connections(bench.system, bench.descriptions, {{1, 0, 0}}), IsEmpty());
}

}  // namespace
}  // namespace tutti::system
