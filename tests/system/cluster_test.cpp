// SPDX-License-Identifier: BSD-2-Clause
// What the rest of the system sees of a cluster: a description made from those of its members.
#include "system/cluster.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/small_description.hpp"
#include "system/make_plan.hpp"

namespace tutti::system {
namespace {

using ::testing::UnorderedElementsAre;

/// x' = u, y = x: variables u, x, der(x), y.
std::shared_ptr<ModelDescription> plant() {
  testing::SmallDescription made(FmiVersion::v2);
  made.add("u", Type::float64, Causality::input);
  made.add("x", Type::float64, Causality::local);
  made.add("der(x)", Type::float64, Causality::local).derivative_of = 1;
  made.add("y", Type::float64, Causality::output);
  ModelDescription& model = made.description;
  model.model_exchange.emplace();
  model.continuous_state_count = 1;
  model.structure.outputs = {{3, std::vector<std::int32_t>{1}, {}}};
  model.structure.derivatives = {{2, std::vector<std::int32_t>{0}, {}}};
  model.build_index();
  return std::make_shared<ModelDescription>(model);
}

/// y = u + v: variables u, v, y.
std::shared_ptr<ModelDescription> sum() {
  testing::SmallDescription made(FmiVersion::v3);
  made.add("u", Type::float64, Causality::input);
  made.add("v", Type::float64, Causality::input);
  made.add("y", Type::float64, Causality::output);
  ModelDescription& model = made.description;
  model.model_exchange.emplace();
  model.structure.outputs = {{2, std::vector<std::int32_t>{0, 1}, {}}};
  model.build_index();
  return std::make_shared<ModelDescription>(model);
}

/// sum.y -> plant.u, plant.y -> sum.v; sum.u is open.
Cluster loop_of(std::shared_ptr<const ModelDescription> plant_model) {
  Cluster cluster;
  for (const char* name : {"sum", "plant"}) {
    Component component;
    component.name = name;
    component.fmu = std::string(name) + ".fmu";
    component.as = FmuKind::model_exchange;
    cluster.system.components.push_back(component);
  }
  cluster.system.connections = {{.from = {"sum", "y"}, .to = {"plant", "u"}},
                                {.from = {"plant", "y"}, .to = {"sum", "v"}}};
  cluster.descriptions = {sum(), std::move(plant_model)};
  cluster.structures.resize(2);
  const auto models = cluster.models();
  cluster.plan = make_plan(cluster.system, models, cluster.structures, {});
  describe_cluster(cluster);
  return cluster;
}

std::vector<std::string> dependencies_of(const ModelDescription& model, const std::string& name) {
  std::vector<std::string> names;
  for (const auto* list : {&model.structure.outputs, &model.structure.derivatives})
    for (const Unknown& row : *list)
      if (model.variables[static_cast<std::size_t>(row.variable)].name == name && row.dependencies)
        for (const std::int32_t index : *row.dependencies)
          names.push_back(model.variables[static_cast<std::size_t>(index)].name);
  return names;
}

TEST(Cluster, HasTheVariablesOfItsMembers) {
  const Cluster cluster = loop_of(plant());
  const ModelDescription& whole = cluster.description;
  ASSERT_EQ(whole.variables.size(), 7u);
  EXPECT_EQ(whole.variables[0].name, "sum.u");
  EXPECT_EQ(whole.variables[5].name, "plant.der(x)");
  EXPECT_EQ(whole.variables[5].derivative_of, 4);
  EXPECT_EQ(whole.version, FmiVersion::v2);  // of the oldest member
  for (std::size_t v = 0; v < whole.variables.size(); ++v)
    EXPECT_EQ(whole.variables[v].value_reference, v);
  EXPECT_EQ(cluster.origin_of(5).member, 1u);
  EXPECT_EQ(cluster.origin_of(5).variable, 2);
}

TEST(Cluster, DependsOnWhatItsMembersDoThroughConnections) {
  const Cluster cluster = loop_of(plant());
  EXPECT_THAT(dependencies_of(cluster.description, "sum.y"),
              UnorderedElementsAre("sum.u", "plant.x"));
  EXPECT_THAT(dependencies_of(cluster.description, "plant.y"), UnorderedElementsAre("plant.x"));
  EXPECT_THAT(dependencies_of(cluster.description, "plant.der(x)"),
              UnorderedElementsAre("sum.u", "plant.x"));
}

// FMI 2.0: variables with one value reference are one variable, and any of them may be listed.
TEST(Cluster, KnowsStatesByTheirAliases) {
  const auto model = std::make_shared<ModelDescription>(*plant());
  model->variables.push_back(model->variables[1]);
  model->variables.back().name = "alias";
  model->structure.outputs = {{3, std::vector<std::int32_t>{4}, {}}};
  model->build_index();
  const Cluster cluster = loop_of(model);
  EXPECT_THAT(dependencies_of(cluster.description, "sum.y"),
              UnorderedElementsAre("sum.u", "plant.x"));
  const StateNames names(*model);
  EXPECT_EQ(names(4), 1);
  EXPECT_EQ(names(3), -1);
}

TEST(Cluster, RenamesUnitsThatMeanSomethingElse) {
  const auto with_unit = [](double factor) {
    const auto model = plant();
    model->variables[3].attributes.unit = "u";
    Unit unit;
    unit.name = "u";
    unit.base.emplace();
    unit.base->factor = factor;
    model->units.push_back(unit);
    return model;
  };
  Cluster cluster = loop_of(with_unit(1));
  cluster.descriptions[0] = with_unit(2);
  cluster.system.connections.clear();
  const auto models = cluster.models();
  cluster.plan = make_plan(cluster.system, models, cluster.structures, {});
  describe_cluster(cluster);
  const ModelDescription& whole = cluster.description;
  ASSERT_EQ(whole.units.size(), 2u);
  EXPECT_EQ(whole.variables[3].attributes.unit, "u");
  EXPECT_EQ(whole.variables[7].attributes.unit, "u (plant)");
  EXPECT_EQ(whole.units[1].name, "u (plant)");
}

TEST(Cluster, CanDoWhatAllMembersCan) {
  const auto able = plant();
  able->model_exchange->can_save_state = true;
  EXPECT_FALSE(loop_of(able).description.model_exchange->can_save_state);
  const Cluster cluster = loop_of(able);
  EXPECT_FALSE(cluster.description.model_exchange->provides_directional_derivatives);
}

}  // namespace
}  // namespace tutti::system
