// SPDX-License-Identifier: BSD-2-Clause
#include "system/graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace tutti::system {
namespace {

using Node = Graph::Node;
using Nodes = std::vector<Node>;
using Edges = std::vector<Graph::Edge>;

double one(Node, Node) { return 1; }

TEST(Graph, KeepsARepeatedEdgeOnceAndTheOrderOfTheRest) {
  const Graph graph(3, Edges{{0, 2}, {0, 1}, {0, 2}, {2, 0}});
  EXPECT_EQ(graph.successors(0).size() + graph.successors(1).size() + graph.successors(2).size(),
            3u);
  EXPECT_EQ(Nodes(graph.successors(0).begin(), graph.successors(0).end()), (Nodes{2, 1}));
  EXPECT_TRUE(graph.has_edge(2, 0));
  EXPECT_FALSE(graph.has_edge(1, 0));
}

// Clauß et al., figures 2 and 4: A -> {B, C, D} -> {E, F} -> G, where B, C, D are a cycle.
TEST(Graph, GivesThePrioritiesOfThePaper) {
  const Graph graph(7, Edges{{0, 1}, {1, 2}, {2, 3}, {3, 1}, {3, 4}, {2, 5}, {4, 6}, {5, 6}});
  const Components components = strong_components(graph);
  const auto priority = priorities(graph, components);
  const auto of = [&](Node node) { return priority[components.component_of[node]]; };
  EXPECT_EQ(of(0), 0u);
  for (const Node node : {1u, 2u, 3u}) EXPECT_EQ(of(node), 1u);
  for (const Node node : {4u, 5u}) EXPECT_EQ(of(node), 2u);
  EXPECT_EQ(of(6), 3u);
  EXPECT_EQ(components.members.size(), 5u);
}

TEST(Graph, PutsEveryComponentAfterWhatItNeeds) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const auto n = static_cast<Node>(1 + random() % 12);
    Edges edges;
    for (unsigned i = 0; i < random() % 30; ++i)
      edges.push_back({static_cast<Node>(random() % n), static_cast<Node>(random() % n)});
    const Graph graph(n, edges);
    const Components components = strong_components(graph);
    // Two nodes are in one component exactly if each is reachable from the other.
    std::vector<std::vector<bool>> reach(n, std::vector<bool>(n));
    for (Node i = 0; i < n; ++i) reach[i][i] = true;
    for (const auto& edge : edges) reach[edge.from][edge.to] = true;
    for (Node k = 0; k < n; ++k)
      for (Node i = 0; i < n; ++i)
        for (Node j = 0; j < n; ++j)
          if (reach[i][k] && reach[k][j]) reach[i][j] = true;
    for (Node i = 0; i < n; ++i)
      for (Node j = 0; j < n; ++j) {
        const auto a = components.component_of[i], b = components.component_of[j];
        EXPECT_EQ(a == b, reach[i][j] && reach[j][i]);
        if (reach[i][j]) {
          EXPECT_LE(a, b);
        }
      }
  }
}

TEST(Graph, AChainOfAMillionNodesNeedsNoStack) {
  constexpr Node n = 1'000'000;
  Edges edges;
  for (Node i = 0; i + 1 < n; ++i) edges.push_back({i, i + 1});
  const Graph chain(n, edges);
  EXPECT_EQ(strong_components(chain).members.size(), n);
  edges.push_back({n - 1, 0});
  EXPECT_EQ(strong_components(Graph(n, edges)).members.size(), 1u);
}

TEST(CallingSequence, ReadsAsFewInputsTooEarlyAsPossible) {
  // A ring 2 -> 0 -> 1 -> 2 with two inputs on 1 -> 2: cutting one of the single ones is best.
  const Graph ring(3, Edges{{0, 1}, {1, 2}, {2, 0}});
  const auto weight = [](Node a, Node) { return a == 1 ? 2.0 : 1.0; };
  const Nodes sequence = calling_sequence(ring, Nodes{0, 1, 2}, weight);
  const auto place = [&](Node node) {
    return std::find(sequence.begin(), sequence.end(), node) - sequence.begin();
  };
  EXPECT_LT(place(1), place(2));
}

TEST(CallingSequence, GoesAlongALongRing) {
  constexpr Node n = 50;
  Edges edges;
  Nodes members;
  for (Node i = 0; i < n; ++i) {
    edges.push_back({(i * 7) % n, ((i + 1) * 7) % n});
    members.push_back(i);
  }
  const Nodes sequence = calling_sequence(Graph(n, edges), members, one);
  ASSERT_EQ(sequence.size(), n);
  int early = 0;  // of the n edges one must be read too early, and one suffices
  std::vector<std::ptrdiff_t> place(n);
  for (Node i = 0; i < n; ++i) place[sequence[i]] = i;
  for (const auto& edge : edges) early += place[edge.from] > place[edge.to];
  EXPECT_EQ(early, 1);
}

}  // namespace
}  // namespace tutti::system
