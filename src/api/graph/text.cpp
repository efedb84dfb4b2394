// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tutti/system_graph.hpp>

#include "base/text.hpp"

namespace tutti {
namespace {

constexpr std::size_t most_lines = 200;

/// A heading with its lines, truncated if there are many.
std::string section(std::string_view title, const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  std::string text = fmt::format("\n{}\n", title);
  for (std::size_t i = 0; i < std::min(lines.size(), most_lines); ++i)
    text += fmt::format("  {}\n", lines[i]);
  if (lines.size() > most_lines)
    text += fmt::format("  and {} more (--format json shows all)\n", lines.size() - most_lines);
  return text;
}

std::vector<std::string> order_lines(const SystemGraph& graph) {
  std::vector<std::string> lines;
  for (const SystemGraph::Stage& stage : graph.stages) {
    std::string names;
    for (const std::uint32_t c : stage.components)
      names += (names.empty() ? "" : ", ") + graph.components[c].name;
    lines.push_back(fmt::format(
        "{:>3}  {}{}", stage.priority,
        stage.is_cycle ? fmt::format("cycle ({}): ", fmt::join(stage.methods, ", then ")) : "",
        names));
  }
  return lines;
}

std::vector<std::string> component_lines(const SystemGraph& graph) {
  std::size_t widest = 0;
  for (const SystemGraph::Node& node : graph.components)
    widest = std::max(widest, node.name.size());
  std::vector<std::string> lines;
  for (const SystemGraph::Node& node : graph.components) {
    const std::size_t width = std::min<std::size_t>(widest, 40);
    if (node.members.empty()) {
      lines.push_back(fmt::format("{:<{}}  {}, FMI {} {}", node.name, width, node.fmu,
                                  to_string(node.version), interface_word(node.model_exchange)));
      continue;
    }
    lines.push_back(fmt::format("{:<{}}  cluster of {}, solved together by {}", node.name, width,
                                node.members.size(), node.solver));
    for (const SystemGraph::Node& member : node.members)
      lines.push_back(fmt::format("  {}  {}, FMI {} {}", member.name, member.fmu,
                                  to_string(member.version), interface_word(true)));
  }
  return lines;
}

std::vector<std::string> connection_lines(const std::vector<SystemGraph::Edge>& edges) {
  std::size_t widest = 0;
  for (const SystemGraph::Edge& edge : edges) widest = std::max(widest, edge.output.size());
  std::vector<std::string> lines;
  for (const SystemGraph::Edge& edge : edges) {
    std::string line =
        fmt::format("{:<{}} -> {}", edge.output, std::min<std::size_t>(widest, 40), edge.input);
    if (edge.factor != 1) line += fmt::format("  * {:g}", edge.factor);
    if (edge.offset != 0)
      line += fmt::format("  {} {:g}", edge.offset < 0 ? "-" : "+", std::abs(edge.offset));
    if (edge.read_before_produced) line += "  (read before it is produced)";
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<std::string> island_lines(const SystemGraph& graph) {
  std::vector<std::string> lines;
  if (graph.lines.empty() && graph.delays.empty()) return lines;
  for (const std::vector<std::uint32_t>& island : graph.islands) {
    std::string names;
    for (const std::uint32_t c : island)
      names += (names.empty() ? "" : ", ") + graph.components[c].name;
    lines.push_back(std::move(names));
  }
  return lines;
}

std::vector<std::string> tlm_lines(const SystemGraph& graph) {
  std::vector<std::string> lines;
  for (const SystemGraph::Line& line : graph.lines) lines.push_back(line_text(line));
  return lines;
}

std::vector<std::string> delay_lines(const SystemGraph& graph) {
  std::vector<std::string> lines;
  for (const SystemGraph::Delay& delay : graph.delays)
    lines.push_back(
        fmt::format("{} -> {}  after {:.6g} s", delay.output, delay.input, delay.delay));
  return lines;
}

std::vector<std::string> action_lines(const SystemGraph& graph) {
  std::vector<std::string> lines;
  for (const SystemGraph::Action& action : graph.actions)
    for (const auto& [variable, value] : action.set)
      lines.push_back(fmt::format("t = {:.13g} s  {} = {}", action.at, variable, printable(value)));
  return lines;
}

std::vector<std::string> initialization_lines(const SystemGraph& graph) {
  std::vector<std::string> lines;
  for (const SystemGraph::Evaluation& block : graph.initialization) {
    const char* kind = block.kind == SystemGraph::Evaluation::Kind::set   ? "set  "
                       : block.kind == SystemGraph::Evaluation::Kind::get ? "get  "
                                                                          : "solve";
    std::string names;
    for (const std::uint32_t v : block.variables)
      names += (names.empty() ? "" : ", ") + graph.variables[v].name;
    lines.push_back(fmt::format("{}  {}", kind, names));
  }
  if (graph.evaluations < graph.evaluations_alone)
    lines.push_back(fmt::format("{}, {} if every output were evaluated separately",
                                counted(graph.evaluations, "evaluation"), graph.evaluations_alone));
  return lines;
}

std::vector<std::string> dependency_lines(const SystemGraph& graph) {
  std::map<std::uint32_t, std::string> sources;
  for (std::uint32_t v = 0; v < graph.variables.size(); ++v) sources[v];
  for (const SystemGraph::Dependency& edge : graph.dependencies) {
    std::string& text = sources[edge.to];
    text += (text.empty() ? "" : ", ") + graph.variables[edge.from].name;
  }
  std::vector<std::string> lines;
  for (const auto& [variable, text] : sources)
    lines.push_back(fmt::format("{} {} {}", graph.variables[variable].name,
                                graph.variables[variable].is_output ? "<-" : "=",
                                text.empty() ? "nothing coupled" : text));
  return lines;
}

}  // namespace

std::string graph_text(const SystemGraph& graph, GraphOf what) {
  const auto cycles = static_cast<std::size_t>(
      std::count_if(graph.stages.begin(), graph.stages.end(),
                    [](const SystemGraph::Stage& stage) { return stage.is_cycle; }));
  std::string text =
      fmt::format("{}: {}, {}, {}", graph.name, counted(graph.components.size(), "component"),
                  counted(graph.connections.size(), "connection"), counted(cycles, "cycle"));
  if (!graph.lines.empty()) text += ", " + counted(graph.lines.size(), "transmission line");
  if (!graph.delays.empty()) text += ", " + counted(graph.delays.size(), "delayed signal");
  text += '\n';
  if (what == GraphOf::variables)
    return text + section("what depends on what at initialization", dependency_lines(graph)) +
           section("initialization, in this order", initialization_lines(graph));
  return text + section("order, by priority", order_lines(graph)) +
         section("components", component_lines(graph)) +
         section("connections", connection_lines(graph.connections)) +
         section("connections inside clusters", connection_lines(graph.inside)) +
         section("transmission lines", tlm_lines(graph)) +
         section("delayed signals", delay_lines(graph)) +
         section("islands, which step on their own", island_lines(graph)) +
         section("inputs from outside", graph.external_inputs) +
         section("inputs that nothing drives (they keep their start values)",
                 graph.unconnected_inputs) +
         section("timed actions", action_lines(graph)) +
         section("initialization, in this order", initialization_lines(graph));
}

}  // namespace tutti
