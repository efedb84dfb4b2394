// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <tutti/solvers.hpp>

#include "console.hpp"

namespace tutti::cli {

/// `tutti solvers`, as parsed.
struct SolversCommand {
  std::string name;  ///< empty: all
  bool json = false;
};

/// Returns the exit status.
int solvers(const SolversCommand& command, Console& console);

/// For model exchange: x' = f(t, x).
bool solves_fmus(const SolverInfo& solver);
std::string form_name(OdeForm form);                 ///< "mass matrix"
std::string option_type(const SolverOption& value);  ///< "number"
std::string solvers_json(const std::vector<SolverInfo>& solvers);

}  // namespace tutti::cli
