// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "solvers/ode/ode.hpp"

namespace tutti::solvers {

/// SUNDIALS CVODE (A. C. Hindmarsh et al., ACM TOMS 31, 2005): BDF with Newton iteration, or Adams
/// with functional iteration.
std::unique_ptr<OdeIntegrator> make_cvode_bdf(OdeProblem& problem, const OdeOptions& options);
std::unique_ptr<OdeIntegrator> make_cvode_adams(OdeProblem& problem, const OdeOptions& options);

}  // namespace tutti::solvers
