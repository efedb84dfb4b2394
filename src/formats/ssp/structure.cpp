// SPDX-License-Identifier: BSD-2-Clause
#include "formats/ssp/structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tutti/error.hpp>
#include <unordered_map>

#include "base/number_type.hpp"
#include "base/text.hpp"
#include "fmi/description/xml.hpp"
#include "formats/ssp/signal_graph.hpp"
#include "formats/value.hpp"
#include "system/component_kind.hpp"
#include "system/value_map.hpp"

namespace tutti::formats::ssp {
namespace {

/// A value and the transformations up to its variable.
struct Applied {
  const ParameterValue& value;
  const Binding& binding;
  Transformation transformation;
};

class Appliance {
 public:
  Appliance(const SignalGraph& graph, System& system, const Surroundings& surroundings,
            system::Problems& problems)
      : graph_(graph), system_(system), surroundings_(surroundings), problems_(problems) {}

  /// Inner elements first: later values take precedence.
  void apply(std::uint32_t index) {
    const FlatElement& element = graph_.elements()[index];
    for (const std::uint32_t part : element.children) apply(part);
    for (const Binding& binding : element.element->bindings) apply(index, binding);
  }

 private:
  void apply(std::uint32_t index, const Binding& binding) {
    std::vector<std::string> unused;
    for (const ParameterValue& value : binding.values) {
      const std::string name = binding.prefix + value.name;
      bool used = false;
      if (!binding.mapping) {
        used = give(index, name, {value, binding, {}});
      } else {
        used = true;  // unmapped values are not applied
        for (const MappingEntry& entry : *binding.mapping)
          if (entry.source == name)
            used &= give(index, entry.target, {value, binding, entry.transformation});
      }
      if (!used) unused.push_back(name);
    }
    if (!unused.empty())
      surroundings_.log.info("", fmt::format("{}values without a variable: {}",
                                             system::at(binding.place), fmt::join(unused, ", ")));
  }

  /// To all variables that the name refers to in the element.
  bool give(std::uint32_t index, std::string_view name, const Applied& applied) {
    const FlatElement& flat = graph_.elements()[index];
    const Element& element = *flat.element;
    if (element.kind == Element::Kind::component) return set(flat, std::string(name), applied);
    bool given = false;
    if (element.find_connector(name) != nullptr) {
      for (const SignalGraph::Reached& reached :
           graph_.reached_from(index, std::string(name), problems_)) {
        problems_.attempt([&] {
          Applied on = applied;
          on.transformation = on.transformation.then(reached.transformation);
          given |= set(graph_.elements()[reached.element], reached.connector, on);
        });
      }
    }
    for (const std::uint32_t part : flat.children) {
      const std::string& prefix = graph_.elements()[part].element->name;
      if (name.size() > prefix.size() + 1 && name.starts_with(prefix) && name[prefix.size()] == '.')
        given |= give(part, name.substr(prefix.size() + 1), applied);
    }
    return given;
  }

  bool set(const FlatElement& flat, const std::string& variable, const Applied& applied) {
    Component& component = system_.components[static_cast<std::size_t>(flat.component)];
    const ModelDescription* model = description(flat);
    const Variable* found = model == nullptr ? nullptr : model->find(variable);
    if (model != nullptr && found == nullptr) {  // an element of an array?
      const std::size_t bracket = variable.rfind('[');
      if (!variable.ends_with(']') || bracket == variable.npos) return false;
      found = model->find(std::string_view(variable).substr(0, bracket));
      if (found == nullptr || !found->is_array()) return false;
    }
    problems_.attempt([&] {
      std::string text = applied.value.value;
      if (found != nullptr) text = converted(text, applied, *model, *found);
      set_value(component.set, variable, applied.transformation.of(text));
    });
    return true;
  }

  /// From the unit of the parameter set to that of the variable.
  static std::string converted(const std::string& text, const Applied& applied,
                               const ModelDescription& model, const Variable& variable) {
    if (!is_float(variable.type) || applied.value.unit.empty() ||
        !applied.transformation.convert_units)
      return text;
    ModelDescription source;
    source.units = applied.binding.units;
    Variable value;
    value.attributes.unit = applied.value.unit;
    const system::UnitConversion units = system::convert_units(source, value, model, variable);
    using Kind = system::UnitConversion::Kind;
    if (units.kind == Kind::clash)
      throw Error(ErrorCode::usage,
                  fmt::format("parameter \"{}\": unit \"{}\" and unit \"{}\" of the variable "
                              "\"{}\" measure different quantities",
                              applied.value.name, applied.value.unit, variable.attributes.unit,
                              variable.name),
                  system::where(applied.binding.place, {.variable = variable.name}));
    if (units.kind != Kind::linear) return text;
    Transformation conversion;
    conversion.factor = units.factor;
    conversion.offset = units.offset;
    return conversion.of(text);
  }

  /// Read at the first value for its FMU; null if that fails, which the planning of the run
  /// reports.
  const ModelDescription* description(const FlatElement& flat) {
    const Element& element = *flat.element;
    const auto [known, is_new] = descriptions_.try_emplace(
        element.built_in.empty() ? element.fmu.string() : ":" + flat.name);
    if (is_new) {
      try {
        known->second = system::description_of(
            {.name = flat.name, .fmu = element.fmu, .built_in = element.built_in}, {},
            surroundings_.open);
      } catch (const Error& error) {
        if (error.code() == ErrorCode::interrupted) throw;
      }
    }
    return known->second.get();
  }

  const SignalGraph& graph_;
  System& system_;
  const Surroundings& surroundings_;
  system::Problems& problems_;
  std::unordered_map<std::string, std::shared_ptr<const ModelDescription>>
      descriptions_;  // by file
};

using Map = std::vector<std::pair<std::string, std::string>>;

std::string looked_up(const Map& map, const std::string& value) {
  const auto found =
      std::ranges::find_if(map, [&](const auto& pair) { return pair.first == value; });
  return found == map.end() ? value : found->second;
}

/// The file of an element, as seen from the folder.
std::filesystem::path file_of(const Element& element, const std::filesystem::path& file,
                              const std::filesystem::path& folder) {
  if (file.empty() || element.fmu_is_absolute) return file;
  return file.lexically_relative(folder.lexically_normal());
}

/// Tables in place of components, with the connected columns.
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
      const Element& from = *graph_.elements()[element].element;
      table.file = file_of(from, from.fmu, folder_);
      table.place = from.place;
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

void apply_parameters(const SignalGraph& graph, System& system, const Surroundings& surroundings,
                      system::Problems& problems) {
  Appliance(graph, system, surroundings, problems).apply(0);
}

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
    component.fmu = file_of(*flat.element, flat.element->fmu, folder);
    component.built_in = flat.element->built_in;
    component.built_in.file = file_of(*flat.element, component.built_in.file, folder);
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
