// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tutti/error.hpp>
#include <tutti/solvers.hpp>

#include "base/text.hpp"

tutti::OdeStatistics& tutti::OdeStatistics::operator+=(const OdeStatistics& more) {
  steps += more.steps;
  evaluations += more.evaluations;
  jacobians += more.jacobians;
  root_evaluations += more.root_evaluations;
  error_test_failures += more.error_test_failures;
  convergence_failures += more.convergence_failures;
  starts += more.starts;
  jacobian_evaluations += more.jacobian_evaluations;
  factorizations += more.factorizations;
  newton_iterations += more.newton_iterations;
  jacobian_products += more.jacobian_products;
  return *this;
}

tutti::SolverInfo tutti::ode_solver(std::string_view name) {
  const std::vector<SolverInfo> all = ode_solvers();
  const auto found = std::ranges::find(all, name, &SolverInfo::name);
  if (found != all.end()) return *found;
  const std::vector<std::string_view> names = names_of(all);
  throw Error(ErrorCode::usage,
              fmt::format("there is no solver \"{}\"; expected one of: {}.", printable(name),
                          fmt::join(names, ", ")),
              {.key = "solver", .hint = did_you_mean(name, names)});
}
