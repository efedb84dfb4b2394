// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <tutti/export.hpp>
#include <tutti/fmu.hpp>
#include <tutti/log.hpp>
#include <tutti/model_description.hpp>
#include <tutti/system.hpp>
#include <vector>

namespace tutti {

/// The couplings of a system and its calling order, as `tutti graph` shows them.
struct SystemGraph {
  struct Node {
    std::string name;
    std::string fmu;
    FmiVersion version{};
    bool model_exchange = false;
    std::uint32_t stage = 0;
    /// Of a cluster: its members, and the solver of all of them; `fmu` is empty.
    std::vector<Node> members = {};
    std::string solver = {};
  };
  struct Edge {
    std::uint32_t from = 0, to = 0;  ///< components
    std::string output, input;       ///< component.variable
    double factor = 1, offset = 0;   ///< unit conversion included
    /// Inside a cycle: the component of the input is called first.
    bool read_before_produced = false;
  };
  struct Stage {
    std::vector<std::uint32_t> components;  ///< in calling sequence
    bool is_cycle = false;
    std::uint32_t priority = 0;        ///< stages of equal priority may run in parallel
    std::vector<std::string> methods;  ///< of a cycle
  };
  /// A port at the end of a transmission line.
  struct LineEnd {
    std::uint32_t component = 0;
    std::string port;               ///< component.port
    PortInput input{};              ///< chosen
    bool has_feed_through = false;  ///< its flow may depend on its effort directly
  };
  /// Properties of a line in one direction, with the effect of its damping. SI units.
  struct LineDirection {
    double impedance = 0, stiffness = 0, mass = 0;
  };
  struct Line {
    std::array<LineEnd, 2> ends;
    PortDomain domain{};
    double delay = 0, damping = 0;
    std::vector<LineDirection> directions;  ///< one, or x, y and angle
  };
  struct Delay {
    std::uint32_t from = 0, to = 0;  ///< components
    std::string output, input;       ///< component.variable
    double delay = 0;
  };
  /// Values that are set during the run.
  struct Action {
    double at = 0;
    std::vector<std::pair<std::string, std::string>> set;  ///< component.variable = value
  };
  /// A coupled scalar at initialization.
  struct Variable {
    std::string name;
    std::uint32_t component = 0;
    bool is_output = false;
  };
  struct Dependency {
    std::uint32_t from = 0, to = 0;  ///< variables
    bool is_connection = false;      ///< else from an input to an output of its component
  };
  struct Evaluation {
    enum class Kind : std::uint8_t { set, get, solve };
    Kind kind{};
    std::vector<std::uint32_t> variables;
  };

  std::string name;
  std::vector<Node> components;
  std::vector<Edge> connections;
  std::vector<Edge> inside;  ///< connections between members of a cluster, `from` == `to`
  std::vector<Line> lines;
  std::vector<Delay> delays;
  /// Components that step together, joined by lines and delays; one island: no delays.
  std::vector<std::vector<std::uint32_t>> islands;
  std::vector<Stage> stages;                 ///< in order
  std::vector<std::string> external_inputs;  ///< driven by the input file or constants
  std::vector<std::string>
      unconnected_inputs;       ///< they keep their start values, except for actions
  std::vector<Action> actions;  ///< in order of time
  std::vector<Variable> variables;
  std::vector<Dependency> dependencies;
  std::vector<Evaluation> initialization;  ///< in order
  /// Number of evaluations of components in it, outside loops, and the number with every output
  /// evaluated alone.
  std::size_t evaluations = 0, evaluations_alone = 0;
};

/// `A.P (slope) -- B.P (constant): translational, delay 0.0004 s, impedance 1 N.s/m, ...`
TUTTI_API std::string line_text(const SystemGraph::Line& line);

/// Reads the descriptions of the FMUs, each once, and plans. Nothing is loaded or run.
/// @throws Error with all errors
TUTTI_API SystemGraph make_graph(const System& system, const FmuOptions& options = {},
                                 const Log& log = {});

/// The description of a component: that of its FMU, or the variables of a built-in component or C++
/// class in the same form. @throws Error as read_description(), Error(usage)
TUTTI_API ModelDescription describe_component(const System& system, const Component& component,
                                              const FmuOptions& options = {}, const Log& log = {});

enum class GraphOf : std::uint8_t {
  components,
  variables  ///< the coupled scalars at initialization
};
TUTTI_API std::string graph_text(const SystemGraph& graph, GraphOf what);
TUTTI_API std::string graph_dot(const SystemGraph& graph, GraphOf what);
TUTTI_API std::string graph_svg(const SystemGraph& graph, GraphOf what);
TUTTI_API std::string graph_json(const SystemGraph& graph);  ///< everything

}  // namespace tutti
