// SPDX-License-Identifier: BSD-2-Clause
#include "models/cluster/call_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tutti::models {
namespace {

using system::EvaluationBlock;
using system::Graph;
using Kind = EvaluationBlock::Kind;

/// Coupled variables, added one by one.
struct Coupling {
  std::vector<system::CoupledVariable> variables;
  std::vector<Graph::Edge> edges;
  std::vector<bool> is_state;

  Graph::Node add(std::uint32_t model, bool is_output, bool state = false) {
    variables.push_back({model, is_output});
    is_state.push_back(state);
    return static_cast<Graph::Node>(variables.size() - 1);
  }
  Graph::Node input(std::uint32_t model) { return add(model, false); }
  Graph::Node output(std::uint32_t model) { return add(model, true); }
  Graph::Node state(std::uint32_t model) { return add(model, true, true); }
  void edge(Graph::Node from, Graph::Node to) { edges.push_back({from, to}); }
  CoupledModels models() const { return {variables, edges, is_state}; }
};

/// Each mass knows the position of the one before it, which is a state, and the force of the spring
/// behind it: force = f(own position, position before).
Coupling chain_of_masses(std::uint32_t count) {
  Coupling chain;
  Graph::Node position_before = 0, pull_before = 0;
  for (std::uint32_t m = 0; m < count; ++m) {
    if (m > 0) {
      const Graph::Node left = chain.input(m), force = chain.output(m);
      chain.edge(position_before, left);
      chain.edge(left, force);
      chain.edge(force, pull_before);
    }
    if (m + 1 == count) break;
    pull_before = chain.input(m);
    position_before = chain.state(m);
  }
  return chain;
}

/// Every node occurs once, after those that it depends on.
void expect_valid(std::span<const EvaluationBlock> blocks, const Coupling& coupling) {
  std::vector<std::size_t> place(coupling.variables.size(), blocks.size());
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (const Graph::Node node : blocks[b].variables) {
      EXPECT_EQ(place[node], blocks.size()) << node;
      place[node] = b;
    }
  for (const Graph::Edge& edge : coupling.edges)
    if (place[edge.from] != place[edge.to]) {
      EXPECT_LT(place[edge.from], place[edge.to]);
    }
  for (const std::size_t p : place) EXPECT_LT(p, blocks.size());
}

// From the last mass to the first, each has all its inputs at its turn: one set and one computation
// per mass, and one get of all but the first, whose force nobody needs.
TEST(OrderOfCalls, SetsTheInputsOfAModelOnce) {
  constexpr std::uint32_t count = 20;
  const Coupling chain = chain_of_masses(count);
  const auto blocks = order_of_calls(chain.models());
  expect_valid(blocks, chain);
  EXPECT_EQ(call_cost(blocks, chain.models()), 3 * count - 1);
  const auto usual = system::evaluation_order(chain.variables, chain.edges);
  EXPECT_GT(call_cost(usual, chain.models()), 3 * count - 1);
}

TEST(OrderOfCalls, ReadsOutputsOfAModelTogether) {
  Coupling two;
  const auto u = two.input(0), x = two.state(1), a = two.output(0), b = two.output(0);
  const auto v = two.input(1), w = two.input(1);
  for (const auto& [from, to] : {std::pair(x, u), {u, a}, {u, b}, {a, v}, {b, w}})
    two.edge(from, to);
  const auto blocks = order_of_calls(two.models());
  expect_valid(blocks, two);
  EXPECT_TRUE(std::ranges::any_of(blocks, [&](const EvaluationBlock& block) {
    return block.variables == std::vector{a, b};
  }));
  EXPECT_EQ(call_cost(blocks, two.models()), 5u);  // two sets, one get, two computations
}

TEST(OrderOfCalls, KeepsLoopsAsOneBlock) {
  Coupling loop;
  const auto u = loop.input(0), y = loop.output(0), v = loop.input(1), z = loop.output(1);
  const auto outside = loop.output(1), w = loop.input(2);
  for (const auto& [from, to] :
       {std::pair(u, y), {y, v}, {v, z}, {z, u}, {v, outside}, {outside, w}})
    loop.edge(from, to);
  const auto blocks = order_of_calls(loop.models());
  expect_valid(blocks, loop);
  const auto solved = std::ranges::find(blocks, Kind::solve, &EvaluationBlock::kind);
  ASSERT_NE(solved, blocks.end());
  EXPECT_EQ(solved->variables, (std::vector{u, y, v, z}));
}

// Two models that need an output of each other, without a loop: one of them is computed twice in
// any order.
TEST(OrderOfCalls, EndsWhereNoModelHasAllItsInputs) {
  Coupling cross;
  const auto u0 = cross.input(0), w0 = cross.input(0), y0 = cross.output(0), z0 = cross.output(0);
  const auto u1 = cross.input(1), y1 = cross.output(1), x = cross.state(2);
  for (const auto& [from, to] :
       {std::pair(x, u0), {u0, y0}, {y0, u1}, {u1, y1}, {y1, w0}, {w0, z0}})
    cross.edge(from, to);
  const auto blocks = order_of_calls(cross.models());
  expect_valid(blocks, cross);
}

}  // namespace
}  // namespace tutti::models
