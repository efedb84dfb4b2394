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
#include <tutti/solvers.hpp>
#include <tutti/tlm.hpp>
#include <vector>

/// A coupled system as a pure description: no FMU is loaded to have one. Defaults stand beside the
/// fields; what a key of a system file means is said once, in the table of
/// src/formats/toml/keys.cpp; the words of enumerations stand beside them.
namespace tutti {

class ComponentModel;

/// What an integrator does at communication points.
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

/// One FMU of the system, under a name of its own; or a built-in component or a C++ class in the
/// place of one.
struct Component {
  std::string name;
  std::filesystem::path fmu = {};
  BuiltIn built_in = {};
  /// Makes an object of a class (tutti/component_model.hpp): one to see what it declares, and one
  /// for each run. Such a system runs in the process of the caller; system files cannot name it.
  std::function<std::unique_ptr<ComponentModel>()> model = {};
  FmuKind as = FmuKind::automatic;
  /// Parameters and start values, as written.
  std::vector<std::pair<std::string, std::string>> set = {};
  std::vector<std::string> assigned = {};       ///< names in `set` whose values assign() gave
  SolverSettings solver = {};                   ///< of a model-exchange FMU
  std::optional<double> tolerance = {};         ///< given to the FMU; the FMU's own
  std::optional<double> step = {};              ///< an integer fraction of the system's: multi-rate
  std::optional<double> timeout = {};           ///< seconds of wall time for one step; 600
  bool log = false;                             ///< the FMU's debug messages
  EventMode event_mode = EventMode::automatic;  ///< only where inputs jump
  bool early_return = false;     ///< FMI 3.0: steps may end at events of the FMU, wherever they can
  std::vector<Port> ports = {};  ///< where lines of System::tlm end
  Place place = {};
};

enum class InsideStep : std::uint8_t { constant, linear };
constexpr WordList<2> list_words(InsideStep) { return {"constant", "linear"}; }
/// Where the time derivatives of inputs come from.
enum class DerivativeSource : std::uint8_t { automatic, fmu, differences, backward };
constexpr WordList<4> list_words(DerivativeSource) {
  return {"auto", "fmu", "differences", "backward"};
}
/// What is done at a communication point because outputs were computed with inputs that had been
/// extrapolated.
enum class Correction : std::uint8_t { none, linear, consistent };
constexpr WordList<3> list_words(Correction) { return {"none", "linear", "consistent"}; }
/// What extrapolated inputs do in the first step, where they have no past.
enum class FirstStep : std::uint8_t { automatic, constant };
constexpr WordList<2> list_words(FirstStep) { return {"auto", "constant"}; }

/// How inputs behave inside a step.
struct InputSettings {
  InsideStep inside = InsideStep::constant;  ///< where the value at its end is known
  std::uint32_t order = 0;                   ///< extrapolation, where it is not
  DerivativeSource derivatives = DerivativeSource::automatic;
  bool smooth = false;
  Correction correct = Correction::none;
  FirstStep start = FirstStep::automatic;  ///< at fixed steps

  /// Inputs are constant over a step (zero-order hold), without corrections.
  bool are_constant() const {
    return inside == InsideStep::constant && order == 0 && correct == Correction::none;
  }
};

/// What is different for one connection.
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
  /// Values that become others, as written: booleans, whole numbers, items of enumerations. What is
  /// not listed stays as it is.
  std::vector<std::pair<std::string, std::string>> map = {};
  ConnectionInputs inputs = {};
  Place place = {};
};

/// A column of a table that drives an input: to = factor * column + offset.
struct InputColumn {
  std::string column;  ///< as in the header; a unit behind it in brackets may be left out
  Endpoint to;
  double factor = 1, offset = 0;
  bool operator==(const InputColumn&) const = default;
};

/// The end of a communication step at which a table is sampled; its value is constant over the
/// step.
enum class SamplePoint : std::uint8_t { start, end };
constexpr WordList<2> list_words(SamplePoint) { return {"start", "end"}; }

/// A table whose columns have names of their own.
struct InputFile {
  std::filesystem::path file;
  double time_factor = 1;  ///< seconds in a unit of its time
  SamplePoint sample = SamplePoint::start;
  std::vector<InputColumn> columns;
  Place place;
};

