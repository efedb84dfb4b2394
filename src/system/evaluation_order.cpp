// SPDX-License-Identifier: BSD-2-Clause
#include "system/evaluation_order.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace tutti::system {
namespace {

using Node = Graph::Node;

// The total cost of all searches for partners, in edges of some 10 ns each; beyond its share, an
// output is read separately. Most partners are near: one search may take a small part only.
constexpr std::size_t most_edges_seen = 40'000'000;
constexpr std::size_t searches_per_share = 8;
constexpr std::size_t most_candidates = 64;

/// The graph of variables, in which nodes can be merged into groups.
class Groups {
 public:
  Groups(std::span<const CoupledVariable> variables, std::span<const Graph::Edge> edges)
      : variables_(variables),
        leader_(variables.size()),
        members_(variables.size()),
        targets_(variables.size()),
        is_loop_(variables.size()),
        position_(variables.size()),
        visited_(variables.size()) {
    std::iota(leader_.begin(), leader_.end(), Node{0});
    for (Node node = 0; node < variables.size(); ++node) members_[node] = {node};
    for (const Graph::Edge& edge : edges) targets_[edge.from].push_back(edge.to);
  }

  Node leader(Node node) {
    while (leader_[node] != node) node = leader_[node] = leader_[leader_[node]];
    return node;
  }
  /// Merges the group of b into the group of a. Returns the leader.
  Node merge(Node a, Node b) {
    a = leader(a);
    b = leader(b);
    if (a == b) return a;
    if (members_[a].size() < members_[b].size()) std::swap(a, b);
    leader_[b] = a;
    is_loop_[a] = is_loop_[a] || is_loop_[b];
    const auto append = [](std::vector<Node>& to, std::vector<Node>& from) {
      to.insert(to.end(), from.begin(), from.end());
      std::vector<Node>().swap(from);
    };
    append(members_[a], members_[b]);
    append(targets_[a], targets_[b]);
    return a;
  }
  void mark_as_loop(Node node) { is_loop_[leader(node)] = true; }
  bool is_loop(Node node) { return is_loop_[leader(node)]; }
  bool is_output_group(Node node) {
    return !is_loop(node) && variables_[members_[leader(node)].front()].is_output;
  }
  std::uint32_t model(Node node) { return variables_[members_[leader(node)].front()].model; }
  const std::vector<Node>& members(Node node) { return members_[leader(node)]; }

  /// False only if `to` is definitely not reachable from `from`.
  /// @pre `to` is in the order of by_level(), and only groups before it have been merged since:
  /// from those behind it, all edges still lead further away.
  /// @param most edges to visit; beyond, returns true
  bool may_reach(Node from, Node to, std::size_t most) {
    from = leader(from);
    to = leader(to);
    ++search_;
    open_.assign(1, from);
    visited_[from] = search_;
    edges_seen_ = 0;
    while (!open_.empty()) {
      const Node node = open_.back();
      open_.pop_back();
      edges_seen_ += targets_[node].size();
      if (edges_seen_ > most) return true;
      for (const Node target : targets_[node]) {
        const Node next = leader(target);
        if (next == to) return true;
        if (visited_[next] == search_ || position_[next] > position_[to]) continue;
        visited_[next] = search_;
        open_.push_back(next);
      }
    }
    return false;
  }

  /// Visited by the last search.
  std::size_t edges_seen() const { return edges_seen_; }

  /// The strongly connected components of the merged graph, as leaders, each after its
  /// predecessors.
  std::vector<std::vector<Node>> order() {
    Components components = strong_components(graph());
    std::erase_if(components.members, [&](const std::vector<Node>& component) {
      return leader(component.front()) != component.front();
    });
    return std::move(components.members);
  }
  /// The same, sorted by level, so that nodes that can be computed together are close to each
  /// other.
  std::vector<std::vector<Node>> by_level() {
    const Graph merged = graph();
    Components components = strong_components(merged);
    const std::vector<std::uint32_t> level = priorities(merged, components);
    std::vector<std::uint32_t> sequence(level.size());
    std::iota(sequence.begin(), sequence.end(), 0u);
    std::ranges::stable_sort(sequence,
                             [&](std::uint32_t a, std::uint32_t b) { return level[a] < level[b]; });
    std::vector<std::vector<Node>> order;
    for (const std::uint32_t c : sequence) {
      std::vector<Node>& component = components.members[c];
      if (leader(component.front()) != component.front()) continue;
      for (const Node node : component) position_[node] = static_cast<std::uint32_t>(order.size());
      order.push_back(std::move(component));
    }
    return order;
  }

