// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/ode/implicit_options.hpp"

#include <fmt/format.h>

#include <tutti/error.hpp>

namespace tutti::solvers {

OptionRow linear_solver_row() {
  static constexpr const char* words[] = {"auto", "dense", "sparse"};
  return {"linear_solver",
          std::string("auto"),
          "Elimination: dense, sparse (KLU), or chosen by size and pattern",
          0,
          0,
          words};
}

Storage linear_solver_storage(const char* solver, const OdeProblem& problem,
                              const OptionValues& given) {
  const std::string& word = given.word("linear_solver");
  if (word == "auto") return Storage::automatic;
  if (word == "dense") return Storage::dense;
  const bool has_full_mass =
      problem.form() == OdeForm::mass_matrix && problem.mass_pattern() == nullptr;
  if (problem.jacobian_pattern() == nullptr || has_full_mass)
    throw Error(ErrorCode::capability,
                fmt::format("solver {}: linear_solver = \"sparse\" needs the sparsity pattern of "
                            "the {}, which the problem does not have.",
                            solver, has_full_mass ? "mass matrix" : "Jacobian"),
                {.key = "solver.linear_solver", .hint = "Use linear_solver = \"dense\"."});
  return Storage::sparse;
}

}  // namespace tutti::solvers
