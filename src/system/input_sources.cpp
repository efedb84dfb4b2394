// SPDX-License-Identifier: BSD-2-Clause
#include "system/input_sources.hpp"

#include <fmt/format.h>

#include <cmath>
#include <tutti/error.hpp>

#include "base/number_type.hpp"
#include "base/text.hpp"
#include "system/cluster.hpp"
#include "system/lines.hpp"
#include "system/patterns.hpp"
#include "system/value_map.hpp"

namespace tutti::system {
namespace {

std::string shape_text(const Selection& selection) {
  if (selection.shape.empty()) return "a scalar";
  return fmt::format("an array of {}", fmt::join(selection.shape, " x "));
}

}  // namespace

std::string point_name(const System& system, std::span<const ModelDescription* const> descriptions,
                       std::span<const fmi::StructuralValues> structures, const Point& point) {
  const ModelDescription& description = *descriptions[point.component];
  const Variable& variable = description.variables[static_cast<std::size_t>(point.variable)];
  const Component& component = system.components[point.component];
  const std::string prefix = component.cluster != nullptr ? "" : component.name + ".";
  if (!variable.is_array()) return prefix + variable.name;
  return prefix +
         fmi::element_name(variable.name,
                           fmi::shape_of(description, variable, structures[point.component]),
                           point.element);
}

InputSources::InputSources(const System& system,
                           std::span<const ModelDescription* const> descriptions,
                           std::span<const fmi::StructuralValues> structures, Problems& problems,
                           const Log& log)
    : system_(system),
      descriptions_(descriptions),
      structures_(structures),
      problems_(problems),
      log_(log),
      names_(system) {
  links.reserve(system.connections.size());
  drivers_.reserve(system.connections.size());
  driven_.reserve(system.connections.size());
  for (std::uint32_t c = 0; c < system.components.size(); ++c)
    if (const auto& cluster = system.components[c].cluster)
      for (const Link& link : cluster->plan.links)
        drive({c, cluster->whole(link.to.component, link.to.variable), link.to.element},
              fmt::format("connection \"{}\"",
                          text_of(cluster->plan.connection_of(cluster->system, link))),
              cluster->plan.connection_of(cluster->system, link).place);
}

std::string InputSources::name(const Point& point) const {
  return point_name(system_, descriptions_, structures_, point);
}

std::uint32_t InputSources::component(const std::string& name) const {
  const std::int32_t index = names_.find(name);
  if (index < 0) throw names_.unknown(name);
  return static_cast<std::uint32_t>(index);
}

Selection InputSources::select_in(std::uint32_t index, const std::string& variable) const {
  return select(system_.components[index], *descriptions_[index], structures_[index], variable);
}

Selection InputSources::select_input(const Endpoint& to, std::uint32_t& index) const {
  index = component(to.component);
  Selection selection = select_in(index, to.variable);
  check_target(system_.components[index], *selection.variable);
  return selection;
}

Point InputSources::select_scalar(const Endpoint& to) const {
  std::uint32_t index = 0;
  const Selection selection = select_in(index = component(to.component), to.variable);
  check_column_target(system_.components[index], *selection.variable);
  if (!selection.shape.empty())
    throw Error(ErrorCode::usage, "it is an array; a column holds one element, as \"u[1]\"");
  return {index, selection.index, selection.first};
}

void InputSources::drive(const Point& input, const std::string& source, const Place& place) {
  const auto [found, is_new] = driven_.emplace(input, static_cast<std::uint32_t>(drivers_.size()));
  if (!is_new) {
    const Driver& other = drivers_[found->second];
    std::string before = at(other.place);
    if (!before.empty()) before = fmt::format(" ({})", before.substr(0, before.size() - 2));
    throw Error(ErrorCode::usage,
                fmt::format("input \"{}\" is driven twice: by {}{} and by {}", name(input),
                            other.source, before, source),
                {.hint = "An input has one source."});
  }
  drivers_.push_back({source, place});
}

void InputSources::add_connections() {
  ConnectionPatterns patterns(system_, descriptions_);
  for (std::uint32_t i = 0; i < system_.connections.size(); ++i) {
    const Connection& connection = system_.connections[i];
    if (!patterns.is_pattern(connection)) {
      attempt(connection, "", [&] { connect(connection, i, ""); });
      continue;
    }
    const std::string pattern = text_of(connection);
    std::vector<Connection> all;
    attempt(connection, "", [&] { all = patterns.expand(connection); });
    for (Connection& one : all) {
      attempt(one, pattern, [&] { connect(one, i, pattern); });
      expanded.push_back(std::move(one));
    }
  }
}

/// Collects the errors of a connection, which may come from a pattern.
template <class Action>
void InputSources::attempt(const Connection& connection, std::string_view pattern,
                           const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    const std::string source = pattern.empty() ? "" : fmt::format(" (of \"{}\")", pattern);
    problems_.add(connection.place,
                  fmt::format("connection \"{}\"{}", names_.text(connection), source), error,
                  {.component = connection.to.component, .variable = connection.to.variable});
  }
}

