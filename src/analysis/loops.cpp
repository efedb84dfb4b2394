// SPDX-License-Identifier: BSD-2-Clause
#include "analysis/loops.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "stability/coupled_system.hpp"
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
  const std::size_t part = cycle.interface.outputs[output].part;
  if (cycle.interface.inputs[input].part != part) return false;
  return cycle
      .uncertain[part][(output - cycle.first_output[part]) * cycle.system.parts[part].inputs() +
                       input - cycle.first_input[part]];
}

/// Inputs first, then outputs.
Graph dependencies(const LinearCycle& cycle) {
  const std::size_t inputs = cycle.interface.inputs.size();
  const std::size_t outputs = cycle.interface.outputs.size();
  std::vector<Graph::Edge> edges;
  for (std::size_t i = 0; i < outputs; ++i) {
    const std::size_t part = cycle.interface.outputs[i].part, first = cycle.first_input[part];
    for (std::size_t j = first; j < first + cycle.system.parts[part].inputs(); ++j)
      if (is_uncertain(cycle, i, j) || feed_through(cycle, i, j) != 0)
        edges.push_back({static_cast<Graph::Node>(j), static_cast<Graph::Node>(inputs + i)});
  }
  for (const auto& [input, output, factor] : cycle.interface.l.entries)
    edges.push_back({static_cast<Graph::Node>(inputs + output), static_cast<Graph::Node>(input)});
  return {inputs + outputs, edges};
}

/// From the first member along edges inside the loop, each once.
std::vector<std::string> path_of(const LinearCycle& cycle, const Graph& graph,
                                 const std::vector<Graph::Node>& members) {
  const std::size_t inputs = cycle.interface.inputs.size();
  std::vector<std::string> names;
  std::set<Graph::Node> left(members.begin(), members.end());
  Graph::Node at = members.front();
  while (true) {
    names.push_back(at < inputs ? cycle.interface.inputs[at].name
                                : cycle.interface.outputs[at - inputs].name);
    left.erase(at);
    if (left.empty()) return names;
    const auto successors = graph.successors(at);
    const auto next =
        std::ranges::find_if(successors, [&](Graph::Node node) { return left.contains(node); });
    at = next == successors.end() ? *left.begin() : *next;
  }
}

/// Splits ascending numbers by component.
using Groups = std::map<std::size_t, std::vector<std::size_t>>;
Groups by_part(const std::vector<std::size_t>& members,
               const std::vector<CycleInterface::Scalar>& scalars) {
  Groups groups;
  for (const std::size_t i : members) groups[scalars[i].part].push_back(i);
  return groups;
}

/// The part of the cycle that is in the loop, without states.
stability::CoupledSystem restrict(const LinearCycle& cycle, const Loop& loop) {
  stability::CoupledSystem system;
  // In a loop, every component with an input has an output.
  const Groups us = by_part(loop.inputs, cycle.interface.inputs);
  const Groups ys = by_part(loop.outputs, cycle.interface.outputs);
  for (const auto& [part, u] : us) {
    const std::vector<std::size_t>& y = ys.at(part);
    stability::Subsystem small{Matrix(0, 0), Matrix(0, u.size()), Matrix(y.size(), 0),
                               Matrix(y.size(), u.size())};
    for (std::size_t i = 0; i < y.size(); ++i)
      for (std::size_t j = 0; j < u.size(); ++j) small.d(i, j) = feed_through(cycle, y[i], u[j]);
    system.parts.push_back(std::move(small));
  }
  system.l = {loop.inputs.size(), loop.outputs.size()};
  const auto& links = cycle.interface.l.entries;
  for (std::size_t j = 0; j < loop.inputs.size(); ++j)
    for (auto link = std::ranges::lower_bound(links, loop.inputs[j], {},
                                              &stability::SparseMatrix::Entry::row);
         link != links.end() && link->row == loop.inputs[j]; ++link) {
      const auto output = std::ranges::lower_bound(loop.outputs, link->column);
      if (output != loop.outputs.end() && *output == link->column)
        system.l.entries.push_back(
            {j, static_cast<std::size_t>(output - loop.outputs.begin()), link->value});
    }
  return system;
}

bool knows_magnitudes(const LinearCycle& cycle, const Loop& loop) {
  const Groups us = by_part(loop.inputs, cycle.interface.inputs);
  for (const std::size_t i : loop.outputs)
    for (const std::size_t j : us.at(cycle.interface.outputs[i].part))
      if (is_uncertain(cycle, i, j)) return false;
  return true;
}

}  // namespace

LinearCycle couple(const CycleInterface& interface, std::span<const Linearization> linearizations) {
  LinearCycle cycle{interface, {}, {}, {}, true, {}, {}, {}};
  cycle.system.l = interface.l;
  for (const Linearization& l : linearizations) cycle.has_states &= l.has_states;
  std::size_t first_input = 0, first_output = 0;
  for (const Linearization& l : linearizations) {
    cycle.uncertain.push_back(l.uncertain);
    cycle.first_input.push_back(first_input);
    cycle.first_output.push_back(first_output);
    first_input += l.system.inputs();
    first_output += l.system.outputs();
    cycle.system.parts.push_back(l.system);
  }
  if (!cycle.has_states) {
    cycle.system = cycle.system.without_states();
    return cycle;
  }
  constexpr std::size_t small = 40;
  if (cycle.system.states() + 3 * cycle.system.outputs() <= small) {
    cycle.compact = cycle.system;
  } else if (auto parts = stability::compressed(cycle.system, largest_map)) {
    cycle.compact = std::move(parts->system);
    cycle.left_out = stability::find_spectra(parts->rest);
  }
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
    loop.magnitudes_known = knows_magnitudes(cycle, loop);
    loop.path = path_of(cycle, graph, members);
    loop.system = restrict(cycle, loop);
    loops.push_back(std::move(loop));
  }
  return loops;
}

std::vector<Share> largest_shares(std::vector<Share> shares) {
  constexpr double least = 0.05;
  std::erase_if(shares, [](const Share& share) { return share.weight < least; });
  std::ranges::stable_sort(shares, std::ranges::greater{}, &Share::weight);
  return shares;
}

LoopAdvice describe(const LinearCycle& cycle, const Loop& loop,
                    const stability::LoopSpectrum& gain) {
  LoopAdvice advice;
  advice.variables = loop.path;
  advice.magnitudes_known = loop.magnitudes_known;
  if (!loop.magnitudes_known) return advice;
  advice.eigenvalues = gain.values;
  advice.radius = gain.radius;
  advice.estimated = gain.is_estimated;
  // Two problems with eigenvectors, of 25 n^3 each.
  constexpr std::size_t most = 200;
  if (loop.inputs.size() > most) return advice;
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
