// SPDX-License-Identifier: BSD-2-Clause
#include "api/graph/sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace tutti::api {
namespace {

/// Islands are drawn from left to right, and so are the lines between them.
void place_islands(const SystemGraph& graph, Sheet& sheet) {
  std::uint32_t first = 0;
  for (const std::vector<std::uint32_t>& island : graph.islands) {
    std::uint32_t last = first;
    for (const std::uint32_t c : island) {
      const std::uint32_t stage = graph.components[c].stage;
      sheet.frames[stage].layer = first + graph.stages[stage].priority;
      last = std::max(last, sheet.frames[stage].layer);
    }
    first = last + 1;
  }
}

void add_lines(const SystemGraph& graph, Sheet& sheet) {
  if (graph.lines.empty() && graph.delays.empty()) return;
  place_islands(graph, sheet);
  const auto layer = [&](std::uint32_t component) {
    return sheet.frames[sheet.boxes[component].frame].layer;
  };
  for (const SystemGraph::Line& line : graph.lines) {
    std::uint32_t from = line.ends[0].component, to = line.ends[1].component;
    if (layer(from) > layer(to)) std::swap(from, to);
    Sheet::Arrow& arrow = sheet.arrows.emplace_back();
    arrow = {from, to, {line_text(line)}, false, false, true, false};
  }
  for (const SystemGraph::Delay& delay : graph.delays)
    sheet.arrows.push_back(
        {delay.from,
         delay.to,
         {fmt::format("{} -> {} after {:.6g} s", delay.output, delay.input, delay.delay)},
         false,
         false,
         false,
         true});
}

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
    if (is_new)
      sheet.arrows.push_back(
          {edge.from, edge.to, {}, edge.read_before_produced, false, false, false});
    sheet.arrows[found->second].texts.push_back(fmt::format("{} -> {}", edge.output, edge.input));
  }
  add_lines(graph, sheet);
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
                            : block.variables.size() > 1 ? "evaluated together"
                                                         : "",
                            block.variables, 0});
    for (const std::uint32_t v : block.variables) sheet.boxes[v].frame = frame;
  }
  for (const SystemGraph::Dependency& edge : graph.dependencies)
    sheet.arrows.push_back({edge.from, edge.to, {}, false, !edge.is_connection, false, false});
  // The frames are in order of dependency.
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
