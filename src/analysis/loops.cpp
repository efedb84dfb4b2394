// SPDX-License-Identifier: BSD-2-Clause
#include "analysis/loops.hpp"

#include <algorithm>
#include <map>

#include "stability/compression.hpp"
#include "stability/spectrum.hpp"
#include "system/graph.hpp"

namespace tutti::analysis {
namespace {

using stability::Matrix;
using system::Graph;

/// D of the whole cycle at (output, input).
double feed_through(const LinearCycle& cycle, std::size_t output, std::size_t input) {
  const std::size_t part = cycle.interface.outputs[output].part;
  if (cycle.interface.inputs[input].part != part) return 0;
  return cycle.system.parts[part].d(output - cycle.first_output[part],
                                    input - cycle.first_input[part]);
}

bool is_uncertain(const LinearCycle& cycle, std::size_t output, std::size_t input) {
  return cycle.uncertain[output * cycle.interface.inputs.size() + input];
}

/// Inputs first, then outputs.
Graph dependencies(const LinearCycle& cycle) {
  const std::size_t inputs = cycle.interface.inputs.size();
  const std::size_t outputs = cycle.interface.outputs.size();
  std::vector<Graph::Edge> edges;
  for (std::size_t i = 0; i < outputs; ++i)
    for (std::size_t j = 0; j < inputs; ++j) {
      const auto u = static_cast<Graph::Node>(j), y = static_cast<Graph::Node>(inputs + i);
      if (is_uncertain(cycle, i, j) || feed_through(cycle, i, j) != 0) edges.push_back({u, y});
      if (cycle.interface.l(j, i) != 0) edges.push_back({y, u});
    }
  return {inputs + outputs, edges};
}

/// From the first member along edges inside the loop, each once.
std::vector<std::string> path_of(const LinearCycle& cycle, const Graph& graph,
                                 const std::vector<Graph::Node>& members) {
  const std::size_t inputs = cycle.interface.inputs.size();
  std::vector<std::string> names;
  std::vector<Graph::Node> left = members;
  Graph::Node at = left.front();
  while (true) {
    names.push_back(at < inputs ? cycle.interface.inputs[at].name
                                : cycle.interface.outputs[at - inputs].name);
    std::erase(left, at);
    if (left.empty()) return names;
    const auto next = std::find_if(left.begin(), left.end(),
                                   [&](Graph::Node node) { return graph.has_edge(at, node); });
    at = next == left.end() ? left.front() : *next;
  }
}

/// The part of the cycle that is in the loop, without states.
stability::CoupledSystem restrict(const LinearCycle& cycle, const Loop& loop) {
  stability::CoupledSystem system;
  for (std::size_t part = 0; part < cycle.system.parts.size(); ++part) {
    std::vector<std::size_t> us, ys;
    for (const std::size_t j : loop.inputs)
      if (cycle.interface.inputs[j].part == part) us.push_back(j);
    for (const std::size_t i : loop.outputs)
      if (cycle.interface.outputs[i].part == part) ys.push_back(i);
    stability::Subsystem small{Matrix(0, 0), Matrix(0, us.size()), Matrix(ys.size(), 0),
                               Matrix(ys.size(), us.size())};
    for (std::size_t i = 0; i < ys.size(); ++i)
      for (std::size_t j = 0; j < us.size(); ++j) small.d(i, j) = feed_through(cycle, ys[i], us[j]);
    system.parts.push_back(std::move(small));
  }
  system.l = Matrix(loop.inputs.size(), loop.outputs.size());
  for (std::size_t j = 0; j < loop.inputs.size(); ++j)
    for (std::size_t i = 0; i < loop.outputs.size(); ++i)
      system.l(j, i) = cycle.interface.l(loop.inputs[j], loop.outputs[i]);
  return system;
}

}  // namespace

LinearCycle couple(const CycleInterface& interface, std::span<const Linearization> linearizations) {
  LinearCycle cycle{interface, {}, {}, true, {}, {}, {}};
  cycle.system.l = interface.l;
  cycle.uncertain.resize(interface.inputs.size() * interface.outputs.size());
  for (const Linearization& l : linearizations) cycle.has_states &= l.has_states;
  std::size_t first_input = 0, first_output = 0;
  for (const Linearization& l : linearizations) {
    for (std::size_t i = 0; i < l.system.outputs(); ++i)
      for (std::size_t j = 0; j < l.system.inputs(); ++j)
        cycle.uncertain[(first_output + i) * interface.inputs.size() + first_input + j] =
            l.uncertain[i * l.system.inputs() + j];
    cycle.first_input.push_back(first_input);
    cycle.first_output.push_back(first_output);
    first_input += l.system.inputs();
    first_output += l.system.outputs();
    cycle.system.parts.push_back(l.system);
  }
  if (!cycle.has_states) cycle.system = cycle.system.without_states();
  constexpr std::size_t small = 40;
  cycle.compact = cycle.system.states() + 3 * cycle.system.outputs() <= small
                      ? cycle.system
                      : stability::compressed(cycle.system);
  return cycle;
}

std::vector<Loop> find_loops(const LinearCycle& cycle) {
  const Graph graph = dependencies(cycle);
  const std::size_t inputs = cycle.interface.inputs.size();
  std::vector<Loop> loops;
  for (const auto& members : system::strong_components(graph).members) {
    if (members.size() < 2) continue;
    Loop loop;
    for (const Graph::Node node : members)
      node < inputs ? loop.inputs.push_back(node) : loop.outputs.push_back(node - inputs);
    for (const std::size_t i : loop.outputs)
      for (const std::size_t j : loop.inputs) loop.magnitudes_known &= !is_uncertain(cycle, i, j);
    loop.path = path_of(cycle, graph, members);
    loop.system = restrict(cycle, loop);
    loops.push_back(std::move(loop));
  }
  return loops;
}

std::vector<Share> largest_shares(std::vector<Share> shares) {
  constexpr double least = 0.05;
  std::erase_if(shares, [](const Share& share) { return share.weight < least; });
  std::stable_sort(shares.begin(), shares.end(),
                   [](const Share& a, const Share& b) { return a.weight > b.weight; });
  return shares;
}

LoopAdvice describe(const LinearCycle& cycle, const Loop& loop) {
  LoopAdvice advice;
  advice.variables = loop.path;
  advice.magnitudes_known = loop.magnitudes_known;
  if (!loop.magnitudes_known) return advice;
  advice.eigenvalues = stability::eigenvalues(stability::loop_gain(loop.system));
  advice.radius = advice.eigenvalues.empty() ? 0 : std::abs(advice.eigenvalues.front());
  const auto weights = stability::participation(stability::input_loop_gain(loop.system));
  std::map<std::string, double> by_component;
  for (std::size_t k = 0; k < loop.inputs.size(); ++k) {
    const CycleInterface::Scalar& input = cycle.interface.inputs[loop.inputs[k]];
    advice.inputs.push_back({input.name, weights[k]});
    by_component[cycle.interface.names[input.part]] += weights[k];
  }
  for (const auto& [name, weight] : by_component) advice.components.push_back({name, weight});
  advice.inputs = largest_shares(std::move(advice.inputs));
  advice.components = largest_shares(std::move(advice.components));
  return advice;
}

}  // namespace tutti::analysis
