// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tutti/built_in.hpp>
#include <tutti/control_settings.hpp>
#include <tutti/export.hpp>
#include <tutti/fmu.hpp>
#include <tutti/result_group.hpp>
#include <tutti/solvers.hpp>
#include <tutti/tlm.hpp>
#include <vector>

/// A coupled system as a pure description, without loaded FMUs. Defaults are beside the fields, the
/// words of enumerations beside these; the table in src/formats/toml/keys.cpp describes the keys of
/// system files.
namespace tutti {

class ComponentModel;
namespace system {
struct Cluster;
}

/// The action of an integrator at communication points.
enum class AtPoints : std::uint8_t { restart, go_on };
constexpr WordList<2> list_words(AtPoints) { return {"restart", "continue"}; }

struct SolverSettings {
  std::string name = "cvode";
  std::optional<double> rtol, atol, max_step;
  std::optional<double> first_step;  ///< after each start; chosen by the solver
  SolverOptions options;             ///< of this solver: see ode_solvers()
  AtPoints at_points = AtPoints::restart;
  bool diagnose = false;  ///< SolverStatistics::diagnosis
};

/// Whether jumps of inputs go through the event mode of an FMU (FMI 3.0).
enum class EventMode : std::uint8_t { automatic, on, off };
constexpr WordList<3> list_words(EventMode) { return {"auto", "on", "off"}; }

/// One FMU of the system, with a unique name; or a built-in component or a C++ class instead.
struct Component {
  std::string name;
  std::filesystem::path fmu = {};
  BuiltIn built_in = {};
  /// Makes an object of a class (tutti/component_model.hpp): one to read its declarations, and one
  /// for each run. Such a system runs in the process of the caller and cannot be in a system file.
  std::function<std::unique_ptr<ComponentModel>()> model = {};
  FmuKind as = FmuKind::automatic;
  /// Parameters and start values, as written.
  std::vector<std::pair<std::string, std::string>> set = {};
  std::vector<std::string> assigned = {};       ///< names in `set` with values of assign()
  SolverSettings solver = {};                   ///< of a model-exchange FMU
  std::optional<double> tolerance = {};         ///< passed to the FMU; the FMU's
  std::optional<double> step = {};              ///< an integer fraction of the system's: multi-rate
  std::optional<double> timeout = {};           ///< maximum wall time of one step in s; 600
  bool log = false;                             ///< the FMU's debug messages
  EventMode event_mode = EventMode::automatic;  ///< only where inputs jump
  bool early_return = false;     ///< FMI 3.0: steps may end at events of the FMU, wherever they can
  std::vector<Port> ports = {};  ///< where lines of System::tlm end
  Place place = {};
  /// Made from System::clusters when a system is prepared; null: it is no cluster.
  std::shared_ptr<const system::Cluster> cluster = {};
};

enum class InsideStep : std::uint8_t { constant, linear };
constexpr WordList<2> list_words(InsideStep) { return {"constant", "linear"}; }
/// Where the time derivatives of inputs come from.
enum class DerivativeSource : std::uint8_t { automatic, fmu, differences, backward };
constexpr WordList<4> list_words(DerivativeSource) {
  return {"auto", "fmu", "differences", "backward"};
}
/// Correction at a communication point of outputs that depend on extrapolated inputs.
enum class Correction : std::uint8_t { none, linear, consistent };
constexpr WordList<3> list_words(Correction) { return {"none", "linear", "consistent"}; }
/// Extrapolated inputs in the first step, without past values.
enum class FirstStep : std::uint8_t { automatic, constant };
constexpr WordList<2> list_words(FirstStep) { return {"auto", "constant"}; }

/// Input signals inside a step.
struct InputSettings {
  InsideStep inside = InsideStep::constant;  ///< if the value at its end is known
  std::uint32_t order = 0;                   ///< extrapolation, if it is unknown
  DerivativeSource derivatives = DerivativeSource::automatic;
  bool smooth = false;
  Correction correct = Correction::none;
  FirstStep start = FirstStep::automatic;  ///< at fixed steps

  /// Inputs are constant over a step (zero-order hold), without corrections.
  bool are_constant() const {
    return inside == InsideStep::constant && order == 0 && correct == Correction::none;
  }
};

/// Settings for one connection.
struct ConnectionInputs {
  std::optional<InsideStep> inside;
  std::optional<std::uint32_t> order;
  std::optional<DerivativeSource> derivatives;
  std::optional<bool> smooth;

