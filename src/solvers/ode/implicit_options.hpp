// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "solvers/linear/pencil.hpp"
#include "solvers/ode/ode.hpp"

/// Options that the implicit one-step methods share.
namespace tutti::solvers {

/// "linear_solver"
OptionRow linear_solver_row();
/// @throws Error if the problem has no pattern for a sparse one
Storage linear_solver_storage(const char* solver, const OdeProblem& problem,
                              const OptionValues& given);

}  // namespace tutti::solvers
