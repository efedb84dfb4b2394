// SPDX-License-Identifier: BSD-2-Clause
// <tutti/system_graph.hpp>: what is coupled with what.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <tutti/system_graph.hpp>

#include "api/systems.hpp"

namespace tutti::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(SystemGraphs, ShowComponentsConnectionsAndCycles) {
  System system = oscillator();
  system.components.push_back(component("source", fmu_of("3.0", "TunableGain")));
  system.components.push_back(component("free", fmu_of("2.0", "Gain")));
  const SystemGraph graph = make_graph(system);
  ASSERT_EQ(graph.components.size(), 4u);
  EXPECT_EQ(graph.components[2].version, FmiVersion::v3);
  ASSERT_EQ(graph.connections.size(), 2u);
  EXPECT_EQ(graph.connections[1].output, "position.y");
  EXPECT_EQ(graph.connections[1].input, "speed.u");
  EXPECT_EQ(graph.connections[1].factor, -1);
  std::size_t cycles = 0;
  for (const SystemGraph::Stage& stage : graph.stages)
    if (stage.is_cycle) {
      ++cycles;
      EXPECT_EQ(stage.components.size(), 2u);
      EXPECT_THAT(stage.methods, ElementsAre("gauss-seidel"));
    }
  EXPECT_EQ(cycles, 1u);
  EXPECT_THAT(graph.unconnected_inputs, ElementsAre("free.u"));
  EXPECT_EQ(graph.variables.size(), 4u);
  EXPECT_FALSE(graph.initialization.empty());
  EXPECT_LE(graph.evaluations, graph.evaluations_alone);
}

TEST(SystemGraphs, AreDrawnInEveryForm) {
  const SystemGraph graph = make_graph(oscillator());
  for (const GraphOf what : {GraphOf::components, GraphOf::variables}) {
    EXPECT_THAT(graph_text(graph, what), HasSubstr("position"));
    EXPECT_THAT(graph_dot(graph, what), StartsWith("digraph"));
    EXPECT_THAT(graph_svg(graph, what), HasSubstr("<svg"));
  }
  const auto json = nlohmann::json::parse(graph_json(graph));
  EXPECT_TRUE(json.is_object());
}

TEST(SystemGraphs, AreRefusedWithAllThatIsWrong) {
  System system = oscillator();
  system.connections[0].to.variable = "uu";
  EXPECT_THAT(refusal_of([&] { make_graph(system); }), HasSubstr("uu"));
}

}  // namespace
}  // namespace tutti::testing