/// Signals from outside.
struct ExternalInputs {
  std::filesystem::path file;  ///< columns named component.variable; empty: none
  std::vector<InputFile> tables;
  /// component.variable = value, constant
  std::vector<std::pair<Endpoint, std::string>> constants;
  /// Model-exchange components with no other inputs follow tables inside steps, and their
  /// integrators go beyond communication points and interpolate.
  bool exact = false;
  Place place;
};

/// Values that are set while time runs, as Session::set() sets them: inputs without a source and
/// tunable parameters, all of them together as one event.
struct TimedAction {
  double at = 0;  ///< s
  /// component.variable = value, as written
  std::vector<std::pair<Endpoint, std::string>> set;
  Place place;
};

enum class Norm : std::uint8_t { wrms, components };
constexpr WordList<2> list_words(Norm) { return {"wrms", "components"}; }

/// When an iteration has converged, and what happens if it does not.
struct IterationSettings {
  double abs = 1e-6, rel = 1e-4;
  std::uint32_t iterations = 20;
  OnLimit on_limit = OnLimit::stop;
  Norm norm = Norm::wrms;
};

enum class Sweeps : std::uint8_t { seidel, jacobi };
constexpr WordList<2> list_words(Sweeps) { return {"seidel", "jacobi"}; }
/// Whether components save their states before each step, so that a step can be taken back.
enum class SaveStates : std::uint8_t { when_needed, always, never };
constexpr WordList<3> list_words(SaveStates) { return {"auto", "always", "never"}; }

struct SimulationSettings {
  std::optional<double> start, stop, step;
  /// Communication points spaced logarithmically instead, so many to each factor of ten...
  std::optional<double> per_decade;
  std::optional<double> first;  ///< ...from here: the start time
  std::vector<double> points;   ///< or one by one, rising, from the start to the stop time
  std::vector<std::string> methods = {"gauss-seidel"};  ///< the later ones are fallbacks
  IterationSettings tolerance;
  std::optional<double> relaxation;  ///< a fixed factor; 1
  bool aitken = false;               ///< or one that adapts
  Sweeps sweeps = Sweeps::seidel;    ///< of `iterated`
  std::uint32_t threads = 1;
  InputSettings inputs;
  SaveStates save_states = SaveStates::when_needed;
  TlmRules tlm = TlmRules::tutti;
  ControlSettings control;
};

/// Another method for one cycle.
struct CycleSettings {
  std::vector<std::string> of;
  std::vector<std::string> methods;  ///< empty: those of the simulation
  std::vector<std::string> order;    ///< calling sequence; empty: the best one found
  Place place;
};

struct ResultSettings {
  std::filesystem::path file;          ///< empty: named after the system file
  std::vector<std::string> variables;  ///< patterns; empty: all outputs and connected inputs
  bool only_time = false;              ///< nothing else is recorded: `variables = []`
  bool inputs = true;                  ///< without patterns: also connected inputs
  std::optional<double> interval;      ///< every communication point
  bool steps = false;                  ///< also columns step, iterations, error
  /// Patterns of what is recorded of ports of lines, in a file of its own, at times of its own...
  std::vector<std::string> ports;
  std::optional<double> ports_interval;  ///< ...a thousandth of the time; 0: wherever one sends
  bool gnuplot = false;                  ///< a script beside the results that draws them
};

struct TUTTI_API System {
  std::string name;
  std::vector<Component> components;
  /// There is one FMU and nothing to connect: its variables are named without the component, and
  /// what is left out of the simulation comes from its default experiment. See system_of().
  bool is_lone = false;
  std::vector<Connection> connections;
  std::vector<TlmLine> tlm;  ///< between ports
  std::vector<DelayedSignal> delays;
  ExternalInputs inputs;
  std::vector<TimedAction> actions;
  SimulationSettings simulation;
  std::vector<CycleSettings> cycles;
  ResultSettings results;
  std::filesystem::path folder;  ///< what relative paths are relative to
  /// Where the files of a package (.ssp) were unpacked; removed with the last system that has it.
  std::shared_ptr<const std::filesystem::path> package;
  std::filesystem::path package_file;  ///< that package, for messages

  /// Some input is not constant over a step.
  bool has_varying_inputs() const;
  /// `component.variable`, or of a lone FMU `variable`.
  std::string qualified(std::size_t component, std::string_view variable) const;
  /// Index of the component with this name; -1 if there is none.
  std::int32_t find(std::string_view name) const;
};

}  // namespace tutti
