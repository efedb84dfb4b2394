// SPDX-License-Identifier: BSD-2-Clause
#include "system/cluster_structure.hpp"

#include <algorithm>
#include <map>

#include "system/graph.hpp"

namespace tutti::system {
namespace {

constexpr std::size_t most_leaves = 100'000'000;  // 400 MB

using Node = Graph::Node;
using VariableOfMember = std::pair<std::uint32_t, std::int32_t>;

void merge(std::vector<std::uint32_t>& into, std::span<const std::uint32_t> more) {
  const auto middle = static_cast<std::ptrdiff_t>(into.size());
  into.insert(into.end(), more.begin(), more.end());
  std::ranges::sort(into.begin() + middle, into.end());
  std::inplace_merge(into.begin(), into.begin() + middle, into.end());
  into.erase(std::unique(into.begin(), into.end()), into.end());
}

/// Rows and driven inputs as the nodes of a graph: rows first.
class Reach {
 public:
  Reach(std::span<const Link> links, std::span<const ModelDescription* const> models,
        std::span<const ClusterRow> rows, const InputLeaf& input_leaf)
      : rows_(rows), input_leaf_(input_leaf) {
    for (std::size_t m = 0; m < models.size(); ++m) {
      auto& inputs = inputs_.emplace_back();
      for (std::size_t v = 0; v < models[m]->variables.size(); ++v)
        if (models[m]->variables[v].causality == Causality::input)
          inputs.push_back(static_cast<std::int32_t>(v));
    }
    auto next = static_cast<Node>(rows.size());
    for (const Link& link : links) {
      const auto [found, is_new] = driven_.try_emplace({link.to.component, link.to.variable}, next);
      if (is_new) {
        ++next;
        // Elements of an array that nothing drives inside may be driven from outside.
        const auto& variable =
            models[link.to.component]->variables[static_cast<std::size_t>(link.to.variable)];
        is_partly_.push_back(variable.is_array());
      }
    }
    std::map<VariableOfMember, Node> named;
    for (std::size_t r = 0; r < rows.size(); ++r)
      if (rows[r].variable >= 0)
        named.emplace(VariableOfMember{rows[r].member, rows[r].variable}, static_cast<Node>(r));
    for (const Link& link : links) {
      const auto source = named.find({link.from.component, link.from.variable});
      if (source != named.end())
        edges_.push_back({source->second, driven_.at({link.to.component, link.to.variable})});
    }
    own_.resize(next);
    for (std::size_t r = 0; r < rows.size(); ++r) add_row(static_cast<Node>(r));
    for (const auto& [variable, node] : driven_)
      if (is_partly_[node - rows.size()]) add_leaf(node, variable);
  }

  std::optional<std::vector<std::vector<std::uint32_t>>> find() {
    // The edges of a cut row lead nowhere: what depends on it gets its leaf.
    std::vector<std::vector<Node>> sources(own_.size());
    std::vector<Graph::Edge> kept;
    for (const Graph::Edge& edge : edges_) {
      if (edge.from < rows_.size() && rows_[edge.from].cut) {
        merge(own_[edge.to], {&*rows_[edge.from].cut, 1});
        continue;
      }
      kept.push_back(edge);
      sources[edge.to].push_back(edge.from);
    }
    const Components components = strong_components(Graph(own_.size(), kept));
    std::vector<std::vector<std::uint32_t>> reached(components.members.size());
    std::size_t count = 0;
    for (std::size_t s = 0; s < components.members.size(); ++s) {
      for (const Node node : components.members[s]) {
        merge(reached[s], own_[node]);
        for (const Node source : sources[node])
          if (const std::uint32_t from = components.component_of[source]; from != s)
            merge(reached[s], reached[from]);
      }
      count += reached[s].size();
      if (count > most_leaves) return {};
    }
    std::vector<std::vector<std::uint32_t>> result;
    for (std::size_t r = 0; r < rows_.size(); ++r)
      result.push_back(reached[components.component_of[r]]);
    return result;
  }

 private:
  void add_row(Node node) {
    const ClusterRow& row = rows_[node];
    own_[node] = row.leaves;
    std::ranges::sort(own_[node]);
    for (const std::int32_t input : row.inputs ? *row.inputs : inputs_[row.member]) {
      const VariableOfMember variable{row.member, input};
      if (const auto driven = driven_.find(variable); driven != driven_.end())
        edges_.push_back({driven->second, node});
      else
        add_leaf(node, variable);
    }
  }
  void add_leaf(Node node, const VariableOfMember& variable) {
    if (const auto leaf = input_leaf_(variable.first, variable.second))
      merge(own_[node], {&*leaf, 1});
  }

  std::span<const ClusterRow> rows_;
  const InputLeaf& input_leaf_;
  std::vector<std::vector<std::int32_t>> inputs_;  ///< by member
  std::map<VariableOfMember, Node> driven_;
  std::vector<bool> is_partly_;  ///< by driven input
  std::vector<Graph::Edge> edges_;
  std::vector<std::vector<std::uint32_t>> own_;  ///< by node: leaves without others
};

}  // namespace

std::optional<std::vector<std::vector<std::uint32_t>>> reach(
    std::span<const Link> links, std::span<const ModelDescription* const> models,
    std::span<const ClusterRow> rows, const InputLeaf& input_leaf) {
  return Reach(links, models, rows, input_leaf).find();
}

}  // namespace tutti::system
