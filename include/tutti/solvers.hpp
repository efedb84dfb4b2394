// SPDX-License-Identifier: BSD-2-Clause
#pragma once

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

}  // namespace tutti
