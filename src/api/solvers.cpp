// SPDX-License-Identifier: BSD-2-Clause
#include <tutti/solvers.hpp>

#include "solvers/ode/ode.hpp"

namespace tutti {

std::vector<SolverInfo> ode_solvers() {
  std::vector<SolverInfo> known;
  for (const solvers::OdeEntry& entry : solvers::ode_integrators())
    known.push_back({entry.name, entry.summary});
  return known;
}

}  // namespace tutti