 private:
  Graph graph() {
    std::vector<Graph::Edge> edges;
    for (Node node = 0; node < variables_.size(); ++node) {
      if (leader(node) != node) continue;
      for (const Node target : targets_[node])
        if (const Node to = leader(target); to != node) edges.push_back({node, to});
    }
    return Graph(variables_.size(), edges);
  }

  std::span<const CoupledVariable> variables_;
  std::vector<Node> leader_;
  std::vector<std::vector<Node>> members_, targets_;
  std::vector<bool> is_loop_;
  std::vector<std::uint32_t> position_, visited_;
  std::uint32_t search_ = 0;
  std::vector<Node> open_;
  std::size_t edges_seen_ = 0;
};

/// Steps 1 and 2 of the algorithm: groups that can never close a cycle.
void merge_beforehand(std::span<const CoupledVariable> variables,
                      std::span<const Graph::Edge> edges, Groups& groups) {
  std::vector<bool> depends(variables.size());  // output: on an input of its model
  std::vector<bool> matters(variables.size());  // input: to an output of its model
  std::vector<bool> connected(variables.size()), only_to_ends(variables.size(), true);
  for (const Graph::Edge& edge : edges)
    if (!variables[edge.from].is_output) depends[edge.to] = matters[edge.from] = true;
  for (const Graph::Edge& edge : edges)
    if (variables[edge.from].is_output) {
      connected[edge.from] = true;
      if (matters[edge.to]) only_to_ends[edge.from] = false;
    }
  std::unordered_map<std::uint32_t, Node> free_outputs, last_outputs;
  for (Node node = 0; node < variables.size(); ++node) {
    if (!variables[node].is_output) continue;
    if (depends[node] && !(connected[node] && only_to_ends[node])) continue;
    auto& found = depends[node] ? last_outputs : free_outputs;
    const auto [place, first] = found.emplace(variables[node].model, node);
    if (!first) groups.merge(place->second, node);
  }
}

/// For every output the first output of its model that depends on the same inputs, possibly itself.
std::vector<Node> first_alike(std::span<const CoupledVariable> variables,
                              std::span<const Graph::Edge> edges) {
  std::vector<Graph::Edge> backwards;
  for (const Graph::Edge& edge : edges)
    if (!variables[edge.from].is_output) backwards.push_back({edge.to, edge.from});
  std::ranges::sort(backwards, [](const Graph::Edge& a, const Graph::Edge& b) {
    return std::pair(a.from, a.to) < std::pair(b.from, b.to);
  });
  const Graph needs(variables.size(), backwards);
  std::vector<Node> first(variables.size());
  std::iota(first.begin(), first.end(), Node{0});
  std::unordered_map<std::uint64_t, std::vector<Node>> by_hash;
  for (Node node = 0; node < variables.size(); ++node) {
    if (!variables[node].is_output || needs.successors(node).empty()) continue;
    std::uint64_t hash = variables[node].model;
    for (const Node input : needs.successors(node)) hash = (hash ^ input) * 0x9E3779B97F4A7C15ull;
    std::vector<Node>& known = by_hash[hash];
    const auto found = std::ranges::find_if(known, [&](Node other) {
      const auto a = needs.successors(node), b = needs.successors(other);
      return std::equal(a.begin(), a.end(), b.begin(), b.end());
    });
    if (found != known.end())
      first[node] = *found;
    else
      known.push_back(node);
  }
  return first;
}

/// Step 4: an output group joins an earlier one of its model that it does not depend on. No search
/// is needed where the earlier one depends on the same inputs: a path from it to one of these would
/// close a loop through itself.
void merge_where_possible(std::span<const CoupledVariable> variables,
                          std::span<const Graph::Edge> edges, Groups& groups) {
  const std::vector<Node> first = first_alike(variables, edges);
  const std::size_t share = most_edges_seen / std::max<std::size_t>(variables.size() / 2, 1);
  constexpr Node none = std::numeric_limits<Node>::max();
  std::vector<Node> placed(variables.size(), none);  // one alike in a group of `earlier`
  const auto surely_apart = [&](Node candidate, Node node) {
    const std::vector<Node>& members = groups.members(node);
    return std::ranges::all_of(members, [&](Node member) {
      const Node alike = placed[first[member]];
      return alike != none && groups.leader(alike) == groups.leader(candidate);
    });
  };
  std::unordered_map<std::uint32_t, std::vector<Node>> earlier;  // output groups, by model
  for (const std::vector<Node>& component : groups.by_level()) {
    if (component.size() > 1) {
      for (const Node node : component) groups.merge(component.front(), node);
      groups.mark_as_loop(component.front());
      continue;
    }
    const Node node = component.front();
    if (!groups.is_output_group(node)) continue;
    std::vector<Node>& candidates = earlier[groups.model(node)];
    std::size_t left = share;
    const auto tried = static_cast<std::ptrdiff_t>(std::min(candidates.size(), most_candidates));
    const auto end = candidates.begin() + tried;
    const auto partner = std::find_if(candidates.begin(), end, [&](Node candidate) {
      if (surely_apart(candidate, node)) return true;
      if (left == 0) return false;
      const bool apart = !groups.may_reach(candidate, node, share / searches_per_share);
      left -= std::min(left, groups.edges_seen());
      return apart;
    });
    for (const Node member : groups.members(node)) placed[first[member]] = member;
    if (partner != end)
      *partner = groups.merge(*partner, node);
    else
      candidates.push_back(node);
  }
}

}  // namespace

