// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <string>
#include <tutti/log.hpp>
#include <unordered_map>
#include <vector>

#include "system/endpoint.hpp"
#include "system/names.hpp"
#include "system/plan.hpp"

namespace tutti::system {

struct PointHash {
  std::size_t operator()(const Point& p) const {
    std::uint64_t h = (std::uint64_t{p.component} << 32) ^ static_cast<std::uint32_t>(p.variable);
    h = (h ^ (p.element * 0x9E3779B97F4A7C15ull)) * 0xBF58476D1CE4E5B9ull;
    return static_cast<std::size_t>(h ^ (h >> 31));
  }
};

/// Resolves the sources of the inputs of a system to scalars and checks names, causality, shapes,
/// types, units, and that each input has one source.
class InputSources {
 public:
  InputSources(const System& system, std::span<const ModelDescription* const> descriptions,
               std::span<const fmi::StructuralValues> structures, Problems& problems,
               const Log& log);

  void add_connections();
  void add_constants();
  /// Columns named component.variable.
  void add_columns(std::span<const std::string> columns);
  void add_tables();
  /// Inputs at the ends of lines and of delayed signals.
  void add_lines(const LinePlan& lines);
  /// Inputs that nothing drives.
  std::vector<Point> unconnected() const;

  std::vector<Link> links;
  std::vector<ValueMap> maps;
  std::vector<EnumerationCheck> checks;
  std::vector<ExternalInput> external;
  std::vector<Connection> expanded;  ///< expanded patterns

 private:
  template <class Action>
  void attempt(const Connection& connection, std::string_view pattern, const Action& action);
  /// @param pattern from which this connection comes; empty: it was written like this
  void connect(const Connection& connection, std::uint32_t index, std::string_view pattern);
  void check_pair(const Connection& connection, const Selection& from, const Selection& to,
                  const ModelDescription& from_model) const;
  void translate(const Connection& connection, const Selection& from, const Selection& to,
                 const ModelDescription& from_model, const ModelDescription& to_model, Link& link);
  void scale(const Connection& connection, const Selection& from, const Selection& to,
             const ModelDescription& from_model, const ModelDescription& to_model,
             Link& link) const;
  std::uint32_t component(const std::string& name) const;
  Selection select_in(std::uint32_t component, const std::string& variable) const;
  Selection select_input(const Endpoint& to, std::uint32_t& component) const;
  Point select_scalar(const Endpoint& to) const;
  void drive(const Point& input, const std::string& source, const Place& place);
  std::string name(const Point& point) const;

  struct Driver {
    std::string source;
    Place place;
  };
  const System& system_;
  std::span<const ModelDescription* const> descriptions_;
  std::span<const fmi::StructuralValues> structures_;
  Problems& problems_;
  const Log& log_;
  ComponentNames names_;
  std::unordered_map<Point, std::uint32_t, PointHash> driven_;  // index in drivers_
  std::vector<Driver> drivers_;
};

/// `wheel.A[1,2]`
std::string point_name(const System& system, std::span<const ModelDescription* const> descriptions,
                       std::span<const fmi::StructuralValues> structures, const Point& point);

}  // namespace tutti::system
