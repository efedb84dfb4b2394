// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tutti/export.hpp>
#include <tutti/ode.hpp>
#include <variant>
#include <vector>

/// The integrators, their properties and options.
namespace tutti {

/// An option of one integrator. A string is converted to the type of the option.
using SolverOption = std::variant<bool, std::int64_t, double, std::string>;
/// By name. Missing options have their defaults.
using SolverOptions = std::map<std::string, SolverOption, std::less<>>;

struct SolverOptionInfo {
  std::string name;
  SolverOption default_value;       ///< its type is that of the option
  std::string summary;              ///< one line
  double minimum = 0, maximum = 0;  ///< of a number; both 0: any
  std::vector<std::string> words;   ///< of a string: expected one of these; empty: any
};

struct SolverInfo {
  std::string name;
  std::string summary;         ///< one line
  std::vector<OdeForm> forms;  ///< of problems that it solves
  int order = 0;               ///< the highest
  bool fixed_step = false;     ///< no error control; events are detected at the end of a step
  bool sparse = false;         ///< uses the pattern of the Jacobian
  std::vector<SolverOptionInfo> options;
};

/// All integrators, sorted by name. Those for explicit_ode can solve model-exchange FMUs.
TUTTI_API std::vector<SolverInfo> ode_solvers();
/// One of them. @throws Error(usage) if there is none of this name
TUTTI_API SolverInfo ode_solver(std::string_view name);

/// Work counts of an integrator, over all starts.
struct OdeStatistics {
  std::uint64_t steps = 0, evaluations = 0, jacobians = 0, root_evaluations = 0,
                error_test_failures = 0, convergence_failures = 0, starts = 0;
  std::uint64_t jacobian_evaluations = 0;  ///< for differences; not among `evaluations`
  std::uint64_t factorizations = 0, newton_iterations = 0, jacobian_products = 0;

  TUTTI_API OdeStatistics& operator+=(const OdeStatistics& more);
};

/// Which states of a model-exchange FMU limited the steps of its solver, and why steps were
/// rejected. A state limits a step if its error is the largest one against its tolerance.
struct SolverDiagnosis {
  struct State {
    std::string name;
    std::uint64_t limited = 0;   ///< accepted steps
    std::uint64_t rejected = 0;  ///< steps that failed the error test because of it
  };
  /// An accepted step.
  struct Step {
    double t = 0, h = 0;      ///< its end and size
    std::int32_t order = 0;   ///< of the method; 0: unknown
    std::int32_t state = -1;  ///< that limited it; -1: unknown
    double error = 0;         ///< of that state over its tolerance
  };
  std::vector<State> states;
  /// All accepted steps, or of many steps the shortest of every 2, 4, 8, ... successive ones.
  std::vector<Step> steps;
  std::uint64_t accepted = 0;  ///< total number of steps
  std::uint64_t error_failures = 0, convergence_failures = 0, evaluation_failures = 0;
};

/// Statistics of the solver of a model-exchange FMU.
struct SolverStatistics : OdeStatistics {
  std::string name;
  std::string note;  ///< choices of the solver with reasons; empty: none
  std::uint64_t state_events = 0, time_events = 0, step_events = 0, input_events = 0;
  std::uint64_t chattering = 0;              ///< events that are too close to each other
  std::optional<SolverDiagnosis> diagnosis;  ///< if SolverSettings::diagnose
};

}  // namespace tutti
