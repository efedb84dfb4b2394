// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "solvers/ode/ode.hpp"

namespace tutti::solvers {

/// Makes start values consistent: F(t, y, y') = 0, also for M y' = f or y' = f. Returns immediately
/// if changes of y and y' within the tolerances explain the residual. Otherwise the algebraic
/// components of y and the derivatives of the others are the unknowns of Newton's method with
/// damping; the others keep their values (P. N. Brown, A. C. Hindmarsh, L. R. Petzold, Consistent
/// initial condition calculation for differential-algebraic systems, SIAM J. Sci. Comput. 19, 1998;
/// with the Jacobian of these unknowns itself instead of dF/dy + c dF/dy'). Components are
/// algebraic as given by problem.algebraic(), or else if F does not depend on their derivatives.
/// @param direction_end end of the interval: the scale of time
/// @param yp the guess. Of mass_matrix and explicit_ode it may be empty
/// @param yp_is_given where F has all y', but does not determine them, y may be solved for instead
/// @returns a warning for the user if the algebraic block seems singular; empty: none. This is
/// checked if Newton's method fails, and with `checks_index` always.
/// @throws OdeFailure that names the equations violated most; if the unknowns are not determined,
/// the index is probably above 1
struct ConsistentStart {
  double rtol = 0;
  std::span<const double> atol;
  bool yp_is_given = false;
  bool checks_index = false;
};
std::string find_consistent_start(OdeProblem& problem, double t, double direction_end,
                                  std::vector<double>& y, std::vector<double>& yp,
                                  const ConsistentStart& options);

/// Which components' derivatives F does not depend on at this point: 1, the others 0.
std::vector<std::uint8_t> find_algebraic(OdeProblem& implicit, double t, std::span<const double> y,
                                         std::span<const double> yp, double rtol,
                                         std::span<const double> atol);

}  // namespace tutti::solvers
