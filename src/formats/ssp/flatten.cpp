// SPDX-License-Identifier: BSD-2-Clause
#include "formats/ssp/flatten.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "formats/ssp/apply_parameters.hpp"
#include "formats/ssp/signal_graph.hpp"

namespace tutti::formats::ssp {

namespace {

/// In the order of the file.
void add_connections(const SignalGraph& graph, System& system, system::Problems& problems) {
  std::vector<std::pair<std::size_t, Connection>> connections;
  for (const auto& [element, connector] : graph.sources())
    for (SignalGraph::Reached& reached : graph.reached_from(element, connector, problems)) {
      Connection connection;
      connection.from = {graph.elements()[element].name, connector};
      connection.to = {graph.elements()[reached.element].name, reached.connector};
      connection.factor = reached.transformation.factor;
      connection.offset = reached.transformation.offset;
      connection.convert_units = reached.transformation.convert_units;
      connection.map = std::move(reached.transformation.map);
      connection.place = std::move(reached.place);
      connections.emplace_back(reached.order, std::move(connection));
    }
  std::stable_sort(connections.begin(), connections.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [order, connection] : connections) system.connections.push_back(std::move(connection));
}

}  // namespace

System flatten(const Structure& structure, const std::filesystem::path& folder,
               const Surroundings& surroundings) {
  System system;
  system.name = structure.name;
  system.simulation.start = structure.start;
  system.simulation.stop = structure.stop;
  system::Problems problems;
  const SignalGraph graph(structure.system, problems);
  std::set<std::string> names;
  for (const FlatElement& flat : graph.elements()) {
    if (flat.component < 0) continue;
    Component& component = system.components.emplace_back();
    component.name = flat.name;
    component.fmu = flat.element->fmu_is_absolute
                        ? flat.element->fmu
                        : flat.element->fmu.lexically_relative(folder.lexically_normal());
    component.as = flat.element->as;
    component.place = flat.element->place;
    if (!names.insert(flat.name).second)
      problems.add(flat.element->place, fmt::format("there are two components \"{}\"", flat.name));
  }
  add_connections(graph, system, problems);
  problems.raise();
  apply_parameters(graph, system, surroundings, problems);
  problems.raise();
  return system;
}

}  // namespace tutti::formats::ssp