  bool operator==(const ConnectionInputs&) const = default;
  InputSettings over(InputSettings general) const {
    general.inside = inside.value_or(general.inside);
    general.order = order.value_or(general.order);
    general.derivatives = derivatives.value_or(general.derivatives);
    general.smooth = smooth.value_or(general.smooth);
    return general;
  }
};

/// to = factor * from + offset, after the conversion of units.
struct Connection {
  Endpoint from, to;
  double factor = 1, offset = 0;
  bool convert_units = true;
  /// Mapping of values, as written: booleans, integers, items of enumerations. Other values do not
  /// change.
  std::vector<std::pair<std::string, std::string>> map = {};
  ConnectionInputs inputs = {};
  Place place = {};
};

/// A column of a table that drives an input: to = factor * column + offset.
struct InputColumn {
  std::string column;  ///< as in the header; a unit in brackets may be omitted
  Endpoint to;
  double factor = 1, offset = 0;
  bool operator==(const InputColumn&) const = default;
};

/// The end of a communication step at which a table is sampled. The value is constant in the step.
enum class SamplePoint : std::uint8_t { start, end };
constexpr WordList<2> list_words(SamplePoint) { return {"start", "end"}; }

/// A table with column names of its own.
struct InputFile {
  std::filesystem::path file;
  double time_factor = 1;  ///< seconds in a unit of its time
  SamplePoint sample = SamplePoint::start;
  std::vector<InputColumn> columns;
  Place place;
};

/// External inputs: tables and constants.
struct ExternalInputs {
  std::filesystem::path file;  ///< columns named component.variable; empty: none
  std::vector<InputFile> tables;
  /// component.variable = value, constant
  std::vector<std::pair<Endpoint, std::string>> constants;
  /// Model-exchange components without other inputs follow tables inside steps; their integrators
  /// step beyond communication points and interpolate.
  bool exact = false;
  Place place;
};

/// Values that are set during the run, as with Session::set(): inputs without a source and tunable
/// parameters, all of them together as one event.
struct TimedAction {
  double at = 0;  ///< s
  /// component.variable = value, as written
  std::vector<std::pair<Endpoint, std::string>> set;
  Place place;
};

enum class Norm : std::uint8_t { wrms, components };
constexpr WordList<2> list_words(Norm) { return {"wrms", "components"}; }

/// Convergence test of iterations, and the action at their limit.
struct IterationSettings {
  double abs = 1e-6, rel = 1e-4;
  std::uint32_t iterations = 20;
  OnLimit on_limit = OnLimit::stop;
  Norm norm = Norm::wrms;
};

enum class Sweeps : std::uint8_t { seidel, jacobi };
constexpr WordList<2> list_words(Sweeps) { return {"seidel", "jacobi"}; }
/// Whether components save their states before each step, for rollback.
enum class SaveStates : std::uint8_t { when_needed, always, never };
constexpr WordList<3> list_words(SaveStates) { return {"auto", "always", "never"}; }

struct SimulationSettings {
  std::optional<double> start, stop, step;
  /// Communication points spaced logarithmically instead, this number per decade...
  std::optional<double> per_decade;
  std::optional<double> first;  ///< ...from here: the start time
  std::vector<double> points;   ///< or a list, increasing, from the start to the stop time
  std::vector<std::string> methods = {"gauss-seidel"};  ///< further ones are fallbacks
  IterationSettings tolerance;
  std::optional<double> relaxation;  ///< a fixed factor; 1
  bool aitken = false;               ///< or an adaptive one
  Sweeps sweeps = Sweeps::seidel;    ///< of `iterated`
  std::uint32_t threads = 1;
  InputSettings inputs;
  SaveStates save_states = SaveStates::when_needed;
  TlmRules tlm = TlmRules::tutti;
  /// Connected model-exchange components that are in no cluster form one.
  bool monolithic = false;
  ControlSettings control;
};

/// Settings for one cycle.
struct CycleSettings {
  std::vector<std::string> of;
  std::vector<std::string> methods;  ///< empty: those of the simulation
  std::vector<std::string> order;    ///< calling sequence; empty: the best one found
  Place place;
};

/// How the algebraic loops between the members of a cluster are solved: at every evaluation of the
/// right-hand side, or by the integrator, as algebraic equations.
enum class ClusterLoops : std::uint8_t { newton, dae };
constexpr WordList<2> list_words(ClusterLoops) { return {"newton", "dae"}; }

/// Model-exchange components that are solved together, as one system of equations.
struct ClusterSettings {
  std::vector<std::string> of;
  SolverSettings solver;
  ClusterLoops loops = ClusterLoops::newton;
  std::optional<double> step;     ///< as that of a component: multi-rate
  std::optional<double> timeout;  ///< as that of a component
  Place place;
};

struct ResultSettings {
  std::filesystem::path file;          ///< empty: named after the system file
  std::vector<std::string> variables;  ///< patterns; empty: all outputs and connected inputs
  bool only_time = false;              ///< `variables = []`
  bool inputs = true;                  ///< without patterns: also connected inputs
  std::optional<double> interval;      ///< every communication point
  bool steps = false;                  ///< also columns step, iterations, error
  /// Patterns of recorded variables of ports, in a separate file with separate times...
  std::vector<std::string> ports;
  std::optional<double> ports_interval;  ///< ...1/1000 of the time span; 0: every sample
  bool gnuplot = false;                  ///< a script beside the results that plots them
  bool compress = false;                 ///< if the format can
  std::vector<ResultGroup> groups = {};  ///< stored less often, in files of their own
};

struct TUTTI_API System {
  std::string name;
  std::vector<Component> components;
  /// A single FMU without connections: its variables are named without the component, and missing
  /// settings come from its default experiment. See system_of().
  bool is_single_fmu = false;
  std::vector<Connection> connections;
  std::vector<TlmLine> tlm;  ///< between ports
  std::vector<DelayedSignal> delays;
  ExternalInputs inputs;
  std::vector<TimedAction> actions;
  SimulationSettings simulation;
  std::vector<CycleSettings> cycles;
  std::vector<ClusterSettings> clusters;
  ResultSettings results;
  std::filesystem::path folder;  ///< base of relative paths
  /// Folder of the unpacked package (.ssp); removed with the last system that refers to it.
  std::shared_ptr<const std::filesystem::path> package;
  std::filesystem::path package_file;  ///< that package, for messages

  /// Some input is not constant over a step.
  bool has_varying_inputs() const;
  /// `component.variable`, or `variable` of a single FMU.
  std::string qualified(std::size_t component, std::string_view variable) const;
  /// Index of the component with this name; -1 if there is none.
  std::int32_t find(std::string_view name) const;
};

}  // namespace tutti
