// SPDX-License-Identifier: BSD-2-Clause
#include "formats/eas/order.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "system/graph.hpp"

namespace tutti::formats::eas {
namespace {

using system::Graph;

std::vector<Graph::Edge> graph_edges(const Configuration& file) {
  std::vector<std::uint32_t> source(file.value_count);
  for (const Edge& edge : file.edges)
    if (edge.is_output) source[edge.value] = edge.simulator;
  std::vector<Graph::Edge> edges;
  for (const Edge& edge : file.edges)
    if (!edge.is_output) edges.push_back({source[edge.value], edge.simulator});
  return edges;
}

class Order {
 public:
  Order(const Configuration& file, System& system, const Log& log, system::Problems& problems)
      : file_(file),
        system_(system),
        log_(log),
        problems_(problems),
        graph_(file.simulators.size(), graph_edges(file)),
        components_(system::strong_components(graph_)) {}

  void run() {
    if (!file_.priorities.empty()) check_priorities();
    for (const auto& members : components_.members)
      if (is_cycle(members)) add_cycle(members);
    if (!file_.priorities.empty()) warn_of_empty_cycles();
  }

 private:
  using Members = std::vector<Graph::Node>;
  bool is_cycle(const Members& members) const {
    return members.size() > 1 || graph_.has_edge(members.front(), members.front());
  }
  std::uint32_t priority(Graph::Node node) const { return file_.priorities[node]->priority; }

  /// A simulator is called after all that feed it, unless both are in one cycle.
  void check_priorities() {
    const std::vector<std::uint32_t> computed = system::priorities(graph_, components_);
    const auto hint = [&](Graph::Node node) {
      return fmt::format("the graph gives simulator {} the priority {}", node,
                         computed[components_.component_of[node]]);
    };
    for (const Graph::Edge& edge : graph_edges(file_)) {
      const bool together =
          components_.component_of[edge.from] == components_.component_of[edge.to];
      const std::uint32_t from = priority(edge.from), to = priority(edge.to);
      if (together ? from == to : from < to) continue;
      problems_.add(
          file_.priorities[edge.to]->place,
          fmt::format("simulator {} has priority {} and feeds simulator {} of priority "
                      "{}{}; {}, {}",
                      edge.from, from, edge.to, to, together ? ", but they are in one cycle" : "",
                      hint(edge.from), hint(edge.to)));
    }
  }

  void add_cycle(const Members& members) {
    CycleSettings& cycle = system_.cycles.emplace_back();
    for (const Graph::Node node : members) cycle.of.push_back(system_.components[node].name);
    cycle.order = cycle.of;
    if (file_.priorities.empty() || !file_.has_cycles) return;
    const auto found = file_.cycles.find(priority(members.front()));
    if (found == file_.cycles.end()) return;
    cycle.place = found->second.place;
    if (found->second.is_cycle) return;
    cycle.methods = {"gauss-seidel"};
    log_.warning("",
                 fmt::format("{}the file says that priority {} has no cycle, but {} are in "
                             "one; they are called once a step",
                             system::at(cycle.place), found->first, fmt::join(cycle.of, " and ")));
  }

  void warn_of_empty_cycles() {
    for (const auto& [level, cycle] : file_.cycles) {
      const bool found = std::ranges::any_of(
          components_.members,
          [&, at = level](const Members& m) { return is_cycle(m) && priority(m.front()) == at; });
      if (cycle.is_cycle && !found)
        log_.warning("", fmt::format("{}the graph has no cycle of priority {}",
                                     system::at(cycle.place), level));
    }
  }

  const Configuration& file_;
  System& system_;
  const Log& log_;
  system::Problems& problems_;
  Graph graph_;
  system::Components components_;
};

}  // namespace

void add_order(const Configuration& file, System& system, const Log& log,
               system::Problems& problems) {
  Order(file, system, log, problems).run();
}

}  // namespace tutti::formats::eas