std::vector<EvaluationBlock> evaluation_order(std::span<const CoupledVariable> variables,
                                              std::span<const Graph::Edge> edges, bool reduce) {
  Groups groups(variables, edges);
  if (reduce) {
    merge_beforehand(variables, edges, groups);
    merge_where_possible(variables, edges, groups);
  }
  std::vector<EvaluationBlock> blocks;
  for (const std::vector<Node>& component : groups.order()) {
    EvaluationBlock& block = blocks.emplace_back();
    for (const Node node : component)
      block.variables.insert(block.variables.end(), groups.members(node).begin(),
                             groups.members(node).end());
    std::ranges::sort(block.variables);
    if (component.size() > 1 || groups.is_loop(component.front()))
      block.kind = EvaluationBlock::Kind::solve;
    else
      block.kind = variables[component.front()].is_output ? EvaluationBlock::Kind::get
                                                          : EvaluationBlock::Kind::set;
  }
  return blocks;
}

std::size_t evaluation_count(std::span<const EvaluationBlock> blocks,
                             std::span<const CoupledVariable> variables,
                             std::span<const Graph::Edge> edges) {
  std::vector<bool> depends(variables.size());
  for (const Graph::Edge& edge : edges) depends[edge.to] = true;
  enum class Values { none, old, current };
  std::unordered_map<std::uint32_t, Values> values;
  std::size_t count = 0;
  for (const EvaluationBlock& block : blocks) {
    if (block.kind == EvaluationBlock::Kind::get) {
      Values& known = values[variables[block.variables.front()].model];
      const bool any =
          std::ranges::any_of(block.variables, [&](Node node) { return depends[node]; });
      if (known == Values::current || (known == Values::old && !any)) continue;
      ++count;
      known = Values::current;
    } else {
      for (const Node node : block.variables)
        if (Values& known = values[variables[node].model]; known == Values::current)
          known = Values::old;
    }
  }
  return count;
}

}  // namespace tutti::system
