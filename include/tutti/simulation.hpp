// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <tutti/error.hpp>
#include <tutti/export.hpp>
#include <tutti/fmu.hpp>
#include <tutti/log.hpp>
#include <tutti/results.hpp>
#include <tutti/solvers.hpp>
#include <tutti/system.hpp>
#include <tutti/verification.hpp>
#include <tutti/worker.hpp>
#include <vector>

namespace tutti {

/// Supervision of a run.
struct RunControl {
  /// The FMUs run in a separate process, so that their crash or hang is an error message.
  bool own_process = true;
  Worker worker;              ///< that process; default: a new one
  bool profile = false;       ///< the times in the statistics are exact, not sampled
  double step_timeout = 600;  ///< seconds of wall time for one call (own process); 0: no limit
  /// Polled: true ends the run at the next communication point, or soon after if an FMU hangs.
  const std::atomic<bool>* stop_request = nullptr;
  /// Polled: true ends the run immediately, also inside a call of an FMU.
  const std::atomic<bool>* kill_request = nullptr;
  /// With own_process = false, called when the run cannot return, because an FMU calls exit() or
  /// does not react to kill_request: the results are complete, and the process should end.
  std::function<void(const struct RunReport&)> abandoned;
  /// Called a few times per second during the run.
  std::function<void(double time, double fraction)> progress;
};

/// A run of one FMU, as with `tutti simulate`. Missing values come from the FMU, else from the
/// default beside the field.
struct SimulateOptions : RunControl {
  std::filesystem::path fmu;
  FmuKind kind = FmuKind::automatic;  ///< co-simulation if the FMU has it
  std::optional<double> start;        ///< 0
  std::optional<double> stop;         ///< start + 1
  std::optional<double> step;         ///< span/500
  /// Relative tolerance. Default: co-simulation: undefined for the FMU; model exchange: 1e-6.
  std::optional<double> tolerance;
  std::optional<double> absolute_tolerance;  ///< scaled by nominal values of states; tolerance/100
  std::string solver = "cvode";              ///< for model exchange: a name of ode_solvers()
  std::optional<double> max_step;    ///< of the solver: no limit; with event indicators, the step
  std::optional<double> first_step;  ///< of the solver, after each start: chosen by the solver
  SolverOptions solver_options;
  bool diagnose = false;  ///< SolverStatistics::diagnosis
  /// Communication points spaced logarithmically instead, this number per decade...
  std::optional<double> per_decade;
  std::optional<double> first;     ///< ...from here: the start time
  std::vector<double> points;      ///< or a list, increasing, from the start to the stop time
  std::optional<double> interval;  ///< between recorded points: every communication point
  std::filesystem::path input;     ///< a CSV file; empty: none
  /// `name = value`, before time starts.
  std::vector<std::pair<std::string, std::string>> set;
  /// Patterns (`*`, `?`) of the variables to record; empty: all outputs.
  std::vector<std::string> variables;
  EventMode event_mode = EventMode::automatic;  ///< FMI 3.0: only where inputs jump
  bool early_return = false;                    ///< FMI 3.0: steps may end at events of the FMU
  bool fmu_logging = false;                     ///< the FMU's own debug messages
  FmuOptions open;
};

/// How a run ended.
struct RunEnd {
  enum class Kind { completed, terminated_by_fmu, interrupted, failed };
  Kind kind = Kind::completed;
  double time = 0;             ///< reached
  std::optional<Error> error;  ///< failed: what happened
  bool started = true;         ///< false: failed before time started
  std::string component;       ///< terminated: by this component; empty: unknown
};
constexpr WordList<4> list_words(RunEnd::Kind) {
  return {"completed", "terminated by the FMU", "interrupted", "failed"};
}

/// Calls of one component.
struct ComponentStatistics {
  std::string name;
  std::uint64_t do_step = 0, get = 0, set = 0, get_state = 0, set_state = 0, event_updates = 0;
  double seconds = 0;                             ///< in its steps
  std::optional<SolverStatistics> solver;         ///< of a model-exchange FMU
  std::uint64_t warnings = 0;                     ///< that the FMU logged or returned
  std::vector<ComponentStatistics> members = {};  ///< of a cluster
};

/// Iterations of one cycle.
struct CycleStatistics {
  std::vector<std::string> components;
  std::string method;
  std::uint64_t steps = 0, iterations = 0, limit_hits = 0, fallbacks = 0;
  std::uint64_t limit = 0;       ///< maximum number of iterations per step
  std::uint64_t near_limit = 0;  ///< steps with at least 80 % of the maximum
};

/// The coupling of one cycle.
struct CycleCoupling {
  std::vector<std::string> components;
  std::string method;  ///< and, where method = "auto" chose it, other keys of the system file
  std::string reason;  ///< of the choice; empty: it was given
  /// Outputs in algebraic loops that a given method of one pass does not solve, as far as model
  /// descriptions list dependencies.
  std::vector<std::string> unsolved = {};
};

/// A column of the results with values that are not finite (NaN or infinity).
struct NonFiniteColumn {
  std::string name;
  double time = 0;  ///< of the first one
  bool is_nan = false;
  std::uint64_t rows = 0;
};

/// The estimated maximum difference of an output of a coupled system from an exact coupling.
struct EstimatedError {
  std::string name;             ///< component.variable
  std::optional<double> error;  ///< in the unit of the output; nothing: not estimated
  /// The error over its tolerance, abs + rel * maximum magnitude; 0: unknown.
  double tolerances = 0;
};

struct RunStatistics {
  std::string model;
  std::optional<FmiVersion> version;  ///< of one FMU alone
  std::size_t component_count = 0;
  bool model_exchange = false;
  std::optional<double> tolerance;       ///< of the FMU and the solver
  double start = 0, stop = 0, step = 0;  ///< step 0: they differ
  std::string automatic;                 ///< the initial choice of method = "auto"; empty: not auto
  std::uint64_t steps = 0;               ///< communication steps done
  bool controlled = false;               ///< by step size control:
  std::uint64_t convergence_failures = 0, error_test_failures = 0;  ///< rejected steps
  /// Steps with too large an error: of the minimum size, and without rollback.
  std::uint64_t accepted_at_min = 0, accepted_without_rollback = 0;
  std::uint64_t rows = 0;     ///< recorded
  std::uint64_t actions = 0;  ///< of System::actions, performed
  /// Of a coupled system: evaluations of FMUs in initialization, outside loops.
  std::uint64_t initial_evaluations = 0;
  std::uint64_t do_step = 0, get = 0, set = 0, event_updates = 0, warnings = 0;  ///< FMI calls
  double load_seconds = 0, initialize_seconds = 0, step_seconds = 0;
  /// Of step_seconds. Extrapolated from sampled steps, unless the run was profiled.
  double output_seconds = 0;               ///< recording
  double method_seconds = 0;               ///< of a coupled system: between the components' steps
  std::uint32_t threads = 1;               ///< number of worker threads
  std::optional<SolverStatistics> solver;  ///< model exchange only
  std::vector<ComponentStatistics> components;  ///< of a coupled system
  std::vector<CycleStatistics> cycles;          ///< in which a method iterates
  /// Of the real outputs that are recorded or connected, where linear models of components are
  /// known (method "auto", "linear-implicit") and errors choose the steps. Empty: not estimated.
  std::vector<EstimatedError> estimated_errors;
  std::string control;                   ///< simulation.control.name of the step control
  std::vector<CycleCoupling> couplings;  ///< of all cycles, at the end of the run
  std::vector<std::string> open_inputs;  ///< component.variable without a source or a set value
  std::vector<NonFiniteColumn> not_finite;
  /// Of the steps accepted without rollback: the maximum error over the tolerance of a step, and
  /// the estimated total effect in the same unit.
  double worst_without_rollback = 0, effect_without_rollback = 0;
};

struct RunReport {
  RunEnd end;
  RunStatistics statistics;
  std::vector<Column> columns;               ///< of the results
  std::optional<Verification> verification;  ///< if requested, and the run completed
};

/// One FMU as a system, with the options in fields of the system.
TUTTI_API System system_of(const SimulateOptions& options);
TUTTI_API System system_of(const std::filesystem::path& fmu);

/// Runs one FMU and passes the results to `sink` (may be null).
/// @throws Error before the FMU is loaded; later errors are in the report.
TUTTI_API RunReport simulate(const SimulateOptions& options, Observer* sink, const Log& log);

/// `<name>.meta.json` for a result file: version, settings, statistics, units of the columns.
TUTTI_API void write_metadata(const std::filesystem::path& result_file,
                              const SimulateOptions& options, const RunReport& report);
TUTTI_API std::string statistics_text(const RunReport& report);
TUTTI_API std::string statistics_json(const SimulateOptions& options, const RunReport& report);
/// Code and known fields of an error: `{"code": "fmu", "component": "a"}`.
TUTTI_API std::string error_json(const Error& error);

}  // namespace tutti