void InputSources::connect(const Connection& connection, std::uint32_t index,
                           std::string_view pattern) {
  const std::uint32_t from_component = component(connection.from.component);
  const Selection from = select_in(from_component, connection.from.variable);
  check_source(system_.components[from_component], *from.variable);
  std::uint32_t to_component = 0;
  const Selection to = select_input(connection.to, to_component);
  const ModelDescription& from_model = *descriptions_[from_component];
  check_pair(connection, from, to, from_model);
  Link link;
  link.connection = index;
  link.expanded = pattern.empty() ? -1 : static_cast<std::int32_t>(expanded.size());
  scale(connection, from, to, from_model, *descriptions_[to_component], link);
  translate(connection, from, to, from_model, *descriptions_[to_component], link);
  const std::string source = fmt::format("\"{}\"{}", names_.text(connection.from),
                                         pattern.empty() ? "" : fmt::format(" of \"{}\"", pattern));
  for (std::uint64_t i = 0; i < to.count; ++i) {
    link.from = {from_component, from.index, from.first + i};
    link.to = {to_component, to.index, to.first + i};
    drive(link.to, source, connection.place);
    links.push_back(link);
  }
}

void InputSources::check_pair(const Connection& connection, const Selection& from,
                              const Selection& to, const ModelDescription& from_model) const {
  const Selection& array = from.shape.empty() ? to : from;
  if (from.shape != to.shape)
    throw Error(
        ErrorCode::usage,
        fmt::format("\"{}\" is {}, but \"{}\" is {}", connection.from.variable, shape_text(from),
                    connection.to.variable, shape_text(to)),
        {.hint = fmt::format("Connect single elements, as \"{}\", or give both the same size.",
                             first_element(array.variable->name, array.shape))});
  const auto is_number = [](Type type) { return !is_text(type) && type != Type::boolean; };
  const bool numbers = is_number(from.variable->type) && is_number(to.variable->type);
  if (!widens(from_model, *from.variable, *to.variable))
    throw Error(
        ErrorCode::usage,
        fmt::format("a value of type {} {} an input of type {}", to_string(from.variable->type),
                    numbers ? "does not always fit into" : "cannot go into",
                    to_string(to.variable->type)),
        {.hint = numbers ? "Connect an output whose every value the input can hold."
                         : "Connect variables of one type."});
  const bool scaled = connection.factor != 1 || connection.offset != 0;
  if (scaled && !(is_float(from.variable->type) && is_float(to.variable->type)))
    throw Error(ErrorCode::usage,
                fmt::format("factor and offset are for real values, but \"{}\" "
                            "is of type {}",
                            connection.from.variable, to_string(from.variable->type)));
  if (!std::isfinite(connection.factor) || !std::isfinite(connection.offset))
    throw Error(ErrorCode::usage, "factor and offset must be finite numbers");
}

void InputSources::scale(const Connection& connection, const Selection& from, const Selection& to,
                         const ModelDescription& from_model, const ModelDescription& to_model,
                         Link& link) const {
  link.factor = connection.factor;
  link.offset = connection.offset;
  if (!is_float(from.variable->type) || !is_float(to.variable->type) || !connection.convert_units)
    return;
  const UnitConversion units = convert_units(from_model, *from.variable, to_model, *to.variable);
  const auto words = [&] {
    return fmt::format("unit \"{}\" of the output and \"{}\" of the input",
                       from.variable->attributes.unit, to.variable->attributes.unit);
  };
  switch (units.kind) {
    case UnitConversion::Kind::none:
      break;
    case UnitConversion::Kind::linear:
      link.factor = connection.factor * units.factor;
      link.offset = connection.factor * units.offset + connection.offset;
      break;
    case UnitConversion::Kind::unclear:
      log_.warning("", fmt::format("{}connection \"{}\": {} have different names, and no base unit "
                                   "defines them; nothing is converted",
                                   at(connection.place), names_.text(connection), words()));
      break;
    case UnitConversion::Kind::clash:
      throw Error(ErrorCode::usage, words() + " measure different quantities",
                  {.hint = "Connect an output of the same quantity."});
  }
}

