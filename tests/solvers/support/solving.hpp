// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <memory>
#include <tutti/ode.hpp>
#include <vector>

#include "solvers/ode/ode.hpp"

/// Runs of one integrator over one problem, for tests.
namespace tutti::solvers::runs {

using View = OdeFunctions::View;
using Out = OdeFunctions::Out;

/// An integrator with its problem.
struct SolverRun {
  SolverRun(const char* solver, OdeFunctions functions, double rtol = 1e-6, SolverOptions own = {},
            OdeOptions given = {})
      : problem(make_problem(std::move(functions))) {
    OdeOptions options = std::move(given);
    options.rtol = rtol;
    if (options.atol.empty()) options.atol.assign(problem->size(), rtol);
    options.own = std::move(own);
    integrator = find_ode_integrator(solver)->make(*problem, options);
  }

  /// To `end`; at events the handler is asked, and the integrator starts again.
  std::vector<double> solve(double t, double end, std::vector<double> y,
                            std::vector<double> yp = {}) {
    integrator->start(t, y, yp);
    while (t < end) {
      const OdeIntegrator::Step step = integrator->step(end);
      t = step.t;
      if (!step.root) continue;
      integrator->interpolate(t, y);
      if (!yp.empty()) integrator->interpolate_derivative(t, yp);
      event_times.push_back(t);
      OdeEvent event{.t = t, .y = y, .yp = yp, .roots = integrator->roots()};
      if (problem->handle_event(event) == AfterEvent::stop) return y;
      integrator->start(t, y, yp);
    }
    integrator->interpolate(t, y);
    return y;
  }
  OdeStatistics statistics() const { return integrator->statistics(); }

  std::unique_ptr<OdeProblem> problem;
  std::unique_ptr<OdeIntegrator> integrator;
  std::vector<double> event_times;
};

/// Van der Pol's oscillator with mu = 2000, from (2, -0.6) (E. Hairer, G. Wanner, Solving Ordinary
/// Differential Equations II, IV.10, with another mu).
inline OdeFunctions van_der_pol() {
  return {.size = 2, .rhs = [](double, View y, Out f) {
            f[0] = y[1];
            f[1] = 2000 * ((1 - y[0] * y[0]) * y[1] - y[0]);
          }};
}

}  // namespace tutti::solvers::runs
