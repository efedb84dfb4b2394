// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace tutti::system {

/// A directed graph over nodes 0...n-1: an edge a -> b means that b depends on a.
class Graph {
 public:
  using Node = std::uint32_t;
  struct Edge {
    Node from, to;
  };

  Graph() = default;
  /// Repeated edges are kept once; the successors of a node are in the order of the edges.
  Graph(std::size_t node_count, std::span<const Edge> edges);

  std::size_t node_count() const { return start_.empty() ? 0 : start_.size() - 1; }
  std::span<const Node> successors(Node node) const {
    return std::span(successors_).subspan(start_[node], start_[node + 1] - start_[node]);
  }
  bool has_edge(Node from, Node to) const;

 private:
  std::vector<std::size_t> start_;
  std::vector<Node> successors_;
};

/// The strongly connected components of a graph, each after its predecessors.
struct Components {
  std::vector<std::vector<Graph::Node>> members;  ///< ascending inside a component
  std::vector<std::uint32_t> component_of;        ///< by node
};

/// R. Tarjan, Depth-first search and linear graph algorithms, SIAM J. Comput. 1 (1972), without
/// recursion: a chain of a million nodes does not overflow the stack.
Components strong_components(const Graph& graph);

/// The stage in which each component can be computed: 0 for those without predecessors, otherwise
/// one more than the latest predecessor (Clauß, Arnold, Schierz, Bastian: the rule "remove all
/// without inputs, repeat").
std::vector<std::uint32_t> priorities(const Graph& graph, const Components& components);

/// An order of the members of one cycle in which few inputs are read before they are produced: the
/// fewest for up to eight members, else greedily by out-degree minus in-degree (P. Eades, X. Lin,
/// W. F. Smyth, A fast and effective heuristic for the feedback arc set problem, IPL 47, 1993).
/// `weight(a, b)` is the number of inputs of b that a feeds.
using Weight = std::function<double(Graph::Node a, Graph::Node b)>;
std::vector<Graph::Node> calling_sequence(const Graph& graph, std::span<const Graph::Node> members,
                                          const Weight& weight);

}  // namespace tutti::system
