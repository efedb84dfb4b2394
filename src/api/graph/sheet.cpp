// SPDX-License-Identifier: BSD-2-Clause
#include "api/graph/sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tutti::api {
namespace {

Sheet component_sheet(const SystemGraph& graph) {
  Sheet sheet;
  for (const SystemGraph::Node& node : graph.components)
    sheet.boxes.push_back(
        {node.name,
         fmt::format("FMI {} {}", to_string(node.version), interface_word(node.model_exchange)),
         node.stage});
  for (const SystemGraph::Stage& stage : graph.stages)
    sheet.frames.push_back(
        {stage.is_cycle ? fmt::format("cycle: {}", fmt::join(stage.methods, ", ")) : "",
         stage.components, stage.priority});
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> arrows;
  for (const SystemGraph::Edge& edge : graph.connections) {
    const auto [found, is_new] = arrows.try_emplace({edge.from, edge.to}, sheet.arrows.size());
    if (is_new) sheet.arrows.push_back({edge.from, edge.to, {}, edge.read_before_produced, false});
    sheet.arrows[found->second].texts.push_back(fmt::format("{} -> {}", edge.output, edge.input));
  }
  return sheet;
}

Sheet variable_sheet(const SystemGraph& graph) {
  Sheet sheet;
  for (const SystemGraph::Variable& variable : graph.variables)
    sheet.boxes.push_back({variable.name, variable.is_output ? "output" : "input", 0});
  std::vector<std::uint32_t> order(graph.variables.size());
  for (const SystemGraph::Evaluation& block : graph.initialization) {
    const auto frame = static_cast<std::uint32_t>(sheet.frames.size());
    const bool loop = block.kind == SystemGraph::Evaluation::Kind::solve;
    sheet.frames.push_back({loop                         ? "algebraic loop"
                            : block.variables.size() > 1 ? "asked for together"
                                                         : "",
                            block.variables, 0});
    for (const std::uint32_t v : block.variables) sheet.boxes[v].frame = frame;
  }
  for (const SystemGraph::Dependency& edge : graph.dependencies)
    sheet.arrows.push_back({edge.from, edge.to, {}, false, !edge.is_connection});
  // The frames are in an order in which each has what it needs.
  std::stable_sort(sheet.arrows.begin(), sheet.arrows.end(),
                   [&](const Sheet::Arrow& a, const Sheet::Arrow& b) {
                     return sheet.boxes[a.from].frame < sheet.boxes[b.from].frame;
                   });
  for (Sheet::Arrow& arrow : sheet.arrows) {
    const std::uint32_t from = sheet.boxes[arrow.from].frame, to = sheet.boxes[arrow.to].frame;
    if (from == to)
      arrow.back = arrow.from >= arrow.to;
    else
      sheet.frames[to].layer = std::max(sheet.frames[to].layer, sheet.frames[from].layer + 1);
  }
  return sheet;
}

}  // namespace

Sheet make_sheet(const SystemGraph& graph, GraphOf what) {
  Sheet sheet = what == GraphOf::components ? component_sheet(graph) : variable_sheet(graph);
  sheet.title = graph.name;
  return sheet;
}

}  // namespace tutti::api
