// SPDX-License-Identifier: BSD-2-Clause
#include "formats/ssp/structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tutti/error.hpp>

#include "base/text.hpp"
#include "fmi/description/xml.hpp"
#include "formats/ssp/signal_graph.hpp"

namespace tutti::formats::ssp {
namespace {

using Map = std::vector<std::pair<std::string, std::string>>;

std::string looked_up(const Map& map, const std::string& value) {
  const auto found =
      std::ranges::find_if(map, [&](const auto& pair) { return pair.first == value; });
  return found == map.end() ? value : found->second;
}

std::filesystem::path file_of(const Element& element, const std::filesystem::path& folder) {
  return element.fmu_is_absolute ? element.fmu
                                 : element.fmu.lexically_relative(folder.lexically_normal());
}

/// Tables that stand as components, with the columns that are connected.
class Tables {
 public:
  Tables(const SignalGraph& graph, const std::filesystem::path& folder, ExternalInputs& inputs)
      : graph_(graph), folder_(folder), inputs_(inputs) {}

  void add_column(std::uint32_t element, const std::string& column,
                  const SignalGraph::Reached& reached) {
    if (!reached.transformation.map.empty())
      throw Error(ErrorCode::usage, "values of a table cannot be mapped",
                  system::where(reached.place));
    const auto [found, is_new] = index_.emplace(element, inputs_.tables.size());
    if (is_new) {
      InputFile& table = inputs_.tables.emplace_back();
      table.file = file_of(*graph_.elements()[element].element, folder_);
      table.place = graph_.elements()[element].element->place;
    }
    inputs_.tables[found->second].columns.push_back(
        {column,
         {graph_.elements()[reached.element].name, reached.connector},
         reached.transformation.factor,
         reached.transformation.offset});
  }

 private:
  const SignalGraph& graph_;
  const std::filesystem::path& folder_;
  ExternalInputs& inputs_;
  std::map<std::uint32_t, std::size_t> index_;  // by element
};

/// In the order of the file.
void add_connections(const SignalGraph& graph, const std::filesystem::path& folder, System& system,
                     system::Problems& problems) {
  std::vector<std::pair<std::size_t, Connection>> connections;
  Tables tables(graph, folder, system.inputs);
  for (const auto& [element, connector] : graph.sources())
    for (SignalGraph::Reached& reached : graph.reached_from(element, connector, problems)) {
      if (graph.is_table(element)) {
        problems.attempt([&] { tables.add_column(element, connector, reached); });
        continue;
      }
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
  std::ranges::stable_sort(connections,
                           [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [order, connection] : connections) system.connections.push_back(std::move(connection));
}

}  // namespace

Transformation Transformation::then(const Transformation& next) const {
  if ((is_linear() && !next.map.empty()) || (!map.empty() && next.is_linear()))
    throw Error(ErrorCode::usage,
                "a linear transformation and a map follow each other; one value cannot be both a "
                "real number and an item of a map");
  Transformation both;
  both.factor = factor * next.factor;
  both.offset = next.factor * offset + next.offset;
  both.convert_units = convert_units && next.convert_units;
  for (const auto& [from, to] : map) both.map.emplace_back(from, looked_up(next.map, to));
  for (const auto& entry : next.map)
    if (looked_up(map, entry.first) == entry.first &&
        std::ranges::none_of(map, [&](const auto& known) { return known.first == entry.first; }))
      both.map.push_back(entry);
  return both;
}

std::string Transformation::of(const std::string& value) const {
  if (!is_linear()) return looked_up(map, value);
  std::string all;
  fmi::for_each_item(value, [&](std::string_view item) {
    const std::optional<double> number = fmi::parse_double(item);
    if (!number)
      throw Error(ErrorCode::usage,
                  "a linear transformation is for numbers, not for \"" + printable(item) + "\"");
    if (!all.empty()) all += ' ';
    all += number_text(factor * *number + offset);
  });
  return all;
}

const Connector* Element::find_connector(std::string_view connector) const {
  const auto found = std::ranges::find(connectors, connector, &Connector::name);
  return found == connectors.end() ? nullptr : &*found;
}

System flatten(const Structure& structure, const std::filesystem::path& folder,
               const Surroundings& surroundings) {
  System system;
  system.name = structure.name;
  system.simulation.start = structure.start;
  system.simulation.stop = structure.stop;
  system.simulation.step = structure.step;
  system::Problems problems;
  const SignalGraph graph(structure.system, problems);
  std::set<std::string> names;
  for (const FlatElement& flat : graph.elements()) {
    if (flat.component < 0) continue;
    Component& component = system.components.emplace_back();
    component.name = flat.name;
    component.fmu = file_of(*flat.element, folder);
    component.as = flat.element->as;
    component.place = flat.element->place;
    if (!names.insert(flat.name).second)
      problems.add(flat.element->place, fmt::format("there are two components \"{}\"", flat.name),
                   {.component = flat.name});
  }
  add_connections(graph, folder, system, problems);
  problems.raise();
  apply_parameters(graph, system, surroundings, problems);
  problems.raise();
  return system;
}

}  // namespace tutti::formats::ssp