void InputSources::translate(const Connection& connection, const Selection& from,
                             const Selection& to, const ModelDescription& from_model,
                             const ModelDescription& to_model, Link& link) {
  ValueMap map;
  if (!connection.map.empty())
    map = make_value_map(connection, from_model, *from.variable, to_model, *to.variable);
  if (auto check =
          make_enumeration_check(from_model, *from.variable, map, to_model, *to.variable)) {
    check->connection = names_.text(connection);
    link.check = static_cast<std::int32_t>(checks.size());
    checks.push_back(std::move(*check));
  }
  if (map.empty()) return;
  link.map = static_cast<std::int32_t>(maps.size());
  maps.push_back(std::move(map));
}

void InputSources::add_constants() {
  const auto& constants = system_.inputs.constants;
  for (std::size_t i = 0; i < constants.size(); ++i) {
    const Endpoint& to = constants[i].first;
    try {
      std::uint32_t index = 0;
      const Selection selection = select_input(to, index);
      for (std::uint64_t k = 0; k < selection.count; ++k) {
        const Point point{index, selection.index, selection.first + k};
        drive(point, "the constant of [inputs.set]", {});
        external.push_back({point, true, static_cast<std::uint32_t>(i)});
      }
    } catch (const Error& error) {
      problems_.add({}, fmt::format("constant input \"{}\"", names_.text(to)), error,
                    {.component = to.component, .variable = to.variable, .key = "inputs.set"});
    }
  }
}

void InputSources::add_columns(std::span<const std::string> columns) {
  const std::string file = system_.inputs.file.string();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    try {
      const Point point = select_scalar(names_.resolve(columns[i]));
      drive(point, fmt::format("a column of \"{}\"", file), {});
      external.push_back({point, false, static_cast<std::uint32_t>(i)});
    } catch (const Error& error) {
      problems_.add({file}, fmt::format("column \"{}\"", printable(columns[i])), error,
                    {.key = "inputs.file"});
    }
  }
}

void InputSources::add_tables() {
  const auto& tables = system_.inputs.tables;
  for (std::size_t t = 0; t < tables.size(); ++t)
    for (std::size_t i = 0; i < tables[t].columns.size(); ++i) {
      const InputColumn& column = tables[t].columns[i];
      try {
        const Point point = select_scalar(column.to);
        drive(point, fmt::format("column \"{}\" of \"{}\"", column.column, tables[t].file.string()),
              tables[t].place);
        external.push_back(
            {point, false, static_cast<std::uint32_t>(i), static_cast<std::int32_t>(t)});
      } catch (const Error& error) {
        problems_.add(tables[t].place,
                      fmt::format("input \"{}.{}\"", column.to.component, column.to.variable),
                      error, {.component = column.to.component, .variable = column.to.variable});
      }
    }
}

void InputSources::add_lines(const LinePlan& lines) {
  for (const PlannedPort& port : lines.ports) {
    const Component& component = system_.components[port.component];
    const Port& given = component.ports[port.number];
    const std::string source = fmt::format("port \"{}.{}\"", component.name, given.name);
    for (const Point& input : input_points(port, *descriptions_[port.component])) {
      try {
        drive(input, source, given.place);
      } catch (const Error& error) {
        problems_.add(
            given.place, source, error,
            {.component = component.name, .key = key_of(component, "ports." + given.name)});
      }
    }
  }
  for (const PlannedDelay& delay : lines.delays) {
    const DelayedSignal& given = system_.delays[delay.number];
    const std::string source =
        fmt::format("\"{}.{}\", delayed", given.from.component, given.from.variable);
    try {
      drive(delay.to, source, given.place);
    } catch (const Error& error) {
      problems_.add(given.place, "delayed signal", error,
                    {.component = given.to.component, .key = "delays.to"});
    }
  }
}

std::vector<Point> InputSources::unconnected() const {
  std::vector<Point> all;
  std::unordered_map<const ModelDescription*, std::vector<std::int32_t>> inputs;
  for (std::uint32_t c = 0; c < descriptions_.size(); ++c) {
    const ModelDescription& description = *descriptions_[c];
    const auto [found, is_new] = inputs.try_emplace(&description);
    if (is_new)
      for (std::size_t v = 0; v < description.variables.size(); ++v)
        if (description.variables[v].causality == Causality::input &&
            description.variables[v].type != Type::clock)
          found->second.push_back(static_cast<std::int32_t>(v));
    for (const std::int32_t v : found->second) {
      const Variable& variable = description.variables[static_cast<std::size_t>(v)];
      const std::uint64_t count =
          variable.is_array()
              ? fmi::element_count(fmi::shape_of(description, variable, structures_[c]))
              : 1;
      for (std::uint64_t element = 0; element < count; ++element)
        if (!driven_.contains({c, v, element})) all.push_back({c, v, element});
    }
  }
  return all;
}

}  // namespace tutti::system
