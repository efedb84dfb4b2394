// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/model_description.hpp>
#include <tutti/system.hpp>

#include "system/evaluation_order.hpp"
#include "system/graph.hpp"
#include "system/line_plan.hpp"
#include "system/point.hpp"
#include "system/value_map.hpp"

namespace tutti::system {

/// One scalar that is transferred: to = factor * from + offset, unit conversion included. Values
/// that are not real have factor 1 and offset 0.
struct Link {
  Point from, to;
  double factor = 1, offset = 0;
  std::uint32_t connection = 0;  ///< index in System::connections
  std::int32_t expanded = -1;    ///< index in Plan::expanded; -1: not from a pattern
  std::int32_t map = -1;         ///< index in Plan::maps; -1: none
  std::int32_t check = -1;       ///< index in Plan::checks; -1: every value fits
};

/// One scalar input that is driven from outside.
struct ExternalInput {
  Point to;
  bool is_constant = false;
  /// Constants: index in System::inputs.constants. Column of a table: index in its columns. Else
  /// the column of the input file, where 0 is the first one after the time.
  std::uint32_t source = 0;
  std::int32_t table = -1;  ///< index in System::inputs.tables; -1: none of them
};

/// Components that are advanced together: one alone, or all of a cycle.
struct Stage {
  std::vector<std::uint32_t> components;  ///< in calling sequence
  bool is_cycle = false;
  std::uint32_t priority = 0;  ///< stages of one priority may run in parallel
  std::int32_t settings = -1;  ///< index in System::cycles; -1: those of the simulation
};

/// Everything that can be derived from a system before the run.
struct Plan {
  std::vector<ValueMap> maps;            ///< of discrete values on links
  std::vector<EnumerationCheck> checks;  ///< of values on links to enumerations
  std::vector<Link> links;
  std::vector<Connection> expanded;  ///< connections expanded from patterns
  std::vector<ExternalInput> external;
  LinePlan lines;             ///< ports, transmission lines, delayed signals
  Graph graph;                ///< of components, without lines
  std::vector<Stage> stages;  ///< in topological order

  /// Initialization: coupled scalars, and the order to compute them in.
  std::vector<Point> coupled;                ///< by node
  std::vector<CoupledVariable> variables;    ///< by node
  std::vector<EvaluationBlock> evaluations;  ///< over the nodes
  /// Connections, then from the inputs of a component to its outputs that depend on them at
  /// initialization; see running_dependencies().
  std::vector<Graph::Edge> dependencies;
  /// Inputs that nothing drives: they keep their start values.
  std::vector<Point> unconnected_inputs;

  /// The connection of a link, never a pattern.
  const Connection& connection_of(const System& system, const Link& link) const {
    return link.expanded < 0 ? system.connections[link.connection]
                             : expanded[static_cast<std::size_t>(link.expanded)];
  }
};

}  // namespace tutti::system
