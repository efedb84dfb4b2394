// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/explanation.hpp"

/// Minimization of functions that are expensive and may fail. A method knows no system and no run.
namespace tutti::studies {

/// What is known of a point.
struct Evaluation {
  bool is_valid = false;  ///< false: it could not be computed, the other members are unknown
  double objective = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> constraints = {};  ///< satisfied where they are at most 0
  std::vector<double> residuals = {};  ///< of least squares: the objective is their sum of squares
};
using Point = std::vector<double>;
/// Evaluates points, some of them at the same time. Valid evaluations are finite. Exceptions end
/// the search and reach its caller.
using Evaluate = std::function<std::vector<Evaluation>(std::span<const Point> points)>;

/// Minimizes the objective for lower <= x <= upper and constraints <= 0. The unknowns are scaled:
/// changes of 1 are large, changes below the tolerance do not matter.
struct SearchProblem {
  std::vector<std::string> names;  ///< of the unknowns, for messages
  Point start, lower, upper;       ///< lower < upper; they may be infinite
  std::size_t constraints = 0;
  Evaluate evaluate;
};

struct SearchOptions {
  double tolerance = 1e-6;  ///< of the unknowns
  std::uint64_t max_evaluations = 10'000;
  std::uint64_t seed = 1;
};

enum class SearchEnd : std::uint8_t {
  converged,
  limit,  ///< max_evaluations; usual for global methods
};

struct SearchResult {
  Point x;
  Evaluation at_x;
  SearchEnd end{};
  bool is_feasible = true;       ///< constraints are satisfied, up to feasibility_tolerance
  std::uint64_t iterations = 0;  ///< of methods that count them, otherwise 0
  std::uint64_t evaluations = 0;
  std::uint64_t failed = 0;  ///< of the evaluations: not valid
};
constexpr double feasibility_tolerance = 1e-6;

/// A row of the table in registry.cpp.
struct SearchMethod {
  std::string_view name, summary;
  SearchResult (*search)(const SearchMethod&, const SearchProblem&, const SearchOptions&);
  const char* nlopt_name = nullptr;  ///< of the algorithm in NLopt
  bool is_global = false;            ///< needs finite bounds
  bool uses_gradients = false;
  bool least_squares = false;  ///< needs residuals
  bool takes_constraints = false;
  std::size_t least_parameters = 1;
  Explanation about = {};
};
/// Sorted by name.
std::span<const SearchMethod> search_table();
/// @throws Error(usage) with the nearest name
const SearchMethod& find_search_method(std::string_view name);

/// @throws Error(usage) if the method is not for this problem; Error(numeric) if the start is not
/// valid; Error(file) if a library is missing
SearchResult search(const SearchMethod& method, const SearchProblem& problem,
                    const SearchOptions& options);

}  // namespace tutti::studies
