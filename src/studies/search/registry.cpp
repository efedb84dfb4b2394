// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tutti/error.hpp>
#include <tutti/search.hpp>

#include "base/text.hpp"
#include "studies/search/levenberg_marquardt.hpp"
#include "studies/search/nlopt_search.hpp"
#include "studies/search/search.hpp"

namespace tutti::studies {

std::span<const SearchMethod> search_table() {
  // clang-format off
  static const SearchMethod table[] = {
      {.name = "bobyqa", .summary = "quadratic models of the objective, without derivatives (NLopt)", .search = search_nlopt, .nlopt_name = "LN_BOBYQA", .least_parameters = 2,
       .about = {"For smooth objectives without constraints and with up to about twenty parameters: few runs. At least two parameters."}},
      {.name = "cobyla", .summary = "linear models of objective and constraints, without derivatives (NLopt)", .search = search_nlopt, .nlopt_name = "LN_COBYLA", .takes_constraints = true,
       .about = {"For few parameters with constraints, if runs are not smooth enough for differences. Needs many more runs than slsqp."}},
      {.name = "crs2", .summary = "global: controlled random search with local mutation (NLopt)", .search = search_nlopt, .nlopt_name = "GN_CRS2_LM", .is_global = true,
       .about = {"A population of random points that contracts to the minimum. Uses the seed."}},
      {.name = "direct-l", .summary = "global: divides the box between the bounds, deterministic (NLopt)", .search = search_nlopt, .nlopt_name = "GN_DIRECT_L", .is_global = true,
       .about = {"Divides the box where its values are small or its parts are large. Ends at max_runs; improve the result with a local method."}},
      {.name = "esch", .summary = "global: an evolutionary algorithm (NLopt)", .search = search_nlopt, .nlopt_name = "GN_ESCH", .is_global = true,
       .about = {"Mutates and combines points. Uses the seed and ends at max_runs; improve the result with a local method."}},
      {.name = "isres", .summary = "global: evolution strategy with constraints (NLopt)", .search = search_nlopt, .nlopt_name = "GN_ISRES", .is_global = true, .takes_constraints = true,
       .about = {"Stochastic ranking of objective and constraints. Uses the seed and usually ends at max_runs; improve the result with a local method."}},
      {.name = "levenberg-marquardt", .summary = "least squares on residuals, with parallel differences", .search = search_levenberg_marquardt, .least_squares = true,
       .about = {"For the estimation of parameters: uses each residual, so it needs few iterations. All runs for the Jacobian are in parallel. Forward differences first, central ones at the end."}},
      {.name = "nelder-mead", .summary = "a simplex, without derivatives; robust against noise (NLopt)", .search = search_nlopt, .nlopt_name = "LN_NELDERMEAD",
       .about = {"For few parameters and objectives that are not smooth. One run after the other."}},
      {.name = "slsqp", .summary = "sequential quadratic programming with parallel differences (NLopt)", .search = search_nlopt, .nlopt_name = "LD_SLSQP", .uses_gradients = true, .takes_constraints = true,
       .about = {"For smooth objectives and constraints. All runs for a gradient are in parallel."}},
      {.name = "subplex", .summary = "simplexes in subspaces, for more parameters than nelder-mead (NLopt)", .search = search_nlopt, .nlopt_name = "LN_SBPLX",
       .about = {"As robust as nelder-mead and faster with many parameters. One run after the other."}},
  };
  // clang-format on
  return table;
}

const SearchMethod& find_search_method(std::string_view name) {
  const std::span<const SearchMethod> table = search_table();
  const auto found = std::ranges::find(table, name, &SearchMethod::name);
  if (found != table.end()) return *found;
  std::vector<std::string> names;
  for (const SearchMethod& method : table) names.emplace_back(method.name);
  throw Error(ErrorCode::usage,
              fmt::format("unknown search method \"{}\".{} Expected one of: {}", name,
                          did_you_mean(name, names_of(table)), list_some(names)));
}

SearchResult search(const SearchMethod& method, const SearchProblem& problem,
                    const SearchOptions& options) {
  if (problem.constraints > 0 && !method.takes_constraints) {
    std::vector<std::string> names;
    for (const SearchMethod& other : search_table())
      if (other.takes_constraints) names.emplace_back(other.name);
    throw Error(ErrorCode::usage,
                fmt::format("the method \"{}\" cannot take constraints. Use one of: {}",
                            method.name, list_some(names)));
  }
  for (std::size_t j = 0; j < problem.start.size(); ++j)
    if (method.is_global && !std::isfinite(problem.upper[j] - problem.lower[j]))
      throw Error(ErrorCode::usage,
                  fmt::format("the method \"{}\" searches between bounds, but the parameter "
                              "\"{}\" lacks min or max. Add them, or use a local method",
                              method.name, problem.names[j]));
  return method.search(method, problem, options);
}

}  // namespace tutti::studies

std::vector<tutti::SearchMethodInfo> tutti::search_methods() {
  std::vector<SearchMethodInfo> all;
  for (const studies::SearchMethod& row : studies::search_table())
    all.push_back({row.name, row.summary, row.is_global, row.least_squares, row.takes_constraints});
  return all;
}
