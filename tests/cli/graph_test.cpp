// SPDX-License-Identifier: BSD-2-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

/// A source that feeds a cycle of two, which feeds an end; FMI 1.0, 2.0 and 3.0 together.
std::string loop(const std::string& more = "") {
  return fmt::format(R"([system]
name = "loop & <end>"
[components.source]
fmu = "{}"
[components.plant]
fmu = "{}"
[components.controller]
fmu = "{}"
[components.end]
fmu = "{}"
as = "me"
[connections]
list = [
  "source.x -> controller.discrete_in",
  "plant.y -> controller.real_in",
  {{ from = "controller.real_out", to = "plant.u", factor = -0.5 }},
  "plant.y -> end.u",
]
[inputs.set]
"controller.array_in[1]" = 2.5
{})",
                     fmu("1.0-cs", "Dahlquist"), fmu("2.0", "Integrator"),
                     fmu("3.0", "Feedthrough"), fmu("2.0", "Integrator"), more);
}

TEST(Graph, TellsOrderCyclesConnectionsAndInitialization) {
  const Workplace work;
  work.write("loop.toml", loop());
  const Answer answer = work.tutti({"graph", "loop.toml"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("loop & <end>: 4 components, 4 connections, 1 cycle\n"));
  EXPECT_THAT(answer.out, HasSubstr("    0  source\n"
                                    "    1  cycle (gauss-seidel): plant, controller\n"
                                    "    2  end\n"));
  EXPECT_THAT(answer.out, HasSubstr("-> plant.u  * -0.5  (read before it is produced)\n"));
  EXPECT_THAT(answer.out, HasSubstr("inputs from outside\n  controller.array_in[1]\n"));
  EXPECT_THAT(answer.out, HasSubstr("  controller.array_in[2]\n"));
  EXPECT_THAT(answer.out, HasSubstr("  solve  "));
}

TEST(Graph, ShowsWhatTheVariablesDependOn) {
  const Workplace work;
  work.write("loop.toml", loop());
  const Answer answer = work.tutti({"graph", "loop.toml", "--variables"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("plant.y <- plant.u\n"));
  EXPECT_THAT(answer.out, HasSubstr("end.u = plant.y\n"));
}

TEST(Graph, HasTheFormatThatTheExtensionNames) {
  const Workplace work;
  work.write("loop.toml", loop());
  const auto written = [&](const std::string& file) {
    const Answer answer = work.tutti({"graph", "loop.toml", "-o", file});
    EXPECT_EQ(answer.status, 0) << answer.err;
    return work.read(file);
  };
  EXPECT_THAT(written("g.svg"), HasSubstr("<svg"));
  EXPECT_THAT(written("g.dot"), HasSubstr("digraph"));
  EXPECT_EQ(nlohmann::json::parse(written("g.json"))["components"].size(), 4u);
  EXPECT_THAT(written("g.txt"), HasSubstr("4 components"));
  const Answer picture = work.tutti({"graph", "loop.toml", "-o", "g.png"});
  EXPECT_EQ(picture.status, 2);
  EXPECT_THAT(picture.err, HasSubstr("\"g.png\": a graph is written as .svg, .dot, .json or text"));
}

TEST(Graph, IsJsonForPrograms) {
  const Workplace work;
  work.write("loop.toml", loop());
  const Answer answer =
      work.tutti({"graph", "loop.toml", "--format", "json", "--set", "simulation.method=newton"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  const auto json = nlohmann::json::parse(answer.out);
  EXPECT_EQ(json["components"].size(), 4u);
  EXPECT_EQ(json["components"][3]["as"], "me");
  EXPECT_EQ(json["connections"][2]["factor"], -0.5);
  EXPECT_EQ(json["stages"][1]["methods"][0], "newton");
  EXPECT_EQ(json["stages"][1]["cycle"], true);
}

TEST(Graph, IsAPictureThatIsWellFormed) {
  const Workplace work;
  work.write("loop.toml", loop());
  for (const bool variables : {false, true}) {
    std::vector<std::string> call = {"graph", "loop.toml", "--format", "svg", "-o", "loop.svg"};
    if (variables) call.emplace_back("--variables");
    const Answer answer = work.tutti(call);
    EXPECT_EQ(answer.status, 0) << answer.err;
    EXPECT_EQ(answer.out, "");
    pugi::xml_document svg;
    ASSERT_TRUE(svg.load_string(work.read("loop.svg").c_str()));
    std::string texts;
    for (const auto& node : svg.select_nodes("//text")) texts += node.node().child_value();
    EXPECT_THAT(texts, HasSubstr("loop & <end>"));
    EXPECT_THAT(texts, HasSubstr(variables ? "algebraic loop" : "cycle: gauss-seidel"));
  }
}

TEST(Graph, IsDotForGraphviz) {
  const Workplace work;
  work.write("loop.toml", loop());
  const Answer answer = work.tutti({"graph", "loop.toml", "--format", "dot"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("digraph \"loop & <end>\" {"));
  EXPECT_THAT(answer.out, HasSubstr("n1 -> n2 [label=\"plant.y -> controller.real_in\"]"));
  EXPECT_THAT(answer.out, HasSubstr("subgraph cluster_1"));
}

TEST(Graph, IsRefusedForASystemThatIsWrong) {
  const Workplace work;
  work.write("loop.toml", "[components.a]\nfmu = \"none.fmu\"\n");
  const Answer missing = work.tutti({"graph", "loop.toml"});
  EXPECT_EQ(missing.status, 2);
  EXPECT_THAT(missing.err, HasSubstr("loop.toml:1:13: component \"a\": "));
  EXPECT_THAT(missing.err, HasSubstr("none.fmu"));
  const Answer unreadable = work.tutti({"graph", "other.toml"});
  EXPECT_EQ(unreadable.status, 2);
  EXPECT_THAT(unreadable.err, HasSubstr("cannot read the system file \"other.toml\""));
  const Answer misspelt = work.tutti({"graph", "loop.tml"});
  EXPECT_EQ(misspelt.status, 2);
  EXPECT_THAT(misspelt.err, HasSubstr("there is no file \"loop.tml\""));
}

}  // namespace
}  // namespace tutti::testing
