// SPDX-License-Identifier: BSD-2-Clause
#include "system/stages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "system/names.hpp"

namespace tutti::system {
namespace {

using Node = Graph::Node;

std::uint64_t pair_key(Node a, Node b) { return (std::uint64_t{a} << 32) | b; }

std::string braces(const System& system, std::span<const Node> members) {
  constexpr std::size_t most = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(members.size(), most); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", system.components[members[i]].name);
  if (members.size() > most) text += fmt::format(" and {} more", members.size() - most);
  return "{" + text + "}";
}

/// Gives the cycles what the user said of them.
class Overrides {
 public:
  Overrides(const System& system, std::vector<Stage>& stages, Problems& problems)
      : system_(system),
        names_(system),
        stages_(stages),
        problems_(problems),
        stage_of_(system.components.size()) {
    for (std::size_t s = 0; s < stages.size(); ++s)
      for (const Node c : stages[s].components) stage_of_[c] = s;
  }

  void apply() {
    for (std::size_t i = 0; i < system_.cycles.size(); ++i) {
      const CycleSettings& cycle = system_.cycles[i];
      problems_.attempt([&] {
        Stage& stage = find(cycle);
        if (stage.settings >= 0) refuse(cycle, "there are settings for this cycle already");
        stage.settings = static_cast<std::int32_t>(i);
        if (cycle.order.empty()) return;
        std::vector<Node> order = indices(cycle, cycle.order);
        if (sorted(order) != sorted(stage.components))
          refuse(cycle, fmt::format("order must name each component of {} once",
                                    braces(system_, sorted(stage.components))));
        stage.components = std::move(order);
      });
    }
  }

 private:
  [[noreturn]] static void refuse(const CycleSettings& cycle, const std::string& text) {
    throw Error(ErrorCode::usage, text)
        .within(fmt::format("cycles, of = [{}]", fmt::join(cycle.of, ", ")),
                where(cycle.place, {.key = "cycles"}));
  }
  static std::vector<Node> sorted(std::vector<Node> nodes) {
    std::ranges::sort(nodes);
    return nodes;
  }
  std::vector<Node> indices(const CycleSettings& cycle, const std::vector<std::string>& names) {
    std::vector<Node> nodes;
    for (const std::string& name : names) {
      const std::int32_t index = names_.find(name);
      if (index < 0) refuse(cycle, fmt::format("there is no component \"{}\"", name));
      nodes.push_back(static_cast<Node>(index));
    }
    return nodes;
  }
  Stage& find(const CycleSettings& cycle) {
    const std::vector<Node> named = sorted(indices(cycle, cycle.of));
    if (named.empty()) refuse(cycle, "no component is named");
    Stage& stage = stages_[stage_of_[named.front()]];
    const std::vector<Node> members = sorted(stage.components);
    if (stage.is_cycle && members == named) return stage;
    if (stage.is_cycle && std::ranges::includes(members, named))
      refuse(cycle, fmt::format("this is only a part of the cycle {}; name all of it",
                                braces(system_, members)));
    std::string all;
    for (const Stage& other : stages_)
      if (other.is_cycle)
        all += (all.empty() ? "" : ", ") + braces(system_, sorted(other.components));
    refuse(cycle, all.empty() ? "this is no cycle, and the system has none"
                              : fmt::format("this is no cycle. The cycles are {}", all));
  }

  const System& system_;
  ComponentNames names_;
  std::vector<Stage>& stages_;
  Problems& problems_;
  std::vector<std::size_t> stage_of_;
};

}  // namespace

Graph component_graph(std::size_t component_count, std::span<const Link> links) {
  std::vector<Graph::Edge> edges;
  edges.reserve(links.size());
  for (const Link& link : links) edges.push_back({link.from.component, link.to.component});
  return Graph(component_count, edges);
}

std::vector<Stage> make_stages(const System& system, const Graph& graph,
                               std::span<const Link> links, Problems& problems) {
  std::unordered_map<std::uint64_t, double> fed;
  for (const Link& link : links) fed[pair_key(link.from.component, link.to.component)] += 1;
  const auto weight = [&](Node a, Node b) {
    const auto found = fed.find(pair_key(a, b));
    return found == fed.end() ? 0 : found->second;
  };
  Components components = strong_components(graph);
  const std::vector<std::uint32_t> priority = priorities(graph, components);
  std::vector<Stage> stages(components.members.size());
  for (std::size_t s = 0; s < stages.size(); ++s) {
    std::vector<Node>& members = components.members[s];
    stages[s].priority = priority[s];
    stages[s].is_cycle = members.size() > 1 || graph.has_edge(members.front(), members.front());
    stages[s].components =
        members.size() > 1 ? calling_sequence(graph, members, weight) : std::move(members);
  }
  std::ranges::stable_sort(stages, [](const Stage& a, const Stage& b) {
    return std::pair(a.priority, *std::ranges::min_element(a.components)) <
           std::pair(b.priority, *std::ranges::min_element(b.components));
  });
  Overrides(system, stages, problems).apply();
  return stages;
}

}  // namespace tutti::system
