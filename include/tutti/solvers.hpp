// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <tutti/export.hpp>
#include <vector>

namespace tutti {

struct SolverInfo {
  std::string name;
  std::string summary;  ///< one line
};

/// The integrators that a model-exchange FMU can be given, sorted by name.
TUTTI_API std::vector<SolverInfo> ode_solvers();

/// How much work an integrator had, over all starts.
struct OdeStatistics {
  std::uint64_t steps = 0, evaluations = 0, jacobians = 0, root_evaluations = 0,
                error_test_failures = 0, convergence_failures = 0, starts = 0;
  std::uint64_t jacobian_evaluations = 0;  ///< for differences; not among `evaluations`
};

/// What the solver of a model-exchange FMU has done.
struct SolverStatistics : OdeStatistics {
  std::string name;
  std::uint64_t state_events = 0, time_events = 0, step_events = 0, input_events = 0;
  std::uint64_t chattering = 0;  ///< events that came too close to each other
};

}  // namespace tutti
