// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "solvers/ode/ode.hpp"

namespace tutti::solvers {

/// One step leads to the limit. Roots are noticed at the end of the step in which they lie.
std::unique_ptr<OdeIntegrator> make_euler(OdeProblem& problem, const OdeOptions& options);
std::unique_ptr<OdeIntegrator> make_rk4(OdeProblem& problem, const OdeOptions& options);

}  // namespace tutti::solvers
